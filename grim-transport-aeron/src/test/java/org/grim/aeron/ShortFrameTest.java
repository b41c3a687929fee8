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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

final class ShortFrameTest
{
    private static final int SOURCE = 0xFFF1;
    private static final int DESTINATION = 0x0121;
    private static final int HANDLER = 0xABCD;
    private static final int WORD_THREE = MessageHeader.routeWord(255, 7) | HANDLER;

    private final MutableDirectBuffer payload = Buffers.allocate(ShortFrame.PAYLOAD_LENGTH_MAX);
    private final MutableDirectBuffer message = Buffers.allocate(Hop.HEADER_LENGTH + ShortFrame.PAYLOAD_LENGTH_MAX);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 32, 255, ShortFrame.PAYLOAD_LENGTH_MAX})
    void shouldPutTogetherTheSameMessage(final int length)
    {
        for (int i = 0; i < length; i++)
        {
            payload.putByte(i, (byte)(i + 1));
        }
        final int wordOne = wordOne(MessageType.ACTIVE_MESSAGE, length);
        final long extentWords = MessageHeader.extentWords(DESTINATION, WORD_THREE, length);
        final MutableDirectBuffer whole = Buffers.allocate(Hop.HEADER_LENGTH + length);
        whole.putInt(0, MessageHeader.identityWord(0));
        MessageHeader.write(whole, 0, wordOne, extentWords, 0, 0);
        whole.putBytes(Hop.HEADER_LENGTH, payload, 0, length);
        message.setMemory(0, message.capacity(), (byte)-1);

        ShortFrame.expand(
            ShortFrame.reservedValue(wordOne, extentWords, 0, length), payload, 0, length, message);

        assertArrayEquals(bytes(whole, whole.capacity()), bytes(message, whole.capacity()));
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

    private static byte[] bytes(final MutableDirectBuffer buffer, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
