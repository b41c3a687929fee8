// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.board.ChannelRegisters;
import org.grim.board.StopReason;
import org.grim.board.host.ArrivalReader;
import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.memory.Delivery.Verdict;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ArrivalQueueTest
{
    private static final int TAIL_FLAG = ChannelRegisters.ARRIVAL_TAIL_FLAG;
    private static final int POINTER = ChannelRegisters.ARRIVAL_QUEUE_POINTER;
    /** Both ways' positions wrap after some messages: frames count by 1, bytes by 4. */
    private static final int POSITION = -64;

    private final TestBoard board = new TestBoard();

    private void take(final ArrivalReader reader, final int number, final int payloadLength)
    {
        assertTrue(reader.hasMessage(), "message " + number);
        assertEquals(number, board.region.getInt(reader.index() + 16, BIG_ENDIAN));
        for (int i = 0; i < payloadLength; i++)
        {
            assertEquals((byte)number, board.region.getByte(reader.index() + MessageHeader.LENGTH + i));
        }
        reader.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, POINTER})
    void shouldDeliverInOrderAcrossEveryWrap(final int mode)
    {
        board.channel(mode, POSITION);
        final ArrivalReader reader = board.reader();

        for (int i = 1; i < 200; i++)
        {
            final int payloadLength = i * 4 % 92;
            assertEquals(Verdict.TAKE, board.deliver(board.messages, board.message(i, payloadLength)));
            take(reader, i, payloadLength);
        }

        assertEquals(199, board.registers.getAcquire(DELIVERED));
        assertFalse(reader.hasMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, POINTER})
    void shouldRefuseNothingButWaitWhenFull(final int mode)
    {
        board.channel(mode, POSITION);
        final ArrivalReader reader = board.reader();

        int count = 0;
        while (board.deliver(board.messages, board.message(count + 1, 88)) == Verdict.TAKE)
        {
            count++;
        }
        assertEquals(mode == TAIL_FLAG ? TestBoard.FRAME_COUNT : 3, count);     // 512 bytes: a gap of 64, 3 x 120.
        for (int i = 1; i <= count; i++)
        {
            take(reader, i, 88);
        }

        assertFalse(reader.hasMessage());
        assertEquals(Verdict.TAKE, board.deliver(board.messages, board.message(9, 88)));
        take(reader, 9, 88);
    }

    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, POINTER})
    void shouldShowNothingOfACutMessage(final int mode)
    {
        board.channel(mode, POSITION);
        final ArrivalReader reader = board.reader();
        final int length = board.message(1, 88);

        assertEquals(Verdict.TAKE, board.begin(board.messages, length));
        board.messages.advance(48);
        board.messages.advance(length - 4);
        assertFalse(board.messages.isComplete());
        board.messages.cancel();

        assertFalse(reader.hasMessage());
        assertEquals(0, board.registers.getAcquire(DELIVERED));
        assertEquals(Verdict.TAKE, board.deliver(board.messages, board.message(2, 8)));
        take(reader, 2, 8);
        assertFalse(reader.hasMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, POINTER})
    void shouldPassSegmentsOnAndTellOnlyAfterTheLast(final int mode)
    {
        board.channel(mode, -8);            // The queue by pointer needs a filler or a skip here.
        final QueuedEngine engine = new QueuedEngine(board.memory, 1);
        board.start(engine);
        while (!board.messages.open(TestBoard.CHANNEL))
        {
            engine.runAll();
        }
        final ArrivalReader reader = board.reader();
        final int length = board.message(1, 60);

        assertEquals(Verdict.TAKE, board.begin(board.messages, length));
        for (int arrived = 48; arrived < length; arrived += 4)
        {
            board.messages.advance(arrived);
            engine.runOne();
            assertFalse(reader.hasMessage());
        }
        while (!board.messages.isComplete())
        {
            assertFalse(reader.hasMessage());
            board.messages.advance(length);
            engine.runOne();
        }

        take(reader, 1, 60);
    }

    @Test
    void shouldSendTheReaderOnByFillerWhereAMessageDoesNotFit()
    {
        board.channel(POINTER, 512 - 96);
        final ArrivalReader reader = board.reader();

        assertEquals(Verdict.TAKE, board.deliver(board.messages, board.message(1, 88)));

        assertEquals(0x0000_F111, board.region.getInt(TestBoard.ARRIVAL_INDEX + 512 - 96, BIG_ENDIAN));
        take(reader, 1, 88);
        assertEquals(512 + 120, board.registers.get(ARRIVAL_BACK));
    }

    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, POINTER})
    void shouldRefuseWhatNeverFits(final int mode)
    {
        board.channel(mode, POSITION);
        final int fitting = mode == TAIL_FLAG ? 92 : 224;

        assertEquals(Verdict.REFUSE, board.deliver(board.messages, board.message(1, fitting + 4)));
        assertEquals(Verdict.TAKE, board.deliver(board.messages, board.message(1, fitting)));

        assertEquals(1, board.refusals.count(RefuseReason.TOO_LONG));
    }

    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, POINTER})
    void shouldStopAChannelWhoseFrontIsImpossible(final int mode)
    {
        board.channel(mode, POSITION);
        board.deliver(board.messages, board.message(1, 8));
        board.registers.putRelease(ARRIVAL_FRONT, POSITION + 4000);

        assertEquals(Verdict.REFUSE, board.deliver(board.messages, board.message(2, 8)));

        assertEquals(StopReason.BAD_ARRIVAL_FRONT.code(), board.registers.getAcquire(STATUS));
        assertEquals(1, board.registers.getAcquire(DELIVERED));
    }

    @Test
    void shouldNotOpenAQueueOutsideItsContext()
    {
        board.channel(TAIL_FLAG, 0).registers.put(ARRIVAL_ADDRESS, TestBoard.physical(TestBoard.REGION_LENGTH - 256));

        assertEquals(Verdict.REFUSE, board.deliver(board.messages, board.message(1, 8)));

        assertEquals(StopReason.BAD_ARRIVAL_QUEUE.code(), board.registers.getAcquire(STATUS));
        assertEquals(1, board.refusals.count(RefuseReason.CHANNEL_STOPPED));
    }

    @Test
    void shouldRefuseWithoutQueueOrContext()
    {
        board.channel(ChannelRegisters.ARRIVAL_NONE, 0);
        assertEquals(Verdict.REFUSE, board.deliver(board.messages, board.message(1, 8)));
        board.registers.put(CONTEXT, 77);
        assertEquals(Verdict.REFUSE, board.deliver(board.messages, board.message(1, 8)));

        assertEquals(1, board.refusals.count(RefuseReason.NO_ARRIVAL_QUEUE));
        assertEquals(1, board.refusals.count(RefuseReason.NO_CONTEXT));
    }

    @Test
    void shouldOverrunWithoutItsGuard()
    {
        board.channel(TAIL_FLAG, 0).start(Guards.without(Guard.ARRIVAL_ROOM));

        for (int i = 0; i <= TestBoard.FRAME_COUNT; i++)
        {
            assertEquals(Verdict.TAKE, board.deliver(board.messages, board.message(i, 8)));
        }
    }
}
