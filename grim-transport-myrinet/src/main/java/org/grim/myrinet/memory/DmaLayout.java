// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import org.agrona.BitUtil;
import org.grim.GrimException;
import org.grim.board.TranslationDescriptor;
import org.grim.buffer.SegmentHeader;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Where everything lies in a process's DMA region. Offsets in bytes from its first byte; checked when made, so that
 * none lies outside.
 * <pre>
 *  +---------------------+ 0
 *  | header              |  SegmentHeader: owner writes when the file is made; who maps it reads
 *  +---------------------+ REQUEST_OFFSET
 *  | translation request |  board writes, host reads; TranslationDescriptor
 *  +---------------------+ INTERRUPT_OFFSET
 *  | interrupt word      |  u32, this machine's byte order: who runs the firmware adds, host reads
 *  +---------------------+ POINTERS_OFFSET
 *  | pointer words       |  channelCount lines: board writes a queue pointer, host reads
 *  | arrival queues      |  channelCount x arrivalLength, a line between if that is an even number of lines:
 *  |                     |  board writes; host reads, and clears tail flags
 *  +---------------------+ bounceOffset, on a page
 *  | bounce buffers      |  channelCount x bounceCount x bounceLength: host writes, board reads
 *  +---------------------+ registeredOffset, on a page
 *  | registered memory   |  the rest, whole pages: application and board, at addresses of RM operations
 *  +---------------------+
 * </pre>
 * Fields of different writers never share a cache line.
 * <p>Thread: any; immutable.
 */
public final class DmaLayout
{
    /** Where the board brings translation requests: {@link TranslationDescriptor#REQUEST_LENGTH} bytes. */
    public static final int REQUEST_OFFSET = SegmentHeader.LENGTH;
    /** The interrupt word: u32 in this machine's byte order. */
    public static final int INTERRUPT_OFFSET = REQUEST_OFFSET + CACHE_LINE_LENGTH;
    /** Pointer word of channel 0. */
    public static final int POINTERS_OFFSET = INTERRUPT_OFFSET + CACHE_LINE_LENGTH;
    /** Bytes of a page, of registered memory as of translation. */
    public static final int PAGE_LENGTH = TranslationDescriptor.PAGE_LENGTH;

    private final int regionLength;
    private final int channelCount;
    private final int arrivalLength;
    private final int arrivalStride;
    private final int bounceCount;
    private final int bounceLength;
    private final int arrivalsOffset;
    private final int bounceOffset;
    private final int registeredOffset;
    private final int registeredLength;

    /**
     * Computes the offsets.
     *
     * @param regionLength  bytes of the whole region.
     * @param channelCount  channels of the process, 1 or more.
     * @param arrivalLength bytes of each channel's arrival queue, a multiple of 64.
     * @param bounceCount   bounce buffers of each channel, 0 or more.
     * @param bounceLength  bytes of each of them, a multiple of 64.
     * @throws GrimException            if the region is too small, with all that it must hold.
     * @throws IllegalArgumentException if another size is none.
     */
    public DmaLayout(
        final int regionLength, final int channelCount, final int arrivalLength, final int bounceCount,
        final int bounceLength)
    {
        this.regionLength = atLeast("region length", regionLength, 0);
        this.channelCount = atLeast("channels", channelCount, 1);
        this.arrivalLength = lines("arrival queue length", arrivalLength);
        this.bounceCount = atLeast("bounce buffers", bounceCount, 0);
        this.bounceLength = lines("bounce buffer length", bounceLength);
        // An odd number of lines from queue to queue: else the words that a loop polls share few sets of its cache.
        arrivalStride = arrivalLength | CACHE_LINE_LENGTH;
        final long arrivals = POINTERS_OFFSET + (long)channelCount * CACHE_LINE_LENGTH;
        // The sum of what must be there, a line for each holder; registered memory has what is left.
        final long bounce = BitUtil.align(
            arrivals +
            (long)channelCount * arrivalStride, PAGE_LENGTH);
        final long needed = BitUtil.align(
            bounce +
            Math.multiplyExact((long)channelCount * bounceCount, (long)bounceLength), PAGE_LENGTH);
        if (needed > regionLength)
        {
            throw new GrimException(NO_ROOM,
                "DMA region of " + regionLength + " bytes is too small: " + POINTERS_OFFSET +
                " bytes of fixed words, " + channelCount + " channels with a pointer word of " + CACHE_LINE_LENGTH +
                ", an arrival queue of " + arrivalLength + " and " + bounceCount + " bounce buffers of " +
                bounceLength + " bytes each, rounded to pages of " + PAGE_LENGTH + ", need " + needed +
                "; registered memory comes on top");
        }
        arrivalsOffset = (int)arrivals;
        bounceOffset = (int)bounce;
        registeredOffset = (int)needed;
        registeredLength = (regionLength - registeredOffset) / PAGE_LENGTH * PAGE_LENGTH;
    }

    /** {@return the whole region} */
    public int regionLength()
    {
        return regionLength;
    }

    /**
     * Pointer word of a channel, on a line of its own.
     *
     * @param channel 0 to channelCount - 1, in the process's own numbering.
     * @return offset of the word.
     */
    public int pointerOffset(final int channel)
    {
        return POINTERS_OFFSET + inRange("channel", channel, channelCount) * CACHE_LINE_LENGTH;
    }

    /**
     * Arrival queue of a channel, on a line of its own.
     *
     * @param channel 0 to channelCount - 1, in the process's own numbering.
     * @return offset of its first byte.
     */
    public int arrivalOffset(final int channel)
    {
        return arrivalsOffset + inRange("channel", channel, channelCount) * arrivalStride;
    }

    /** {@return size of each arrival queue} */
    public int arrivalLength()
    {
        return arrivalLength;
    }

    /**
     * A bounce buffer of a channel, on a line of its own.
     *
     * @param channel 0 to channelCount - 1, in the process's own numbering.
     * @param index   0 to bounceCount - 1.
     * @return offset of its first byte.
     */
    public int bounceOffset(final int channel, final int index)
    {
        return bounceOffset + (inRange("channel", channel, channelCount) * bounceCount +
            inRange("bounce buffer", index, bounceCount)) * bounceLength;
    }

    /** {@return bounce buffers of each channel, one behind the other} */
    public int bounceCount()
    {
        return bounceCount;
    }

    /** {@return size of each bounce buffer} */
    public int bounceLength()
    {
        return bounceLength;
    }

    /** {@return where registered memory begins; offset of its first byte, on a page} */
    public int registeredOffset()
    {
        return registeredOffset;
    }

    /** {@return size of registered memory; bytes, whole pages; 0 if there is none} */
    public int registeredLength()
    {
        return registeredLength;
    }

    private static int inRange(final String name, final int value, final int end)
    {
        if (value < 0 || value >= end)
        {
            throw new IllegalArgumentException(name + "=" + value + " is outside 0 to " + (end - 1));
        }
        return value;
    }

    private static int atLeast(final String name, final int value, final int min)
    {
        if (value < min)
        {
            throw new IllegalArgumentException(name + "=" + value + " is below " + min);
        }
        return value;
    }

    private static int lines(final String name, final int value)
    {
        if (value < 0 || value % CACHE_LINE_LENGTH != 0)
        {
            throw new IllegalArgumentException(
                name + "=" + value + " is not a multiple of " + CACHE_LINE_LENGTH + " from 0 on");
        }
        return value;
    }
}
