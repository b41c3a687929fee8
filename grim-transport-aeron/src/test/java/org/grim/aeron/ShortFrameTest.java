// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class ShortFrameTest
{
    private static final int SOURCE = 0xFFF1;
    private static final int DESTINATION = 0x0121;
    private static final int HANDLER = 0xABCD;
    private static final int WORD_THREE = MessageHeader.routeWord(255, 7) | HANDLER;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 32, 255, ShortFrame.PAYLOAD_LENGTH_MAX})
    void shouldStandForTheSameWords(final int length)
    {
        final int wordOne = wordOne(MessageType.ACTIVE_MESSAGE, length);
        final long extentWords = MessageHeader.extentWords(DESTINATION, WORD_THREE, length);
        final MutableDirectBuffer header = Buffers.allocate(Hop.HEADER_LENGTH);
        header.putInt(0, MessageHeader.identityWord(0));
        MessageHeader.write(header, 0, wordOne, extentWords, 0, 0);

        final long reservedValue = ShortFrame.reservedValue(wordOne, extentWords, 0, length);

        final long first = ShortFrame.first(reservedValue, length);
        final long second = ShortFrame.second(reservedValue, length);
        assertEquals(
            MessageHeader.first(header.getInt(0), header.getInt(MessageHeader.TYPE_OFFSET)), first);
        assertEquals(MessageHeader.second(header.getLong(MessageHeader.EXTENT_OFFSET)), second);
        assertEquals(length, MessageHeader.payloadLength(first, second));
        assertNull(MessageHeader.invalid(first, second, length));
    }

    @Test
    void shouldLeaveWhatHasMoreInItsHeader()
    {
        final long extentWords = MessageHeader.extentWords(DESTINATION, WORD_THREE, 8);

        assertNotEquals(ShortFrame.NONE, of(MessageType.ACTIVE_MESSAGE, extentWords, 0, 8));
        assertEquals(ShortFrame.NONE, of(MessageType.ACTIVE_MESSAGE, extentWords, 1L << 40, 8));
        assertEquals(ShortFrame.NONE, of(MessageType.REMOTE_READ_REPLY, extentWords, 0, 8));
        assertEquals(ShortFrame.NONE,
            of(MessageType.ACTIVE_MESSAGE, extentWords, 0, ShortFrame.PAYLOAD_LENGTH_MAX + 1));
    }

    private static long of(final MessageType type, final long extentWords, final long arguments, final int length)
    {
        return ShortFrame.reservedValue(wordOne(type, length), extentWords, arguments, length);
    }

    private static int wordOne(final MessageType type, final int length)
    {
        return MessageHeader.typeWord(type, SOURCE) | MessageHeader.correction(length);
    }
}
