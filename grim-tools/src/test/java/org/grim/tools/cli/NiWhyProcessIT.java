// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.grim.Grim;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.host.ChannelAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Stalls behind boards that are staged with real nodes, and word for word what the command says of them. */
@Tag("process")
@Tag("long")
@Timeout(240)
final class NiWhyProcessIT
{
    /** A board of this JVM has a thread: who sends here need not poll. */
    private static final Object[] THREADED = NiStage.settings("grim.myrinet.firmware", "thread");
    private static final String[] DUTY_CYCLE =
        NiStage.words(NiStage.settings("grim.myrinet.firmware", "duty-cycle"));
    private static final String[] SERVER = NiStage.words(NiStage.settings("grim.myrinet.firmware", "duty-cycle",
        "grim.myrinet.contexts", "3", "grim.myrinet.board-channels", "8"));
    private static final Object[] GUEST = NiStage.settings("grim.myrinet.board", "metz");
    /** Nothing was freed: the room behind the last message is too small for another one. */
    private static final String FULL = "full, 455 messages, 16380 of 16384 bytes, for T";
    /** Some were freed, and others stand in their place, behind a filler that closes the queue's end. */
    private static final String FULL_AND_WRAPPED = "full, 455 messages, 16384 of 16384 bytes, for T";
    private static final String FIVE_FROM_GUEST =
        "alice -> bob channel 0 (NI 0 channel 2): 5 messages, 180 of 16384 bytes, for T";
    private static final String STOPPED = " is stopped (SIGSTOP or a debugger): kill -CONT lets it go on";
    private static final String NOT_POLLING =
        " is alive, but the thread that owns the channel does not poll, or is busy in a handler";
    private static final String FULL_ARRIVALS = ": full, 64 of 64 unread, nothing was ever taken)";

    @TempDir
    private Path directory;
    private WhyStage stage;

    @BeforeEach
    void raiseCurtain()
    {
        stage = new WhyStage(directory, "myrinet");
    }

    @AfterEach
    void dropCurtain()
    {
        stage.close();
    }

