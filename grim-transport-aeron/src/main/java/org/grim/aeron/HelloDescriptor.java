// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;
import org.grim.aeron.observe.Party;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * The first frame of a hop: who sends what to whom. Little endian, as Aeron's own headers; offsets in bytes. The sender
 * writes, the receiver reads.
 * <pre>
 *   0  magic (u32)                  4  version (u32)
 *   8  number of the hop (u32)     12  source: node (u32)
 *  16  source: incarnation (u32)   20  destination: node (u32)
 *  24  destination: incarnation    28  destination: channel (u32)
 *  32  answered hop (u32)          36  preceding hop (u32)
 *  40  its last position (u64)     48  lost hop count (u32)
 *  52  numbers of lost hops (u32 each) that this one replaces
 * </pre>
 * The answered hop is the receiver's own whose remote-memory operations this one answers; 0 for a hop of messages. The
 * preceding hop, 0 for none, is one that became idle: what it carried, up to Aeron's position, comes before what this
 * one carries.
 * <p>Thread: any; no state.
 */
final class HelloDescriptor
{
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + SIZE_OF_INT;
    static final int NUMBER_OFFSET = VERSION_OFFSET + SIZE_OF_INT;
    static final int SOURCE_NODE_OFFSET = NUMBER_OFFSET + SIZE_OF_INT;
    static final int SOURCE_INCARNATION_OFFSET = SOURCE_NODE_OFFSET + SIZE_OF_INT;
    static final int NODE_OFFSET = SOURCE_INCARNATION_OFFSET + SIZE_OF_INT;
    static final int INCARNATION_OFFSET = NODE_OFFSET + SIZE_OF_INT;
    static final int CHANNEL_OFFSET = INCARNATION_OFFSET + SIZE_OF_INT;
    static final int ANSWERED_OFFSET = CHANNEL_OFFSET + SIZE_OF_INT;
    static final int PRECEDING_OFFSET = ANSWERED_OFFSET + SIZE_OF_INT;
    static final int PRECEDING_POSITION_OFFSET = PRECEDING_OFFSET + SIZE_OF_INT;
    static final int LOST_COUNT_OFFSET = PRECEDING_POSITION_OFFSET + SIZE_OF_LONG;
    static final int LOST_OFFSET = LOST_COUNT_OFFSET + SIZE_OF_INT;
    /** Most lost hops that a hello names: those before were replaced by one that names them. */
    static final int LOST_COUNT_MAX = 32;
    static final int LENGTH_MAX = LOST_OFFSET + LOST_COUNT_MAX * SIZE_OF_INT;

    private static final int MAGIC = 0x4D495247;        // "GRIM"
    private static final int VERSION = 6;

    private HelloDescriptor()
    {
    }

    /**
     * Identity of a hop before it became idle.
     *
     * @param number   that it had; 0: it is new.
     * @param position of Aeron, up to which it was used.
     */
    record Preceding(int number, long position)
    {
        static final Preceding NONE = new Preceding(0, 0);
    }

