// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * Changes of drivers to a message for the NIs, and back. Its channels, in words 2 and 3, are channels of endpoints
 * above the driver, and of NIs below it. An active message also gets one more word, which NIs treat as payload: the
 * incarnation of its destination, and the source's own channel, because the board's number of that channel may change
 * with the source's next incarnation. Drivers put the word before the payload, remove it, and refuse messages for
 * another incarnation (decision 19).
 * <p>Thread: any; no state.
 */
final class NiHeader
{
    /** Bytes before the payload of an active message: the header and the word of the incarnation. */
    static final int LENGTH = MessageHeader.LENGTH + Integer.BYTES;

    private static final int INCARNATION_OFFSET = MessageHeader.LENGTH;         // u32, sending driver; receiving driver
    private static final int OWN_CHANNEL_SHIFT = 24;
    private static final int INCARNATION_MASK = (1 << OWN_CHANNEL_SHIFT) - 1;   // As many joins outlast any message.
    private static final long EXTENT_WORD = 1L << 48;                           // In the length of words 2 and 3.

    private static final int SOURCE_SHIFT = 24;
    private static final int DESTINATION_SHIFT = 16;
    private static final long ADDRESS_MASK = 0xFFFFL << Integer.SIZE;
    private static final long CORRECTION_BITS = 0xFFFF_FFFF_0300_0000L;         // And word 0.
    private static final long CHANNELS_MASK = 0xFFFFL << DESTINATION_SHIFT;

    private NiHeader()
    {
    }

    /** Both channels as they stand in words 2 and 3. */
    static long channels(final int sourceChannel, final int destinationChannel)
    {
        return (long)sourceChannel << SOURCE_SHIFT | (long)destinationChannel << DESTINATION_SHIFT;
    }

    /** Words 2 and 3 with other channels. */
    private static long withChannels(final long second, final long channels)
    {
        return (second & ~CHANNELS_MASK) | channels;
    }

    /** Words 2 and 3 of an active message as NIs see it, of those that endpoints see. */
    static long toNi(final long second, final long niChannels)
    {
        return withChannels(second, niChannels) + EXTENT_WORD;
    }

    /** Words 2 and 3 of an active message as endpoints see it, of those that NIs see. */
    static long fromNi(final long second, final long channels)
    {
        return withChannels(second - EXTENT_WORD, channels);
    }

    /** Words 0 and 1 of an active message of a multicast's origin, of those that the last NI wrote. */
    static long fromTree(final long first, final int originAddress)
    {
        return (first & CORRECTION_BITS) |
            Integer.toUnsignedLong(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, originAddress));
    }

    /** Words 2 and 3 of an active message for this node's channel, of those of a multicast. */
    static long fromTree(final long second, final int address, final int channel)
    {
        return fromNi(second & ~ADDRESS_MASK, channels(0, channel)) | (long)address << Integer.SIZE;
    }

    /** The word, of a destination's incarnation and the source's own channel, 0 to 255. */
    static int incarnationWord(final int incarnation, final int sourceChannel)
    {
        return sourceChannel << OWN_CHANNEL_SHIFT | (incarnation & INCARNATION_MASK);
    }

    static boolean isFor(final int incarnation, final int incarnationWord)
    {
        return ((incarnationWord ^ incarnation) & INCARNATION_MASK) == 0;
    }

    static int sourceChannel(final int incarnationWord)
    {
        return incarnationWord >>> OWN_CHANNEL_SHIFT;
    }

    static void putIncarnationWord(final MutableDirectBuffer buffer, final int headerIndex, final int word)
    {
        buffer.putInt(headerIndex + INCARNATION_OFFSET, word, ByteOrder.BIG_ENDIAN);
    }

    static int getIncarnationWord(final DirectBuffer buffer, final int headerIndex)
    {
        return buffer.getInt(headerIndex + INCARNATION_OFFSET, ByteOrder.BIG_ENDIAN);
    }
}
