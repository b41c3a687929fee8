// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Headers and control messages of any bytes are refused for a reason, or are what the format allows. */
final class WireFuzzTest
{
    @FuzzTest
    void shouldJudgeAnyBytes(final byte[] bytes)
    {
        final AtomicBuffer buffer = Buffers.wrap(bytes);
        judgeMessage(buffer, new MessageHeader().wrap(buffer, 0));
        judgeControl(buffer, new ControlMessage().wrap(buffer, 0));
    }

    private static void judgeMessage(final AtomicBuffer buffer, final MessageHeader header)
    {
        final RejectReason reason = header.invalid(buffer.capacity());
        assertEquals(buffer.capacity() < MessageHeader.LENGTH, reason == RejectReason.TRUNCATED);
        if (reason == RejectReason.TRUNCATED)
        {
            return;
        }
        final int available = buffer.capacity() - MessageHeader.LENGTH;
        final int length = header.payloadLength();
        final int word = buffer.getInt(0);
        final long first = MessageHeader.first(word, buffer.getInt(MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(buffer.getLong(MessageHeader.EXTENT_OFFSET));
        if (reason == null)
        {
            assertTrue(length >= 0 && length <= available && length <= MessageHeader.PAYLOAD_LENGTH_MAX);
            assertEquals(MessageHeader.GRIM_ID, header.grimId());
            assertNotNull(header.type());
            assertEquals(header.type().code(), MessageHeader.typeCode(first));
        }
        assertEquals(reason,
            MessageHeader.invalid(first, second, Math.min(available, MessageHeader.PAYLOAD_LENGTH_MAX)));
        assertEquals(length, MessageHeader.payloadLength(first, second));
        assertEquals(header.sourceAddress(), MessageHeader.sourceAddress(first));
        assertEquals(header.destinationAddress(), MessageHeader.destinationAddress(second));
        assertEquals(header.sourceChannel(), MessageHeader.sourceChannel(second));
        assertEquals(header.destinationChannel(), MessageHeader.destinationChannel(second));
        assertEquals(header.handler(), MessageHeader.handler(second));
        assertTrue((header.tree() | header.token() | header.sequence() | header.sourceChannel()) >>> Byte.SIZE == 0);
        for (int i = 0; i < MessageHeader.ARGUMENT_COUNT; i++)
        {
            assertEquals(buffer.getInt(16 + i * 4, java.nio.ByteOrder.BIG_ENDIAN), header.argument(i));
        }
    }

    /** A good one says everything that it holds: written again it has the same bytes. */
    private static void judgeControl(final AtomicBuffer buffer, final ControlMessage message)
    {
        final RejectReason reason = message.invalid(buffer.capacity());
        assertEquals(buffer.capacity() < ControlMessage.LENGTH, reason == RejectReason.TRUNCATED);
        if (reason == null)
        {
            final byte[] bytes = new byte[ControlMessage.LENGTH];
            new ControlMessage().wrap(Buffers.wrap(bytes), 0).put(message.type(), message.token(), message.sequence(),
                message.sourceChannel(), message.answeringAddress());
            assertTrue(Arrays.equals(bytes, bytesOf(buffer)));
        }
        else if (buffer.capacity() >= ControlMessage.LENGTH && reason == RejectReason.UNKNOWN_TYPE)
        {
            assertTrue(message.type() != MessageType.ACK && message.type() != MessageType.NACK &&
                message.type() != MessageType.REFUSED);
        }
        assertNull(MessageType.ofCode(0));
    }

    private static byte[] bytesOf(final AtomicBuffer buffer)
    {
        final byte[] bytes = new byte[ControlMessage.LENGTH];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
