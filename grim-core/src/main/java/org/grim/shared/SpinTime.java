// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

/**
 * Time that a waiting thread looks for messages before it sleeps: as long as the configuration allows, or not at all
 * where that was in vain. After a look in vain {@value #SKIP_COUNT_MIN} waits sleep at once, after the next one
 * {@value #SKIP_COUNT_MAX}; looks that found something halve that again. So one whose peer is seldom there in time
 * hardly looks; but after a long sleep it does, and so it does after some sleeps that were shorter than a look, as a
 * look would have found what ended them. One look that finds something is enough to begin again: where both sides sleep
 * each waits for the other's wake-up, where both look, neither does. A new one begins as the last look of its kind
 * ended: connections with few messages would otherwise look in vain again and again.
 * <p>Thread: one at a time; others may see an older state.
 */
public final class SpinTime
{
    static final int SKIP_COUNT_MIN = 16;
    static final int SKIP_COUNT_MAX = 1024;

    private static final int LOOKS_PER_YIELD = 16;
    private static final int IDLE_FACTOR = 100;

    private final SpinTime kind;                    // Null for one that is the only one.
    private int skipLimit;
    private int skipCount;

    /** The only one of its kind. */
    public SpinTime()
    {
        kind = null;
    }

    /**
     * One of a kind.
     *
     * @param kind what those before have found out.
     */
    public SpinTime(final SpinTime kind)
    {
        this.kind = kind;
        skipLimit = kind.skipLimit;
        skipCount = skipLimit;
    }

    /**
     * A wait begins.
     *
     * @param maxNs longest look.
     * @return how long to look; 0 for not at all. Else {@link #end} is called next.
     */
    public long beginNs(final long maxNs)
    {
        if (skipCount > 0)
        {
            skipCount--;
            return 0;
        }
        return maxNs;
    }

    /**
     * Comes after each of the looks that a long one consists of. Where the peer is to run on the same core, it does.
     */
    @SuppressWarnings("ThreadPriorityCheck")        // Nothing depends on the yield but how soon others run.
    public static void pause(final int count)
    {
        if (count % LOOKS_PER_YIELD == 0)
        {
            Thread.yield();
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /**
     * The look is over.
     *
     * @param hasFound whether the wait ends with it, and within its time: others may have taken the core.
     */
    public void end(final boolean hasFound)
    {
        if (hasFound)
        {
            skipLimit /= 2;
        }
        else
        {
            skipLimit = skipLimit < SKIP_COUNT_MIN ? SKIP_COUNT_MIN : SKIP_COUNT_MAX;
            skipCount = skipLimit;
        }
        if (kind != null)
        {
            kind.skipLimit = skipLimit;
        }
    }

    /**
     * The wait is over, after a sleep. One that was long, beside which a look costs nothing, says nothing of the next.
     * After one that was shorter than a look half as many waits are left that sleep at once.
     *
     * @param waitNs how long it was.
     * @param maxNs  longest look.
     */
    public void slept(final long waitNs, final long maxNs)
    {
        if (waitNs / IDLE_FACTOR >= maxNs)
        {
            skipLimit = 0;
            skipCount = 0;
        }
        else if (waitNs < maxNs)
        {
            skipCount /= 2;
        }
    }
}
