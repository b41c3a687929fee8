// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;

/** Bytes that can be recognised: each depends on a seed and its index, so that none can be taken for another. */
public final class MessagePattern
{
    private static final int INDEX_FACTOR = 0x85EB_CA6B;
    private static final int SEED_FACTOR = 0x9E37_79B9;
    private static final int SHIFT = 15;

    private MessagePattern()
    {
    }

    /** Mixes three numbers. Returns another seed for another three. */
    public static int seed(final int first, final int second, final int third)
    {
        return word(word(first, second), third);
    }

    static int word(final int seed, final int index)
    {
        final int mixed = seed * SEED_FACTOR + index * INDEX_FACTOR;
        return (mixed ^ mixed >>> SHIFT) * INDEX_FACTOR;
    }

    /**
     * One byte of the pattern.
     *
     * @param seed   of the pattern.
     * @param offset from its start.
     * @return what must stand there.
     */
    public static byte at(final int seed, final int offset)
    {
        return (byte)(word(seed, offset / SIZE_OF_INT) >>> (offset % SIZE_OF_INT * Byte.SIZE));
    }

    /** Writes the pattern from its start. */
    public static void fill(final MutableDirectBuffer buffer, final int index, final int length, final int seed)
    {
        int offset = 0;
        for (; offset + SIZE_OF_INT <= length; offset += SIZE_OF_INT)
        {
            buffer.putInt(index + offset, word(seed, offset / SIZE_OF_INT), LITTLE_ENDIAN);
        }
        for (; offset < length; offset++)
        {
            buffer.putByte(index + offset, at(seed, offset));
        }
    }

    /**
     * Looks for the first byte that is not as it should be.
     *
     * @param buffer to read.
     * @param index  where the pattern starts.
     * @param length bytes.
     * @param seed   of the pattern.
     * @return its offset from the start, or -1.
     */
    public static int mismatch(final DirectBuffer buffer, final int index, final int length, final int seed)
    {
        int offset = 0;
        for (; offset + SIZE_OF_INT <= length; offset += SIZE_OF_INT)
        {
            if (buffer.getInt(index + offset, LITTLE_ENDIAN) != word(seed, offset / SIZE_OF_INT))
            {
                return offset;
            }
        }
        for (; offset < length; offset++)
        {
            if (buffer.getByte(index + offset) != at(seed, offset))
            {
                return offset;
            }
        }
        return -1;
    }
}
