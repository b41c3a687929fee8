// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.large;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Long messages between processes, some of which are killed or stopped halfway. */
@Tag("process")
@Tag("long")
@Timeout(240)
final class LargeMessageIT
{
    private static final int SENDER_COUNT = 4;
    private static final int COUNT_PER_SENDER = 250;
    private static final int FOREVER = 1_000_000;
    private static final long DEADLINE_S = 120;
    private static final String END = "end";
    /** Of the JVM itself: code, heap, what the first messages load. */
    private static final long SLACK_KIB = 64 * 1024;

    private final Path directory = ShmDirectory.create();
    private final List<PeerJvm> peers = new ArrayList<>();
    @TempDir
    private Path logs;

    @AfterEach
    void endAll()
    {
        peers.forEach(PeerJvm::close);
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldTakeAThousandMessagesOfFourSendersInBoundedMemory() throws InterruptedException
    {
        final LinkedBlockingQueue<String> lines =
            linesOf(start(LargeReceiverMain.class, Integer.toString(SENDER_COUNT * COUNT_PER_SENDER), "false"));
        assertEquals("ready", lines.poll(DEADLINE_S, TimeUnit.SECONDS));

        for (int sender = 0; sender < SENDER_COUNT; sender++)
        {
            startSender(sender, COUNT_PER_SENDER, sender % 2 == 0);
        }
        final String line = lines.poll(DEADLINE_S, TimeUnit.SECONDS);

        assertNotNull(line, () -> "not all messages came: " + ShmDirectory.text(logs.resolve("log")));
        final String[] words = line.split(" ", -1);
        final long growth = Long.parseLong(words[2]) - Long.parseLong(words[1]);
        // Its reassembly memory; the outboxes of the senders that have some; its inbox is in "before".
        final long bound = LargeConfig.REASSEMBLY_LENGTH / 1024 +
            SENDER_COUNT / 2 * LargeConfig.OUTBOX_LENGTH / 1024 + 16 * 1024 + SLACK_KIB;
        LoggerFactory.getLogger(LargeMessageIT.class).warn("receiver of {} long messages: resident memory grew by {} " +
            "KiB of at most {} KiB", SENDER_COUNT * COUNT_PER_SENDER, growth, bound);
        assertEquals("0", words[0]);
        assertEquals("0", words[3]);
        assertTrue(growth <= bound, () -> "growth=" + growth + " KiB bound=" + bound + " KiB");
    }

    @Test
    void shouldKeepNothingOfSendersThatAreKilledHalfwayAndServeTheOthers()
    {
        final int[] counts = new int[8];
        final int[] badCount = new int[1];
        final LargePayload payload = new LargePayload();
        try (Grim grim = Grim.enable(LargeConfig.of(directory, LargeConfig.RECEIVER, false).build()))
        {
            grim.handlers().register(LargeConfig.TAKE, message ->
            {
                final boolean isGood = message.argument(1) == counts[message.argument(0)]++ && message.argument(2) ==
                    payload.checksum(message.buffer(), message.offset(), message.length());
                badCount[0] += isGood ? 0 : 1;
            });
            grim.start();
            final PeerJvm stopped = startSender(0, FOREVER, true);
            startSender(1, FOREVER, true);
            for (int victim = 2; victim < 6; victim++)
            {
                killHalfway(grim, victim, counts);
            }
            poll(grim, () -> counts[0] > 3, "messages of the sender that will be stopped");
            stopped.stop();
            final int others = counts[1];
            poll(grim, () -> counts[1] >= others + 70, "messages beside a sender that is stopped");
            stopped.resume();
            final int before = counts[0];
            poll(grim, () -> counts[0] >= before + 20, "messages of the sender that goes on");
            peers.forEach(PeerJvm::kill);
            poll(grim, () -> counter(grim, "reassembly-length") == 0, "memory of the dead");
        }

        assertEquals(0, badCount[0]);
    }

    @Test
    void shouldAccountForEveryMessageWhenTheReceiverIsKilled() throws InterruptedException
    {
        for (int run = 0; run < 6; run++)
        {
            final boolean goesInParts = run % 2 == 0;
            try (Grim grim = Grim.enable(LargeConfig.of(directory, "near", goesInParts).build()))
            {
                accountOfKilledReceiver(grim, new Random(run));
            }
        }
    }

    private void accountOfKilledReceiver(final Grim grim, final Random random) throws InterruptedException
    {
        grim.endpoint().releaseOwnership();
        grim.endpoint().poll();
        final PeerJvm receiver = start(LargeReceiverMain.class, Integer.toString(FOREVER), "true");
        final LinkedBlockingQueue<String> lines = linesOf(receiver);
        final long[] reported = {-1, -1};
        grim.endpoint().onNodeGone((node, undelivered, unknown) ->
        {
            reported[0] = undelivered;
            reported[1] = unknown;
        });
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        String ready = lines.poll();
        while (ready == null && System.nanoTime() - deadlineNs < 0)
        {
            grim.endpoint().poll();
            LockSupport.parkNanos(100_000);
            ready = lines.poll();
        }
        assertEquals("ready", ready);
        final HandlerId take = grim.handlers().resolve(LargeConfig.TAKE);
        final AtomicBuffer buffer = Buffers.allocate(LargeConfig.MIB);
        final LargePayload payload = new LargePayload();
        final org.grim.Link link = grim.endpoint().link(grim.locate(LargeConfig.RECEIVER));
        final int killAt = 5 + random.nextInt(40);
        int acceptedCount = 0;
        while (reported[0] < 0 && System.nanoTime() - deadlineNs < 0)
        {
            final int length = random.nextInt(10) == 0 ? 8 : 70_000 + random.nextInt(LargeConfig.MIB - 70_000);
            LargePayload.fill(buffer, length, acceptedCount);
            final SendStatus status = link.send(
                take, 0, acceptedCount, payload.checksum(buffer, 0, length), 0, buffer, 0, length);
            acceptedCount += status.isAccepted() ? 1 : 0;
            if (acceptedCount == killAt)
            {
                receiver.kill();
            }
            grim.endpoint().poll();
        }
        receiver.awaitExit(60_000);
        int delivered = 0;
        for (String line = lines.poll(DEADLINE_S, TimeUnit.SECONDS); !END.equals(line);
            line = lines.poll(DEADLINE_S, TimeUnit.SECONDS))
        {
            assertEquals(Integer.toString(delivered), line);
            delivered++;
        }

        assertTrue(reported[0] >= 0, "the death was not reported");
        final String figures = "accepted=" + acceptedCount + " delivered=" + delivered + " undelivered=" + reported[0] +
            " unknown=" + reported[1];
        LoggerFactory.getLogger(LargeMessageIT.class).warn("receiver killed: {}", figures);
        // Messages that it took out of its queue count as delivered, although it may have died before it could report
        // them.
        assertTrue(delivered + reported[0] <= acceptedCount, figures);
        assertTrue(acceptedCount <= delivered + 1 + reported[0] + reported[1], figures);
        assertEquals(0, counter(grim, "outbox-length"), figures);
        assertEquals(0, grim.endpoint().overflowDepth(), figures);
    }

    private void killHalfway(final Grim grim, final int victim, final int[] counts)
    {
        final PeerJvm peer = startSender(victim, FOREVER, true);
        poll(grim, () -> counts[victim] > 2, "messages of the victim");
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (counter(grim, "reassembly-length") == 0 && System.nanoTime() - deadlineNs < 0)
        {
            grim.endpoint().poll(1);
        }
        peer.kill();
        final String name = "sender-" + victim;
        poll(grim, () -> grim.nodes().stream()
            .noneMatch(node -> node.name().equals(name) && node.state() == NodeInfo.State.UP), "the death of " + name);
    }

    private PeerJvm startSender(final int number, final int count, final boolean goesInParts)
    {
        return start(LargeSenderMain.class, Integer.toString(number), Integer.toString(count),
            Boolean.toString(goesInParts));
    }

    private PeerJvm start(final Class<?> mainClass, final String... arguments)
    {
        final String[] all = new String[arguments.length + 1];
        all[0] = directory.toString();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        final PeerJvm peer = new PeerJvm(logs.resolve("log"), mainClass, all);
        peers.add(peer);
        return peer;
    }

    private static LinkedBlockingQueue<String> linesOf(final PeerJvm peer)
    {
        final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        final Thread thread = new Thread(() ->
        {
            try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(peer.process().getInputStream(), UTF_8)))
            {
                reader.lines().forEach(lines::add);
            }
            catch (final IOException | java.io.UncheckedIOException ex)
            {
                lines.add("ended: " + ex.getMessage());
            }
            lines.add(END);
        }, "lines");
        thread.setDaemon(true);
        thread.start();
        return lines;
    }

    private void poll(final Grim grim, final java.util.function.BooleanSupplier isSo, final String what)
    {
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!isSo.getAsBoolean())
        {
            idle.idle(grim.endpoint().poll());
            assertTrue(System.nanoTime() - deadlineNs < 0,
                () -> "waited in vain: " + what + "\n" + ShmDirectory.text(logs.resolve("log")));
        }
    }

    private static long counter(final Grim grim, final String label)
    {
        final long[] found = {-1};
        grim.counters().forEach((value, id, name) -> found[0] = name.equals(label) ? value : found[0]);
        return found[0];
    }
}
