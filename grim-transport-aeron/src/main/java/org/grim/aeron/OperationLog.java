// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.grim.RemoteRefusal;
import org.grim.transport.MemoryHop;

/**
 * The remote-memory operations of one hop, oldest first: those that the target has not answered, and those that were
 * refused and not told. Operations are numbered from 1 on, as the target counts them.
 * <p>Thread: the link's owner. Allocates nothing after construction. Bounds: {@value #CAPACITY} operations.
 */
final class OperationLog
{
    /** Operations at a time; a power of 2. */
    static final int CAPACITY = 1024;

    private static final int MASK = CAPACITY - 1;

    private final int[] tickets = new int[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final boolean[] isRead = new boolean[CAPACITY];
    private final long[] targetAddresses = new long[CAPACITY];
    private final long[] notificationAddresses = new long[CAPACITY];
    private final int[] notificationValues = new int[CAPACITY];
    private final RemoteRefusal[] refusals = new RemoteRefusal[CAPACITY];
    private long reportedCount;
    private long settledCount;
    private long publishedCount;

    /** Whether an operation has to wait until others are settled, or told. */
    boolean isFull()
    {
        trim();
        return publishedCount - reportedCount == CAPACITY;
    }

    /** {@return whether nothing is left to be told: what is published is settled, and was not refused} */
    boolean isEmpty()
    {
        return publishedCount == reportedCount;
    }

    /** {@return whether the target has answered all operations} */
    boolean isSettled()
    {
        return publishedCount == settledCount;
    }

    void write(final int ticket, final long address, final int length)
    {
        isRead[add(ticket, address, length)] = false;
    }

    void read(
        final int ticket, final long address, final int length, final long targetAddress,
        final long notificationAddress, final int notificationValue)
    {
        final int index = add(ticket, address, length);
        isRead[index] = true;
        targetAddresses[index] = targetAddress;
        notificationAddresses[index] = notificationAddress;
        notificationValues[index] = notificationValue;
    }

    /**
     * The target has executed all operations up to a number: none of them can be a read, which it answers. Returns
     * false if it cannot have.
     */
    boolean trySettle(final long number)
    {
        if (number < settledCount || number > publishedCount)
        {
            return false;
        }
        while (settledCount < number)
        {
            if (isRead[(int)settledCount & MASK])
            {
                return false;
            }
            settledCount++;
        }
        return true;
    }

    /**
     * The target has answered an operation, and executed all before it. Returns the index of the operation, to be
     * settled; -1 if it cannot have.
     */
    int tryAnswer(final long number)
    {
        return number > settledCount && number <= publishedCount && trySettle(number - 1) ?
            (int)settledCount & MASK : -1;
    }

    /** Settles the operation that {@link #tryAnswer} named; null for one that was executed. */
    void settle(final int index, final RemoteRefusal refusal)
    {
        refusals[index] = refusal;
        settledCount++;
    }

    /** No operation will be answered any more. */
    void giveUp(final RemoteRefusal refusal)
    {
        while (settledCount < publishedCount)
        {
            settle((int)settledCount & MASK, refusal);
        }
    }

    boolean isRead(final int index)
    {
        return isRead[index];
    }

    int length(final int index)
    {
        return lengths[index];
    }

    long targetAddress(final int index)
    {
        return targetAddresses[index];
    }

    long notificationAddress(final int index)
    {
        return notificationAddresses[index];
    }

    int notificationValue(final int index)
    {
        return notificationValues[index];
    }

    /** Tells the refusals that are known now, in order; what the sink causes is for the next time. */
    int drain(final MemoryHop.RefusalSink sink)
    {
        final long end = settledCount;
        int count = 0;
        while (reportedCount < end)
        {
            final int index = (int)reportedCount & MASK;
            reportedCount++;                            // Before the call: a sink that throws has been told.
            if (refusals[index] != null)
            {
                count++;
                sink.onRefused(tickets[index], addresses[index], lengths[index], refusals[index]);
            }
        }
        return count;
    }

    private int add(final int ticket, final long address, final int length)
    {
        final int index = (int)publishedCount & MASK;
        tickets[index] = ticket;
        addresses[index] = address;
        lengths[index] = length;
        refusals[index] = null;
        publishedCount++;
        return index;
    }

    private void trim()
    {
        while (reportedCount < settledCount && refusals[(int)reportedCount & MASK] == null)
        {
            reportedCount++;
        }
    }
}
