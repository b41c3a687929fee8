// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

/**
 * How long one that waits looks for messages before it sleeps: as long as the configuration allows, or not at all where
 * that was in vain. After a look in vain {@value #SKIP_COUNT_MIN} waits sleep at once, after the next one
 * {@value #SKIP_COUNT_MAX}; looks that found something halve that again. So a thread that seldom has something to do,
 * or whose peer needs the core that it looks on, hardly looks. One look that finds something is enough to begin
 * anew: where both sides sleep each waits for the other's wake-up, where both look, neither does.
 * <p>Thread: one at a time; others may see an older state.
 */
public final class SpinTime
{
    static final int SKIP_COUNT_MIN = 16;
    static final int SKIP_COUNT_MAX = 1024;

    private int skipLimit;
    private int skipCount;

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
     * The look is over.
     *
     * @param hasFound whether the wait ends with it.
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
    }
}
