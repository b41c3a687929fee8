// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.grim.RemoteRefusal;
import org.grim.transport.MemoryHop;

/**
 * Refusals that nobody has been told yet, in order.
 * <p>Thread: the link's owner. Bounds: {@value #CAPACITY}; who finds it full is told of back pressure instead.
 */
final class RefusalRing
{
    /** Refusals at a time. */
    static final int CAPACITY = 64;

    private final int[] tickets = new int[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final RemoteRefusal[] reasons = new RemoteRefusal[CAPACITY];
    private long head;
    private long tail;

    boolean tryAdd(final int ticket, final long address, final int length, final RemoteRefusal reason)
    {
        if (tail - head == CAPACITY)
        {
            return false;
        }
        final int slot = (int)tail & (CAPACITY - 1);
        tickets[slot] = ticket;
        addresses[slot] = address;
        lengths[slot] = length;
        reasons[slot] = reason;
        tail++;
        return true;
    }

    /** Tells all that are here now; what the sink causes is for the next time. */
    int drain(final MemoryHop.RefusalSink sink)
    {
        final long end = tail;
        int count = 0;
        while (head != end)
        {
            final int slot = (int)head & (CAPACITY - 1);
            head++;                             // Before the call: a sink that throws has been told.
            count++;
            sink.onRefused(tickets[slot], addresses[slot], lengths[slot], reasons[slot]);
        }
        return count;
    }
}
