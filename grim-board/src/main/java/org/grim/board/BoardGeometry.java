// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.align;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.board.BoardDescriptor.CHANNELS_OFFSET;
import static org.grim.board.BoardDescriptor.CHANNEL_COUNT_OFFSET;
import static org.grim.board.BoardDescriptor.CONTEXT_COUNT_OFFSET;
import static org.grim.board.BoardDescriptor.CONTEXT_LENGTH;
import static org.grim.board.BoardDescriptor.DOORBELL_OFFSET;
import static org.grim.board.BoardDescriptor.HEADER_LENGTH;
import static org.grim.board.BoardDescriptor.LANAI_MODEL_OFFSET;
import static org.grim.board.BoardDescriptor.LAYOUT_VERSION;
import static org.grim.board.BoardDescriptor.MAGIC;
import static org.grim.board.BoardDescriptor.MAGIC_OFFSET;
import static org.grim.board.BoardDescriptor.NI_NUMBER_OFFSET;
import static org.grim.board.BoardDescriptor.QUEUE_LENGTH_OFFSET;
import static org.grim.board.BoardDescriptor.RESERVED_LENGTH_OFFSET;
import static org.grim.board.BoardDescriptor.SRAM_LENGTH_OFFSET;
import static org.grim.board.BoardDescriptor.STATIC_ENTRY_COUNT_OFFSET;
import static org.grim.board.BoardDescriptor.STATIC_ENTRY_LENGTH;
import static org.grim.board.BoardDescriptor.VERSION_OFFSET;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Sizes of one board's SRAM and where its sections lie. Checked when made, so that no offset lies outside.
 * <p>Thread: any; immutable.
 */
public final class BoardGeometry
{
    /** Most channels of one board. */
    public static final int CHANNEL_COUNT_MAX = 256;
    /** The last channels, which are the NI's own: one for multicasts, one for replies to reads. */
    public static final int OWN_CHANNEL_COUNT = 2;
    /** Most contexts of one board. */
    public static final int CONTEXT_COUNT_MAX = 256;
    /** Largest NI number. */
    public static final int NI_NUMBER_MAX = 4095;
    /** Least bytes of a board's memory. */
    public static final int SRAM_LENGTH_MIN = 64 << 10;

    private static final int SRAM_LENGTH_MAX = 64 << 20;
    private static final int QUEUE_LENGTH_MIN = 1024;
    private static final int LANAI_4 = 4;
    private static final int LANAI_9 = 9;

    private final int lanaiModel;
    private final int niNumber;
    private final int sramLength;
    private final int channelCount;
    private final int queueLength;
    private final int contextCount;
    private final int staticEntryCount;
    private final int reservedLength;
    private final int contextsOffset;
    private final int staticEntriesOffset;
    private final int queuesOffset;
    private final int reservedOffset;

