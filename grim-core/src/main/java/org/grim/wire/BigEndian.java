// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import java.nio.ByteOrder;

import org.agrona.concurrent.AtomicBuffer;

/** Words that are big endian on any machine: of headers, slots and SRAM. Any thread; no state. */
public final class BigEndian
{
    private static final boolean IS_NATIVE_BIG = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

    private BigEndian()
    {
    }

    /**
     * Turns a machine word into a big endian one, and back.
     *
     * @param word either.
     * @return the other.
     */
    public static int order(final int word)
    {
        return IS_NATIVE_BIG ? word : Integer.reverseBytes(word);
    }

    /**
     * Turns a machine word into a big endian one, and back.
     *
     * @param word either.
     * @return the other.
     */
    public static long order(final long word)
    {
        return IS_NATIVE_BIG ? word : Long.reverseBytes(word);
    }

    /** Reads a word. */
    public static int getInt(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getInt(index));
    }

    /** Reads a word, with acquire order. */
    public static int getIntAcquire(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getIntAcquire(index));
    }

    /** Writes a word. */
    public static void putInt(final AtomicBuffer buffer, final int index, final int value)
    {
        buffer.putInt(index, order(value));
    }

    /** Writes a word, with release order. */
    public static void putIntRelease(final AtomicBuffer buffer, final int index, final int value)
    {
        buffer.putIntRelease(index, order(value));
    }

    /** Reads two words. */
    public static long getLong(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getLong(index));
    }

    /** Reads two words, with acquire order. */
    public static long getLongAcquire(final AtomicBuffer buffer, final int index)
    {
        return order(buffer.getLongAcquire(index));
    }

    /** Writes two words. */
    public static void putLong(final AtomicBuffer buffer, final int index, final long value)
    {
        buffer.putLong(index, order(value));
    }

    /** Writes two words, with release order. */
    public static void putLongRelease(final AtomicBuffer buffer, final int index, final long value)
    {
        buffer.putLongRelease(index, order(value));
    }
}
