// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.DeviceInfo;
import org.grim.NodeInfo;
import org.grim.cluster.LostProcesses;
import org.grim.counters.CounterKind.Scope;
import org.grim.queue.QueueOwner;
import org.grim.tools.report.Age;
import org.grim.tools.report.Counters;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/**
 * Reports of a cluster, from outside. Each opens its files, mapped read-only, and writes nothing; the agents of other
 * hosts are asked about their nodes. Of nodes that leave meanwhile it says what is missing.
 * <p>Thread: any.
 */
public final class Observer
{
    private static final String INDENT = "  ";
    private static final Set<String> SELDOM_PREFIXES = Set.of("memory-", "kept-");

    private Observer()
    {
    }

    /**
     * Output of a command.
     *
     * @param json      for programs.
     * @param text      for people, each line with its end.
     * @param isWaiting whether something waits; only {@link #why} finds out.
     */
    public record Report(Object json, String text, boolean isWaiting)
    {
    }

    /**
     * The nodes.
     *
     * @param path of the cluster's directory.
     * @return as they are now.
     * @throws org.grim.GrimException if there is no cluster.
     */
    public static Report nodes(final Path path)
    {
        try (ClusterSampler sampler = new ClusterSampler(path))
        {
            final long nowMs = System.currentTimeMillis();
            final List<Map<String, Object>> nodes = new ArrayList<>();
            final List<Map<String, Object>> rows = new ArrayList<>();
            for (final SeenNode seen : sampler.nodes())
            {
                final NodeInfo info = seen.info();
                final long ageMs = Age.sinceMs(info.heartbeatMs(), nowMs);
                final Map<String, Object> node = Json.object("number", info.number(), "name", info.name(), "state",
                    Json.label(info.state()), "goneReason", Json.label(info.goneReason()), "isAlive", seen.isAlive(),
                    "processId", info.processId(), "incarnation", info.incarnation(), "channelCount",
                    info.channelCount(), "transports", info.transports(), "devices", DeviceRows.json(info),
                    "heartbeatAgeMs", ageMs, "host", info.host(), "niNumber", seen.niNumber(), "niFirstChannel",
                    seen.niFirstChannel(), "addresses", sampler.addresses(seen));
                nodes.add(node);
                final Map<String, Object> row = new LinkedHashMap<>(node);
                row.put("state", state(info));
                row.put("process", seen.isAlive() ? "alive" : "dead");
                row.put("transports", String.join(",", info.transports()));
                row.put("devices", DeviceRows.text(info));
                row.put("heartbeat", Age.text(ageMs));
                row.put("ni", seen.niNumber() == SeenNode.NI_NONE ? "-" :
                    "NI " + seen.niNumber() + " from " + seen.niFirstChannel());
                row.replace("addresses", "", "-");
                rows.add(row);
            }
            return new Report(Json.object("command", "nodes", "directory", path.toString(), "nodes", nodes),
                Table.of(rows, "node=number", "name", "state", "process", "pid=processId", "incarnation",
                "channels=channelCount", "transports", "devices", "heartbeat", "host", "NI channels=ni",
                "addresses"), false);
        }
    }

    /**
     * Returns the nodes' counters and the content of their queues.
     *
     * @param path of the cluster's directory.
     * @return as it is now.
     * @throws org.grim.GrimException if there is no cluster.
     */
    public static Report stat(final Path path)
    {
        try (ClusterSampler sampler = new ClusterSampler(path))
        {
            final ClusterSample sample = sampler.sample();
            final StringBuilder text = new StringBuilder("cluster ").append(path).append('\n');
            final List<Map<String, Object>> nodes = new ArrayList<>();
            sample.nodes().forEach(node -> nodes.add(stat(sample, node, text.append('\n'))));
            return new Report(Json.object("command", "stat", "directory", path.toString(), "epochMs", sample.epochMs(),
                "nodes", nodes), text.toString(), false);
        }
    }

    /**
     * Finds waiting messages and their causes. Looks twice: a message that has not moved waits.
     *
     * @param path     of the cluster's directory.
     * @param sampleMs time between the two looks.
     * @return what waits.
     * @throws org.grim.GrimException if there is no cluster.
     */
    public static Report why(final Path path, final long sampleMs)
    {
        try (ClusterSampler sampler = new ClusterSampler(path))
        {
            final ClusterSample before = sampler.sample();
            final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(sampleMs);
            for (long leftNs = endNs - System.nanoTime(); leftNs > 0; leftNs = endNs - System.nanoTime())
            {
                LockSupport.parkNanos(leftNs);
            }
            final WhyReport report = new Diagnosis(before, sampler.sample()).report();
            final String lost = LostProcesses.text(path);
            return new Report(
                report.entries(), report.text() + (lost.isEmpty() ? "" : lost + '\n'), report.isWaiting());
        }
    }

    /**
     * Looks for a kind of device, whose process exists.
     *
     * @param path of the cluster's directory.
     * @param kind of device.
     * @return whether a node has one.
     * @throws org.grim.GrimException if there is no cluster.
     */
    public static boolean hasDevice(final Path path, final NodeInfo.Device kind)
    {
        try (ClusterSampler sampler = new ClusterSampler(path))
        {
            return sampler.nodes().stream().anyMatch(node -> node.isAlive() && node.info().devices().stream()
                .anyMatch(device -> device.kind() == kind && device.state() != DeviceInfo.State.GONE));
        }
    }

