// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import java.nio.ByteOrder;

import org.agrona.concurrent.AtomicBuffer;

/** Words of SRAM, which are big endian whatever the machine is. Any thread; no state. */
final class BigEndian
{
    private static final boolean IS_NATIVE_BIG = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

    private BigEndian()
    {
    }

    /** Turns a machine word into what SRAM holds, and back. */
    static int order(final int word)
    {
        return IS_NATIVE_BIG ? word : Integer.reverseBytes(word);
    }

    /** Turns a machine word into what SRAM holds, and back. */
    static long order(final long word)
    {
        return IS_NATIVE_BIG ? word : Long.reverseBytes(word);
    }

    static int getInt(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getInt(index));
    }

    static int getIntAcquire(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getIntAcquire(index));
    }

    static void putInt(final AtomicBuffer buffer, final int index, final int value)
    {
        buffer.putInt(index, order(value));
    }

    static void putIntRelease(final AtomicBuffer buffer, final int index, final int value)
    {
        buffer.putIntRelease(index, order(value));
    }

    static long getLong(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getLong(index));
    }

    static long getLongAcquire(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getLongAcquire(index));
    }

    static void putLong(final AtomicBuffer buffer, final int index, final long value)
    {
        buffer.putLong(index, order(value));
    }

    static void putLongRelease(final AtomicBuffer buffer, final int index, final long value)
    {
        buffer.putLongRelease(index, order(value));
    }
}
