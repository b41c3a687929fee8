// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.grim.NodeInfo;
import org.grim.counters.CounterKind;
import org.grim.tools.report.Age;

/**
 * Rates of a cluster's nodes, from one look to the next, within 80 columns. Nodes that do nothing, and have nothing
 * waiting, are counted only.
 * <p>Thread: one.
 */
public final class Top
{
    private static final String ROW = "%-16s %8s %8s %10s %9s %8s  %s";
    private static final int NAME_LENGTH_MAX = 16;
    private static final int WIDTH = 80;
    private static final long POLL_LATE_MS = 1_000;
    private static final double MEGA = 1e6;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final List<CounterKind> SENT = List.of(CounterKind.MESSAGES_SENT, CounterKind.MEMORY_WRITES,
        CounterKind.MEMORY_READS, CounterKind.MEMORY_ATOMICS);
    private static final List<CounterKind> BYTES =
        List.of(CounterKind.BYTES_SENT, CounterKind.MEMORY_BYTES_WRITTEN, CounterKind.MEMORY_BYTES_READ);

    private final Path path;
    private final long pollLateMs;
    private final Map<Long, Long> stalledSinceMs = new HashMap<>();     // By incarnation and number.
    private ClusterSample before;

    /** A cluster, by its directory. */
    public Top(final Path path)
    {
        this(path, POLL_LATE_MS);
    }

    Top(final Path path, final long pollLateMs)
    {
        this.path = path;
        this.pollLateMs = pollLateMs;
    }

    /**
     * Looks at all nodes; those of other hosts by their agents.
     *
     * @return the table; empty at the first look.
     * @throws org.grim.GrimException if there is no cluster.
     */
    public String look()
    {
        try (ClusterSampler sampler = new ClusterSampler(path))
        {
            final ClusterSample now = sampler.sample();
            final String text = before == null ? "" : table(now);
            before = now;
            return text;
        }
    }

    private String table(final ClusterSample now)
    {
        final double seconds = Math.max(1, now.epochMs() - before.epochMs()) / 1e3;
        final List<String> rows = new ArrayList<>();
        int quietCount = 0;
        int nodeCount = 0;
        for (final ClusterSample.Node node : now.nodes())
        {
            if (node.info().state() != NodeInfo.State.GONE)
            {
                final ClusterSample.Node earlier = before.node(node.info().number());
                final String row = earlier == null || earlier.info().incarnation() != node.info().incarnation() ? "" :
                    row(earlier, node, seconds, now.epochMs());
                rows.add(row);
                quietCount += row.isEmpty() ? 1 : 0;
                nodeCount++;
            }
        }
        rows.removeIf(String::isEmpty);
        final String heading = String.format(Locale.ROOT, ROW, "node", "sent/s", "MB/s", "received/s", "refused/s",
            "waiting", "state");
        final String title = TIME.format(Instant.ofEpochMilli(now.epochMs()).atZone(ZoneId.systemDefault())) +
            "  nodes: " + nodeCount + ", quiet: " + quietCount + "  " + path;
        final StringBuilder text = new StringBuilder(cut(title)).append('\n');
        Stream.concat(rows.isEmpty() ? Stream.empty() : Stream.of(heading), rows.stream())
            .forEach(line -> text.append(cut(line.stripTrailing())).append('\n'));
        return text.toString();
    }

    /** Empty if there is nothing to show. */
    private String row(
        final ClusterSample.Node earlier, final ClusterSample.Node node, final double seconds, final long nowMs)
    {
        final long sent = sum(node, SENT) - sum(earlier, SENT);
        final long length = sum(node, BYTES) - sum(earlier, BYTES);
        final List<CounterKind> received = List.of(CounterKind.MESSAGES_RECEIVED);
        final long receivedCount = sum(node, received) - sum(earlier, received);
        final List<CounterKind> refusals = List.of(CounterKind.BACK_PRESSURED);
        final long refused = sum(node, refusals) - sum(earlier, refusals);
        final long waiting = sum(node, List.of(CounterKind.OVERFLOW_DEPTH));
        final String state = state(node, refused > 0 && sent == 0, earlier.info(), nowMs);
        if (sent == 0 && receivedCount == 0 && refused == 0 && waiting == 0 && state.isEmpty())
        {
            return "";
        }
        return String.format(Locale.ROOT, ROW, name(node), rate(sent / seconds),
            String.format(Locale.ROOT, "%.1f", length / MEGA / seconds), rate(receivedCount / seconds),
            rate(refused / seconds), waiting == 0 ? "" : rate((double)waiting), state);
    }

    private String state(
        final ClusterSample.Node node, final boolean isStalled, final NodeInfo earlier, final long nowMs)
    {
        final NodeInfo info = node.info();
        final long key = (long)info.incarnation() << Integer.SIZE | info.number();
        if (!isStalled)
        {
            stalledSinceMs.remove(key);
        }
        final long lateMs = Age.sinceMs(info.heartbeatMs(), nowMs);
        if (!node.isAlive())
        {
            return "dead";
        }
        if (node.isStopped())
        {
            return "stopped";
        }
        if (isStalled)
        {
            return "stalled " + Age.duration(nowMs - stalledSinceMs.computeIfAbsent(key, each -> before.epochMs()));
        }
        // The heartbeat of another host's node is some seconds old.
        final boolean isLate =
            lateMs > pollLateMs && info.heartbeatMs() == earlier.heartbeatMs() && !node.channels().isEmpty();
        return isLate ? "no poll " + Age.duration(lateMs) : node.missing().isEmpty() ? "" : "not seen";
    }

    private static long sum(final ClusterSample.Node node, final List<CounterKind> kinds)
    {
        return kinds.stream().flatMap(kind -> node.counters().values(kind).values().stream())
            .mapToLong(Long::longValue).sum();
    }

    private static String name(final ClusterSample.Node node)
    {
        final String name = node.name();
        return name.length() <= NAME_LENGTH_MAX ? name : name.substring(0, NAME_LENGTH_MAX - 2) + "..";
    }

    private static String cut(final String line)
    {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 2) + "..";
    }

    /** At most seven characters. */
    static String rate(final double perSecond)
    {
        return perSecond < 1e5 ? String.format(Locale.ROOT, "%.0f", perSecond) :
            perSecond < 1e8 ? String.format(Locale.ROOT, "%.0fk", perSecond / 1e3) :
            String.format(Locale.ROOT, "%.0fM", perSecond / MEGA);
    }
}
