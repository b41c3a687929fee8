// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.board.NiRecord;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.counters.CounterKind;
import org.grim.network.RemoteNodes;
import org.grim.network.status.HostStatus;
import org.grim.network.status.NodeStatus;
import org.grim.queue.Inbox;
import org.grim.queue.InboxView;
import org.grim.sockets.observe.ConnectionReport;
import org.grim.sockets.observe.ConnectionTable;
import org.grim.tools.connections.ConnectionSample;
import org.grim.tools.report.Age;
import org.grim.tools.report.Counters;
import org.grim.transport.HopObserver;
import org.grim.transport.HopReport;

/**
 * Looks at all files of a cluster that say who waits, mapped read-only; asks the agents of other hosts.
 * <p>Thread: one. Owns: its view of the directory.
 */
final class ClusterSampler implements AutoCloseable
{
    private static final long REMOTE_TIMEOUT_MS = 2_000;

    private final ClusterFiles files;
    private final ClusterDirectory directory;

    ClusterSampler(final Path path)
    {
        files = new ClusterFiles(path);
        directory = ClusterDirectory.view(path);
    }

    ClusterSample sample()
    {
        final List<ClusterSample.Node> nodes = new ArrayList<>();
        final Map<Integer, ConnectionReport> connections = new LinkedHashMap<>();
        final List<SeenNode> all = nodes();
        final RemoteSample remote = RemoteSample.ask(
            files.path(), all.stream().filter(seen -> directory.isRemote(seen.number())).toList(), REMOTE_TIMEOUT_MS);
        for (final SeenNode seen : all)
        {
            if (directory.isRemote(seen.number()))
            {
                nodes.add(remote.node(seen, System.currentTimeMillis()));
                continue;
            }
            final List<String> missing = new ArrayList<>();
            final Counters counters = Counters.of(files.ofNode(seen.number(), seen.incarnation(), "counters"),
                "counters", missing, CounterKind.values());
            nodes.add(new ClusterSample.Node(seen.with(counters), counters, inbox(seen.info(), missing), missing));
            final ConnectionReport report = ConnectionSample.read(
                files.ofNode(seen.number(), seen.incarnation(), ConnectionTable.KIND), missing);
            if (report != null)
            {
                connections.put(seen.number(), report);
            }
        }
        final long epochMs = System.currentTimeMillis();
        return new ClusterSample(epochMs, nodes,
            NiSample.of(files, epochMs, nodes.stream().map(ClusterSample.Node::seen).toList()),
            remote.hops(HopObserver.lookAtAll(incarnations(all), files::ofNode)),
            new ConnectionSample(connections));
    }

    private static Map<Integer, Integer> incarnations(final List<SeenNode> nodes)
    {
        return nodes.stream().filter(node -> node.info().state() != NodeInfo.State.GONE)
            .collect(Collectors.toMap(SeenNode::number, SeenNode::incarnation));
    }

    /** The nodes alone. */
    List<SeenNode> nodes()
    {
        return directory.nodes().stream().map(info ->
            new SeenNode(info, directory.isAlive(info.number()), directory.isRemote(info.number()) ?
                SeenNode.ProcessState.UNKNOWN : SeenNode.ProcessState.of(info.processId()),
                NiRecord.of(directory, info.number()).route())).toList();
    }

    /** Where the transports of a node are reached from other hosts. */
    String addresses(final SeenNode node)
    {
        return directory.addresses(node.number());
    }

    @Override
    public void close()
    {
        directory.close();
    }

    private ClusterSample.Inbox inbox(final NodeInfo info, final List<String> missing)
    {
        final Path file = files.ofNode(info.number(), info.incarnation(), "inbox");
        if (Files.exists(file))
        {
            try (MappedFile mapped = MappedFile.open(file, Inbox.MAGIC, Inbox.lengthMin(), false))
            {
                final Inbox inbox = Inbox.wrap(mapped.buffer());
                final InboxView view = new InboxView(inbox);
                final List<ClusterSample.Channel> channels = new ArrayList<>();
                final List<ClusterSample.Queue> queues = new ArrayList<>();
                for (int channel = 0; channel < view.geometry().channelCount(); channel++)
                {
                    channels.add(
                        new ClusterSample.Channel(channel, view.lastPollMs(channel), view.isAsleep(channel)));
                    readExclusive(view, channel, queues);
                    readShared(view, channel, queues);
                }
                return new ClusterSample.Inbox(inbox.lastPollMs(), channels, queues, frames(view));
            }
            catch (final GrimException ex)
            {
                missing.add("inbox cannot be read: " + ex.getMessage());
            }
        }
        else if (info.state() != NodeInfo.State.GONE && info.transports().contains("shmem"))
        {
            missing.add("no inbox");
        }
        return ClusterSample.Inbox.NONE;
    }

    private static void readExclusive(
        final InboxView view, final int channel, final List<ClusterSample.Queue> queues)
    {
        for (int queue = 0; queue < view.geometry().exclusiveQueueCount(); queue++)
        {
            final long owner = view.owner(channel, queue);
            if (owner != 0)
            {
                queues.add(queue(view, channel, queue, false, List.of(owner)));
            }
        }
    }

    private static void readShared(final InboxView view, final int channel, final List<ClusterSample.Queue> queues)
    {
        final Map<Integer, List<Long>> owners = new TreeMap<>();
        for (int sender = 0; sender < view.senderCount(); sender++)
        {
            final long owner = view.sender(channel, sender);
            if (owner != 0)
            {
                owners.computeIfAbsent(view.queueOfSender(sender), key -> new ArrayList<>()).add(owner);
            }
        }
        owners.forEach((queue, list) -> queues.add(queue(view, channel, queue, true, list)));
    }

