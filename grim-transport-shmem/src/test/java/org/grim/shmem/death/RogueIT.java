// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A rogue overwrites a node's inbox while it receives. No node crashes, the others lose nothing among themselves, and a
 * fresh node finds a cluster that works. The nodes live in the test's JVM: if it crashes, so does the test.
 */
@Tag("process")
class RogueIT
{
    private static final long SCRIBBLE_MS = 3_000;
    private static final int REJECTED_TYPE = 1012;

    private final Path directory = ShmDirectory.create();
    private final AtomicInteger honest = new AtomicInteger();
    private final AtomicInteger outOfOrder = new AtomicInteger();

    @AfterEach
    void delete()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    @Timeout(180)
    void shouldOutliveAScribblerOnAnInbox() throws IOException, InterruptedException
    {
        final long seed = Long.getLong("campaign.seed", System.nanoTime());
        try (Grim victim = node("victim"); Grim sender = node("sender"); Grim bystander = node("bystander"))
        {
            for (final Grim grim : List.of(victim, sender, bystander))
            {
                grim.handlers().register("count", message -> onCount(grim == bystander, message.argument(0)));
                synchronise(grim, List.of(victim, sender, bystander));
            }
            final List<String> command = PeerJvm.command(ScribblerMain.class, true);
            command.addAll(List.of(directory.resolve(DeathConfig.CLUSTER)
                .resolve("node-" + victim.node().number() + "-" + victim.node().incarnation() + ".inbox").toString(),
                Long.toString(seed), Long.toString(SCRIBBLE_MS)));
            final Process rogue = PeerJvm.start(new ProcessBuilder(command));
            final int sent = exchange(victim, sender, bystander, rogue);
            assertEquals(0, rogue.waitFor(), "the rogue itself");

            pollUntil(bystander, sent);
            LoggerFactory.getLogger(RogueIT.class).warn("rogue: seed=" + seed + " honest messages=" + sent +
                " rejected by the victim=" + rejected(victim));
            assertEquals(sent, honest.get(), "seed=" + seed);
            assertEquals(0, outOfOrder.get(), "seed=" + seed);
            assertEquals(0, rejected(bystander), "seed=" + seed);
            assertTrue(rejected(victim) > 0, "seed=" + seed);
            try (Grim fresh = node("fresh"))
            {
                final HandlerId id = sender.handlers().resolve("count");
                final int before = honest.get();
                assertEquals(SendStatus.SENT,
                    fresh.endpoint().link(bystander.endpoint().id()).send(id, before, 0, 0, 0));
                pollUntil(bystander, before + 1);
                assertEquals(before + 1, honest.get(), "seed=" + seed);
            }
        }
    }

    private int exchange(final Grim victim, final Grim sender, final Grim bystander, final Process rogue)
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[2000]);
        final HandlerId id = sender.handlers().resolve("count");
        final EndpointId target = victim.endpoint().id();
        final EndpointId other = bystander.endpoint().id();
        int sent = 0;
        while (rogue.isAlive())
        {
            if (sender.endpoint().link(other).send(id, sent, 0, 0, 0, payload, 0, sent % 2 * 1500) == SendStatus.SENT)
            {
                sent++;
            }
            for (final Grim grim : List.of(sender, bystander))
            {
                sendHopefully(grim, target, id, payload, sent % 3 * 600);
            }
            sender.endpoint().poll();
            bystander.endpoint().poll();
            victim.endpoint().poll();
        }
        return sent;
    }

    /** A sender gets a status from a corrupt queue, or learns that it cannot be reached. */
    private static void sendHopefully(
        final Grim grim, final EndpointId target, final HandlerId id, final UnsafeBuffer payload, final int length)
    {
        try
        {
            grim.endpoint().link(target).send(id, payload, 0, length);
        }
        catch (final GrimException ex)
        {
            LoggerFactory.getLogger(RogueIT.class).debug("refused", ex);
        }
    }

    private void onCount(final boolean isBystander, final int sequence)
    {
        if (isBystander && honest.getAndIncrement() != sequence)
        {
            outOfOrder.incrementAndGet();
        }
    }

    /** Polls until so many honest messages have come, and then for some time in which no further one should. */
    private void pollUntil(final Grim grim, final int count)
    {
        final long startNs = System.nanoTime();
        while (honest.get() < count && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(60))
        {
            grim.endpoint().poll();
        }
        final long deadlineNs = System.nanoTime() + 200_000_000;
        while (System.nanoTime() - deadlineNs < 0)
        {
            grim.endpoint().poll();
        }
    }

    private static void synchronise(final Grim grim, final List<Grim> all)
    {
        all.forEach(node -> node.endpoint().poll());            // Makes this thread the owner of all.
        final Thread thread = new Thread(() -> grim.start());
        thread.start();
        while (thread.isAlive())
        {
            all.forEach(node -> node.endpoint().poll());
        }
    }

    private static long rejected(final Grim grim)
    {
        final AtomicLong count = new AtomicLong();
        grim.counters().forEach((counterId, typeId, keyBuffer, label) ->
            count.addAndGet(typeId == REJECTED_TYPE ? grim.counters().getCounterValue(counterId) : 0));
        return count.get();
    }

    /** Exclusive queues enough for some senders, a shared one for the rest. */
    private Grim node(final String name)
    {
        return Grim.enable(DeathConfig.of(directory, name).errorHandler(ex -> LoggerFactory.getLogger(RogueIT.class)
            .debug("handler", ex)).build());
    }
}