    /**
     * Checks and keeps the sizes.
     *
     * @param lanaiModel       4 or 9.
     * @param niNumber         0 to {@value #NI_NUMBER_MAX}.
     * @param sramLength       bytes, 64 KiB to 64 MiB.
     * @param channelCount     1 to {@value #CHANNEL_COUNT_MAX}.
     * @param queueLength      bytes of each channel's queue, a power of two from 1024.
     * @param contextCount     processes that can use the board, 1 to {@value #CONTEXT_COUNT_MAX}.
     * @param staticEntryCount static entries of the translation cache, 0 or more.
     * @param reservedLength   bytes for applications, a multiple of 64.
     * @throws IllegalArgumentException naming the size and its range, or the bytes needed and given.
     */
    public BoardGeometry(
        final int lanaiModel, final int niNumber, final int sramLength, final int channelCount, final int queueLength,
        final int contextCount, final int staticEntryCount, final int reservedLength)
    {
        if (lanaiModel != LANAI_4 && lanaiModel != LANAI_9)
        {
            throw new IllegalArgumentException("LANai model=" + lanaiModel + " is neither 4 nor 9");
        }
        this.lanaiModel = lanaiModel;
        this.niNumber = inRange("NI number", niNumber, 0, NI_NUMBER_MAX);
        this.sramLength = inRange("SRAM length", sramLength, SRAM_LENGTH_MIN, SRAM_LENGTH_MAX);
        this.channelCount = inRange("channels", channelCount, 1, CHANNEL_COUNT_MAX);
        this.queueLength = inRange("queue length", queueLength, QUEUE_LENGTH_MIN, sramLength);
        if (!BitUtil.isPowerOfTwo(queueLength))
        {
            throw new IllegalArgumentException("queue length=" + queueLength + " is not a power of two");
        }
        this.contextCount = inRange("contexts", contextCount, 1, CONTEXT_COUNT_MAX);
        this.staticEntryCount = inRange("static entries", staticEntryCount, 0, sramLength / STATIC_ENTRY_LENGTH);
        this.reservedLength = inRange("reserved length", reservedLength, 0, sramLength);
        if (reservedLength % CACHE_LINE_LENGTH != 0)
        {
            throw new IllegalArgumentException(
                "reserved length=" + reservedLength + " is not a multiple of " + CACHE_LINE_LENGTH);
        }
        contextsOffset = CHANNELS_OFFSET + channelCount * ChannelRegisters.LENGTH;
        staticEntriesOffset = contextsOffset + contextCount * CONTEXT_LENGTH;
        // The ranges above keep this within an int: at most 64 MiB of entries behind some 130 KiB.
        queuesOffset = align(staticEntriesOffset + staticEntryCount * STATIC_ENTRY_LENGTH, CACHE_LINE_LENGTH);
        final long reserved = queuesOffset + (long)channelCount * queueLength;
        final long needed = reserved + reservedLength;
        if (needed > sramLength)
        {
            throw new IllegalArgumentException("SRAM length=" + sramLength + " bytes is too small: " + channelCount +
                " channels with queues of " + queueLength + ", " + contextCount + " contexts, " + staticEntryCount +
                " static entries and " + reservedLength + " reserved bytes need " + needed);
        }
        reservedOffset = (int)reserved;
    }

    /**
     * Reads what a host wrote into a board's memory.
     *
     * @param sram the board's memory.
     * @return the sizes, checked.
     * @throws GrimException if there is no header, or one of another version, or a bad one; naming value and limit.
     */
    public static BoardGeometry read(final AtomicBuffer sram)
    {
        if (sram.capacity() < HEADER_LENGTH)
        {
            throw new GrimException(BAD_DATA, "SRAM has length=" + sram.capacity() + " bytes, its header alone takes " +
                HEADER_LENGTH);
        }
        final long magic = BigEndian.getLongAcquire(sram, MAGIC_OFFSET);         // partner: the release in write()
        if (magic != MAGIC)
        {
            throw new GrimException(BAD_DATA,
                "SRAM has no board header: magic=0x" + Long.toHexString(magic) + " expected=0x" +
                Long.toHexString(MAGIC));
        }
        final int version = BigEndian.getInt(sram, VERSION_OFFSET);
        if (version != LAYOUT_VERSION)
        {
            throw new GrimException(BAD_DATA, "SRAM has layout version=" + version + ", this GRIM reads version=" +
                LAYOUT_VERSION);
        }
        final BoardGeometry geometry = readSizes(sram);
        if (geometry.sramLength > sram.capacity())
        {
            throw new GrimException(BAD_DATA,
                "SRAM is truncated: length=" + sram.capacity() + " bytes, its header says " +
                geometry.sramLength);
        }
        return geometry;
    }

    private static BoardGeometry readSizes(final AtomicBuffer sram)
    {
        try
        {
            return new BoardGeometry(
                BigEndian.getInt(sram, LANAI_MODEL_OFFSET), BigEndian.getInt(sram, NI_NUMBER_OFFSET),
                BigEndian.getInt(sram, SRAM_LENGTH_OFFSET), BigEndian.getInt(sram, CHANNEL_COUNT_OFFSET),
                BigEndian.getInt(sram, QUEUE_LENGTH_OFFSET), BigEndian.getInt(sram, CONTEXT_COUNT_OFFSET),
                BigEndian.getInt(sram, STATIC_ENTRY_COUNT_OFFSET), BigEndian.getInt(sram, RESERVED_LENGTH_OFFSET));
        }
        catch (final IllegalArgumentException e)
        {
            throw new GrimException(BAD_DATA, "SRAM has a bad board header: " + e.getMessage(), e);
        }
    }

