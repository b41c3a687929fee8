// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.ArrayDeque;

import org.agrona.BitUtil;

/**
 * Memory for messages that came before their receives: arrays of powers of two, used again.
 * <p>Thread: one at a time. Bounds: keeps up to {@value #KEPT_MAX} unused bytes.
 */
final class BytePool
{
    static final int KEPT_MAX = 1 << 22;

    private static final int LENGTH_MIN = 64;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final ArrayDeque<byte[]>[] free = new ArrayDeque[Integer.SIZE];
    private long usedLength;
    private long keptLength;

    BytePool()
    {
        for (int i = 0; i < free.length; i++)
        {
            free[i] = new ArrayDeque<>();
        }
    }

    /** Returns an array with room for a length at least. */
    byte[] take(final int length)
    {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(Math.max(LENGTH_MIN, length));
        final byte[] kept = free[Integer.numberOfTrailingZeros(capacity)].poll();
        usedLength += capacity;
        if (kept == null)
        {
            return new byte[capacity];
        }
        keptLength -= capacity;
        return kept;
    }

    /** Takes back an array of {@link #take}. */
    void giveBack(final byte[] bytes)
    {
        usedLength -= bytes.length;
        assert usedLength >= 0 : usedLength;
        if (keptLength + bytes.length <= KEPT_MAX)
        {
            keptLength += bytes.length;
            free[Integer.numberOfTrailingZeros(bytes.length)].push(bytes);
        }
    }

    /** {@return bytes of arrays that are in use} */
    long usedLength()
    {
        return usedLength;
    }
}
