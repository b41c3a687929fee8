// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * What an endpoint has to do after a poll besides housekeeping, in one word: a silent endpoint pays one load for all.
 * <p>Thread: the endpoint's owner.
 */
final class PendingWork
{
    private int overflowDepth;
    private int owedCount;
    private boolean isRefusalDue;
    private int sum;

    /** Something entered an overflow queue. */
    void overflowed()
    {
        overflowDepth++;
        sum++;
    }

    /** Something left one. */
    void overflowLeft()
    {
        overflowDepth--;
        sum--;
    }

    /** Answers to peers wait for room, or do no more. */
    void noticesOwed(final int change)
    {
        owedCount += change;
        sum += change;
    }

    /** Operations were accepted, or refusals wait to be told. */
    void refusalsDue()
    {
        if (!isRefusalDue)
        {
            isRefusalDue = true;
            sum++;
        }
    }

    /** All refusals that are due are being told. */
    void refusalsLookedAt()
    {
        if (isRefusalDue)
        {
            isRefusalDue = false;
            sum--;
        }
    }

    /** False if there is nothing to do. */
    boolean isAny()
    {
        return sum != 0;
    }

    boolean isNoticeOwed()
    {
        return owedCount > 0;
    }

    boolean isRefusalDue()
    {
        return isRefusalDue;
    }

    int overflowDepth()
    {
        return overflowDepth;
    }
}
