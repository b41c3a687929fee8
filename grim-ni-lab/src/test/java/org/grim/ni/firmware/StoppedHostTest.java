// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.StopReason;
import org.grim.ni.event.DropReason;
import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hosts and peers that stop or go, on a wire that loses nothing. */
final class StoppedHostTest extends SteppedBoards
{
    @Test
    void shouldCutAMessageWhoseHostStopsAndSendItWhenItIsComplete()
    {
        start(2, 2, 4, TAIL_FLAG);
        beginAndStop();

        assertTrue(rigs[0].send(1, 1, 1, 2, 8));
        settle();
        assertEquals(List.of(0, 2), rigs[1].received, "others flow");
        rigs[0].appenders[0].fill(1000);
        settle();
        assertEquals(List.of(0, 2), rigs[1].received, "is not begun again before it is complete");
        rigs[0].appenders[0].publish();
        assertTrue(rigs[0].send(0, 1, 0, 3, 8));
        settle();

        assertEquals(List.of(0, 2, 1, 3), rigs[1].received);
        assertEquals(ChannelRegisters.STATUS_RUNNING, rigs[0].registers[0].getAcquire(STATUS));
        assertEquals(1, rigs[1].program.dropCount(DropReason.CUT));
        assertEquals(List.of(Outcome.ACKNOWLEDGED), outcomes.stream().distinct().toList());
        assertEquals(0, rigs[0].program.delivery().inFlightCount() + rigs[0].program.delivery().quarantineCount());
    }

    @Test
    void shouldLetAHostThatNeverCompletesHoldUpItsOwnChannelOnly()
    {
        start(2, 2, 4, TAIL_FLAG);
        beginAndStop();

        for (int number = 2; number < 300; number++)
        {
            assertTrue(rigs[0].send(1, 1, number & 1, number, 8));
            settle();
        }

        assertEquals(299, rigs[1].received.size());
        assertEquals(ChannelRegisters.STATUS_RUNNING, rigs[0].registers[0].getAcquire(STATUS));
        assertEquals(0, rigs[0].program.delivery().inFlightCount());
    }

