// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardFixture;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.QueueFormat;
import org.grim.buffer.Buffers;
import org.grim.wire.BigEndian;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ArrivalReaderTest
{
    private static final int CONTEXT = 1;
    private static final int ARRIVALS_INDEX = 256;
    private static final int POINTER_INDEX = 64;
    private static final int FRAME_LENGTH = 128;
    private static final int FRAME_COUNT = 4;
    private static final int QUEUE_LENGTH = FRAME_LENGTH * FRAME_COUNT;

    private final AtomicBuffer region = Buffers.allocate(1024);
    private final BoardGeometry geometry = BoardFixture.geometry();
    private final ChannelRegisters registers =
        new ChannelRegisters(Buffers.allocate(BoardFixture.SRAM_LENGTH), geometry, 0);

    @Test
    void shouldReadFramesAcrossTheEndOfPositions()
    {
        final ArrivalReader reader = reader(ChannelRegisters.ARRIVAL_TAIL_FLAG, -2);
        assertInstanceOf(TailFlagReader.class, reader);
        for (int position = -2; position < 6; position++)
        {
            final int tail = tailIndex(position);
            assertEquals(tail, reader.notificationIndex());
            assertFalse(reader.hasMessage());

            BigEndian.putInt(region, tail, 36);

            assertTrue(reader.hasMessage());
            assertEquals(36, reader.length());
            assertEquals(tail - 36, reader.index());
            reader.release();
            assertEquals(reader.notificationIdle(), region.getInt(tail));
            assertEquals(position + 1, registers.getAcquire(ARRIVAL_FRONT));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 28, 34, FRAME_LENGTH, 65_536, -4, Integer.MIN_VALUE})
    void shouldStopAtAFrameWithABadLength(final int length)
    {
        final ArrivalReader reader = reader(ChannelRegisters.ARRIVAL_TAIL_FLAG, 0);
        BigEndian.putInt(region, tailIndex(0), length);

        assertFalse(reader.hasMessage());
        assertTrue(reader.isCorrupt());
        assertEquals(length, reader.length());
        BigEndian.putInt(region, tailIndex(0), 32);
        assertFalse(reader.hasMessage());
        assertThrows(IllegalStateException.class, reader::release);
    }

    @Test
    void shouldTakeAMessageThatFillsItsFrame()
    {
        final ArrivalReader reader = reader(ChannelRegisters.ARRIVAL_TAIL_FLAG, 0);
        BigEndian.putInt(region, tailIndex(0), FRAME_LENGTH - 4);

        assertTrue(reader.hasMessage());
        assertEquals(ARRIVALS_INDEX, reader.index());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 68, 200})
    void shouldReadAQueueAcrossItsEndAndTheEndOfPositions(final int payloadLength)
    {
        int back = -2 * QUEUE_LENGTH;
        final ArrivalReader reader = reader(ChannelRegisters.ARRIVAL_QUEUE_POINTER, back);
        assertInstanceOf(QueuePointerReader.class, reader);
        assertFalse(reader.hasMessage());
        for (int i = 0; i < 100; i++)
        {
            assertEquals(reader.notificationIdle(), region.getInt(reader.notificationIndex()));
            final int begin = append(back, payloadLength);
            back = begin + 32 + (payloadLength + 3) / 4 * 4;
            BigEndian.putIntRelease(region, POINTER_INDEX, back);

            assertTrue(reader.hasMessage());
            assertEquals(ARRIVALS_INDEX + QueueFormat.offset(begin, QUEUE_LENGTH), reader.index());
            assertEquals(back - begin, reader.length());
            reader.release();
            assertFalse(reader.hasMessage());
            assertEquals(back, registers.getAcquire(ARRIVAL_FRONT));
        }
        assertTrue(back > 0, "ran over");
    }

    @Test
    void shouldReleaseAGapThatIsToldBeforeItsMessage()
    {
        final ArrivalReader reader = reader(ChannelRegisters.ARRIVAL_QUEUE_POINTER, 100);
        QueueFormat.writeGap(region, ARRIVALS_INDEX, 100, QUEUE_LENGTH);
        BigEndian.putInt(region, POINTER_INDEX, QUEUE_LENGTH);

        assertFalse(reader.hasMessage());
        assertFalse(reader.isCorrupt());
        assertEquals(QUEUE_LENGTH, registers.getAcquire(ARRIVAL_FRONT));
        assertEquals(reader.notificationIdle(), region.getInt(POINTER_INDEX));
    }

    @ParameterizedTest
    @ValueSource(ints = {-4, 4, 28, 33, 48, QUEUE_LENGTH + 4, Integer.MIN_VALUE})
    void shouldStopAtABadPointer(final int back)
    {
        final ArrivalReader reader = reader(ChannelRegisters.ARRIVAL_QUEUE_POINTER, 0);
        append(0, 20);
        BigEndian.putInt(region, POINTER_INDEX, back);

        assertFalse(reader.hasMessage());
        assertTrue(reader.isCorrupt());
        BigEndian.putInt(region, POINTER_INDEX, 52);
        assertFalse(reader.hasMessage());
        assertThrows(IllegalStateException.class, reader::release);
    }

    @Test
    void shouldStopAtBytesThatAreNoMessage()
    {
        final ArrivalReader reader = reader(ChannelRegisters.ARRIVAL_QUEUE_POINTER, 0);
        append(0, 20);
        region.putByte(ARRIVALS_INDEX, (byte)7);
        BigEndian.putInt(region, POINTER_INDEX, 52);

        assertFalse(reader.hasMessage());
        assertTrue(reader.isCorrupt());
    }

    @Test
    void shouldStopAtAMessageOrAGapBeyondWhatArrived()
    {
        final int start = QUEUE_LENGTH - 40;
        final ArrivalReader wrapping = reader(ChannelRegisters.ARRIVAL_QUEUE_POINTER, start);
        header(start, 20);
        BigEndian.putInt(region, POINTER_INDEX, start + 52);
        assertFalse(wrapping.hasMessage());
        assertTrue(wrapping.isCorrupt());
        assertEquals(52, wrapping.length());

        final ArrivalReader gap = reader(ChannelRegisters.ARRIVAL_QUEUE_POINTER, start);
        BigEndian.putInt(region, ARRIVALS_INDEX + start, QueueFormat.FILLER);
        BigEndian.putInt(region, POINTER_INDEX, start + 36);
        assertFalse(gap.hasMessage());
        assertTrue(gap.isCorrupt());
    }

    @Test
    void shouldRefuseArrivalsThatDoNotFitTheirRegion()
    {
        assertThrows(IllegalArgumentException.class, () -> reader(ChannelRegisters.ARRIVAL_NONE, 0));
        registers.put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_TAIL_FLAG)
            .put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH).put(ChannelRegisters.FRAME_COUNT, 8);
        assertThrows(IllegalArgumentException.class, () -> new TailFlagReader(region, registers));
        registers.put(ChannelRegisters.FRAME_COUNT, 3);
        assertThrows(IllegalArgumentException.class, () -> new TailFlagReader(region, registers));
        registers.put(ChannelRegisters.FRAME_LENGTH, 100).put(ChannelRegisters.FRAME_COUNT, 2);
        assertThrows(IllegalArgumentException.class, () -> new TailFlagReader(region, registers));
        assertThrows(IllegalArgumentException.class, () -> new QueuePointerReader(region, registers));
        registers.put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH).put(ChannelRegisters.FRAME_COUNT, 2)
            .put(ARRIVAL_ADDRESS, 2);
        assertThrows(IllegalArgumentException.class, () -> new TailFlagReader(region, registers));
        registers.put(ARRIVAL_ADDRESS, 0).put(POINTER_ADDRESS, 1024);
        assertThrows(IllegalArgumentException.class, () -> new QueuePointerReader(region, registers));
        registers.put(ChannelRegisters.FRAME_LENGTH, -FRAME_LENGTH).put(ChannelRegisters.FRAME_COUNT, -2);
        assertThrows(IllegalArgumentException.class, () -> new QueuePointerReader(region, registers));
    }

    private ArrivalReader reader(final int mode, final int front)
    {
        registers.put(ARRIVAL_MODE, mode).put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH)
            .put(ChannelRegisters.FRAME_COUNT, FRAME_COUNT)
            .put(ARRIVAL_ADDRESS, (long)CONTEXT << 40 | ARRIVALS_INDEX)
            .put(POINTER_ADDRESS, (long)CONTEXT << 40 | POINTER_INDEX);
        registers.putRelease(ARRIVAL_FRONT, front);
        BigEndian.putInt(region, POINTER_INDEX, front);
        return ArrivalReader.of(region, registers);
    }

    private static int tailIndex(final int position)
    {
        return ARRIVALS_INDEX + (position & (FRAME_COUNT - 1)) * FRAME_LENGTH + FRAME_LENGTH - 4;
    }

    private int append(final int back, final int payloadLength)
    {
        final int gapLength = QueueFormat.gapLength(back, QUEUE_LENGTH, 32 + (payloadLength + 3) / 4 * 4);
        if (gapLength > 0)
        {
            QueueFormat.writeGap(region, ARRIVALS_INDEX, back, QUEUE_LENGTH);
        }
        header(back + gapLength, payloadLength);
        return back + gapLength;
    }

    private void header(final int position, final int payloadLength)
    {
        final int index = ARRIVALS_INDEX + QueueFormat.offset(position, QUEUE_LENGTH);
        region.putInt(index, MessageHeader.identityWord(0));
        final int typeWord = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, 0);
        MessageHeader.write(region, index, typeWord | MessageHeader.correction(payloadLength),
            MessageHeader.extentWords(0, 0, payloadLength), 0, 0);
    }
}
