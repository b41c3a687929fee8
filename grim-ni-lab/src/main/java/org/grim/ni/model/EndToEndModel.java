// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.grim.ni.clock.VirtualClock;

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
    /** Powers of two from the smallest to the largest. */
    public static final List<Integer> SIZES =
        IntStream.iterate(SIZE_MIN, size -> size <= SIZE_MAX, size -> size * 2).boxed().toList();
    /** The most messages of a burst. */
    public static final int BURST_MAX = 4096;

    private static final int ROUND_COUNT = 3;
    private static final int WARM_UP_FRAGMENTS = 32;
    private static final int MEASURED_FRAGMENTS = 64;
    private static final double NS_PER_US = 1_000;

    private final ModelParameters parameters;
    private final Assumptions assumptions;
    private final StageCosts costs;

    /** A model with what can best be argued for. */
    public EndToEndModel(final ModelParameters parameters)
    {
        this(parameters, Assumptions.central(parameters));
    }

    /** A model with other assumptions. */
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
        requireRoom(size);
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
        requireRoom(size);
        final int fragmentCount = (size - 1) / Math.min(size, parameters.forwarding().fragmentLength()) + 1;
        final int warmUpCount = (WARM_UP_FRAGMENTS - 1) / fragmentCount + 1;
        final int measuredCount = (MEASURED_FRAGMENTS - 1) / fragmentCount + 1;
        final List<Long> seenNs = new ArrayList<>();
        run(size, warmUpCount + measuredCount, fragment ->
        {
            if (fragment.isLast)
            {
                seenNs.add(fragment.seenNs);
            }
        });
        final long durationNs = seenNs.get(seenNs.size() - 1) - seenNs.get(warmUpCount - 1);
        return size * NS_PER_US * measuredCount / durationNs;
    }

    /**
     * Returns the cost of a burst to its host per message, until it has injected the last one.
     *
     * @param size         payload in bytes, 4 to 2 MiB.
     * @param messageCount of the burst, 1 to 4096.
     * @return microseconds.
     */
    public double injectionOverheadUs(final int size, final int messageCount)
    {
        if (messageCount < 1 || messageCount > BURST_MAX)
        {
            throw new IllegalArgumentException("message count=" + messageCount + " is outside 1 to " + BURST_MAX);
        }
        return run(size, messageCount, fragment -> { }).doneNs() / NS_PER_US / messageCount;
    }

    /**
     * Returns the path of a single message through the stages, from rest; of several fragments the last one's.
     *
     * @param size payload in bytes, 4 to 2 MiB.
     * @return the moments in order.
     */
    public List<Stage> stages(final int size)
    {
        final Fragment[] last = new Fragment[1];
        run(size, 1, fragment -> last[0] = fragment);
        return Stage.of(last[0]);
    }

    /** Sends messages from one host to the other, from rest, until nothing is left to happen. */
    private Injection run(final int size, final int messageCount, final Consumer<Fragment> onSeen)
    {
        requireRoom(size);
        final VirtualClock clock = new VirtualClock();
        final Injection injection = injection(new Side(clock));
        final NextHop target = target(new Side(clock), onSeen);
        for (int i = 0; i < messageCount; i++)
        {
            injection.send(size, target);
        }
        clock.runAll();
        return injection;
    }

    private Injection injection(final Side side)
    {
        return new Injection(parameters, costs, side, new Transmission(parameters, costs, side)::onVisible);
    }

    private NextHop target(final Side side, final Consumer<Fragment> onSeen)
    {
        return new Reception(parameters, assumptions, costs, side, null, onSeen);
    }

    static void requireSize(final int size)
    {
        if (size < SIZE_MIN || size > SIZE_MAX)
        {
            throw new IllegalArgumentException("size=" + size + " is outside " + SIZE_MIN + " to " + SIZE_MAX);
        }
    }

    private void requireRoom(final int size)
    {
        requireSize(size);
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
        private final VirtualClock clock = new VirtualClock();
        private final Injection there;
        private final Injection back;
        private final NextHop farTarget;
        private final NextHop nearTarget;
        private int roundCount;
        private long roundStartNs;
        private long roundTripNs;

        PingPong(final int size)
        {
            this.size = size;
            final Side near = new Side(clock);
            final Side far = new Side(clock);
            there = injection(near);
            back = injection(far);
            farTarget = target(far, this::onPing);
            nearTarget = target(near, this::onPong);
        }

        long roundTripNs()
        {
            there.send(size, farTarget);
            clock.runAll();
            return roundTripNs;
        }

        private void onPing(final Fragment fragment)
        {
            if (fragment.isLast)
            {
                back.send(size, nearTarget);
            }
        }

        private void onPong(final Fragment fragment)
        {
            if (fragment.isLast)
            {
                roundTripNs = clock.nowNs() - roundStartNs;
                roundStartNs = clock.nowNs();
                if (++roundCount < ROUND_COUNT)
                {
                    there.send(size, farTarget);
                }
            }
        }
    }
}
