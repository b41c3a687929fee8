// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.agrona.BitUtil;
import org.grim.RemoteRegion;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Layout of a frame window in registered memory of the receiver, and of the credits in that of the sender. The other
 * side writes all of each.
 * <pre>
 *  window                                            credits
 *  +----------------------------------------------+  +---------------------------------------+ 0
 *  | region of the credits (24 bytes), opened (u32)|  | frames that may be sent, mod 2^32 (u32)|
 *  +----------------------------------------------+  | copy (u32), answer (u32)              |
 *  | slot 0: sequence (u32) | length (u32), mark   |  +---------------------------------------+ 64
 *  |         payload, to a multiple of 64          |
 *  +----------------------------------------------+
 *  | slot 1 ...                                    |
 * </pre>
 * A slot's first word is in the receiver's byte order, and is stored when the payload is there. Sequences begin at 1.
 * The sender opens the window by its frames' length. Then the receiver allows as many frames as there are slots, or
 * answers why it takes none.
 */
final class FrameWindowDescriptor
{
    static final int CREDITS_REGION_OFFSET = 0;                                     // sender writes, receiver reads
    static final int OPENED_OFFSET = CREDITS_REGION_OFFSET + RemoteRegion.LENGTH;   // u32, sender notifies
    static final int SLOTS_OFFSET = CACHE_LINE_LENGTH;
    static final int WORD_OFFSET = 0;                                               // u64, sender signals
    static final int MARK_OFFSET = WORD_OFFSET + SIZE_OF_LONG;                      // u32, anything
    static final int PAYLOAD_OFFSET = MARK_OFFSET + SIZE_OF_LONG;
    static final int LIMIT_OFFSET = 0;                                              // u32, receiver notifies
    static final int COPY_OFFSET = LIMIT_OFFSET + SIZE_OF_INT;                      // u32, receiver writes
    static final int ANSWER_OFFSET = COPY_OFFSET + SIZE_OF_INT;                     // u32, receiver notifies
    /** Answer: the receiver was closed. */
    static final int CLOSED = -1;
    /** Answer: another sender has opened the window. Answers above 0 are the length that frames have. */
    static final int TAKEN = -2;
    static final int CREDITS_LENGTH = CACHE_LINE_LENGTH;

    private FrameWindowDescriptor()
    {
    }

    /** Bytes from one slot to the next. */
    static long stride(final int frameLength)
    {
        return BitUtil.align((long)frameLength + PAYLOAD_OFFSET, CACHE_LINE_LENGTH);
    }

    /** Bytes of a window. */
    static long length(final int slotCount, final int frameLength)
    {
        if (slotCount < 1 || frameLength < 1)
        {
            throw new IllegalArgumentException(
                "slots=" + slotCount + " and frame length=" + frameLength + " have to be 1 or more");
        }
        final long length = SLOTS_OFFSET + slotCount * stride(frameLength);
        if (length > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("window of slots=" + slotCount + " frame length=" + frameLength +
                " has length=" + length + ", which exceeds max=" + Integer.MAX_VALUE);
        }
        return length;
    }

    /** Slots of a window of a length. */
    static int slotCount(final RemoteRegion window, final int frameLength)
    {
        final long stride = frameLength < 1 ? 1 : stride(frameLength);
        final long slotsLength = window.length() - SLOTS_OFFSET;
        if (frameLength < 1 || slotsLength < stride || slotsLength % stride != 0 || window.isPhysical())
        {
            throw new IllegalArgumentException("region of length=" + window.length() +
                " is no window of frames of length=" + frameLength);
        }
        return (int)(slotsLength / stride);
    }

    static long word(final long sequence, final int length)
    {
        return sequence << Integer.SIZE | length;
    }

    static int sequence(final long word)
    {
        return (int)(word >>> Integer.SIZE);
    }
}