    @Test
    void shouldSayThatReceiverIsStopped() throws Exception
    {
        final Grim alice = stage.node("alice", THREADED);
        final Process bob = stage.peer("bob", "poll", DUTY_CYCLE);
        WhyStage.stop(bob);
        NiStage.fill(alice, "bob", 0);

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> bob channel 0 (NI 0 channel 0): " + FULL,
            "bob's process P" + STOPPED), answer.chain("bob", "receiver-stopped"));
        final JsonNode entry = answer.entry("bob", "receiver-stopped");
        assertEquals("ni", entry.get("kind").asText());
        assertEquals(455, entry.get("unread").asInt());
        assertEquals(512, entry.get("slots").asInt());
    }

    @Test
    void shouldSayThatReceiverDoesNotPoll() throws Exception
    {
        final Grim alice = stage.node("alice", THREADED);
        final Grim bob = stage.node("bob", THREADED);
        NiStage.fillAll(stage, alice, bob, 0);

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> bob channel 0 (NI 0 channel 0): " + FULL_AND_WRAPPED,
            "bob's process P (arrival queue of channel 0" + FULL_ARRIVALS + NOT_POLLING),
            answer.chain("bob", "receiver-not-polling"));
        assertTrue(answer.entry("bob", "receiver-not-polling").get("stuckMs").asLong() >= 200);
    }

    @Test
    void shouldSayThatReceiverDoesNotStepItsBoard() throws Exception
    {
        final Grim alice = stage.node("alice", THREADED);
        stage.peer("bob", "idle", DUTY_CYCLE);
        NiStage.fill(alice, "bob", 0);

        final WhyStage.Answer answer = stage.why();

        assertEquals(List.of("alice -> bob channel 0 (NI 0 channel 0): " + FULL,
            "bob's process P (arrival queue of channel 0: 0 of 64 unread)" + NOT_POLLING),
            answer.chain("bob", "receiver-not-polling"));
    }

    @Test
    void shouldSayThatReceiverIsDeadAndWhatRemains() throws Exception
    {
        final Process metz = stage.peer("metz", "poll", SERVER);
        final Grim alice = stage.node("alice", THREADED);
        final Process bob = stage.peer("bob", "idle", NiStage.words(GUEST));
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 12);
        try (NiStage.Board board = new NiStage.Board(stage, WhyStage.find(alice, "metz")))
        {
            board.awaitArrivals(2, 12);
        }
        try (NiStage.Board board = new NiStage.Board(stage, alice.node()))
        {
            board.awaitSettled(0);          // Otherwise some of them still stand there, too.
        }
        WhyStage.stop(metz);                // It would take bob's channels back at once.
        WhyStage.kill(bob);

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> bob channel 0 (arrival queue of NI 0 channel 2): 12 of 64 unread, for T",
            "bob's process P is dead: nobody holds its liveness byte; senders get PEER_GONE"),
            answer.chain("bob", "receiver-dead"));
    }

    @Test
    void shouldSayThatProcessOfTheBoardIsStopped() throws Exception
    {
        sendFromGuestOfStopped();

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of(FIVE_FROM_GUEST, "metz's process P, which runs a board on the path," + STOPPED),
            answer.chain("bob", "board-stopped"));
    }

    @Test
    void shouldSayThatProcessOfTheBoardIsDead() throws Exception
    {
        WhyStage.kill(sendFromGuestOfStopped());

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of(FIVE_FROM_GUEST,
            "metz's process P, which ran a board on the path, is dead: what stands in the board goes with it"),
            answer.chain("bob", "board-dead"));
    }

    @Test
    void shouldSayThatHostileHeaderStoppedTheChannel() throws Exception
    {
        final Grim alice = stage.node("alice", THREADED);
        try (NiStage.Board board = new NiStage.Board(stage, alice.node()))
        {
            final ChannelAppender appender = new ChannelAppender(board.sram(), board.geometry(), 1);
            board.sram().setMemory(appender.claim(32), 32, (byte)0xEE);
            appender.publish();
            board.awaitStopped(1);
        }

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> unknown (NI 0 channel 1): 0 messages, 32 of 16384 bytes, for T",
            "alice's board, NI 0, stopped channel 1: BAD_HEADER, what stands in the queue is no message, or reaches " +
                "beyond what was published"), answer.chain("", "channel-stopped"));
    }

    @Test
    void shouldSayThatChannelIsFullWhileItsNeighbourFlows() throws Exception
    {
        final Grim alice = stage.node("alice", THREADED);
        final Grim bob = stage.node("bob", THREADED);
        final Grim carol = stage.node("carol", THREADED);
        bob.startPolling();
        NiStage.fillAll(stage, alice, bob, 1);
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread sender = new Thread(() -> WhyStage.trickle(carol, isOver), "trickle");
        sender.start();

        final List<String> expected = List.of("alice -> bob channel 1 (NI 0 channel 0): " + FULL_AND_WRAPPED,
            "bob's process P (arrival queue of channel 1" + FULL_ARRIVALS + NOT_POLLING);
        final WhyStage.Answer answer = stage.whyUntil("bob", "receiver-not-polling", expected, "carol");
        isOver.set(true);
        sender.join();

        assertEquals(expected, answer.chain("bob", "receiver-not-polling"));
        assertEquals("carol", answer.entry("bob", "flows").get("from").asText());
    }

    @Test
    void shouldSayThatMessageWasBegunAndNotCompleted() throws Exception
    {
        final Grim alice = stage.node("alice", THREADED);
        try (NiStage.Board board = new NiStage.Board(stage, alice.node()))
        {
            board.channel(1).backAndFilledRelease(ChannelRegisters.back(board.channel(1).getAcquire(BACK_AND_FILLED)),
                16);
            new Doorbell(board.sram(), board.geometry()).ring(1);
        }

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> unknown (NI 0 channel 1): 0 messages, 0 of 16384 bytes, for T",
            "a message was begun in the board's memory and not completed: 16 bytes by alice's process P are there"),
            answer.chain("", "message-incomplete"));
    }

    @Test
    void shouldShowBoardsInStatAndNodes() throws Exception
    {
        stage.peer("metz", "poll", SERVER);
        final Grim alice = stage.node("alice", THREADED);
        stage.peer("bob", "idle", NiStage.words(GUEST));
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 1), 3);
        try (NiStage.Board board = new NiStage.Board(stage, WhyStage.find(alice, "metz")))
        {
            board.awaitArrivals(3, 3);
        }

        final JsonNode nodes = stage.show("nodes").get("nodes");
        final JsonNode ni = stage.show("stat").get("nodes").get(0).get("ni");

        assertEquals(0, nodes.get(2).get("niNumber").asInt());
        assertEquals(2, nodes.get(2).get("niFirstChannel").asInt());
        assertEquals("local", nodes.get(2).get("host").asText());
        final JsonNode context = ni.get("contexts").get(1);
        assertEquals("attached", context.get("state").asText());
        assertEquals(2, context.get("ownerNode").asInt());
        final JsonNode channel = ni.get("channels").get(3);
        assertEquals(2, channel.get("ownerNode").asInt());
        assertEquals(1, channel.get("ownerChannel").asInt());
        assertEquals("running", channel.get("status").asText());
        assertEquals(3, channel.get("arrivals").get("unreadCount").asInt());
        assertEquals(64, channel.get("arrivals").get("capacity").asInt());
        assertTrue(ni.get("counters").get("steps").asLong() > 0);
    }

    /** A board's memory after five messages of alice, on the board of metz, which stopped before it could take them. */
    private Process sendFromGuestOfStopped() throws Exception
    {
        final Process metz = stage.peer("metz", "poll", SERVER);
        final Grim alice = stage.node("alice", GUEST);
        final Grim bob = stage.node("bob", THREADED);
        bob.startPolling();
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 1);
        try (NiStage.Board board = new NiStage.Board(stage, WhyStage.find(alice, "metz")))
        {
            board.awaitSettled(2);
        }
        WhyStage.stop(metz);
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 5);
        return metz;
    }
}
