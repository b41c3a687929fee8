// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import org.agrona.CloseHelper;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.NodePair;

/**
 * What a message costs two nodes of one thread, and what a poll that finds nothing, against the number of channels.
 * Messages go over all channels in turn.
 * <p>Thread: the measuring one, pinned.
 */
final class ChannelsSection
{
    private static final String SUITE = "channels";
    private static final int PAYLOAD_LENGTH = 32;
    private static final int BURST = 64;

    private final Samples messageNs = new Samples();
    private final Samples pollNs = new Samples();
    private final Samples workNs = new Samples();
    private final FixedWork work = new FixedWork();
    private final Part part;

    private ChannelsSection(final Part part)
    {
        this.part = part;
    }

    @SuppressWarnings("try")            // The CPU is held, not used.
    static void run(final Part part)
    {
        final Map<Integer, NodePair> pairs = new LinkedHashMap<>();
        try (OneCpu cpu = OneCpu.take(part))
        {
            for (final int count :
                part.effort().choose(List.of(1, 4), List.of(1, 2, 4, 8, 16, 32), List.of(1, 2, 4, 8, 16, 32)))
            {
                pairs.put(count, new NodePair(part.name(), count, PAYLOAD_LENGTH, part.directory()));
            }
            new ChannelsSection(part).measure(pairs);
        }
        finally
        {
            CloseHelper.closeAll(pairs.values());
        }
    }

    private void measure(final Map<Integer, NodePair> pairs)
    {
        final Effort effort = part.effort();
        for (int round = -effort.choose(1, 8, 20); round < effort.rounds(); round++)
        {
            for (final Map.Entry<Integer, NodePair> of : pairs.entrySet())
            {
                bursts(of.getValue(), of.getKey(), effort.roundNs());
                if (round >= 0)
                {
                    add("message", of.getKey(), messageNs.median());
                    add("poll", of.getKey(), pollNs.median());
                }
            }
        }
    }

    private void add(final String benchmark, final int channelCount, final double ns)
    {
        part.figures().add(new PointKey(SUITE, benchmark, "grim-" + part.name(), "-", "channels", channelCount), "ns",
            Direction.LOWER_IS_BETTER, ns, OptionalDouble.of(workNs.median()));
    }

    private void bursts(final NodePair nodes, final int channelCount, final long durationNs)
    {
        messageNs.reset();
        pollNs.reset();
        workNs.reset();
        final long endNs = System.nanoTime() + durationNs;
        long startNs;
        do
        {
            final long expectedCount = nodes.receivedCount() + BURST;
            startNs = System.nanoTime();
            for (int i = 0; i < BURST; i++)
            {
                nodes.send(i % channelCount, PAYLOAD_LENGTH);
                nodes.pollFar();
                nodes.pollNear();                   // A board's acknowledgement.
            }
            while (nodes.receivedCount() < expectedCount)
            {
                nodes.pollFar();
                nodes.pollNear();
            }
            final long receivedNs = System.nanoTime();
            for (int i = 0; i < BURST; i++)
            {
                nodes.pollFar();
            }
            pollNs.add((System.nanoTime() - receivedNs) / (double)BURST);
            messageNs.add((receivedNs - startNs) / (double)BURST);
            workNs.add((double)work.pass());
        }
        while (startNs - endNs < 0);
    }
}
