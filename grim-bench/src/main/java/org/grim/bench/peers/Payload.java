// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * What messages are made of: words that are all the same in one message, and differ from one message to the next.
 * <p>Thread: one. Owns: the buffer that messages are written to before they are sent.
 */
final class Payload
{
    private static final int LENGTH_USUAL = 1 << 16;
    // From here on loops of their own: a compiler that has seen many short ones does not unroll for the long ones.
    private static final int LENGTH_LARGE = 512;
    // Golden ratio, odd: values do not repeat, and no value is 0.
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final long step;
    private AtomicBuffer buffer = Buffers.allocate(LENGTH_USUAL);
    private long value;

    /** The two sides write different words. */
    Payload(final boolean isInitiator)
    {
        step = isInitiator ? MULTIPLIER : -MULTIPLIER;
    }

    /** Makes room before something is measured. */
    void prepare(final int length)
    {
        if (length > buffer.capacity())
        {
            buffer = Buffers.allocate(length);
        }
    }

    AtomicBuffer buffer()
    {
        return buffer;
    }

    /** Writes the next message, at least one word for the raw pass; returns the sum of the words of {@code length}. */
    long write(final int length)
    {
        value += step;
        if (length < LENGTH_LARGE)
        {
            fill(length);
        }
        else
        {
            fillLarge(length);
        }
        return value * (length / SIZE_OF_LONG);
    }

    /** Reads every word. */
    static long sum(final DirectBuffer buffer, final int offset, final int length)
    {
        return length < LENGTH_LARGE ? sumSmall(buffer, offset, length) : sumLarge(buffer, offset, length);
    }

    private void fill(final int length)
    {
        buffer.putLong(0, value);
        for (int offset = SIZE_OF_LONG; offset < length; offset += SIZE_OF_LONG)
        {
            buffer.putLong(offset, value);
        }
    }

    private void fillLarge(final int length)
    {
        for (int offset = 0; offset < length; offset += SIZE_OF_LONG)
        {
            buffer.putLong(offset, value);
        }
    }

    private static long sumSmall(final DirectBuffer buffer, final int offset, final int length)
    {
        long sum = 0;
        for (int index = offset; index < offset + length; index += SIZE_OF_LONG)
        {
            sum += buffer.getLong(index);
        }
        return sum;
    }

    /** In four sums: one would have to wait for each addition, and measure that. */
    private static long sumLarge(final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        long first = 0;
        long second = 0;
        long third = 0;
        long fourth = 0;
        int index = offset;
        for (; index <= end - SIZE_OF_LONG * 4; index += SIZE_OF_LONG * 4)
        {
            first += buffer.getLong(index);
            second += buffer.getLong(index + SIZE_OF_LONG);
            third += buffer.getLong(index + SIZE_OF_LONG * 2);
            fourth += buffer.getLong(index + SIZE_OF_LONG * 3);
        }
        for (; index < end; index += SIZE_OF_LONG)
        {
            first += buffer.getLong(index);
        }
        return first + second + third + fourth;
    }
}