    /** Writes a hello. Returns its length in bytes. */
    static int write(
        final MutableDirectBuffer buffer, final int number, final Party source, final Party destination,
        final int channel, final int answeredNumber, final Preceding preceding, final int[] lostNumbers)
    {
        buffer.putInt(MAGIC_OFFSET, MAGIC, LITTLE_ENDIAN);
        buffer.putInt(VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
        buffer.putInt(NUMBER_OFFSET, number, LITTLE_ENDIAN);
        buffer.putInt(SOURCE_NODE_OFFSET, source.node(), LITTLE_ENDIAN);
        buffer.putInt(SOURCE_INCARNATION_OFFSET, source.incarnation(), LITTLE_ENDIAN);
        buffer.putInt(NODE_OFFSET, destination.node(), LITTLE_ENDIAN);
        buffer.putInt(INCARNATION_OFFSET, destination.incarnation(), LITTLE_ENDIAN);
        buffer.putInt(CHANNEL_OFFSET, channel, LITTLE_ENDIAN);
        buffer.putInt(ANSWERED_OFFSET, answeredNumber, LITTLE_ENDIAN);
        buffer.putInt(PRECEDING_OFFSET, preceding.number(), LITTLE_ENDIAN);
        buffer.putLong(PRECEDING_POSITION_OFFSET, preceding.position(), LITTLE_ENDIAN);
        buffer.putInt(LOST_COUNT_OFFSET, lostNumbers.length, LITTLE_ENDIAN);
        for (int i = 0; i < lostNumbers.length; i++)
        {
            buffer.putInt(LOST_OFFSET + i * SIZE_OF_INT, lostNumbers[i], LITTLE_ENDIAN);
        }
        return LOST_OFFSET + lostNumbers.length * SIZE_OF_INT;
    }

    /**
     * Judges a hello. Call it before anything else. Returns null if it is good and for this very node, incarnation and
     * channel; otherwise why not.
     */
    static RejectReason invalid(
        final DirectBuffer buffer, final int offset, final int length, final Party self, final int channel,
        final int nodeCountMax)
    {
        if (length < LOST_OFFSET)
        {
            return RejectReason.TRUNCATED;
        }
        if (word(buffer, offset + MAGIC_OFFSET) != MAGIC)
        {
            return RejectReason.NOT_GRIM;
        }
        if (word(buffer, offset + VERSION_OFFSET) != VERSION)
        {
            return RejectReason.UNKNOWN_TYPE;
        }
        final int lostCount = word(buffer, offset + LOST_COUNT_OFFSET);
        if (lostCount < 0 || lostCount > LOST_COUNT_MAX || length != LOST_OFFSET + lostCount * SIZE_OF_INT)
        {
            return RejectReason.BAD_LENGTH;
        }
        final int source = word(buffer, offset + SOURCE_NODE_OFFSET);
        if (source < 0 || source >= nodeCountMax || word(buffer, offset + SOURCE_INCARNATION_OFFSET) <= 0)
        {
            return RejectReason.WRONG_SOURCE;
        }
        if (word(buffer, offset + NODE_OFFSET) != self.node())
        {
            return RejectReason.WRONG_DESTINATION;
        }
        if (word(buffer, offset + INCARNATION_OFFSET) != self.incarnation())
        {
            return RejectReason.OLD_INCARNATION;
        }
        return word(buffer, offset + CHANNEL_OFFSET) == channel ? null : RejectReason.WRONG_CHANNEL;
    }

    static int number(final DirectBuffer buffer, final int offset)
    {
        return word(buffer, offset + NUMBER_OFFSET);
    }

    static int answeredNumber(final DirectBuffer buffer, final int offset)
    {
        return word(buffer, offset + ANSWERED_OFFSET);
    }

    static Preceding preceding(final DirectBuffer buffer, final int offset)
    {
        return new Preceding(word(buffer, offset + PRECEDING_OFFSET),
            buffer.getLong(offset + PRECEDING_POSITION_OFFSET, LITTLE_ENDIAN));
    }

    static Party source(final DirectBuffer buffer, final int offset)
    {
        return new Party(
            word(buffer, offset + SOURCE_NODE_OFFSET), word(buffer, offset + SOURCE_INCARNATION_OFFSET));
    }

    static int[] lostNumbers(final DirectBuffer buffer, final int offset)
    {
        final int[] numbers = new int[word(buffer, offset + LOST_COUNT_OFFSET)];
        for (int i = 0; i < numbers.length; i++)
        {
            numbers[i] = word(buffer, offset + LOST_OFFSET + i * SIZE_OF_INT);
        }
        return numbers;
    }

    private static int word(final DirectBuffer buffer, final int index)
    {
        return buffer.getInt(index, LITTLE_ENDIAN);
    }
}
