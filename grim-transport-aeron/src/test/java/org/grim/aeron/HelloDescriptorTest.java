// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class HelloDescriptorTest
{
    private static final Party SOURCE = new Party(3, 7);
    private static final Party SELF = new Party(5, 9);
    private static final int CHANNEL = 2;
    private static final int NODE_COUNT_MAX = 8;
    private static final HelloDescriptor.Preceding PRECEDING = new HelloDescriptor.Preceding(2, 1L << 40);

    private final AtomicBuffer buffer = Buffers.allocate(HelloDescriptor.LENGTH_MAX);
    private int length = HelloDescriptor.write(buffer, 4, SOURCE, SELF, CHANNEL, 6, PRECEDING, new int[]{1, 3});

    @Test
    void shouldLieWhereTheLayoutSays()
    {
        assertEquals(0, HelloDescriptor.MAGIC_OFFSET);
        assertEquals(4, HelloDescriptor.VERSION_OFFSET);
        assertEquals(8, HelloDescriptor.NUMBER_OFFSET);
        assertEquals(12, HelloDescriptor.SOURCE_NODE_OFFSET);
        assertEquals(16, HelloDescriptor.SOURCE_INCARNATION_OFFSET);
        assertEquals(20, HelloDescriptor.NODE_OFFSET);
        assertEquals(24, HelloDescriptor.INCARNATION_OFFSET);
        assertEquals(28, HelloDescriptor.CHANNEL_OFFSET);
        assertEquals(32, HelloDescriptor.ANSWERED_OFFSET);
        assertEquals(36, HelloDescriptor.PRECEDING_OFFSET);
        assertEquals(40, HelloDescriptor.PRECEDING_POSITION_OFFSET);
        assertEquals(48, HelloDescriptor.LOST_COUNT_OFFSET);
        assertEquals(52, HelloDescriptor.LOST_OFFSET);
        assertEquals(180, HelloDescriptor.LENGTH_MAX);
    }

    @Test
    void shouldSayWhatWasWritten()
    {
        assertNull(invalid());
        assertEquals(60, length);
        assertEquals(4, HelloDescriptor.number(buffer, 0));
        assertEquals(6, HelloDescriptor.answeredNumber(buffer, 0));
        assertEquals(PRECEDING, HelloDescriptor.preceding(buffer, 0));
        assertEquals(SOURCE, HelloDescriptor.source(buffer, 0));
        assertArrayEquals(new int[]{1, 3}, HelloDescriptor.lostNumbers(buffer, 0));
    }

    @Test
    void shouldRefuseEachWordThatIsWrong()
    {
        assertEquals(RejectReason.NOT_GRIM, invalidWith(HelloDescriptor.MAGIC_OFFSET, 1));
        assertEquals(RejectReason.UNKNOWN_TYPE, invalidWith(HelloDescriptor.VERSION_OFFSET, 1));
        assertEquals(RejectReason.WRONG_SOURCE, invalidWith(HelloDescriptor.SOURCE_NODE_OFFSET, NODE_COUNT_MAX));
        assertEquals(RejectReason.WRONG_SOURCE, invalidWith(HelloDescriptor.SOURCE_NODE_OFFSET, -1));
        assertEquals(RejectReason.WRONG_SOURCE, invalidWith(HelloDescriptor.SOURCE_INCARNATION_OFFSET, 0));
        assertEquals(RejectReason.WRONG_DESTINATION, invalidWith(HelloDescriptor.NODE_OFFSET, 4));
        assertEquals(RejectReason.OLD_INCARNATION, invalidWith(HelloDescriptor.INCARNATION_OFFSET, 8));
        assertEquals(RejectReason.WRONG_CHANNEL, invalidWith(HelloDescriptor.CHANNEL_OFFSET, 1));
        assertEquals(RejectReason.BAD_LENGTH, invalidWith(HelloDescriptor.LOST_COUNT_OFFSET, 1));
        assertEquals(RejectReason.BAD_LENGTH, invalidWith(HelloDescriptor.LOST_COUNT_OFFSET, -1));
        assertEquals(RejectReason.BAD_LENGTH, invalidWith(HelloDescriptor.LOST_COUNT_OFFSET, Integer.MAX_VALUE));
        length = HelloDescriptor.LOST_OFFSET - 1;
        assertEquals(RejectReason.TRUNCATED, invalid());
    }

    private RejectReason invalidWith(final int offset, final int value)
    {
        final int old = buffer.getInt(offset, LITTLE_ENDIAN);
        buffer.putInt(offset, value, LITTLE_ENDIAN);
        final RejectReason reason = invalid();
        buffer.putInt(offset, old, LITTLE_ENDIAN);
        return reason;
    }

    private RejectReason invalid()
    {
        return HelloDescriptor.invalid(buffer, 0, length, SELF, CHANNEL, NODE_COUNT_MAX);
    }
}