    private static ClusterSample.Queue queue(
        final InboxView view, final int channel, final int queue, final boolean isShared, final List<Long> owners)
    {
        final InboxView.Slots slots = view.slots(channel, queue);
        final long claimOwner = slots.claimant() < 0 ? 0 : view.sender(channel, slots.claimant());
        return new ClusterSample.Queue(channel, queue, isShared, owners, slots, view.geometry().slotCount(),
            view.roomOf(queue), view.isStopped(channel, queue), view.refusedSinceMs(channel, queue), claimOwner);
    }

    private static ClusterSample.Frames frames(final InboxView view)
    {
        final Map<Long, Integer> holders = new LinkedHashMap<>();
        int usedCount = 0;
        for (int frame = 0; frame < view.geometry().frameCount(); frame++)
        {
            if (view.isFrameUsed(frame))
            {
                usedCount++;
                holders.merge(view.holderOfFrame(frame), 1, Integer::sum);
            }
        }
        return new ClusterSample.Frames(view.geometry().frameCount(), usedCount, holders);
    }

    /**
     * Reports of other hosts' agents about their nodes, at one look.
     *
     * @param hosts     labels of those that were to answer.
     * @param answers   by host; who is not in it did not answer. Another one than those is this host's.
     * @param refusal   why nobody could be asked; empty if all were.
     * @param timeoutMs how long it was waited.
     */
    record RemoteSample(Set<String> hosts, Map<String, HostStatus> answers, String refusal, long timeoutMs)
    {
        /** A loop that did housekeeping so short a time ago polls, or sleeps and would wake. */
        private static final long POLL_LATE_MS = 1_000;

        /** Asks all hosts that have a node in the cluster; nobody if there are none. */
        static RemoteSample ask(final Path cluster, final List<SeenNode> remote, final long timeoutMs)
        {
            final Set<String> hosts = remote.stream().filter(node -> node.info().state() != NodeInfo.State.GONE)
                .map(node -> node.info().host()).collect(Collectors.toSet());
            if (hosts.isEmpty())
            {
                return new RemoteSample(hosts, Map.of(), "", timeoutMs);
            }
            try
            {
                return new RemoteSample(hosts,
                    RemoteNodes.ask(cluster, hosts, TimeUnit.MILLISECONDS.toNanos(timeoutMs)), "", timeoutMs);
            }
            catch (final GrimException ex)
            {
                return new RemoteSample(hosts, Map.of(), ex.getMessage(), timeoutMs);
            }
        }

        /** A node of another host: its queues stand in that host's memory. */
        ClusterSample.Node node(final SeenNode seen, final long epochMs)
        {
            final String host = "host " + seen.info().host();
            if (seen.info().state() == NodeInfo.State.GONE)
            {
                return node(seen, 0, Counters.NONE, "no counters: it ran on " + host);
            }
            if (!refusal.isEmpty())
            {
                return node(seen, 0, Counters.NONE, host + " was not asked: " + refusal);
            }
            final HostStatus answer = answers.get(seen.info().host());
            if (answer == null)
            {
                final long silentMs = silences().getOrDefault(seen.info().host(), 0L);
                return node(seen, 0, Counters.NONE, host + " did not answer for " + Age.duration(timeoutMs) +
                    (silentMs < timeoutMs ? "" : ", and was not heard for " + Age.duration(silentMs)));
            }
            final NodeStatus status = answer.nodes().stream().filter(each ->
                each.number() == seen.number() && each.incarnation() == seen.incarnation()).findFirst().orElse(null);
            if (status == null)
            {
                return node(seen, 0, Counters.NONE, host + " says that it is gone");
            }
            final String lateness = status.heartbeatAgeMs() < POLL_LATE_MS ? status.missing() :
                "its loop has not polled for " + Age.duration(status.heartbeatAgeMs());
            return node(seen, status.heartbeatAgeMs() < 0 ? 0 : epochMs - status.heartbeatAgeMs(),
                new Counters(status.readings(), status.errors()), lateness);
        }

        /** The hops of this host, and those of the hosts that answered. */
        HopSample hops(final HopReport own)
        {
            final List<HopReport> reports = new ArrayList<>(List.of(own));
            answers.entrySet().stream().filter(answer -> hosts.contains(answer.getKey()))
                .forEach(answer -> reports.add(answer.getValue().hops()));
            return new HopSample(HopReport.merge(reports), silences(),
                hosts.stream().filter(host -> !answers.containsKey(host)).collect(Collectors.toSet()));
        }

        /** By host, as this host's agent hears it. */
        private Map<String, Long> silences()
        {
            return answers.entrySet().stream().filter(answer -> !hosts.contains(answer.getKey()))
                .flatMap(answer -> answer.getValue().silences().stream()).collect(Collectors.toMap(
                HostStatus.Silence::host, HostStatus.Silence::durationMs, Math::min));
        }

        private static ClusterSample.Node node(
            final SeenNode seen, final long lastPollMs, final Counters counters, final String missing)
        {
            return new ClusterSample.Node(seen, counters, ClusterSample.Inbox.ofRemote(lastPollMs),
                missing.isEmpty() ? List.of() : List.of(missing));
        }
    }
}
