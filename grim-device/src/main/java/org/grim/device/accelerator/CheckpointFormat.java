// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

/**
 * Requests of an owner about checkpoints of one space of its pages. Numbers in payloads are little endian.
 * <pre>
 *  checkpoint.begin    a0 space, a1 number of the last checkpoint that the owner has, or 0
 *                      answer: number u32, flags u32 (1: all pages), sequence u32, page length u32, kernel runs u64,
 *                      pages u16 each
 *  checkpoint.read     a0 space (high 16 bits) and page, a1 offset   answer: the bytes, a part of the page
 *  checkpoint.end      a0 space, a1 number of the checkpoint, if the owner has all of it; otherwise 0
 *  checkpoint.restore  a0 space (low 16 bits) and connection, a1 sequence; kernel runs u64
 *                      answer: number u32, page length u32
 *  checkpoint.write    a0 space (high 16 bits) and page, a1 offset; the bytes
 * </pre>
 */
public final class CheckpointFormat
{
    /** Name of the handler that begins a checkpoint. */
    public static final String BEGIN = "checkpoint.begin";
    /** Name of the handler that answers with a part of a page. */
    public static final String READ = "checkpoint.read";
    /** Name of the handler that ends a checkpoint. */
    public static final String END = "checkpoint.end";
    /** Name of the handler that frees the pages of a space, and sets its account. */
    public static final String RESTORE = "checkpoint.restore";
    /** Name of the handler that writes a part of a page. */
    public static final String WRITE = "checkpoint.write";
    /** Most bytes of a page in one message. */
    public static final int PART_LENGTH_MAX = 1 << 15;

    private static final int FLAGS_OFFSET = SIZE_OF_INT;
    private static final int SEQUENCE_OFFSET = FLAGS_OFFSET + SIZE_OF_INT;
    private static final int PAGE_LENGTH_OFFSET = SEQUENCE_OFFSET + SIZE_OF_INT;
    private static final int RUNS_OFFSET = PAGE_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int PAGES_OFFSET = RUNS_OFFSET + SIZE_OF_LONG;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    /**
     * Answer of {@value CheckpointFormat#BEGIN}.
     *
     * @param number     of the checkpoint.
     * @param isWhole    whether all pages that it does not name are zeros.
     * @param sequence   low 32 bits of the last item before the checkpoint.
     * @param runs       of kernels before it.
     * @param pageLength bytes of a page.
     * @param pages      that have changed.
     */
    public record Begun(int number, boolean isWhole, int sequence, long runs, int pageLength, List<Integer> pages)
    {
        /**
         * Reads an answer.
         *
         * @param buffer of the payload, from index 0.
         * @param length of it.
         * @return the numbers.
         * @throws IllegalArgumentException if it is none.
         */
        public static Begun readFrom(final DirectBuffer buffer, final int length)
        {
            if (length < PAGES_OFFSET)
            {
                throw new IllegalArgumentException("answer of length=" + length + " is shorter than " + PAGES_OFFSET);
            }
            final List<Integer> pages = new ArrayList<>();
            int last = -1;
            for (int i = PAGES_OFFSET; i + SIZE_OF_SHORT <= length; i += SIZE_OF_SHORT)
            {
                final int page = buffer.getShort(i, ORDER) & 0xFFFF;
                if (page <= last)
                {
                    throw new IllegalArgumentException("page=" + page + " comes behind page=" + last);
                }
                pages.add(page);
                last = page;
            }
            final int pageLength = buffer.getInt(PAGE_LENGTH_OFFSET, ORDER);
            if (pageLength < 1 || pageLength > AcceleratorDriver.PAGE_MAX)
            {
                throw new IllegalArgumentException(
                    "page length=" + pageLength + " is outside 1 to " + AcceleratorDriver.PAGE_MAX);
            }
            return new Begun(buffer.getInt(0, ORDER), buffer.getInt(FLAGS_OFFSET, ORDER) != 0,
                buffer.getInt(SEQUENCE_OFFSET, ORDER), buffer.getLong(RUNS_OFFSET, ORDER), pageLength, pages);
        }

        UnsafeBuffer write()
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[PAGES_OFFSET + pages.size() * SIZE_OF_SHORT]);
            buffer.putInt(0, number, ORDER);
            buffer.putInt(FLAGS_OFFSET, isWhole ? 1 : 0, ORDER);
            buffer.putInt(SEQUENCE_OFFSET, sequence, ORDER);
            buffer.putInt(PAGE_LENGTH_OFFSET, pageLength, ORDER);
            buffer.putLong(RUNS_OFFSET, runs, ORDER);
            for (int i = 0; i < pages.size(); i++)
            {
                buffer.putShort(PAGES_OFFSET + i * SIZE_OF_SHORT, pages.get(i).shortValue(), ORDER);
            }
            return buffer;
        }
    }

    private CheckpointFormat()
    {
    }

    /**
     * Composes the payload of {@value #RESTORE}.
     *
     * @param buffer of {@value org.agrona.BitUtil#SIZE_OF_LONG} bytes.
     * @param runs   of kernels before the checkpoint.
     */
    public static void runs(final MutableDirectBuffer buffer, final long runs)
    {
        buffer.putLong(0, runs, ORDER);
    }

    /**
     * Composes argument 0 of {@value #RESTORE}.
     *
     * @param space      of the owner.
     * @param connection number; 16 bits.
     * @return argument 0.
     */
    public static int spaceOf(final int space, final int connection)
    {
        return space | (connection << 16);
    }

    static long runs(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length != SIZE_OF_LONG)
        {
            throw new IllegalArgumentException("payload of length=" + length + ", expected " + SIZE_OF_LONG);
        }
        return buffer.getLong(offset, ORDER);
    }

    static UnsafeBuffer restored(final int number, final int pageLength)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * SIZE_OF_INT]);
        buffer.putInt(0, number, ORDER);
        buffer.putInt(SIZE_OF_INT, pageLength, ORDER);
        return buffer;
    }

    /**
     * Reads the number of a checkpoint from the answer of {@value #RESTORE}.
     *
     * @param buffer of the payload, from index 0.
     * @param length of it.
     * @param needed bytes of a page of the checkpoint.
     * @return the number.
     * @throws IllegalArgumentException if it is no such answer, or pages of the device are too short.
     */
    public static int restoredNumber(final DirectBuffer buffer, final int length, final int needed)
    {
        if (length != 2 * SIZE_OF_INT || buffer.getInt(SIZE_OF_INT, ORDER) < needed)
        {
            throw new IllegalArgumentException(length != 2 * SIZE_OF_INT ? "answer of length=" + length :
                "checkpoint has page=" + needed + ", the device page=" + buffer.getInt(SIZE_OF_INT, ORDER));
        }
        return buffer.getInt(0, ORDER);
    }
}
