// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.MessageOutcome;
import org.grim.board.QueueFormat;
import org.grim.board.StopReason;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.WEIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One channel's queue in SRAM, as a host writes it and the firmware takes it. */
final class ChannelWindowTest
{
    private static final int QUEUE_LENGTH = 4096;
    private static final int SRAM_LENGTH = 64 * 1024;
    private static final int QUOTA = 4;

    private final BoardGeometry geometry = new BoardGeometry(9, 0, SRAM_LENGTH, 1, QUEUE_LENGTH, 1, 0, 0);
    private final AtomicBuffer sram = Buffers.allocate(SRAM_LENGTH);
    private final ChannelRegisters registers = new ChannelRegisters(sram, geometry, 0);
    private final List<Integer> stops = new ArrayList<>();
    private ChannelAppender appender;
    private ChannelWindow window;

    @ParameterizedTest
    @ValueSource(ints = {0, Integer.MAX_VALUE - 4095, -4096, -40})
    void shouldTakeAndFreeInOrderWhereverPositionsBegin(final int position)
    {
        start(position);
        for (int i = 0; i < 100; i++)
        {
            assertTrue(send(i % 11 * 100));
            assertTrue(window.locate());
            final MessageRecord record = window.take();
            assertEquals(32 + i % 11 * 100, record.length());
            assertEquals(record.length(), window.arrivedLength(record));
            record.outcome = Outcome.ACKNOWLEDGED;
            assertTrue(window.free());
            assertFalse(window.locate());
            assertEquals(registers.get(NEXT), registers.get(FRONT));
        }
        assertTrue(stops.isEmpty());
    }

    @Test
    void shouldMoveItsFrontPastWhatIsSettledOnly()
    {
        start(0);
        send(8);
        send(8);
        window.locate();
        final MessageRecord first = window.take();
        window.locate();
        final MessageRecord second = window.take();

        second.outcome = Outcome.ACKNOWLEDGED;
        assertFalse(window.free());
        assertEquals(0, registers.get(FRONT));
        first.outcome = Outcome.UNDELIVERED;
        assertTrue(window.free());

        assertEquals(80, registers.get(FRONT));
        assertEquals(1, registers.getAcquire(ChannelRegisters.UNDELIVERED));
        assertSame(MessageOutcome.UNDELIVERED, outcome(0));
        assertNull(outcome(40), "was acknowledged");
    }

    @Test
    void shouldRefuseToTakeMoreThanItsQuota()
    {
        start(0);
        for (int i = 0; i < QUOTA; i++)
        {
            send(0);
            assertFalse(window.isFull());
            window.locate();
            window.take();
        }
        send(0);

        assertTrue(window.isFull());
        assertTrue(window.locate());
        assertThrows(IllegalStateException.class, window::take);
    }

