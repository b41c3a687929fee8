// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.board.ChannelRegisters;
import org.grim.board.StopReason;
import org.grim.board.host.ChannelAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Looks at boards made by hand: alice (0), bob (1) with own ones, metz (2) with one for carol (3). */
final class NiDiagnosisTest
{
    private static final int ALICE = 0;
    private static final int BOB = 1;
    private static final int METZ = 2;
    private static final int CAROL = 3;
    private static final int BOB_FIRST = 2;
    private static final String NOT_POLLING =
        "is alive, but the thread that owns the channel does not poll, or is busy in a handler";
    private static final String FIVE =
        "alice -> bob channel 0 (NI 0 channel 0): 5 messages, 160 of 1024 bytes, for 300 ms";

    @TempDir
    private Path directory;
    private HandmadeBoards boards;
    private final List<Integer> stepping = new ArrayList<>(List.of(ALICE, BOB, METZ));

    @BeforeEach
    void make()
    {
        boards = new HandmadeBoards(directory).node(ALICE, "alice").node(BOB, "bob").node(METZ, "metz")
            .node(CAROL, "carol").board(ALICE).board(BOB).board(METZ).attach(ALICE, ALICE, 0, 0, 2)
            .attach(BOB, BOB, 1, BOB_FIRST, 2).attach(CAROL, METZ, 3, 4, 2);
    }

    @AfterEach
    void remove()
    {
        boards.close();
    }

