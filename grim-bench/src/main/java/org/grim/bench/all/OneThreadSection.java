// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import org.agrona.CloseHelper;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.NodePair;
import org.grim.bench.nodes.SilentQueues;
import org.grim.tools.process.Pinning;

/**
 * The sections of one thread: bursts of work, and a piece of fixed work after each as the yardstick. No other process,
 * no cache line that moves: what is left is our code.
 * <ul>
 * <li>{@code cost}: messages sent, then polled, each part timed for itself.</li>
 * <li>{@code channels}: a message over each channel in turn, and a poll that finds nothing, against their number.</li>
 * <li>{@code poll}: a poll of silent queues, and of one of its words, against their number.</li>
 * </ul>
 * <p>Thread: the measuring one, pinned.
 */
final class OneThreadSection
{
    private static final int PAYLOAD_LENGTH = 32;
    private static final List<Integer> COST_SIZES = List.of(0, 32, 256);
    private static final int COST_SIZE_MAX = 256;
    private static final int COST_BURST = 128;
    private static final int CHANNEL_BURST = 64;
    private static final int SAMPLE_COUNT_MAX = 1 << 14;

    private final Part part;
    private final Section section;
    private final List<Row> rows = new ArrayList<>();
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final FixedWork work = new FixedWork();

    private OneThreadSection(final Part part, final Section section)
    {
        this.part = part;
        this.section = section;
    }

    static void run(final Part part, final Section section)
    {
        final OneThreadSection of = new OneThreadSection(part, section);
        final List<Integer> cpus = Pinning.allowedCpus();
        try (Pinning pinning = Pinning.pin(cpus.size() < 2 ? Pinning.NO_CPU : cpus.get(0)))
        {
            if (!pinning.isPinned())
            {
                part.figures().note("part " + part.name() + ": measuring thread " + pinning.description());
            }
            of.addRows();
            of.measure();
        }
        finally
        {
            CloseHelper.closeAll(of.owned);
        }
    }

    /** One burst at one place of the curve; returns ns per operation of each of its benchmarks. */
    private interface Burst
    {
        void run(Map<String, DescriptiveStatistics> ns);
    }

    private record Row(String xName, int x, Burst burst)
    {
    }

    private void addRows()
    {
        final Effort effort = part.effort();
        switch (section)
        {
            case COST ->
            {
                final NodePair nodes = owned(new NodePair(part.name(), 1, COST_SIZE_MAX, part.directory(), Map.of()));
                COST_SIZES.forEach(size -> rows.add(new Row("size", size, ns -> cost(nodes, size, ns))));
            }
            case CHANNELS -> effort.choose(List.of(1, 4), List.of(1, 2, 4, 8, 16, 32), List.of(1, 2, 4, 8, 16, 32))
                .forEach(count ->
                {
                    final NodePair nodes =
                        owned(new NodePair(part.name(), count, PAYLOAD_LENGTH, part.directory(), Map.of()));
                    rows.add(new Row("channels", count, ns -> channels(nodes, count, ns)));
                });
            case POLL -> (effort == Effort.TINY ? List.of(1, 8) : List.of(1, 2, 4, 8, 16, 32, 64)).forEach(count ->
            {
                final SilentQueues queues = owned(new SilentQueues(part.name(), count, part.directory()));
                rows.add(new Row("queues", count, ns ->
                {
                    final double pollNs = queues.measure(effort.roundNs() / 100);
                    add(ns, "poll", pollNs);
                    add(ns, "word", pollNs / queues.wordCount());
                }));
            });
            default -> throw new IllegalArgumentException("section=" + section + " has processes");
        }
    }

    private <T extends AutoCloseable> T owned(final T resource)
    {
        owned.add(resource);
        return resource;
    }

    private void measure()
    {
        final Effort effort = part.effort();
        final int roundCount = section == Section.COST ? effort.choose(2, 15, 25) : effort.rounds();
        for (int round = -effort.choose(1, 20, 40); round < roundCount; round++)
        {
            for (final Row row : rows)
            {
                final Map<String, DescriptiveStatistics> ns = new LinkedHashMap<>();
                final DescriptiveStatistics workNs = new DescriptiveStatistics();
                final long endNs = System.nanoTime() + effort.roundNs();
                do
                {
                    row.burst().run(ns);
                    workNs.addValue((double)work.pass());
                }
                while (System.nanoTime() - endNs < 0 && workNs.getN() < SAMPLE_COUNT_MAX);
                if (round >= 0)
                {
                    final OptionalDouble yardstick = OptionalDouble.of(workNs.getPercentile(50));
                    ns.forEach((benchmark, values) -> part.figures().add(new PointKey(section.toString(), benchmark,
                        "grim-" + part.name(), "-", row.xName(), row.x()), "ns", Direction.LOWER_IS_BETTER,
                        values.getPercentile(50), yardstick));
                }
            }
        }
    }

    /** A planted delay is a share of what the sends of this very burst took. */
    private void cost(final NodePair nodes, final int size, final Map<String, DescriptiveStatistics> ns)
    {
        final long expectedCount = nodes.receivedCount() + COST_BURST;
        final long startNs = System.nanoTime();
        for (int i = 0; i < COST_BURST; i++)
        {
            nodes.send(0, size);
        }
        long sentNs = System.nanoTime();
        final long delayedNs = sentNs + (sentNs - startNs) * part.slowDown() / 100;
        while (sentNs < delayedNs)
        {
            sentNs = System.nanoTime();
        }
        while (nodes.receivedCount() < expectedCount)
        {
            nodes.pollFar();
        }
        final long polledNs = System.nanoTime();
        add(ns, "send", (sentNs - startNs) / (double)COST_BURST);
        add(ns, "message", (polledNs - startNs) / (double)COST_BURST);
    }

    private static void channels(final NodePair nodes, final int count, final Map<String, DescriptiveStatistics> ns)
    {
        final long expectedCount = nodes.receivedCount() + CHANNEL_BURST;
        final long startNs = System.nanoTime();
        for (int i = 0; i < CHANNEL_BURST; i++)
        {
            nodes.send(i % count, PAYLOAD_LENGTH);
            pollBoth(nodes);
        }
        while (nodes.receivedCount() < expectedCount)
        {
            pollBoth(nodes);
        }
        final long receivedNs = System.nanoTime();
        for (int i = 0; i < CHANNEL_BURST; i++)
        {
            nodes.pollFar();
        }
        add(ns, "poll", (System.nanoTime() - receivedNs) / (double)CHANNEL_BURST);
        add(ns, "message", (receivedNs - startNs) / (double)CHANNEL_BURST);
    }

    private static void pollBoth(final NodePair nodes)
    {
        nodes.pollFar();
        nodes.pollNear();                       // A board's acknowledgement.
    }

    private static void add(final Map<String, DescriptiveStatistics> ns, final String benchmark, final double value)
    {
        ns.computeIfAbsent(benchmark, any -> new DescriptiveStatistics()).addValue(value);
    }
}