    @ParameterizedTest
    @ValueSource(ints = {-4, QUEUE_LENGTH + 4, Integer.MIN_VALUE})
    void shouldStopAtABackThatCannotBe(final int back)
    {
        start(0);
        registers.backAndFilledRelease(back, 0);

        assertFalse(window.locate());
        assertFalse(window.locate());

        assertEquals(List.of(StopReason.BAD_BACK.code()), stops);
        assertEquals(StopReason.BAD_BACK.code(), registers.getAcquire(STATUS));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 8})
    void shouldStopAtAHeaderThatCannotBe(final int offset)
    {
        start(0);
        send(8);
        sram.putShort(geometry.queueOffset(0) + offset, (short)0xFFFF);
        if (offset == 1)
        {
            registers.backAndFilledRelease(28, 0);          // Less than a header.
        }

        assertFalse(window.locate());

        assertEquals(List.of(StopReason.BAD_HEADER.code()), stops);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2000})
    void shouldStopWhenMoreThanTheMessageIsFilled(final int filled)
    {
        start(0);
        final MessageRecord record = beginPartial();
        registers.backAndFilledRelease(0, filled);

        assertEquals(-1, window.arrivedLength(record));

        assertEquals(List.of(StopReason.BAD_FILLED.code()), stops);
    }

    @Test
    void shouldKeepTheFrontBeforeAPartialMessageThatIsSettledEarly()
    {
        start(0);
        final MessageRecord record = beginPartial();
        assertEquals(64, window.arrivedLength(record));
        record.outcome = Outcome.UNKNOWN;

        assertFalse(window.free());
        assertFalse(window.locate());
        assertEquals(0, registers.get(FRONT));

        appender.publish();
        send(8);
        assertTrue(window.locate());
        assertEquals(1032, registers.get(FRONT));
        assertEquals(1, registers.getAcquire(ChannelRegisters.UNKNOWN));
        assertTrue(stops.isEmpty());
    }

    @Test
    void shouldNotLookAgainAtWhatItTook()
    {
        start(0);
        send(8);
        window.locate();
        final MessageRecord record = window.take();

        registers.backAndFilledRelease(-4, 99);

        assertEquals(40, window.arrivedLength(record));
        assertTrue(stops.isEmpty());
    }

    @Test
    void shouldReportWhatAnEarlierFirmwareHadTaken()
    {
        start(0);
        send(8);
        send(8);
        send(8);
        window.locate();
        window.take();
        window.locate();
        window.take();

        window = window();
        window.recover();

        assertEquals(2, registers.getAcquire(ChannelRegisters.UNKNOWN));
        assertEquals(80, registers.get(FRONT));
        assertSame(MessageOutcome.UNKNOWN, outcome(0));
        assertSame(MessageOutcome.UNKNOWN, outcome(40));
        assertTrue(window.locate());
    }

    @Test
    void shouldNotReportAMessageBehindAGapThatAnEarlierFirmwareOnlyLookedAt()
    {
        start(0);
        final MessageRecord[] taken = new MessageRecord[3];
        for (int i = 0; i < taken.length; i++)
        {
            assertTrue(send(1200));
            assertTrue(window.locate());
            taken[i] = window.take();
        }
        taken[0].outcome = Outcome.ACKNOWLEDGED;
        window.free();
        assertTrue(send(1000));
        assertTrue(window.locate());
        assertEquals(QUEUE_LENGTH, registers.get(NEXT));

        window = window();
        window.recover();

        assertEquals(2, registers.getAcquire(ChannelRegisters.UNKNOWN));
        assertEquals(QUEUE_LENGTH, registers.get(FRONT));
        assertTrue(window.locate());
    }

    @Test
    void shouldCountOnceWhatAnEarlierFirmwareHadMarkedWithItsOutcome()
    {
        start(0);
        send(8);
        send(8);
        window.locate();
        window.take();
        window.locate();
        window.take();
        QueueFormat.writeOutcome(sram, geometry.queueOffset(0), MessageOutcome.REFUSED);

        window = window();
        window.recover();

        assertEquals(1, registers.getAcquire(ChannelRegisters.UNKNOWN));
        assertEquals(80, registers.get(FRONT));
        assertSame(MessageOutcome.REFUSED, outcome(0));
        assertTrue(stops.isEmpty());
    }

    @Test
    void shouldTakeNoMarkForAMessage()
    {
        start(0);
        send(8);
        QueueFormat.writeOutcome(sram, geometry.queueOffset(0), MessageOutcome.REFUSED);

        assertFalse(window.locate());

        assertEquals(List.of(StopReason.BAD_HEADER.code()), stops);
    }

    @Test
    void shouldBeginAgainOnlyWhenItIsClosed()
    {
        start(0);
        send(8);

        assertThrows(IllegalStateException.class, window::reset);
        window.close();
        assertFalse(window.locate());
        window.reset();
        registers.putRelease(FRONT, 40);
        registers.backAndFilledRelease(40, 0);
        appender = new ChannelAppender(sram, geometry, 0);
        send(8);

        assertTrue(window.locate());
        assertTrue(stops.isEmpty());
    }

    private MessageOutcome outcome(final int position)
    {
        return QueueFormat.readOutcome(sram, geometry.queueOffset(0) + position);
    }

    private MessageRecord beginPartial()
    {
        final int index = appender.beginSegments(32 + 1000);
        header(index, 1000);
        appender.fill(64);
        assertTrue(window.locate());
        assertTrue(window.isLocatedPartial());
        return window.take();
    }

    private void start(final int position)
    {
        geometry.write(sram);
        registers.put(WEIGHT, 1).enableRelease();
        registers.putRelease(FRONT, position);
        registers.put(NEXT, position);
        registers.backAndFilledRelease(position, 0);
        appender = new ChannelAppender(sram, geometry, 0);
        window = window();
        window.recover();
    }

    private ChannelWindow window()
    {
        return new ChannelWindow(sram, geometry, 0, QUOTA, true, new NiListener()
        {
            @Override
            public void onChannelStopped(final int channel, final int reason)
            {
                stops.add(reason);
            }
        });
    }

    private boolean send(final int payloadLength)
    {
        final int index = appender.claim(32 + payloadLength);
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        header(index, payloadLength);
        appender.publish();
        return true;
    }

    private void header(final int index, final int payloadLength)
    {
        final MessageHeader header = new MessageHeader().wrap(sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, 0), 16, MessageHeader.routeWord(0, 0), 7,
            payloadLength, 0, 0);
    }
}
