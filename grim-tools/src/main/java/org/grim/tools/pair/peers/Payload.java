// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.Cell;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * The content of messages: words that are all the same in one message, and differ from one message to the next. Where
 * payloads are verified all words differ, and checksums take the place of sums; streams send overlapping
 * <em>windows</em> of one such pattern.
 * <p>Thread: one. Owns: the buffer that messages are written to before they are sent.
 */
public final class Payload
{
    private static final int LENGTH_USUAL = 1 << 16;
    // From here on loops of their own: a compiler that has seen many short ones does not unroll for the long ones.
    private static final int LENGTH_LARGE = 512;
    // Golden ratio, odd: values do not repeat, and no value is 0.
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private static final long ORDER_MULTIPLIER = 6_364_136_223_846_793_005L;
    private static final int WINDOW_COUNT = 16;

    private final long step;
    // Two, because each remembers the memory that it saw last.
    private final Checksum checksum = new Checksum();
    private final Checksum ownChecksum = new Checksum();
    private final long[] windowSums = new long[WINDOW_COUNT];
    private AtomicBuffer buffer = Buffers.allocate(LENGTH_USUAL);
    private long value;
    private boolean isVerified;

    /** Makes a payload of one side: the two write different words. */
    public Payload(final boolean isInitiator)
    {
        step = isInitiator ? MULTIPLIER : -MULTIPLIER;
    }

    /** Makes room before something is measured. */
    public void prepare(final Cell cell)
    {
        isVerified = cell.isVerified();
        final int length = cell.size() + (isVerified ? WINDOW_COUNT * SIZE_OF_LONG : 0);
        if (length > buffer.capacity())
        {
            buffer = Buffers.allocate(length);
        }
    }

    /** {@return the buffer that messages are written to} */
    public AtomicBuffer buffer()
    {
        return buffer;
    }

    /** Writes the next message, at least one word for the raw pass; returns what {@link #sumOf} returns of it. */
    public long write(final int length)
    {
        value += step;
        if (isVerified)
        {
            fillPattern(length);
            return ownChecksum.of(buffer, 0, length);
        }
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

    /** Writes a pattern whose windows of a length differ. */
    void writeWindows(final int length)
    {
        value += step;
        fillPattern(length + WINDOW_COUNT * SIZE_OF_LONG);
        for (int window = 0; window < WINDOW_COUNT; window++)
        {
            windowSums[window] = ownChecksum.of(buffer, window * SIZE_OF_LONG, length);
        }
    }

    /** First byte of the window that belongs to a running number. */
    static int windowOffset(final long number)
    {
        return (int)(number % WINDOW_COUNT) * SIZE_OF_LONG;
    }

    /** The result of {@link #sumOf} for that window. */
    long windowSum(final long number)
    {
        return windowSums[(int)(number % WINDOW_COUNT)];
    }

    /** Reads every byte: CRC32C where payloads are verified, else the sum of the words. */
    public long sumOf(final DirectBuffer source, final int offset, final int length)
    {
        if (isVerified)
        {
            return checksum.of(source, offset, length);
        }
        return length < LENGTH_LARGE ? sumSmall(source, offset, length) : sumLarge(source, offset, length);
    }

    /** Adds one message to a checksum of a whole stream, which their order changes, too. */
    static long fold(final long sum, final long ofMessage)
    {
        return sum * ORDER_MULTIPLIER + ofMessage;
    }

    private void fillPattern(final int length)
    {
        long word = value;
        int offset = 0;
        for (; offset <= length - SIZE_OF_LONG; offset += SIZE_OF_LONG)
        {
            buffer.putLong(offset, word);
            word += MULTIPLIER;
        }
        for (; offset < length; offset++)
        {
            buffer.putByte(offset, (byte)word);
            word >>>= Byte.SIZE;
        }
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
