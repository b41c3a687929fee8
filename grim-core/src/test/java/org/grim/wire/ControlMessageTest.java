// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class ControlMessageTest
{
    private final AtomicBuffer buffer = Buffers.allocate(64);
    private final ControlMessage message = new ControlMessage().wrap(buffer, 8);

    @Test
    void shouldBeTwoBigEndianWords()
    {
        message.put(MessageType.NACK, 0xAB, 0xCD, 0xEF, 0x1234);

        final byte[] bytes = new byte[8];
        buffer.getBytes(8, bytes);
        assertEquals(8, ControlMessage.LENGTH);
        assertArrayEquals(MessageHeaderTest.bytes(0x06, 0x36, 0xAB, 0xCD, 9 << 2, 0xEF, 0x12, 0x34), bytes);
        assertEquals(MessageType.NACK, message.type());
        assertEquals(0xAB, message.token());
        assertEquals(0xCD, message.sequence());
        assertEquals(0xEF, message.sourceChannel());
        assertEquals(0x1234, message.answeringAddress());
        assertEquals(0, buffer.getByte(7));
        assertEquals(0, buffer.getByte(16));
    }

    @Test
    void shouldNameEachReasonToRefuse()
    {
        assertEquals(RejectReason.TRUNCATED, message.invalid(7));
        assertEquals(RejectReason.NOT_GRIM, message.invalid(8));
        message.put(MessageType.ACTIVE_MESSAGE, 0, 0, 0, 0);
        assertEquals(RejectReason.UNKNOWN_TYPE, message.invalid(8));
        message.put(MessageType.ACK, 0, 0, 0, 0);
        assertNull(message.invalid(8));
        buffer.putByte(12, (byte)((8 << 2) | 1));
        assertEquals(RejectReason.RESERVED_BITS, message.invalid(8));
    }
}
