// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.BitUtil;
import org.grim.RemoteRefusal;
import org.grim.transport.MemoryHop;

/**
 * The remote-memory operations of one {@link MemoryHop} that sends them as messages, oldest first: those under way, and
 * those that were refused and not handed over. Operations are settled in their order: one by one, or by the number that
 * an answer names; they are numbered from 1 on. A hop whose peer counts them, too, refuses none before it is sent.
 * <p>Thread: one at a time. Never allocates after construction.
 * <p>Bounds: {@value #CAPACITY} operations, or as many as it was made for.
 */
public final class OperationLog
{
    /** Operations at a time; a power of 2. */
    public static final int CAPACITY = 1024;

    private static final RemoteRefusal[] REFUSALS = RemoteRefusal.values();
    private static final byte UNDER_WAY = -1;
    private static final byte DONE = -2;

    private final int[] tickets;
    private final long[] addresses;
    private final int[] lengths;
    private final boolean[] isRead;
    private final long[] targetAddresses;
    private final long[] notificationAddresses;
    private final int[] notificationValues;
    private final byte[] states;           // Or the code of a refusal.
    private long reportedCount;             // The next one was refused, or is under way.
    private long settledCount;          // The next one is under way.
    private long addedCount;

    /** Makes a log of {@value #CAPACITY} operations. */
    public OperationLog()
    {
        this(CAPACITY);
    }

    /** Makes a log of so many operations, a power of 2. */
    public OperationLog(final int capacity)
    {
        assert BitUtil.isPowerOfTwo(capacity) : capacity;
        tickets = new int[capacity];
        addresses = new long[capacity];
        lengths = new int[capacity];
        isRead = new boolean[capacity];
        targetAddresses = new long[capacity];
        notificationAddresses = new long[capacity];
        notificationValues = new int[capacity];
        states = new byte[capacity];
    }

    /** {@return whether an operation has to wait until others are settled, or handed over} */
    public boolean isFull()
    {
        return addedCount - reportedCount == states.length;
    }

    /** {@return whether nothing is left to be handed over: all operations are settled, and none was refused} */
    public boolean isEmpty()
    {
        return addedCount == reportedCount;
    }

    /** {@return whether no operation is under way} */
    public boolean isSettled()
    {
        return addedCount == settledCount;
    }

    /** Adds a write. */
    public void write(final int ticket, final long address, final int length)
    {
        add(ticket, address, length, UNDER_WAY);
    }

    /** Adds a read, or an atomic operation: what brings bytes to an address of this node. */
    public void read(
        final int ticket, final long address, final int length, final long targetAddress,
        final long notificationAddress, final int notificationValue)
    {
        final int index = add(ticket, address, length, UNDER_WAY);
        isRead[index] = true;
        targetAddresses[index] = targetAddress;
        notificationAddresses[index] = notificationAddress;
        notificationValues[index] = notificationValue;
    }

    /** Adds an operation that was refused before it was sent. */
    public void refused(final int ticket, final long address, final int length, final RemoteRefusal refusal)
    {
        add(ticket, address, length, (byte)refusal.code());
    }

    /**
     * Settles the oldest operation under way; null if it was executed. Returns its index, whose values stay until as
     * many more operations were added as the log holds.
     */
    public int settle(final RemoteRefusal refusal)
    {
        final int index = oldest();
        states[index] = refusal == null ? DONE : (byte)refusal.code();
        advance();
        return index;
    }

    /**
     * Settles all operations up to a number as executed: none of them can be a read, which is answered. Returns false
     * if they cannot have been.
     */
    public boolean trySettle(final long number)
    {
        if (number < settledCount || number > addedCount)
        {
            return false;
        }
        while (settledCount < number)
        {
            if (isRead[indexOf(settledCount)])
            {
                return false;
            }
            settle(null);
        }
        return true;
    }

    /**
     * Settles all operations before the one that is answered. Returns the index of that one, now the oldest under way,
     * to be settled; -1 if this cannot be an answer.
     */
    public int tryAnswer(final long number)
    {
        return number > settledCount && number <= addedCount && trySettle(number - 1) ? indexOf(settledCount) : -1;
    }

    /** Refuses all operations under way. */
    public void giveUp(final RemoteRefusal refusal)
    {
        while (!isSettled())
        {
            settle(refusal);
        }
    }

    /** {@return index of the oldest operation under way, of which there is one} */
    public int oldest()
    {
        assert !isSettled() : "no operation under way";
        return indexOf(settledCount);
    }

    /** Takes the oldest refusal. Returns its index; -1 if none is known before an operation that is under way. */
    public int takeRefused()
    {
        return takeRefused(settledCount);
    }

    /** Hands over the refusals that are known now, in order; what the sink causes is for the next call. */
    public int drain(final MemoryHop.RefusalSink sink)
    {
        final long end = settledCount;
        int count = 0;
        for (int index = takeRefused(end); index >= 0; index = takeRefused(end))
        {
            count++;
            sink.onRefused(tickets[index], addresses[index], lengths[index], refusal(index));
        }
        return count;
    }

    /** {@return ticket of an operation} */
    public int ticket(final int index)
    {
        return tickets[index];
    }

    /** {@return address of an operation's first byte} */
    public long address(final int index)
    {
        return addresses[index];
    }

    /** {@return bytes of an operation} */
    public int length(final int index)
    {
        return lengths[index];
    }

    /** {@return whether an operation brings bytes into this node's own memory} */
    public boolean isRead(final int index)
    {
        return isRead[index];
    }

    /** {@return where a read stores what it brings} */
    public long targetAddress(final int index)
    {
        return targetAddresses[index];
    }

    /** {@return the word that a read stores at last; {@link MemoryHop#NO_NOTIFICATION} for none} */
    public long notificationAddress(final int index)
    {
        return notificationAddresses[index];
    }

    /** {@return what a read stores there} */
    public int notificationValue(final int index)
    {
        return notificationValues[index];
    }

    /** {@return why an operation was refused} */
    public RemoteRefusal refusal(final int index)
    {
        return REFUSALS[states[index]];
    }

    private int add(final int ticket, final long address, final int length, final byte state)
    {
        assert !isFull() : "log is full";
        final int index = indexOf(addedCount++);
        tickets[index] = ticket;
        addresses[index] = address;
        lengths[index] = length;
        isRead[index] = false;
        notificationAddresses[index] = MemoryHop.NO_NOTIFICATION;
        states[index] = state;
        advance();
        return index;
    }

    /** Moves both counts on to the operations that they wait for. */
    private void advance()
    {
        while (settledCount < addedCount && states[indexOf(settledCount)] != UNDER_WAY)
        {
            settledCount++;
        }
        while (reportedCount < settledCount && states[indexOf(reportedCount)] == DONE)
        {
            reportedCount++;
        }
    }

    private int takeRefused(final long end)
    {
        if (reportedCount >= end)
        {
            return -1;
        }
        final int index = indexOf(reportedCount++);
        advance();
        return index;
    }

    private int indexOf(final long count)
    {
        return (int)count & states.length - 1;
    }
}
