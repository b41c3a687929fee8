// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Messages whose every word follows from source and number, so that a word of another message shows. Payloads are
 * whole 64-bit words.
 */
final class StressMessage
{
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final int HANDLER = 16;
    private static final int ARGUMENTS_OFFSET = MessageHeader.LENGTH - 2 * SIZE_OF_LONG;

    private StressMessage()
    {
    }

    static int wordOne(final int node, final int length)
    {
        return MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, node << 4) | MessageHeader.correction(length);
    }

    static long extentWords(final int number, final int length)
    {
        return MessageHeader.extentWords(StressInbox.RECEIVER << 4,
            MessageHeader.routeWord(0, StressInbox.CHANNEL) | HANDLER + number, length);
    }

    static long arguments(final int node, final int number, final int pair)
    {
        return word(node, number, -1 - pair);
    }

    static void fill(
        final MutableDirectBuffer buffer, final int offset, final int length, final int node, final int number)
    {
        for (int i = 0; i < length; i += SIZE_OF_LONG)
        {
            buffer.putLong(offset + i, word(node, number, i));
        }
    }

    static boolean isIntact(
        final int node, final int number, final long second, final DirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        boolean isIntact = MessageHeader.handler(second) == HANDLER + number &&
            MessageHeader.sourceChannel(second) == 0;
        for (int pair = 0; pair < 2; pair++)
        {
            final long arguments = buffer.getLong(headerOffset + ARGUMENTS_OFFSET + pair * SIZE_OF_LONG, BIG_ENDIAN);
            isIntact &= arguments == arguments(node, number, pair);
        }
        for (int i = 0; i < payloadLength; i += SIZE_OF_LONG)
        {
            isIntact &= buffer.getLong(payloadOffset + i) == word(node, number, i);
        }
        return isIntact;
    }

    private static long word(final int node, final int number, final int index)
    {
        return ((long)node << 48 | (long)number << 32 | (index & 0xFFFF_FFFFL)) * SPREAD;
    }
}
