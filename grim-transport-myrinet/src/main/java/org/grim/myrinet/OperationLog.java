// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.RemoteRefusal;

/**
 * Remote-memory operations of one way that are not over: in flight, or refused and not told yet; in their order.
 * <p>Thread: one at a time. Never allocates after construction.
 * <p>Bounds: {@value #CAPACITY} operations.
 */
final class OperationLog
{
    static final int CAPACITY = 1024;

    private static final int MASK = CAPACITY - 1;
    private static final RemoteRefusal[] REFUSALS = RemoteRefusal.values();
    private static final byte UNDER_WAY = -1;
    private static final byte DONE = -2;

    private final int[] tickets = new int[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final long[] notificationAddresses = new long[CAPACITY];        // Of reads; 0 for none.
    private final int[] notificationValues = new int[CAPACITY];
    private final byte[] states = new byte[CAPACITY];                       // Or the code of a refusal.
    private int first;                      // Oldest that is not over; free-running.
    private int settled;                    // Oldest that is under way.
    private int next;
    private int refusedCount;

    boolean isFull()
    {
        return next - first == CAPACITY;
    }

    boolean isEmpty()
    {
        return next == first;
    }

    /** An operation was published. Its notification is that of a read, in this node's own memory. */
    void published(
        final int ticket, final long address, final int length, final long notificationAddress,
        final int notificationValue)
    {
        add(ticket, address, length, UNDER_WAY);
        notificationAddresses[(next - 1) & MASK] = notificationAddress;
        notificationValues[(next - 1) & MASK] = notificationValue;
    }

    /** An operation was refused before it was published. */
    void refused(final int ticket, final long address, final int length, final RemoteRefusal refusal)
    {
        add(ticket, address, length, (byte)refusal.code());
        refusedCount++;
    }

    /** The oldest operation under way was settled: executed if there is no refusal. Returns its index. */
    int settled(final RemoteRefusal refusal)
    {
        skipSettled();
        final int index = settled++ & MASK;
        states[index] = refusal == null ? DONE : (byte)refusal.code();
        refusedCount += refusal == null ? 0 : 1;
        trim();
        return index;
    }

    /** Whether any operation is under way. */
    boolean hasUnderWay()
    {
        skipSettled();
        return settled != next;
    }

    boolean hasRefused()
    {
        return refusedCount != 0;
    }

    /** Finds the oldest operation that was refused; -1 if there is none before one that is under way. */
    int oldestRefused()
    {
        trim();
        return first != next && states[first & MASK] >= 0 ? first & MASK : -1;
    }

    /** Notes that the oldest refusal is being reported. */
    void refusalReported()
    {
        states[first & MASK] = DONE;
        refusedCount--;
        trim();
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

    RemoteRefusal refusal(final int index)
    {
        return REFUSALS[states[index]];
    }

    long notificationAddress(final int index)
    {
        return notificationAddresses[index];
    }

    int notificationValue(final int index)
    {
        return notificationValues[index];
    }

    private void add(final int ticket, final long address, final int length, final byte state)
    {
        final int index = next++ & MASK;
        tickets[index] = ticket;
        addresses[index] = address;
        lengths[index] = length;
        notificationAddresses[index] = 0;
        states[index] = state;
    }

    /** What was refused before it was published is settled from the beginning. */
    private void skipSettled()
    {
        while (settled != next && states[settled & MASK] != UNDER_WAY)
        {
            settled++;
        }
    }

    private void trim()
    {
        while (first != next && states[first & MASK] == DONE)
        {
            first++;
        }
        settled = settled - first < 0 ? first : settled;
    }
}
