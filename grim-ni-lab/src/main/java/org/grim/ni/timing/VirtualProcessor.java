// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.grim.ni.board.Action;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.BoardTimer;

/**
 * A board's processor in virtual time. The simulator begins a step at some moment; while the control program works, its
 * time runs ahead of the simulator's by what it spends, and the next step can begin when that is over.
 * <p>Thread: the simulator's.
 */
public final class VirtualProcessor implements ActionMeter, BoardTimer
{
    private final LanaiTiming timing;
    private final int channelCount;
    private final long actionNs;
    private long stepNs;
    private long spentNs;

    private VirtualProcessor(final LanaiTiming timing, final int channelCount, final long actionNs)
    {
        this.timing = timing;
        this.channelCount = channelCount;
        this.actionNs = actionNs;
    }

    /**
     * A processor that needs the time of an original board.
     *
     * @param timing       of the board.
     * @param channelCount channels that it scans, 1 or more.
     * @return the processor, at time 0.
     */
    public static VirtualProcessor of(final LanaiTiming timing, final int channelCount)
    {
        if (channelCount < 1)
        {
            throw new IllegalArgumentException("channel count=" + channelCount + " is less than 1");
        }
        return new VirtualProcessor(timing, channelCount, 0);
    }

    /**
     * A processor for runs where times do not matter: every action costs the same.
     *
     * @param actionNs nanoseconds for each action, more than 0 so that time goes on.
     * @return the processor, at time 0.
     */
    public static VirtualProcessor uniform(final long actionNs)
    {
        if (actionNs < 1)
        {
            throw new IllegalArgumentException("action ns=" + actionNs + " is less than 1");
        }
        return new VirtualProcessor(null, 1, actionNs);
    }

    /**
     * A step begins.
     *
     * @param nowNs the simulator's time, not before the last step was over.
     */
    public void begin(final long nowNs)
    {
        if (nowNs < nowNs())
        {
            throw new IllegalArgumentException(
                "step at " + nowNs + " ns begins before the last one is over, at " + nowNs() + " ns");
        }
        stepNs = nowNs;
        spentNs = 0;
    }

    @Override
    public void spend(final Action action)
    {
        spentNs += timing == null ? actionNs : timing.actionNs(action, channelCount);
    }

    /** In runs where times do not matter a copy costs nothing. */
    @Override
    public void spendCopy(final int length)
    {
        spentNs += timing == null ? 0 : timing.copyNs(length);
    }

    @Override
    public long nowNs()
    {
        return stepNs + spentNs;
    }

    /** Returns the cost of the step so far; nanoseconds. */
    public long spentNs()
    {
        return spentNs;
    }
}