    /** Returns the state in words: of a node that is gone, with the reason. */
    private static String state(final NodeInfo info)
    {
        final String state = Json.label(info.state());
        return info.state() == NodeInfo.State.GONE ? state + " (" + Json.label(info.goneReason()) + ")" : state;
    }

    private static Map<String, Object> stat(
        final ClusterSample sample, final ClusterSample.Node node, final StringBuilder text)
    {
        final NodeInfo info = node.info();
        final Counters counters = node.counters();
        final Map<Integer, Map<String, Long>> channels = counters.byKey(Scope.CHANNEL);
        final Map<String, Long> totals = counters.ofScope(Scope.NODE);
        final Map<String, Long> rejected = counters.reasons(Scope.REJECT_REASON);
        final Map<String, Long> memoryRefused = counters.reasons(Scope.REMOTE_REFUSAL);
        final NiReport ni = NiReport.of(sample.boards(), info.number());
        text.append("node ").append(info.number()).append(' ').append(info.name()).append(": ")
            .append(state(info)).append(node.isAlive() ? ", alive" : ", dead").append(", incarnation ")
            .append(info.incarnation()).append(", endpoints ").append(DeviceRows.text(info))
            .append(", host ").append(info.host()).append('\n');
        final StringBuilder body = new StringBuilder();
        node.missing().forEach(what -> body.append(what).append('\n'));
        body.append(channelTable(channels));
        final Map<String, Object> inbox = inbox(node.inbox(), sample.epochMs(), body);
        body.append(sample.sockets().text(info.number(), sample::nameOfNode));
        body.append(ni == null ? "" : ni.text()).append(Counters.text("node-wide", totals))
            .append(Counters.text("rejected", rejected)).append(Counters.text("memory-refused", memoryRefused))
            .append(counters.errorText("error"));
        body.toString().lines().forEach(line -> text.append(INDENT).append(line).append('\n'));
        return Json.object("number", info.number(), "name", info.name(), "state", Json.label(info.state()),
            "goneReason", Json.label(info.goneReason()), "isAlive", node.isAlive(), "incarnation",
            info.incarnation(), "endpoints", DeviceRows.json(info), "host", info.host(), "channels",
            channels.entrySet().stream().map(entry ->
                Json.object("channel", entry.getKey(), "counters", entry.getValue())).toList(),
            "counters", totals, "rejected", rejected, "memoryRefused", memoryRefused, "inbox", inbox, "connections",
            sample.sockets().json(info.number(), sample::nameOfNode), "ni",
            ni == null ? null : ni.json(), "errors", counters.errors(), "missing", node.missing());
    }

    /** Most nodes have no remote memory and keep nothing: these columns come when something is in them. */
    private static String channelTable(final Map<Integer, Map<String, Long>> channels)
    {
        final Set<String> columns = new LinkedHashSet<>(List.of("channel"));
        final List<Map<String, Object>> rows = new ArrayList<>();
        channels.forEach((channel, counters) ->
        {
            final Map<String, Object> row = Json.object("channel", channel < 0 ? "shared links" : channel);
            row.putAll(counters);
            rows.add(row);
            counters.forEach((name, value) ->
            {
                if (value != 0 || SELDOM_PREFIXES.stream().noneMatch(name::startsWith))
                {
                    columns.add(name);
                }
            });
        });
        return Table.of(rows, columns.toArray(String[]::new));
    }

    /** Its exclusive queues; null if there is no inbox. */
    private static Map<String, Object> inbox(
        final ClusterSample.Inbox inbox, final long nowMs, final StringBuilder text)
    {
        if (inbox.channels().isEmpty())
        {
            return null;
        }
        final List<Map<String, Object>> queues = new ArrayList<>();
        final List<Map<String, Object>> rows = new ArrayList<>();
        for (final ClusterSample.Queue queue : inbox.queues())
        {
            if (!queue.isShared())
            {
                final long owner = queue.owners().get(0);
                final boolean isDetached = QueueOwner.isDetached(owner);
                final Map<String, Object> json = Json.object("channel", queue.channel(), "queue", queue.number(),
                    "ownerNode", QueueOwner.node(owner), "ownerChannel", QueueOwner.channel(owner), "isDetached",
                    isDetached, "unreadCount", queue.unread(), "slotCount", queue.slotCount(), "isStopped",
                    queue.isStopped());
                queues.add(json);
                final Map<String, Object> row = new LinkedHashMap<>(json);
                row.put("queue", queue.channel() + "." + queue.number());
                row.put("state", queue.isStopped() ? "stopped" : isDetached ? "detached" : "open");
                rows.add(row);
            }
        }
        final long ageMs = Age.sinceMs(inbox.lastPollMs(), nowMs);
        text.append("last poll ").append(Age.text(ageMs)).append("; queues with a sender: ").append(queues.size())
            .append('\n').append(Table.of(rows, "queue", "from node=ownerNode", "from channel=ownerChannel",
            "unread=unreadCount", "of=slotCount", "state"));
        return Json.object("lastPollAgeMs", ageMs, "queues", queues);
    }
}
