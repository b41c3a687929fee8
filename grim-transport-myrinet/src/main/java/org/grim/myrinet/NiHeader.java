// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.wire.MessageHeader;

/**
 * Which incarnation of its destination an active message was meant for, and which of its source's channels it came
 * from: the first word of what NIs take for its payload. NIs do not look at it, and name channels by the board's
 * numbers, which the source's next incarnation may have others of; drivers put it before the payload, take it off, and
 * refuse what was meant for another incarnation (decision 19).
 * <p>Thread: any; no state.
 */
final class IncarnationWord
{
    /** Bytes before the payload: the header and this word. */
    static final int HEADER_LENGTH = MessageHeader.LENGTH + Integer.BYTES;

    private static final int OFFSET = MessageHeader.LENGTH;                     // u32, sending driver; receiving driver
    private static final int CHANNEL_SHIFT = 24;
    private static final int INCARNATION_MASK = (1 << CHANNEL_SHIFT) - 1;       // As many joins outlast any message.
    private static final long EXTENT_WORD = 1L << 48;                           // In the length of words 2 and 3.

    private IncarnationWord()
    {
    }

    /** The word, of a destination's incarnation and the source's own channel, 0 to 255. */
    static int of(final int incarnation, final int sourceChannel)
    {
        return sourceChannel << CHANNEL_SHIFT | (incarnation & INCARNATION_MASK);
    }

    static boolean isFor(final int incarnation, final int word)
    {
        return ((word ^ incarnation) & INCARNATION_MASK) == 0;
    }

    static int sourceChannel(final int word)
    {
        return word >>> CHANNEL_SHIFT;
    }

    static void put(final MutableDirectBuffer buffer, final int headerIndex, final int word)
    {
        buffer.putInt(headerIndex + OFFSET, word, ByteOrder.BIG_ENDIAN);
    }

    static int get(final DirectBuffer buffer, final int headerIndex)
    {
        return buffer.getInt(headerIndex + OFFSET, ByteOrder.BIG_ENDIAN);
    }

    /** Words 2 and 3 of a message as NIs see it. */
    static long added(final long second)
    {
        return second + EXTENT_WORD;
    }

    /** Words 2 and 3 of a message as endpoints see it. */
    static long removed(final long second)
    {
        return second - EXTENT_WORD;
    }
}
