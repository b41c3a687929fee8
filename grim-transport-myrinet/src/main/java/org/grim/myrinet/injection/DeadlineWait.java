// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.util.function.IntSupplier;

import org.agrona.concurrent.NanoClock;

/**
 * Waits by stepping the board, or, while it has nothing to do, by spinning a little and then yielding to other threads:
 * the board's may have no processor of its own.
 * <p>Thread: one. Never allocates after construction.
 */
public final class DeadlineWait implements BoardWait
{
    /** Stepper for a board that another process steps. */
    public static final IntSupplier ELSEWHERE = () -> 0;

    private static final int SPIN_COUNT_MAX = 200;

    private final NanoClock clock;
    private final long timeOutNs;
    private final IntSupplier stepper;
    private long deadlineNs;
    private int spinCount;

    /**
     * Makes a wait that can be begun again and again.
     *
     * @param clock     that the deadline is read from.
     * @param timeOutNs from the beginning of a wait to its deadline.
     * @param stepper   does pieces of the board's work and says how many; {@link #ELSEWHERE} if it runs by itself.
     */
    public DeadlineWait(final NanoClock clock, final long timeOutNs, final IntSupplier stepper)
    {
        if (timeOutNs < 0)
        {
            throw new IllegalArgumentException("time-out=" + timeOutNs + " ns is below 0");
        }
        this.clock = clock;
        this.timeOutNs = timeOutNs;
        this.stepper = stepper;
    }

    @Override
    public void begin()
    {
        deadlineNs = clock.nanoTime() + timeOutNs;
        spinCount = 0;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck")        // Nothing depends on the yield but how soon others run.
    public boolean idle()
    {
        if (stepper.getAsInt() > 0)
        {
            spinCount = 0;
        }
        else if (spinCount < SPIN_COUNT_MAX)
        {
            spinCount++;
            Thread.onSpinWait();
        }
        else
        {
            Thread.yield();
        }
        return clock.nanoTime() - deadlineNs < 0;           // A board that is always busy ends the wait, too.
    }
}
