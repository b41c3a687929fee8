// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.ni.board.DirectHostEngine;
import org.grim.ni.memory.Delivery.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A firmware is killed at each transfer, with its engine's queue or without, while the receiver lags or keeps up. */
final class ArrivalRecoveryTest
{
    private static final int MESSAGE_COUNT = 12;

    private final TestBoard board = new TestBoard();
    private final List<Integer> read = new ArrayList<>();

    static Stream<Arguments> deaths()
    {
        return IntStream.of(ChannelRegisters.ARRIVAL_TAIL_FLAG, ChannelRegisters.ARRIVAL_QUEUE_POINTER).boxed()
            .flatMap(mode -> IntStream.range(0, 30).boxed().flatMap(killAfter -> IntStream.range(0, 5).boxed()
                .flatMap(lostCount -> Stream.of(0, 1, 3).map(lag -> Arguments.of(mode, killAfter, lostCount, lag)))));
    }

    @ParameterizedTest
    @MethodSource("deaths")
    void shouldLoseAndRepeatNothingThatWasAcknowledged(
        final int mode, final int killAfter, final int lostCount, final int lag)
    {
        board.channel(mode, -2 * 4);
        final QueuedEngine engine = new QueuedEngine(board.memory, 64).killAfter(killAfter);
        board.start(engine);
        final ArrivalReader reader = board.reader();
        final int acknowledged = run(engine, reader, killAfter, lostCount, lag);

        board.start(new DirectHostEngine(board.memory));
        assertTrue(board.messages.open(TestBoard.CHANNEL));
        assertEquals(0, board.registers.getAcquire(STATUS));
        for (int i = 0; i < MESSAGE_COUNT; i++)
        {
            Verdict verdict = board.deliver(board.messages, board.message(100 + i, 40));
            while (verdict == Verdict.NO_ROOM)
            {
                assertTrue(drain(reader, 0) > 0, "full and empty at once");
                verdict = board.deliver(board.messages, board.message(100 + i, 40));
            }
            assertEquals(Verdict.TAKE, verdict);
        }
        drain(reader, 0);

        final int before = read.size() - MESSAGE_COUNT;
        assertTrue(before >= acknowledged, "acknowledged=" + acknowledged + " read=" + read);
        for (int i = 0; i < read.size(); i++)
        {
            assertEquals(i < before ? i : 100 + i - before, read.get(i), "read=" + read);
        }
    }

    /** Runs until the firmware dies; the newest {@code lostCount} transfers that it began die with it. */
    private int run(
        final QueuedEngine engine, final ArrivalReader reader, final int killAfter, final int lostCount, final int lag)
    {
        int acknowledged = 0;
        try
        {
            for (int i = 0; i < MESSAGE_COUNT; i++)
            {
                while (!board.messages.open(TestBoard.CHANNEL))
                {
                    engine.runAll();
                }
                if (board.begin(board.messages, board.message(i, 40)) != Verdict.TAKE)
                {
                    break;
                }
                board.messages.advance(52);
                board.messages.advance(72);
                if (engine.startedCount() == killAfter)
                {
                    break;                  // Dead with all transfers begun and none run.
                }
                engine.runAll();
                acknowledged++;
                drain(reader, lag);
            }
        }
        catch (final QueuedEngine.Killed dead)
        {
            assertEquals(killAfter, engine.startedCount(), dead.toString());
        }
        while (engine.waitingCount() > lostCount)
        {
            engine.runOne();
        }
        return acknowledged;
    }

    private int drain(final ArrivalReader reader, final int leaveCount)
    {
        int count = 0;
        while (reader.hasMessage() && (leaveCount == 0 || read.size() +
            leaveCount <= board.registers.getAcquire(DELIVERED)))
        {
            read.add(board.region.getInt(reader.index() + 16, BIG_ENDIAN));
            reader.release();
            count++;
        }
        return count;
    }
}
