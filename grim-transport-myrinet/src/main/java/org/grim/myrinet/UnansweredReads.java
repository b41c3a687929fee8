// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.memory.OperationLog;
import org.grim.myrinet.memory.RegisteredArena;

/**
 * Reads that the far NI has acknowledged, and whose replies may still be under way: with that NI, or the own one, they
 * would be lost without a word. A reply is there when the read's notification word is; of reads without one, nobody can
 * tell.
 * <p>Thread: one at a time. Never allocates after construction.
 * <p>Bounds: the latest {@value #CAPACITY} reads; replies come in the order of their reads, so older ones are there, or
 * their successors, which are kept, are not.
 */
final class UnansweredReads
{
    static final int CAPACITY = 64;

    private static final int MASK = CAPACITY - 1;

    private final RegisteredArena arena;
    private final int[] tickets = new int[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final long[] notificationAddresses = new long[CAPACITY];
    private final int[] notificationValues = new int[CAPACITY];
    private int first;
    private int next;

    UnansweredReads(final RegisteredArena arena)
    {
        this.arena = arena;
    }

    boolean isEmpty()
    {
        return first == next;
    }

    /** A read of the log was acknowledged. */
    void add(final OperationLog log, final int entry)
    {
        if (next - first == CAPACITY)
        {
            first++;
        }
        final int index = next++ & MASK;
        tickets[index] = log.ticket(entry);
        addresses[index] = log.address(entry);
        lengths[index] = log.length(entry);
        notificationAddresses[index] = log.notificationAddress(entry);
        notificationValues[index] = log.notificationValue(entry);
    }

    /** Lets go of the oldest reads whose replies have come. */
    void trim()
    {
        while (first != next && isAnswered(first & MASK))
        {
            first++;
        }
    }

    /** Takes the oldest read whose reply has not come, to report it; -1 if there is none. */
    int takeUnanswered()
    {
        trim();
        return first == next ? -1 : first++ & MASK;
    }

    int ticket(final int index)
    {
        return tickets[index];
    }

    long address(final int index)
    {
        return addresses[index];
    }

    int length(final int index)
    {
        return lengths[index];
    }

    private boolean isAnswered(final int index)
    {
        return arena.isNotified(notificationAddresses[index], notificationValues[index]);
    }
}
