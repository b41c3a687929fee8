// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import org.grim.DeviceEndpoint;
import org.grim.DeviceSpec;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.KeptMessage;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.queue.QueueVandal;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Stalls that are staged, and word for word what the command says of them. */
@Tag("process")
@Timeout(240)
final class WhyProcessIT
{
    private static final String FULL = "alice -> bob channel 0 (exclusive queue 0): full, 64 of 64 unread, for T";
    private static final String NOT_POLLING =
        " (last poll T ago) is alive, but the thread that owns the channel does not poll, or is busy in a handler";
    private static final String BOB_NOT_POLLING = "bob's process P" + NOT_POLLING;
    private static final String STOPPED =
        " (last poll T ago) is stopped (SIGSTOP or a debugger): kill -CONT lets it go on";
    private static final String BOB_ITSELF = "bob itself waits: ";

    @TempDir
    private Path directory;
    private WhyStage stage;

    @BeforeEach
    void raiseCurtain()
    {
        stage = new WhyStage(directory);
    }

    @AfterEach
    void dropCurtain()
    {
        stage.close();
    }

    @Test
    void shouldSayThatReceiverIsStopped() throws Exception
    {
        final Grim alice = stage.node("alice");
        final Process bob = stage.peer("bob", "poll");
        WhyStage.stop(bob);
        WhyStage.fill(alice, WhyStage.endpoint(alice, "bob", 0));

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of(FULL, "bob's process P" + STOPPED), answer.chain("bob", "receiver-stopped"));
        assertEntry(answer.entry("bob", "receiver-stopped"), "alice", 0, "exclusive", 64);
        assertEquals(Long.toString(bob.pid()), answer.entry("bob", "receiver-stopped").get("chain").get(1).asText()
            .replaceAll(".*process (\\d+) .*", "$1"));
    }

    @Test
    void shouldSayThatReceiverDoesNotPoll() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        WhyStage.warmUp(bob);
        WhyStage.fill(alice, WhyStage.endpoint(alice, "bob", 0));

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of(FULL, BOB_NOT_POLLING), answer.chain("bob", "receiver-not-polling"));
        assertTrue(answer.entry("bob", "receiver-not-polling").get("stuckMs").asLong() >= 200);
    }

    @Test
    void shouldSayThatReceiverIsDeadAndWhatRemains() throws Exception
    {
        final Grim alice = stage.node("alice");
        final Process bob = stage.peer("bob", "idle");
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 12);
        WhyStage.kill(bob);

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> bob channel 0 (exclusive queue 0): 12 of 64 unread, for T",
            "bob's process P (last poll T ago) is dead: nobody holds its liveness byte; senders get PEER_GONE"),
            answer.chain("bob", "receiver-dead"));
    }

    @Test
    void shouldSayThatSenderIsStoppedBetweenClaimAndPublish() throws Exception
    {
        final Grim bob = stage.node("bob", "grim.queue.exclusive", 0);
        final Grim alice = stage.node("alice");
        bob.startPolling();
        WhyStage.stop(stage.peer("carol", "claim"));
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 3);

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("carol, alice -> bob channel 0 (shared queue 0): 3 of 64 unread, for T",
            "carol (process P is stopped) claimed the slot at the head and has not published it: it is stopped, or " +
                "was interrupted"), answer.chain("bob", "sender-stopped"));
        assertEntry(answer.entry("bob", "sender-stopped"), "carol, alice", 0, "shared", 3);
    }

    @Test
    void shouldSayThatClaimOfDeadSenderWaitsForReceiver() throws Exception
    {
        final Grim bob = stage.node("bob", "grim.queue.exclusive", 0);
        final Grim alice = stage.node("alice");
        WhyStage.warmUp(bob);
        WhyStage.kill(stage.peer("carol", "claim"));
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 3);

        final WhyStage.Answer answer = stage.why();

        assertEquals(List.of("carol, alice -> bob channel 0 (shared queue 0): 3 of 64 unread, for T",
            "carol (process P is dead) claimed the slot at the head and is dead: the receiver takes the slot back at " +
                "its next housekeeping"),
            answer.chain("bob", "sender-dead"));
        stage.pollUntilNothingIsStuck(bob);
    }

    @Test
    void shouldSayThatChannelIsFullWhileItsNeighbourFlows() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        final Grim carol = stage.node("carol");
        final Endpoint second = bob.openEndpoint(1);
        bob.startPolling();
        WhyStage.warmUp(second);
        WhyStage.fill(alice, WhyStage.endpoint(alice, "bob", 1));
        WhyStage.send(carol, WhyStage.endpoint(carol, "bob", 0), 1);    // Else the first look finds no queue of hers.
        carol.endpoint().releaseOwnership();
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread sender = new Thread(() -> WhyStage.trickle(carol, isOver), "trickle");
        sender.start();

        final List<String> expected = List.of(
            "alice -> bob channel 1 (exclusive queue 0): full, 64 of 64 unread, for T",
            BOB_NOT_POLLING.replace(") is alive", "; its neighbour, channel 0, T ago) is alive"));
        final WhyStage.Answer answer = stage.whyUntil("bob", "receiver-not-polling", expected, "carol");
        isOver.set(true);
        sender.join();

        assertEquals(expected, answer.chain("bob", "receiver-not-polling"));
        assertEntry(answer.entry("bob", "flows"), "carol", 0, "exclusive", -1);
    }

    @Test
    void shouldSayThatChannelWasNeverOpened() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        bob.startPolling();
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 1), 5);

        final WhyStage.Answer answer = stage.why();

        assertEquals(List.of("alice -> bob channel 1 (exclusive queue 0): 5 of 64 unread, for T",
            "bob opened no endpoint on the channel (Grim.openEndpoint), or its owner has not begun"),
            answer.chain("bob", "channel-not-opened"));
    }

    @Test
    void shouldSayThatDeviceHasPausedChannel() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        final DeviceEndpoint device = bob.openDevice(DeviceSpec.of(NodeInfo.Device.STORAGE).onChannels(1, 1));
        device.poll();
        device.pause(1);
        WhyStage.send(alice, device.id(), 3);

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> bob channel 1 (exclusive queue 0): 3 of 64 unread, for T",
            "a device of bob's process P has paused the channel, and goes on when it can take more " +
            "(DeviceEndpoint.resume)"), answer.chain("bob", "channel-paused"));

        device.resume(1);
        assertFalse(stage.why().has("bob", "channel-paused"));
    }

    @Test
    void shouldSayThatOverflowQueueIsAtItsCeiling() throws Exception
    {
        final Grim alice = stage.node("alice", "grim.overflow.ceiling", "64KiB");
        final Grim bob = stage.node("bob");
        alice.handlers().register("flood", message ->
        {
            try
            {
                while (message.reply(HandlerId.of(99), 0, 0, 0, 0, Buffers.allocate(512), 0, 512).isAccepted())
                {
                    Thread.onSpinWait();
                }
            }
            catch (final GrimException ex)
            {
                assertTrue(ex.getMessage().startsWith("overflow queue is full"), ex.getMessage());
            }
        });
        final HandlerId handler = resolve(alice, bob, "flood");
        bob.endpoint().link(WhyStage.endpoint(bob, "alice", 0)).send(handler, 0, 0, 0, 0);
        WhyStage.warmUp(alice);

        final WhyStage.Answer answer = stage.why();

        assertEquals(List.of("alice's overflow queues of the endpoint on channel 0 hold 65136 of 65536 bytes, " +
            "118 messages: sends of its handlers fail when no more fits", FULL, BOB_NOT_POLLING),
            answer.chain("bob", "overflow-ceiling"));
        assertEquals(List.of(FULL, BOB_NOT_POLLING), answer.chain("bob", "receiver-not-polling"));
    }

    @Test
    void shouldSayThatHandlersKeepAllThatTheyMay() throws Exception
    {
        final Grim alice = stage.node("alice", "grim.message.kept-length", "6400B");
        final Grim bob = stage.node("bob");
        final List<KeptMessage> kept = new ArrayList<>();
        alice.handlers().register("keep", message -> kept.add(message.keep()));
        final HandlerId handler = resolve(alice, bob, "keep");
        final Link link = bob.endpoint().link(WhyStage.endpoint(bob, "alice", 0));
        for (int i = 0; i < 103; i++)
        {
            while (link.send(handler, i, 0, 0, 0) != SendStatus.SENT)
            {
                alice.endpoint().poll();
            }
        }
        WhyStage.warmUp(alice);

        final WhyStage.Answer answer = stage.why();
        kept.subList(0, 11).forEach(KeptMessage::release);
        final WhyStage.Answer later = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice's handlers of the endpoint on channel 0 keep 100 messages, which take 6400 of " +
            "6400 bytes, and found no room for 3: the application must release some (grim.message.kept-length)"),
            answer.chain("alice", "kept-ceiling"));
        assertEquals("kept", answer.entry("alice", "kept-ceiling").get("kind").asText());
        assertFalse(later.has("alice", "kept-ceiling"));
    }

    @Test
    void shouldSayThatQueueIsStoppedAfterCorruptBytes() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        WhyStage.warmUp(bob);
        final EndpointId destination = WhyStage.endpoint(alice, "bob", 0);
        alice.endpoint().link(destination);
        QueueVandal.scribble(stage.inbox(bob), 0);
        WhyStage.warmUp(bob);

        final WhyStage.Answer answer = stage.why();

        assertEquals(3, answer.exitCode());
        assertEquals(List.of("alice -> bob channel 0 (exclusive queue 0): 0 of 64 unread, for T",
            "bob (refused: CORRUPT_STATE 1) takes nothing more from the queue after corrupt bytes " +
                "(./grim stat shows its errors)"),
            answer.chain("bob", "queue-corrupt"));
    }

    @Test
    void shouldSayWhoHoldsTheLastFrame() throws Exception
    {
        final Grim bob = stage.node("bob", "grim.queue.exclusive", 0, "grim.queue.frame-count", 1,
            "grim.queue.frame-length", 4096);
        final Grim alice = stage.node("alice");
        final Grim carol = stage.node("carol");
        bob.startPolling();
        final EndpointId destination = WhyStage.endpoint(alice, "bob", 0);
        final HopClaim claim = new HopClaim();
        assertEquals(SendStatus.SENT,
            alice.endpoint().link(destination).tryClaim(HandlerId.of(99), 1024, claim));
        assertEquals(SendStatus.BACK_PRESSURED,
            carol.endpoint().link(destination).send(HandlerId.of(99), Buffers.allocate(1024), 0, 1024));

        final WhyStage.Answer answer = stage.why();
        claim.abort();

        assertEquals(List.of(
            "alice, carol -> bob channel 0 (shared queue 0): no room for a larger payload, 0 of 64 unread, for T",
            "all 1 frames of bob's free list, 1 by alice (process P is alive), are in use (grim.queue.frame-count)"),
            answer.chain("bob", "frames-exhausted"));
    }

    @Test
    void shouldSayThatReceiversWaitForEachOther() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        WhyStage.warmUp(bob);
        WhyStage.warmUp(alice);
        WhyStage.fill(alice, WhyStage.endpoint(alice, "bob", 0));
        WhyStage.fill(bob, WhyStage.endpoint(bob, "alice", 0));

        final WhyStage.Answer answer = stage.why();

        assertEquals(List.of(FULL, BOB_NOT_POLLING,
            BOB_ITSELF + "bob -> alice channel 0 (exclusive queue 0): full, 64 of 64 unread, for T",
            "alice's process P" + NOT_POLLING,
            "alice itself waits: " + FULL,
            "this is a cycle: bob waits for alice waits for bob, and none of them polls"),
            answer.chain("bob", "cycle"));
        assertEntry(answer.entry("alice", "cycle"), "bob", 0, "exclusive", 64);
    }

    @Test
    void shouldFollowTheChainToTheProcessThatIsStopped() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        final Process carol = stage.peer("carol", "poll");
        WhyStage.warmUp(bob);
        WhyStage.stop(carol);
        WhyStage.fill(bob, WhyStage.endpoint(bob, "carol", 0));
        WhyStage.fill(alice, WhyStage.endpoint(alice, "bob", 0));

        final WhyStage.Answer answer = stage.why();

        assertEquals(List.of(FULL, BOB_NOT_POLLING,
            BOB_ITSELF + "bob -> carol channel 0 (exclusive queue 0): full, 64 of 64 unread, for T",
            "carol's process P" + STOPPED), answer.chain("bob", "receiver-not-polling"));
    }

    @Test
    void shouldSayThatNothingWaits() throws Exception
    {
        final Grim bob = stage.node("bob");
        final Grim alice = stage.node("alice");
        bob.startPolling();
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 5);

        stage.awaitNothingStuck();

        try (GrimProcess grim = GrimProcess.run(directory, "why", "--directory", directory.toString(), "--cluster",
            WhyStage.CLUSTER))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals("nothing waits; queues that flow: 0, empty: 1" + System.lineSeparator(), grim.output());
        }
    }

    @Test
    void shouldSurviveWhateverStandsInAnInbox() throws Exception
    {
        final Grim bob = stage.node("bob", "grim.queue.slot-count", 8);
        final Grim alice = stage.node("alice");
        WhyStage.send(alice, WhyStage.endpoint(alice, "bob", 0), 3);

        for (int seed = 0; seed < 30; seed++)
        {
            QueueVandal.scribbleEverywhere(stage.inbox(bob), new Random(seed));

            final int exitCode = stage.why(10).exitCode();

            assertTrue(exitCode == 0 || exitCode == 3, "seed=" + seed + " exit code=" + exitCode);
        }
    }

    private static void assertEntry(
        final JsonNode entry, final String from, final int channel, final String kind, final int unread)
    {
        assertEquals(from, entry.get("from").asText());
        assertEquals(channel, entry.get("channel").asInt());
        assertEquals(0, entry.get("queue").asInt());
        assertEquals(kind, entry.get("kind").asText());
        assertEquals(64, entry.get("slots").asInt());
        if (unread >= 0)
        {
            assertEquals(unread, entry.get("unread").asInt());
        }
    }

    private static HandlerId resolve(final Grim alice, final Grim bob, final String name)
    {
        HandlerId handler = bob.handlers().tryResolve(name);
        while (handler == null)
        {
            alice.endpoint().poll();
            bob.endpoint().poll();
            handler = bob.handlers().tryResolve(name);
        }
        return handler;
    }
}
