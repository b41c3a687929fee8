// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.lang.reflect.Array;
import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Kinds of arrays of primitive values, whose elements are copied from and to buffers as they lie in memory, in the
 * machine's byte order.
 * <p>Thread: any; the arrays are the caller's.
 */
public enum PrimitiveArray
{
    /** An array of {@code byte}. */
    BYTES(byte[].class, Byte.BYTES),
    /** An array of {@code boolean}: one byte for each. */
    BOOLEANS(boolean[].class, Byte.BYTES),
    /** An array of {@code char}. */
    CHARS(char[].class, Character.BYTES),
    /** An array of {@code short}. */
    SHORTS(short[].class, Short.BYTES),
    /** An array of {@code int}. */
    INTS(int[].class, Integer.BYTES),
    /** An array of {@code float}. */
    FLOATS(float[].class, Float.BYTES),
    /** An array of {@code long}. */
    LONGS(long[].class, Long.BYTES),
    /** An array of {@code double}. */
    DOUBLES(double[].class, Double.BYTES);

    private static final PrimitiveArray[] ALL = values();

    private final Class<?> type;
    private final int elementLength;
    private final long base;

    PrimitiveArray(final Class<?> type, final int elementLength)
    {
        this.type = type;
        this.elementLength = elementLength;
        base = UnsafeApi.arrayBaseOffset(type);
    }

    /** {@return bytes of an element} */
    public int elementLength()
    {
        return elementLength;
    }

    /**
     * Returns the kind of an array.
     *
     * @param array of any class.
     * @return null if it has no primitive values.
     */
    public static PrimitiveArray of(final Object array)
    {
        for (final PrimitiveArray each : ALL)
        {
            if (each.type.isInstance(array))
            {
                return each;
            }
        }
        return null;
    }

    /**
     * Copies elements into a buffer.
     *
     * @param array        of this kind; of {@link #BYTES} of any kind, whose memory is copied.
     * @param index        first element.
     * @param target       to copy to.
     * @param targetOffset first byte there.
     * @param count        elements.
     * @throws IndexOutOfBoundsException if they are outside of the array or the buffer.
     * @throws ClassCastException        if the array is of another kind.
     */
    public void copyFrom(
        final Object array, final int index, final MutableDirectBuffer target, final int targetOffset, final int count)
    {
        final long start = start(array, index, count);
        final int length = Math.multiplyExact(count, elementLength);
        target.boundsCheck(targetOffset, length);
        UnsafeApi.copyMemory(
            array, start, target.byteArray(), target.addressOffset() + targetOffset, length);
    }

    /**
     * Copies bytes of a buffer into elements.
     *
     * @param source       to copy from.
     * @param sourceOffset first byte there.
     * @param array        as in {@link #copyFrom}.
     * @param index        first element.
     * @param count        elements.
     * @throws IndexOutOfBoundsException if they are outside of the array or the buffer.
     * @throws ClassCastException        if the array is of another kind.
     */
    public void copyTo(
        final DirectBuffer source, final int sourceOffset, final Object array, final int index, final int count)
    {
        final long start = start(array, index, count);
        final int length = Math.multiplyExact(count, elementLength);
        source.boundsCheck(sourceOffset, length);
        UnsafeApi.copyMemory(source.byteArray(), source.addressOffset() + sourceOffset, array, start, length);
    }

    /** Where checked elements begin in memory. */
    private long start(final Object array, final int index, final int count)
    {
        final PrimitiveArray other = this == BYTES && !type.isInstance(array) ? of(array) : null;
        final PrimitiveArray kind = other == null ? this : other;
        final long length = Array.getLength(kind.type.cast(array));
        Objects.checkFromIndexSize(index, (long)count, length * kind.elementLength / elementLength);
        return kind.base + (long)index * elementLength;
    }
}
