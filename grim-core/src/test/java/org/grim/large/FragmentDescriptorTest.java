// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.wire.LargeMessageIds;
import org.junit.jupiter.api.Test;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class FragmentDescriptorTest
{
    private final AtomicBuffer buffer = Buffers.allocate(64);
    private final BeginWords begin = new BeginWords();
    private final InPlaceWords inPlace = new InPlaceWords();

    @Test
    void shouldPinEveryOffset()
    {
        assertEquals(0, FragmentDescriptor.HANDLER_OFFSET);
        assertEquals(4, FragmentDescriptor.RESERVED_OFFSET);
        assertEquals(8, FragmentDescriptor.TOTAL_LENGTH_OFFSET);
        assertEquals(16, FragmentDescriptor.TRANSFER_OFFSET);
        assertEquals(24, FragmentDescriptor.BEGIN_LENGTH);
        assertEquals(4, FragmentDescriptor.IN_PLACE_TOTAL_LENGTH_OFFSET);
        assertEquals(8, FragmentDescriptor.AREA_OFFSET);
        assertEquals(12, FragmentDescriptor.BLOCK_OFFSET);
        assertEquals(16, FragmentDescriptor.SEQUENCE_OFFSET);
        assertEquals(20, FragmentDescriptor.INCARNATION_OFFSET);
        assertEquals(24, FragmentDescriptor.IN_PLACE_LENGTH);
        assertEquals(2, FragmentDescriptor.POSITION_ARGUMENT);
        assertEquals(2, FragmentDescriptor.VERDICT_ARGUMENT);
        assertEquals(1, FragmentDescriptor.VERDICT_GRANTED);
        assertEquals(2, FragmentDescriptor.VERDICT_REFUSED);
        assertEquals(0, BlockDescriptor.DONE_OFFSET);
        assertEquals(64, BlockDescriptor.PAYLOAD_OFFSET);
        assertEquals(64, OutboxArea.RETIRED_OFFSET);
        assertEquals(128, OutboxArea.BLOCKS_OFFSET);
        assertEquals(0, BlockDescriptor.NOT_DONE);
    }

    @Test
    void shouldPinEveryIdAndSayWhichAreMessages()
    {
        final int[] ids = {LargeMessageIds.BEGIN, LargeMessageIds.BODY, LargeMessageIds.FINAL, LargeMessageIds.GRANT,
            LargeMessageIds.ABORT, LargeMessageIds.IN_PLACE, LargeMessageIds.NOT_IN_PLACE};

        for (int i = 0; i < ids.length; i++)
        {
            assertEquals(5 + i, ids[i]);
            assertTrue(LargeMessageIds.isBuiltIn(ids[i]));
            assertEquals(i != 2 && i != 5, LargeMessageIds.isPart(ids[i]));
        }
        assertFalse(LargeMessageIds.isBuiltIn(4) || LargeMessageIds.isBuiltIn(12) || LargeMessageIds.isPart(16));
    }

    @Test
    void shouldReadWhatWasWrittenInNetworkOrder()
    {
        BeginWords.write(buffer, 8, 0xFFFF, 0x0102030405060708L, 0x0506070880000001L);

        assertNull(begin.read(buffer, 8, 24));
        assertEquals(0xFFFF, begin.handler());
        assertEquals(0x0102030405060708L, begin.totalLength());
        assertEquals(0x0506070880000001L, begin.transfer());
        assertEquals(0x05060708, Transfer.incarnationOf(begin.transfer()));
        assertEquals(0x0102030405060708L, buffer.getLong(16, BIG_ENDIAN));

        InPlaceWords.write(buffer, 8, 17, 5, 0x01020304, 0x05060708, -1, 7);

        assertNull(inPlace.read(buffer, 8, 24));
        assertEquals(17, inPlace.handler());
        assertEquals(5, inPlace.totalLength());
        assertEquals(0x01020304, inPlace.area());
        assertEquals(0x05060708, inPlace.blockOffset());
        assertEquals(-1, inPlace.sequence());
        assertEquals(7, inPlace.incarnation());
    }

    @Test
    void shouldRefuseWordsThatCannotBe()
    {
        assertEquals(RejectReason.BAD_PART, begin(16, 1, 23));
        assertEquals(RejectReason.BAD_PART, begin(16, 1, 25));
        assertEquals(RejectReason.BAD_PART, begin(-1, 1, 24));
        assertEquals(RejectReason.BAD_PART, begin(0x1_0000, 1, 24));
        assertEquals(RejectReason.BAD_PART, begin(LargeMessageIds.BODY, 1, 24));
        assertEquals(RejectReason.BAD_PART, begin(16, -1, 24));
        assertNull(begin(16, 0, 24));
        assertNull(begin(16, Long.MAX_VALUE, 24));

        assertEquals(RejectReason.BAD_PART, inPlace(16, 1, 1, 23));
        assertEquals(RejectReason.BAD_PART, inPlace(LargeMessageIds.IN_PLACE, 1, 1, 24));
        assertEquals(RejectReason.BAD_PART, inPlace(16, 0, 1, 24));
        assertEquals(RejectReason.BAD_PART, inPlace(16, Integer.MAX_VALUE - 63, 1, 24));
        assertEquals(RejectReason.BAD_PART, inPlace(16, 1, 0, 24));
        assertNull(inPlace(16, Integer.MAX_VALUE - 64, 1, 24));
    }

    private RejectReason begin(final int handler, final long totalLength, final int length)
    {
        BeginWords.write(buffer, 0, handler, totalLength, 1);
        return begin.read(buffer, 0, length);
    }

    private RejectReason inPlace(final int handler, final int totalLength, final int sequence, final int length)
    {
        InPlaceWords.write(buffer, 0, handler, totalLength, 0, 128, sequence, 1);
        return inPlace.read(buffer, 0, length);
    }
}
