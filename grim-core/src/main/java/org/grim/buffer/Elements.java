// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.nio.ByteOrder;

import org.agrona.UnsafeApi;

/**
 * Numbers, little endian, in ranges of memory that the caller has checked once for all of them: less than half of the
 * time of a buffer's access by element. An address is {@link org.agrona.DirectBuffer#addressOffset()} and an offset,
 * its base {@link org.agrona.DirectBuffer#byteArray()}.
 * <p>Thread: any; no state.
 */
public final class Elements
{
    private static final boolean IS_NATIVE_LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Elements()
    {
    }

    /**
     * Reads a byte.
     *
     * @param base    array, or null outside the heap.
     * @param address of it.
     * @return the number.
     */
    public static byte byteAt(final byte[] base, final long address)
    {
        return UnsafeApi.getByte(base, address);
    }

    /**
     * Reads two bytes.
     *
     * @param base    array, or null outside the heap.
     * @param address of the first byte.
     * @return the number.
     */
    public static short shortAt(final byte[] base, final long address)
    {
        final short value = UnsafeApi.getShort(base, address);
        return IS_NATIVE_LITTLE ? value : Short.reverseBytes(value);
    }

    /**
     * Reads four bytes.
     *
     * @param base    array, or null outside the heap.
     * @param address of the first byte.
     * @return the number.
     */
    public static int intAt(final byte[] base, final long address)
    {
        final int value = UnsafeApi.getInt(base, address);
        return IS_NATIVE_LITTLE ? value : Integer.reverseBytes(value);
    }

    /**
     * Reads eight bytes.
     *
     * @param base    array, or null outside the heap.
     * @param address of the first byte.
     * @return the number.
     */
    public static long longAt(final byte[] base, final long address)
    {
        final long value = UnsafeApi.getLong(base, address);
        return IS_NATIVE_LITTLE ? value : Long.reverseBytes(value);
    }

    /**
     * Writes a byte.
     *
     * @param base    array, or null outside the heap.
     * @param address of it.
     * @param value   the number.
     */
    public static void putByte(final byte[] base, final long address, final byte value)
    {
        UnsafeApi.putByte(base, address, value);
    }

    /**
     * Writes two bytes.
     *
     * @param base    array, or null outside the heap.
     * @param address of the first byte.
     * @param value   the number.
     */
    public static void putShort(final byte[] base, final long address, final short value)
    {
        UnsafeApi.putShort(base, address, IS_NATIVE_LITTLE ? value : Short.reverseBytes(value));
    }

    /**
     * Writes four bytes.
     *
     * @param base    array, or null outside the heap.
     * @param address of the first byte.
     * @param value   the number.
     */
    public static void putInt(final byte[] base, final long address, final int value)
    {
        UnsafeApi.putInt(base, address, IS_NATIVE_LITTLE ? value : Integer.reverseBytes(value));
    }

    /**
     * Writes eight bytes.
     *
     * @param base    array, or null outside the heap.
     * @param address of the first byte.
     * @param value   the number.
     */
    public static void putLong(final byte[] base, final long address, final long value)
    {
        UnsafeApi.putLong(base, address, IS_NATIVE_LITTLE ? value : Long.reverseBytes(value));
    }
}