    @Test
    void shouldSayThatReceiverIsStoppedAndItsBoardWithIt()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
        boards.stop(BOB);
        stepping.remove((Integer)BOB);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.RECEIVER_STOPPED, stall.cause());
        assertEquals(List.of(FIVE,
            "bob's process 4712 is stopped (SIGSTOP or a debugger): kill -CONT lets it go on"), chain(stall));
        assertEquals(new Stall.Facts("alice", "bob", 0, 0, "ni", 5, 32), stall.facts());
        assertEquals("bob", stall.culprit().name());
        assertFalse(stall.refuses());
    }

    @Test
    void shouldSayThatReceiverTakesNothingWhileItsNeighbourFlows()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 32);
        fill(BOB, BOB_FIRST, BOB, ALICE);
        boards.arrive(BOB, BOB_FIRST + 1, BOB, CAROL);

        final List<Stall> stalls = diagnose(() -> boards.channel(BOB, BOB_FIRST + 1).putRelease(ARRIVAL_FRONT,
            1)).stalls();

        assertEquals(List.of(WhyCause.RECEIVER_NOT_POLLING, WhyCause.FLOWS),
            stalls.stream().map(Stall::cause).toList());
        assertEquals(List.of(
            "alice -> bob channel 0 (NI 0 channel 0): full, 32 messages, 1024 of 1024 bytes, for 300 ms",
            "bob's process 4712 (arrival queue of channel 0: full, 4 of 4 unread) " + NOT_POLLING),
            chain(stalls.get(0)));
        assertTrue(stalls.get(0).refuses());
        assertTrue(stalls.get(0).isOnlyFrom(boards.nodes().get(ALICE), channel -> false));
        assertFalse(stalls.get(0).isOnlyFrom(boards.nodes().get(ALICE), channel -> channel == 0));
        assertFalse(stalls.get(0).isOnlyFrom(boards.nodes().get(BOB), channel -> false));
    }

    @Test
    void shouldSayThatDeviceHasPausedChannel()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 32);
        fill(BOB, BOB_FIRST, BOB, ALICE);
        boards.pause(BOB, 0);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.CHANNEL_PAUSED, stall.cause());
        assertEquals("a device of bob's process 4712 has paused the channel, and goes on when it can take more " +
            "(DeviceEndpoint.resume)", chain(stall).get(1));
    }

    @Test
    void shouldSayThatReceiverThatStepsItsBoardDoesNotPoll()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
        stepping.remove((Integer)BOB);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.RECEIVER_NOT_POLLING, stall.cause());
        assertEquals(List.of(FIVE,
            "bob's process 4712 (arrival queue of channel 0: 0 of 4 unread) " + NOT_POLLING), chain(stall));
    }

    @Test
    void shouldSayThatReceiverIsDead()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
        boards.kill(BOB);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.RECEIVER_DEAD, stall.cause());
        assertEquals(List.of(FIVE,
            "bob's process 4712 is dead: nobody holds its liveness byte; senders get PEER_GONE"), chain(stall));
    }

    @Test
    void shouldSayThatSendersOwnBoardIsStopped()
    {
        boards.send(METZ, 5, BOB, BOB_FIRST, 1);
        boards.stop(METZ);
        stepping.remove((Integer)METZ);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.BOARD_STOPPED, stall.cause());
        assertEquals(List.of("carol -> bob channel 0 (NI 2 channel 5): 1 message, 32 of 1024 bytes, for 300 ms",
            "metz's process 4713, which runs a board on the path, is stopped (SIGSTOP or a debugger): kill -CONT " +
            "lets " +
                "it go on"), chain(stall));
        assertEquals("metz", stall.culprit().name());
    }

    @Test
    void shouldSayThatReceiversBoardIsDead()
    {
        boards.send(ALICE, 0, CAROL, 5, 1);
        boards.kill(METZ);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.BOARD_DEAD, stall.cause());
        assertEquals(List.of("alice -> carol channel 1 (NI 0 channel 0): 1 message, 32 of 1024 bytes, for 300 ms",
            "metz's process 4713, which ran a board on the path, is dead: what stands in the board goes with it"),
            chain(stall));
    }

    @Test
    void shouldSayThatOwnBoardIsNotStepped()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
        stepping.remove((Integer)ALICE);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.BOARD_NOT_STEPPED, stall.cause());
        assertEquals(List.of(FIVE,
            "alice's process 4711 is alive, but its board on the path made no step: the thread that steps it " +
            "sleeps, or " +
                "is busy in a handler"), chain(stall));
    }

    @Test
    void shouldSayNothingOfStepsThatCannotShowInSoShortATime()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
        final NiSample before = boards.look(0);

        final Stall stall = find(before, boards.look(20)).stalls().get(0);

        assertEquals(WhyCause.NI_WAITING, stall.cause());
    }

    @Test
    void shouldSayWhyBoardStoppedTheChannel()
    {
        boards.send(ALICE, 1, BOB, BOB_FIRST, 1);
        boards.sram(ALICE).setMemory(boards.geometry(ALICE).queueOffset(1), 32, (byte)0xEE);
        boards.channel(ALICE, 1).putRelease(STATUS, StopReason.BAD_HEADER.code());

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.CHANNEL_STOPPED, stall.cause());
        assertEquals(List.of("alice -> unknown (NI 0 channel 1): 0 messages, 32 of 1024 bytes, for 300 ms",
            "alice's board, NI 0, stopped channel 1: BAD_HEADER, what stands in the queue is no message, or reaches " +
                "beyond what was published"), chain(stall));
        assertEquals(new Stall.Facts("alice", "", -1, 1, "ni", 0, 32), stall.facts());
    }

    @Test
    void shouldSayWhyReceiversBoardStoppedItsChannel()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
        boards.channel(BOB, BOB_FIRST).putRelease(STATUS, StopReason.BAD_ARRIVAL_FRONT.code());

        final List<Stall> stalls = diagnose(() -> { }).stalls();

        assertEquals(List.of(WhyCause.CHANNEL_STOPPED, WhyCause.CHANNEL_STOPPED),
            stalls.stream().map(Stall::cause).toList());
        assertEquals(List.of(FIVE, "bob's board, NI 1, stopped channel 2: BAD_ARRIVAL_FRONT, its receiver's front is " +
            "behind what it released, or ahead of what was delivered"), chain(stalls.get(0)));
        assertEquals("bob", stalls.get(0).culprit().name());
    }

    @Test
    void shouldSayThatMessageWasBegunAndNotCompleted()
    {
        final ChannelAppender appender = new ChannelAppender(boards.sram(ALICE), boards.geometry(ALICE), 1);
        HandmadeBoards.write(boards.sram(ALICE), appender.beginSegments(96), 0, 1, BOB, BOB_FIRST + 1, 64);
        appender.fill(36);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.MESSAGE_INCOMPLETE, stall.cause());
        assertEquals(List.of("alice -> bob channel 1 (NI 0 channel 1): 0 messages, 0 of 1024 bytes, for 300 ms",
            "a message was begun in the board's memory and not completed: 36 bytes by alice's process 4711 are there"),
            chain(stall));
    }

    @Test
    void shouldSayThatWriterOfIncompleteMessageIsStopped()
    {
        boards.channel(METZ, 4).backAndFilledRelease(0, 16);
        boards.stop(CAROL);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.MESSAGE_INCOMPLETE, stall.cause());
        assertEquals(List.of("carol -> unknown (NI 2 channel 4): 0 messages, 0 of 1024 bytes, for 300 ms",
            "a message was begun in the board's memory and not completed: 16 bytes by carol's process 4714 are there"),
            chain(stall));
        assertEquals("carol", stall.culprit().name());
    }

    @Test
    void shouldCountTroubleWhereNobodyIsToBlame()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
        boards.counters(ALICE).triple(0, BOB, BOB_FIRST).refused();

        final Stall stall = one(() ->
        {
            boards.counters(ALICE).triple(0, BOB, BOB_FIRST).refused();
            boards.counters(ALICE).triple(0, BOB, BOB_FIRST).rolledBack();
            boards.counters(ALICE).triple(0, BOB, BOB_FIRST).repeated();
            boards.counters(ALICE).triple(0, BOB, BOB_FIRST).repeated();
        });

        assertEquals(WhyCause.NI_WAITING, stall.cause());
        assertEquals(List.of(FIVE, "both boards step, but the message is not settled: since the first look its " +
            "triple got 1 NACK, 1 rollback, 2 repetitions"), chain(stall));
    }

    @Test
    void shouldSayThatReceiverHasNoChannelThere()
    {
        boards.send(ALICE, 0, BOB, 7, 1);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.CHANNEL_NOT_OPENED, stall.cause());
        assertEquals("bob opened no endpoint on the channel (Grim.openEndpoint), or its owner has not begun",
            chain(stall).get(1));
    }

    @Test
    void shouldSayWhoseArrivalsStand()
    {
        boards.arrive(BOB, BOB_FIRST, BOB, ALICE);
        boards.arrive(BOB, BOB_FIRST, BOB, CAROL);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.RECEIVER_NOT_POLLING, stall.cause());
        assertEquals(List.of(
            "alice, carol -> bob channel 0 (arrival queue of NI 1 channel 2): 2 of 4 unread, for 300 ms",
            "bob's process 4712 " + NOT_POLLING), chain(stall));
        assertEquals(new Stall.Facts("alice, carol", "bob", 0, 2, "arrival", 2, 4), stall.facts());
        boards.kill(BOB);
        assertEquals(List.of("bob's process 4712 is dead: nobody holds its liveness byte; senders get PEER_GONE"),
            chain(one(() -> { })).subList(1, 2));
    }

    @Test
    void shouldSayThatNothingWasEverTaken()
    {
        boards.arrive(BOB, BOB_FIRST, BOB, ALICE);
        boards.channel(BOB, BOB_FIRST).addRelease(DELIVERED, 1);

        assertEquals("bob's process 4712 (nothing was ever taken) " + NOT_POLLING, chain(one(() -> { })).get(1));
    }

    @Test
    void shouldSayThatArrivalsAreCorrupt()
    {
        boards.arrive(BOB, BOB_FIRST, BOB, ALICE);
        boards.spoil(BOB, BOB_FIRST, BOB);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.QUEUE_CORRUPT, stall.cause());
        assertEquals(List.of("unknown -> bob channel 0 (arrival queue of NI 1 channel 2): 1 of 4 unread, for 300 ms",
            "bob's process 4712 takes nothing more from the queue after corrupt bytes (./grim stat shows its errors)"),
            chain(stall));
    }

    @Test
    void shouldReadQueuesWithAPointer()
    {
        boards.close();
        boards = new HandmadeBoards(directory).node(ALICE, "alice").node(BOB, "bob").node(METZ, "metz").board(ALICE)
            .board(BOB).board(METZ).attach(ALICE, ALICE, 0, 0, 2)
            .attach(BOB, BOB, 1, BOB_FIRST, 2, ChannelRegisters.ARRIVAL_QUEUE_POINTER);
        for (int i = 0; i < 16; i++)
        {
            boards.arrive(BOB, BOB_FIRST, BOB, ALICE);
        }
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);

        final Stall stall = one(() -> { });

        assertEquals(WhyCause.RECEIVER_NOT_POLLING, stall.cause());
        assertEquals("bob's process 4712 (arrival queue of channel 0: full, 512 of 512 bytes unread) " + NOT_POLLING,
            chain(stall).get(1));
    }

    @Test
    void shouldTellFlowingAndEmptyChannels()
    {
        boards.send(ALICE, 0, BOB, BOB_FIRST, 5);

        final Findings diagnosis = diagnose(() -> boards.channel(ALICE, 0).putRelease(FRONT, 64));

        assertEquals(List.of(WhyCause.FLOWS), diagnosis.stalls().stream().map(Stall::cause).toList());
        assertEquals("alice -> bob channel 0 (NI 0 channel 0): 3 messages, 96 of 1024 bytes, moves",
            diagnosis.stalls().get(0).head());
        assertEquals(5, diagnosis.idleCount());
    }

    @Test
    void shouldSayNothingOfAChannelThatAnotherIncarnationHasNow()
    {
        boards.send(METZ, 5, BOB, BOB_FIRST, 1);
        final NiSample before = boards.look(0);
        boards.close();
        boards = new HandmadeBoards(directory).node(ALICE, "alice").node(BOB, "bob").node(METZ, "metz").board(ALICE)
            .board(METZ).attach(BOB, METZ, 3, 5, 1);
        boards.send(METZ, 5, ALICE, 0, 1);

        assertTrue(find(before, boards.look(300)).stalls().isEmpty());
    }

    private Stall one(final Runnable between)
    {
        final List<Stall> stalls = diagnose(between).stalls();
        assertEquals(1, stalls.size(), stalls::toString);
        return stalls.get(0);
    }

    private Findings diagnose(final Runnable between)
    {
        final NiSample before = boards.look(-100);
        between.run();
        stepping.forEach(boards::step);
        return find(before, boards.look(200));
    }

    private static Findings find(final NiSample before, final NiSample now)
    {
        final Findings findings = new Findings(before.epochMs(), now.epochMs());
        NiDiagnosis.find(before, now, findings);
        return findings;
    }

    private void fill(final int board, final int channel, final int node, final int source)
    {
        for (int i = 0; i < HandmadeBoards.FRAME_COUNT; i++)
        {
            boards.arrive(board, channel, node, source);
        }
    }

    private static List<String> chain(final Stall stall)
    {
        return List.of(stall.head(), stall.sentence());
    }
}
