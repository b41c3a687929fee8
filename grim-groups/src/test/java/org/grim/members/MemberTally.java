// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Coverage of one or several rounds. Any thread. */
final class MemberTally
{
    final AtomicInteger processCount = new AtomicInteger();
    final AtomicInteger killCount = new AtomicInteger();
    final AtomicInteger ownerKillCount = new AtomicInteger();
    final AtomicInteger stopCount = new AtomicInteger();
    final AtomicInteger joinCount = new AtomicInteger();
    final AtomicInteger timeOutCount = new AtomicInteger();
    final AtomicInteger leaveCount = new AtomicInteger();
    final AtomicInteger meetingCount = new AtomicInteger();
    final AtomicInteger plainCount = new AtomicInteger();
    final AtomicInteger orderedCount = new AtomicInteger();
    final AtomicInteger deliveredCount = new AtomicInteger();
    final AtomicInteger countedCount = new AtomicInteger();
    final AtomicInteger refusedCount = new AtomicInteger();
    final AtomicInteger claimCount = new AtomicInteger();
    final AtomicInteger epochCount = new AtomicInteger();
    final AtomicInteger calmCount = new AtomicInteger();

    private final Map<String, Integer> operations = new TreeMap<>();

    synchronized void operation(final String outcome, final int count)
    {
        operations.merge(outcome, count, Integer::sum);
    }

    void add(final MemberTally other)
    {
        final AtomicInteger[] mine = counts();
        final AtomicInteger[] others = other.counts();
        for (int i = 0; i < mine.length; i++)
        {
            mine[i].addAndGet(others[i].get());
        }
        synchronized (other)
        {
            other.operations.forEach(this::operation);
        }
    }

    @Override
    public synchronized String toString()
    {
        return "members=" + processCount + " kills=" + killCount + " (owners=" + ownerKillCount + ") stops=" +
            stopCount + " joins=" + joinCount + " timed out=" + timeOutCount + " leaves=" + leaveCount +
            " other groups=" + meetingCount + " multicasts=" + plainCount + " in total order=" + orderedCount +
            " counted as lost=" + countedCount + " refused=" + refusedCount + " delivered=" + deliveredCount +
            " claims=" + claimCount + " epochs=" + epochCount + " calms=" + calmCount + " operations=" + operations;
    }

    private AtomicInteger[] counts()
    {
        return new AtomicInteger[] {processCount, killCount, ownerKillCount, stopCount, joinCount, timeOutCount,
            leaveCount, meetingCount, plainCount, orderedCount, countedCount, deliveredCount, refusedCount, claimCount,
            epochCount, calmCount};
    }
}