    /** Writes the header. Everything else that others should find must have been written before. */
    public void write(final AtomicBuffer sram)
    {
        if (sram.capacity() < sramLength)
        {
            throw new IllegalArgumentException(
                "SRAM has length=" + sram.capacity() + " bytes, the geometry needs " + sramLength);
        }
        sram.putLongVolatile(MAGIC_OFFSET, 0);          // Full fence: nobody takes a half-written header for good.
        BigEndian.putInt(sram, LANAI_MODEL_OFFSET, lanaiModel);
        BigEndian.putInt(sram, NI_NUMBER_OFFSET, niNumber);
        BigEndian.putInt(sram, SRAM_LENGTH_OFFSET, sramLength);
        BigEndian.putInt(sram, CHANNEL_COUNT_OFFSET, channelCount);
        BigEndian.putInt(sram, QUEUE_LENGTH_OFFSET, queueLength);
        BigEndian.putInt(sram, CONTEXT_COUNT_OFFSET, contextCount);
        BigEndian.putInt(sram, STATIC_ENTRY_COUNT_OFFSET, staticEntryCount);
        BigEndian.putInt(sram, RESERVED_LENGTH_OFFSET, reservedLength);
        BigEndian.putInt(sram, VERSION_OFFSET, LAYOUT_VERSION);
        BigEndian.putLongRelease(sram, MAGIC_OFFSET, MAGIC);                     // partner: the acquire in read()
    }

    /** {@return processor of the board; 4 or 9} */
    public int lanaiModel()
    {
        return lanaiModel;
    }

    /** {@return number of this NI; 0 to {@value #NI_NUMBER_MAX}} */
    public int niNumber()
    {
        return niNumber;
    }

    /** {@return size of SRAM} */
    public int sramLength()
    {
        return sramLength;
    }

    /** {@return logical channels; 1 to {@value #CHANNEL_COUNT_MAX}} */
    public int channelCount()
    {
        return channelCount;
    }

    /** {@return size of each channel's queue; bytes, a power of two} */
    public int queueLength()
    {
        return queueLength;
    }

    /**
     * Processes that can use the board.
     *
     * @return 1 to {@value #CONTEXT_COUNT_MAX}.
     */
    public int contextCount()
    {
        return contextCount;
    }

    /** {@return static entries of the translation cache; 0 or more} */
    public int staticEntryCount()
    {
        return staticEntryCount;
    }

    /** {@return size of the applications' part; bytes, a multiple of 64} */
    public int reservedLength()
    {
        return reservedLength;
    }

    /** {@return the applications' part; index of its first byte} */
    public int reservedOffset()
    {
        return reservedOffset;
    }

    /** {@return the doorbell; index of its first byte} */
    public int doorbellOffset()
    {
        return DOORBELL_OFFSET;
    }

    /** Registers of a channel. */
    public int channelOffset(final int channel)
    {
        return CHANNELS_OFFSET + inRange("channel", channel, 0, channelCount - 1) * ChannelRegisters.LENGTH;
    }

    /** Descriptor of a context. */
    public int contextOffset(final int context)
    {
        return contextsOffset + inRange("context", context, 0, contextCount - 1) * CONTEXT_LENGTH;
    }

    /** A static entry of the translation cache. */
    public int staticEntryOffset(final int index)
    {
        return staticEntriesOffset +
            inRange("static entry", index, 0, staticEntryCount - 1) * STATIC_ENTRY_LENGTH;
    }

    /** Queue of a channel. */
    public int queueOffset(final int channel)
    {
        return queuesOffset + inRange("channel", channel, 0, channelCount - 1) * queueLength;
    }

    private static int inRange(final String name, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(name + "=" + value + " is outside " + min + " to " + max);
        }
        return value;
    }
}
