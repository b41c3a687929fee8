// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.grim.board.ChannelRegisters;
import org.grim.board.host.ChannelAppender;
import org.grim.ni.event.DropReason;
import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ControlProgramTest extends SteppedBoards
{
    private static final int POINTER = ChannelRegisters.ARRIVAL_QUEUE_POINTER;

    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, POINTER})
    void shouldDeliverInOrderAndAcknowledge(final int mode)
    {
        start(2, 2, 4, mode);

        final int count = 1000;
        for (int number = 0; number < count; )
        {
            number += rigs[0].send(0, 1, 1, number, number % 300) ? 1 : 0;
            step();
            rigs[1].receive(1, 10);
        }
        settle();

        assertEquals(numbers(count), rigs[1].received);
        assertEquals(count, outcomes.stream().filter(outcome -> outcome == Outcome.ACKNOWLEDGED).count());
        assertEquals(rigs[0].registers[0].get(FRONT), rigs[0].registers[0].get(NEXT));
        assertEquals(0, rigs[0].program.delivery().inFlightCount());
    }

    @Test
    void shouldDeliverToItself()
    {
        start(1, 2, 4, TAIL_FLAG);

        IntStream.range(0, 20).forEach(number -> assertTrue(rigs[0].send(0, 0, 1, number, 8)));
        settle();

        assertEquals(numbers(20), rigs[0].received);
    }

    @Test
    void shouldLetOtherDestinationsPassAStoppedOne()
    {
        start(3, 1, 4, TAIL_FLAG);

        for (int number = 0; number < 60; number++)
        {
            assertTrue(rigs[0].send(0, 1 + number % 2, 0, number, 8));
        }
        for (int i = 0; i < 10_000; i++)
        {
            nowNs[0] += 100;
            stepOnce();
            rigs[2].receive(0, 4);
        }

        assertEquals(30, rigs[2].received.size());
        assertTrue(rigs[1].received.isEmpty());
        assertTrue(rigs[1].program.dropCount(DropReason.NO_ROOM) > 0);

        settle();
        assertEquals(30, rigs[1].received.size());
        assertEquals(IntStream.range(0, 30).mapToObj(i -> 2 * i).toList(), rigs[1].received);
    }

    @Test
    void shouldBeginAMessageThatIsStillWritten()
    {
        start(2, 1, 4, TAIL_FLAG);
        assertTrue(rigs[0].send(0, 1, 0, 0, 0));
        settle();

        final ChannelAppender appender = rigs[0].appenders[0];
        final int index = appender.beginSegments(32 + 2000);
        rigs[0].write(index, 0, 1, 0, 1, 2000);
        for (int filled = 64; filled < 2032; filled += 256)
        {
            appender.fill(filled);
            stepAll();
        }
        final int passed = rigs[0].registers[0].get(NEXT);
        final int end = appender.position() + 2032;
        appender.publish();
        settle();

        assertEquals(numbers(2), rigs[1].received);
        assertEquals(end, passed, "was begun before it was complete");
    }

    @Test
    void shouldReportWhatCannotBeSentAnywhere()
    {
        start(2, 1, 4, TAIL_FLAG);

        assertTrue(rigs[0].send(0, 9, 0, 0, 8));
        assertTrue(rigs[0].send(0, 1, 200, 1, 8));
        assertTrue(rigs[0].send(0, 1, 0, 2, 8));
        settle();

        assertEquals(1, rigs[0].registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertEquals(1, rigs[0].registers[0].getAcquire(ChannelRegisters.REFUSED));
        assertEquals(List.of(2), rigs[1].received);
        assertEquals(Set.of(Outcome.UNDELIVERED, Outcome.REFUSED, Outcome.ACKNOWLEDGED), Set.copyOf(outcomes));
    }

    @Test
    void shouldReportWhatWasInFlightWhenTheOtherNiRestarts()
    {
        start(2, 1, 4, TAIL_FLAG);
        IntStream.range(0, 10).forEach(number -> assertTrue(rigs[0].send(0, 1, 0, number, 8)));
        for (int i = 0; i < 400; i++)
        {
            stepOnce();
        }
        final int accepted = (int)outcomes.stream().filter(outcome -> outcome == Outcome.ACKNOWLEDGED).count();
        assertEquals(4, accepted);

        rigs[1].start(2, config, Guards.ALL);
        settle();
        assertTrue(rigs[0].send(0, 1, 0, 10, 8));
        settle();

        assertEquals(6, rigs[0].registers[0].getAcquire(UNKNOWN) +
            rigs[0].registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertEquals(List.of(0, 1, 2, 3, 10), rigs[1].received);
    }

    @Test
    void shouldGoOnAfterItsOwnRestart()
    {
        start(2, 1, 4, TAIL_FLAG);
        IntStream.range(0, 10).forEach(number -> assertTrue(rigs[0].send(0, 1, 0, number, 8)));
        for (int i = 0; i < 400; i++)
        {
            stepOnce();
        }

        rigs[0].start(2, config, Guards.ALL);
        assertTrue(rigs[0].send(0, 1, 0, 10, 8));
        settle();

        assertEquals(6, rigs[0].registers[0].getAcquire(UNKNOWN));
        assertEquals(List.of(0, 1, 2, 3, 10), rigs[1].received);
    }

    @Test
    void shouldKnowNothingOfNisWithWhichItHasNothingToDo()
    {
        start(16, 4, 4, TAIL_FLAG);

        assertTrue(rigs[0].send(0, 1, 0, 0, 8));
        settle();

        for (int ni = 0; ni < rigs.length; ni++)
        {
            assertEquals(ni < 2 ? 1 : 0, rigs[ni].program.delivery().peerCount(), "peers of NI " + ni);
            assertEquals(ni < 2 ? 1 : 0, rigs[ni].program.delivery().tripleCount(), "triples of NI " + ni);
        }
    }

    @Test
    void shouldGiveUpAnNiThatNeverAnswers()
    {
        start(3, 1, 4, TAIL_FLAG);
        rigs[2].program = null;
        IntStream.range(0, 5).forEach(number -> assertTrue(rigs[0].send(0, 2, 0, number, 8)));
        assertTrue(rigs[0].send(0, 1, 0, 5, 8));

        settle();

        assertEquals(5, rigs[0].registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertEquals(List.of(5), rigs[1].received);
    }
}
