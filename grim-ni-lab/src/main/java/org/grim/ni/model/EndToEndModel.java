// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

/**
 * The original system end to end. Each question is a run of its own, from rest, in virtual time; equal questions have
 * equal answers.
 * <p>Thread: any; nothing is kept between questions.
 * <p>Bounds: a run takes some ten events for each fragment.
 */
public final class EndToEndModel
{
    /** The smallest message of the original. */
    public static final int SIZE_MIN = 4;
    /** The largest message that is asked for. */
    public static final int SIZE_MAX = 2 << 20;
    /** The most messages of a burst. */
    public static final int BURST_MAX = 4096;

    private static final int ROUND_COUNT = 3;
    private static final int WARM_UP_FRAGMENTS = 32;
    private static final int MEASURED_FRAGMENTS = 64;
    private static final double NS_PER_US = 1_000;

    private final ModelParameters parameters;
    private final Assumptions assumptions;
    private final StageCosts costs;

    /**
     * A model with what can best be argued for.
     *
     * @param parameters of the system.
     */
    public EndToEndModel(final ModelParameters parameters)
    {
        this(parameters, Assumptions.central(parameters));
    }

    /**
     * A model with other assumptions.
     *
     * @param parameters  of the system.
     * @param assumptions for what the table of costs leaves open.
     */
    public EndToEndModel(final ModelParameters parameters, final Assumptions assumptions)
    {
        this.parameters = parameters;
        this.assumptions = assumptions;
        costs = new StageCosts(parameters, assumptions);
    }

    /**
     * Half of a round trip between handlers, as a ping-pong measures it.
     *
     * @param size payload in bytes, 4 to 2 MiB.
     * @return microseconds.
     */
    public double latencyUs(final int size)
    {
        requireSize(size);
        return new PingPong(size).roundTripNs() / NS_PER_US / 2;
    }

    /**
     * Payload by half of a round trip, as a ping-pong measures it.
     *
     * @param size payload in bytes, 4 to 2 MiB.
     * @return payload bytes per microsecond, which is MB/s.
     */
    public double bandwidthMBs(final int size)
    {
        return size / latencyUs(size);
    }

    /**
     * A stream of messages from one host to the other, once it flows evenly.
     *
     * @param size payload in bytes, 4 to 2 MiB.
     * @return payload bytes per microsecond, which is MB/s.
     */
    public double streamMBs(final int size)
    {
        requireSize(size);
        final int fragmentCount = (size - 1) / Math.min(size, parameters.forwarding().fragmentLength()) + 1;
        final int warmUpCount = (WARM_UP_FRAGMENTS - 1) / fragmentCount + 1;
        final int measuredCount = (MEASURED_FRAGMENTS - 1) / fragmentCount + 1;
        final long[] seenNs = seenNs(size, warmUpCount + measuredCount);
        final long durationNs = seenNs[seenNs.length - 1] - seenNs[warmUpCount - 1];
        return size * NS_PER_US * measuredCount / durationNs;
    }

    /**
     * What a burst costs its host per message, until it has injected the last one.
     *
     * @param size         payload in bytes, 4 to 2 MiB.
     * @param messageCount of the burst, 1 to 4096.
     * @return microseconds.
     */
    public double injectionOverheadUs(final int size, final int messageCount)
    {
        requireSize(size);
        if (messageCount < 1 || messageCount > BURST_MAX)
        {
            throw new IllegalArgumentException("message count=" + messageCount + " is outside 1 to " + BURST_MAX);
        }
        final Agenda agenda = new Agenda();
        final Way way = new Way(parameters, assumptions, new Side(agenda), new Side(agenda), fragment -> { });
        for (int i = 0; i < messageCount; i++)
        {
            way.injection().send(size);
        }
        agenda.run();
        return way.injection().doneNs() / NS_PER_US / messageCount;
    }

    /**
     * A single message's way through the stages, from rest; of several fragments the last one's.
     *
     * @param size payload in bytes, 4 to 2 MiB.
     * @return the moments in order.
     */
    public List<Stage> stages(final int size)
    {
        requireSize(size);
        final Agenda agenda = new Agenda();
        final Fragment[] last = new Fragment[1];
        new Way(parameters, assumptions, new Side(agenda), new Side(agenda), fragment -> last[0] = fragment).injection()
            .send(size);
        agenda.run();
        return Stage.of(last[0]);
    }

    private long[] seenNs(final int size, final int messageCount)
    {
        final long[] seenNs = new long[messageCount];
        final int[] seenCount = new int[1];
        final Agenda agenda = new Agenda();
        final Way way = new Way(parameters, assumptions, new Side(agenda), new Side(agenda), fragment ->
        {
            if (fragment.isLast)
            {
                seenNs[seenCount[0]++] = fragment.seenNs;
            }
        });
        for (int i = 0; i < messageCount; i++)
        {
            way.injection().send(size);
        }
        agenda.run();
        return seenNs;
    }

    private void requireSize(final int size)
    {
        if (size < SIZE_MIN || size > SIZE_MAX)
        {
            throw new IllegalArgumentException("size=" + size + " is outside " + SIZE_MIN + " to " + SIZE_MAX);
        }
        final int fragmentLength =
            parameters.mode().messageLength(Math.min(size, parameters.forwarding().fragmentLength()));
        if (fragmentLength > costs.queueLength())
        {
            throw new IllegalArgumentException("fragment=" + fragmentLength +
                " bytes does not fit the channel's queue of " + costs.queueLength() + " bytes");
        }
    }

    /** Two handlers that send each other a message; the first round finds everything at rest. */
    private final class PingPong
    {
        private final int size;
        private final Agenda agenda = new Agenda();
        private final Way there;
        private final Way back;
        private int roundCount;
        private long roundStartNs;
        private long roundTripNs;

        PingPong(final int size)
        {
            this.size = size;
            final Side near = new Side(agenda);
            final Side far = new Side(agenda);
            there = new Way(parameters, assumptions, near, far, this::onPing);
            back = new Way(parameters, assumptions, far, near, this::onPong);
        }

        long roundTripNs()
        {
            there.injection().send(size);
            agenda.run();
            return roundTripNs;
        }

        private void onPing(final Fragment fragment)
        {
            if (fragment.isLast)
            {
                back.injection().send(size);
            }
        }

        private void onPong(final Fragment fragment)
        {
            if (!fragment.isLast)
            {
                return;
            }
            roundTripNs = agenda.nowNs() - roundStartNs;
            roundStartNs = agenda.nowNs();
            roundCount++;
            if (roundCount < ROUND_COUNT)
            {
                there.injection().send(size);
            }
        }
    }
}
