// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.NodePair;

/**
 * The send path alone: bursts of messages sent, then polled, by one thread, each part timed for itself, and a piece of
 * fixed work after each burst as the yardstick. No other process, no cache line that moves: what is left is our code.
 * <p>Thread: the measuring one, pinned.
 */
final class CostSection
{
    private static final String SUITE = "cost";
    private static final String SIZE = "size";
    private static final List<Integer> SIZES = List.of(0, 32, 256);
    private static final int SIZE_MAX = 256;
    private static final int BURST = 128;
    private static final int PASSES_MAX = 1000;
    private static final double TOLERANCE = 0.03;

    private final Part part;
    private final NodePair nodes;
    private final FixedWork work = new FixedWork();
    private final Samples sendNs = new Samples();
    private final Samples messageNs = new Samples();
    private final Samples workNs = new Samples();
    private long delayNs;

    private CostSection(final Part part, final NodePair nodes)
    {
        this.part = part;
        this.nodes = nodes;
    }

    @SuppressWarnings("try")            // The CPU is held, not used.
    static void run(final Part part)
    {
        try (NodePair nodes = new NodePair(part.name(), 1, SIZE_MAX, part.directory());
            OneCpu cpu = OneCpu.take(part))
        {
            new CostSection(part, nodes).measure();
        }
    }

    private void measure()
    {
        final Effort effort = part.effort();
        warmUp();
        for (int round = 0; round < effort.shortRounds(); round++)
        {
            for (final int size : SIZES)
            {
                round(size, effort.roundNs());
                add("send", size, sendNs.median());
                add("message", size, messageNs.median());
            }
        }
    }

    private void add(final String benchmark, final int size, final double ns)
    {
        part.figures().add(new PointKey(SUITE, benchmark, "grim-" + part.name(), "-", SIZE, size), "ns",
            Direction.LOWER_IS_BETTER, ns, OptionalDouble.of(workNs.median()));
    }

    /** Until the figures stand still; then a planted delay is measured out by them. */
    private void warmUp()
    {
        final long limitNs = TimeUnit.MILLISECONDS.toNanos(part.effort().choose(50, 1_500, 3_000));
        final long startNs = System.nanoTime();
        double previous = 0;
        double change = 1;
        for (int pass = 0; pass < PASSES_MAX && (pass < 3 || change > TOLERANCE || System.nanoTime() - startNs <
            limitNs / 2) && System.nanoTime() - startNs < limitNs; pass++)
        {
            double sum = 0;
            for (final int size : SIZES)
            {
                round(size, part.effort().roundNs());
                sum += messageNs.median();
            }
            change = Math.abs(sum - previous) / sum;
            previous = sum;
        }
        part.figures().note("cost of grim-" + part.name() + ": warm-up " + (change <= TOLERANCE ?
            "until figures stood still" : "until time was over, last change=" + Math.round(change * 100) + " %"));
    }

    private void round(final int size, final long durationNs)
    {
        delayNs = 0;
        if (part.slowDown() != 0)
        {
            bursts(size, durationNs / 2);
            delayNs = Math.round(sendNs.median() * BURST * part.slowDown() / 100);
        }
        bursts(size, durationNs);
    }

    private void bursts(final int size, final long durationNs)
    {
        sendNs.reset();
        messageNs.reset();
        workNs.reset();
        final long endNs = System.nanoTime() + durationNs;
        long startNs;
        do
        {
            final long expectedCount = nodes.receivedCount() + BURST;
            startNs = System.nanoTime();
            for (int i = 0; i < BURST; i++)
            {
                nodes.send(0, size);
            }
            long sentNs = System.nanoTime();
            if (delayNs != 0)
            {
                sentNs = delay(sentNs);
            }
            while (nodes.receivedCount() < expectedCount)
            {
                nodes.pollFar();
            }
            final long polledNs = System.nanoTime();
            sendNs.add((sentNs - startNs) / (double)BURST);
            messageNs.add((polledNs - startNs) / (double)BURST);
            workNs.add((double)work.pass());
        }
        while (startNs - endNs < 0);
    }

    private long delay(final long fromNs)
    {
        long nowNs = fromNs;
        while (nowNs - fromNs < delayNs)
        {
            nowNs = System.nanoTime();
        }
        return nowNs;
    }
}
