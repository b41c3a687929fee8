// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.List;

import org.grim.tools.report.Age;

/**
 * Queues that stood still between two looks, and those that flow. Each transport's part enters what it read as queue,
 * owner, unread, since and cause; how long it has been so, and what is said of it, is the same for all.
 * <p>Thread: any. Sans-io.
 */
final class Findings
{
    private final long betweenMs;
    private final List<Stall> stalls = new ArrayList<>();
    private int idleCount;

    Findings(final long beforeMs, final long nowMs)
    {
        betweenMs = Math.max(0, nowMs - beforeMs);
    }

    /** The receiver's part in a standstill; null for one that is not there. The given cause if it can run. */
    static WhyCause ofReceiver(final SeenNode receiver, final WhyCause cause)
    {
        return receiver == null || !receiver.isAlive() ? WhyCause.RECEIVER_DEAD :
            receiver.isStopped() ? WhyCause.RECEIVER_STOPPED : cause;
    }

    /** Nothing stands in a queue. */
    void idle()
    {
        idleCount++;
    }

    /**
     * Enters a queue.
     *
     * @param sinceMs how long the cause has lasted; at least the time between the looks is taken.
     * @param owner   who would have to do something; null if nobody that is known.
     * @param head    from whom to whom, and how full.
     */
    void queue(
        final Stall.Facts facts, final WhyCause cause, final long sinceMs, final SeenNode owner,
        final boolean refuses, final List<Stall.Sender> senders, final String head, final String subject)
    {
        final boolean isWaiting = cause != WhyCause.FLOWS;
        final long stuckMs = isWaiting ? Math.max(betweenMs, sinceMs) : 0;
        stalls.add(new Stall(facts, cause, stuckMs, owner, isWaiting && refuses, senders,
            head + (isWaiting ? ", for " + Age.duration(stuckMs) : ", moves"), subject));
    }

    /** In the order in which they were entered. A finding without a queue is added here. */
    List<Stall> stalls()
    {
        return stalls;
    }

    /** Queues in which nothing stands. */
    int idleCount()
    {
        return idleCount;
    }

    /** Time between the looks. */
    long betweenMs()
    {
        return betweenMs;
    }
}
