// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.nio.ByteBuffer;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Bytes of a connection that have arrived and are not read yet: a ring that grows up to its capacity and never shrinks,
 * so that a connection at work allocates nothing.
 * <p>Thread: any; each call is atomic.
 */
final class ReceiveBuffer
{
    private static final byte[] EMPTY = {};
    private static final int LENGTH_MIN = 4096;

    private final int capacity;
    private byte[] ring = EMPTY;
    private int front;
    private volatile int length;

    /**
     * An empty buffer.
     *
     * @param capacity most bytes that it holds; a power of two.
     */
    ReceiveBuffer(final int capacity)
    {
        this.capacity = capacity;
    }

    /** {@return bytes that can be read} */
    int length()
    {
        return length;
    }

    /** {@return most bytes that it holds} */
    int capacity()
    {
        return capacity;
    }

    /** Puts bytes behind the others. Returns false if there is no room for them all; then nothing has happened. */
    synchronized boolean tryAdd(final DirectBuffer source, final int offset, final int addedLength)
    {
        final int newLength = length + addedLength;
        if (newLength > capacity)
        {
            return false;
        }
        if (newLength > ring.length)
        {
            grow(newLength);
        }
        final int back = (front + length) & (ring.length - 1);
        final int first = Math.min(addedLength, ring.length - back);
        source.getBytes(offset, ring, back, first);
        source.getBytes(offset + first, ring, 0, addedLength - first);
        length = newLength;
        assert isConsistent();
        return true;
    }

    /**
     * Moves bytes to a reader.
     *
     * @param target gets as many as it has room for.
     * @return how many.
     */
    synchronized int take(final ByteBuffer target)
    {
        final int taken = Math.min(target.remaining(), length);
        if (taken > 0)
        {
            final int first = Math.min(taken, ring.length - front);
            target.put(ring, front, first);
            target.put(ring, 0, taken - first);
            front = (front + taken) & (ring.length - 1);
            length -= taken;                // Every writer holds the monitor.
            assert isConsistent();
        }
        return taken;
    }

    /** Drops everything. Returns how many bytes there were. */
    synchronized int clear()
    {
        final int dropped = length;
        ring = EMPTY;
        front = 0;
        length = 0;
        return dropped;
    }

    private void grow(final int lengthMin)
    {
        final byte[] grown = new byte[Math.max(LENGTH_MIN, BitUtil.findNextPositivePowerOfTwo(lengthMin))];
        final int first = Math.min(length, ring.length - front);
        System.arraycopy(ring, front, grown, 0, first);
        System.arraycopy(ring, 0, grown, first, length - first);
        ring = grown;
        front = 0;
    }

    private boolean isConsistent()
    {
        return length >= 0 && length <= ring.length && ring.length <= Math.max(capacity, LENGTH_MIN) &&
            (front == 0 || front < ring.length);
    }
}