    @Test
    void shouldReportAMessageThatWasCutAsUndeliveredWhenItsDestinationGoes()
    {
        start(2, 2, 4, TAIL_FLAG);
        beginAndStop();
        settle();

        rigs[0].program.peerGone(1);
        rigs[0].appenders[0].publish();
        settle();

        assertEquals(1, rigs[0].registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertEquals(0, rigs[0].registers[0].getAcquire(UNKNOWN));
        assertEquals(List.of(0), rigs[1].received);
    }

    @ParameterizedTest
    @ValueSource(ints = {-4, QUEUE_LENGTH * 2, 100})
    void shouldStopAChannelWhoseHostBreaksAMessageThatWasCut(final int back)
    {
        start(2, 2, 4, TAIL_FLAG);
        beginAndStop();
        settle();

        rigs[0].registers[0].backAndFilledRelease(back, 0);
        new Doorbell(rigs[0].sram, rigs[0].geometry).ring(0);
        assertTrue(rigs[0].send(1, 1, 1, 2, 8));
        settle();

        assertEquals(StopReason.BAD_BACK.code(), rigs[0].registers[0].getAcquire(STATUS));
        assertEquals(List.of(Outcome.ACKNOWLEDGED, Outcome.UNDELIVERED), outcomes.stream().distinct().toList());
        assertEquals(List.of(0, 2), rigs[1].received);
    }

    /** Message 0 arrives; of message 1 the first bytes leave, and its host stops. */
    private void beginAndStop()
    {
        assertTrue(rigs[0].send(0, 1, 0, 0, 0));
        settle();
        final int index = rigs[0].appenders[0].beginSegments(32 + 2000);
        rigs[0].write(index, 0, 1, 0, 1, 2000);
        rigs[0].appenders[0].fill(64);
        stepAll();
    }

    @Test
    void shouldSettleAllAtOnceWhenOthersKnowThatAPeerIsGone()
    {
        config = config.with(values -> values.questionNsMax = 1_000_000_000);
        start(3, 1, 4, TAIL_FLAG);
        IntStream.range(0, 10).forEach(number -> assertTrue(rigs[0].send(0, 1, 0, number, 8)));
        while (rigs[0].program.delivery().inFlightCount() < 3)
        {
            stepOnce();
        }
        rigs[1].program = null;

        rigs[0].program.peerGone(1);
        rigs[0].program.peerGone(2);                            // Nothing is known of it.

        assertEquals(3, rigs[0].registers[0].getAcquire(UNKNOWN), "in flight");
        assertEquals(10, outcomes.size());
        assertEquals(10 - 3 - outcomes.stream().filter(outcome -> outcome == Outcome.ACKNOWLEDGED).count(),
            rigs[0].registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertEquals(0, rigs[0].program.delivery().inFlightCount());
        assertEquals(0, rigs[0].program.delivery().tripleCount());
        assertEquals(rigs[0].registers[0].get(NEXT), rigs[0].registers[0].get(FRONT));
    }

    @Test
    void shouldCallAPeerAnewThatWasGone()
    {
        config = config.with(values -> values.questionNsMax = 1_000_000_000);
        start(2, 1, 4, TAIL_FLAG);
        assertTrue(rigs[0].send(0, 1, 0, 0, 8));
        settle();

        rigs[0].program.peerGone(1);
        rigs[1].start(2, config, Guards.ALL);
        IntStream.range(1, 200).forEach(number ->
        {
            assertTrue(rigs[0].send(0, 1, 0, number, 8));
            settle();
        });

        assertEquals(numbers(200), rigs[1].received);
        assertEquals(200, outcomes.stream().filter(outcome -> outcome == Outcome.ACKNOWLEDGED).count());
    }

    @Test
    void shouldConvictNobodyWhenOthersDo()
    {
        config = config.with(values -> values.questionNsMax = 1_000_000_000);
        start(2, 1, 4, TAIL_FLAG);
        final ControlProgram stopped = rigs[1].program;
        rigs[1].program = null;
        assertTrue(rigs[0].send(0, 1, 0, 0, 8));
        final List<Long> wakes = new ArrayList<>();

        while (nowNs[0] < 20_000_000_000L)
        {
            stepAll();
            nowNs[0] = Math.max(nowNs[0] + 1, rigs[0].program.nextDeadlineNs());
            wakes.add(nowNs[0]);
        }
        assertEquals(List.of(), outcomes);
        rigs[1].program = stopped;
        settle();

        assertEquals(List.of(0), rigs[1].received);
        assertTrue(wakes.size() < 40, "asked " + wakes.size() + " times in 20 s");
    }

    /** More messages than the quota wait for a receiver that has stopped: they are refused again and again. */
    @Test
    void shouldDrainAChannelThatSendsToAReceiverThatHasStopped()
    {
        start(2, 1, 4, TAIL_FLAG);
        IntStream.range(0, 200).forEach(number -> assertTrue(rigs[0].send(0, 1, 0, number, 8)));
        run(20_000);

        rigs[0].program.drain(0, 1);
        for (int i = 0; i < 20_000 && !rigs[0].program.isDrained(0, 1); i++)
        {
            step();
        }
        final boolean isDrained = rigs[0].program.isDrained(0, 1);
        final int undelivered = rigs[0].registers[0].getAcquire(ChannelRegisters.UNDELIVERED);
        rigs[0].program.reset(0, 0, 1);
        rigs[0].enable(0, TAIL_FLAG, 4);
        settle();
        assertTrue(rigs[0].send(0, 1, 0, 1000, 8));
        settle();

        assertTrue(isDrained);
        assertEquals(196, undelivered);
        assertEquals(List.of(0, 1, 2, 3, 1000), rigs[1].received);
    }
}
