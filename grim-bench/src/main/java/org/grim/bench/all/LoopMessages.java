// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.OptionalDouble;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PointKey;

/**
 * Messages of a node to itself over the null transport, one after the other in one thread: sent, polled, and read where
 * the mode says so. What a message takes stands for its latency, and for rate and bandwidth too.
 * <p>Thread: the measuring one, pinned.
 */
final class LoopMessages
{
    private static final int SIZE_MAX = 65504;
    private static final int BURST_COUNT_MAX = 128;
    private static final int BURST_LENGTH = 1 << 16;

    private final Part part;
    private final NodePair nodes;
    private final Samples messageNs = new Samples();

    private LoopMessages(final Part part, final NodePair nodes)
    {
        this.part = part;
        this.nodes = nodes;
    }

    @SuppressWarnings("try")            // The CPU is held, not used.
    static void run(final Part part)
    {
        try (NodePair nodes = new NodePair(NodePair.NULL_TRANSPORT, 1, SIZE_MAX, part.directory());
            OneCpu cpu = OneCpu.take(part))
        {
            new LoopMessages(part, nodes).measure();
        }
    }

    private void measure()
    {
        final Effort effort = part.effort();
        for (int round = -effort.choose(1, 10, 20); round < effort.rounds(); round++)
        {
            for (final boolean isRead : new boolean[] {false, true})
            {
                nodes.isRead(isRead);
                for (final int size : MessagesSection.latencySizes(effort))
                {
                    measure(round, "latency", "ns", size, isRead);
                }
                for (final int size : MessagesSection.rateSizes(effort))
                {
                    measure(round, "rate", "msg/s", size, isRead);
                }
                for (final int size : MessagesSection.bandwidthSizes(effort))
                {
                    measure(round, "bandwidth", "GB/s", size, isRead);
                }
            }
        }
    }

    private void measure(
        final int round, final String benchmark, final String unit, final int size, final boolean isRead)
    {
        messageNs.reset();
        final long endNs = System.nanoTime() + part.effort().cellNs();
        long nowNs = System.nanoTime();
        final int count = Math.max(1, Math.min(BURST_COUNT_MAX, BURST_LENGTH / Math.max(1, size)));
        do
        {
            final long startNs = nowNs;
            for (int i = 0; i < count; i++)
            {
                nodes.send(0, size);
                nodes.pollFar();
            }
            nowNs = System.nanoTime();
            messageNs.add((nowNs - startNs) / (double)count);
        }
        while (nowNs - endNs < 0);
        if (round >= 0)
        {
            final double ns = messageNs.median();
            final boolean isTime = unit.equals("ns");
            final double figure = isTime ? ns : benchmark.equals("rate") ? 1e9 / ns : size / ns;
            part.figures().add(new PointKey(MessagesSection.SUITE, benchmark, "grim-null", isRead ? "read" : "ignore",
                "size", size), unit, isTime ? Direction.LOWER_IS_BETTER : Direction.HIGHER_IS_BETTER, figure,
                OptionalDouble.empty());
        }
    }
}
