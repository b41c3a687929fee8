// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.MappedFile;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.queue.Inbox;
import org.grim.shmem.idle.IdleMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Time until a SIGKILL is noticed on an idle machine: from before the signal until a send says so, and until the
 * receiver has the dead sender's queue back. Prints what it measured.
 */
@Tag("process")
@Tag("slow")
final class DeathTimesIT
{
    private static final int DEATH_COUNT = 20;
    private static final long MEDIAN_MS_MAX = 100;
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path logs;
    private long replyCount;

    @Test
    @Timeout(180)
    void shouldNoticeADeathWithinOneHundredMilliseconds()
    {
        final Path directory = ShmDirectory.create();
        final long[] goneNs = new long[DEATH_COUNT];
        final long[] reclaimedNs = new long[DEATH_COUNT];
        try (Grim grim = Grim.enable(
            GrimConfig.builder().directory(directory).nodeName("near").transports("shmem").build());
            MappedFile file = MappedFile.open(directory.resolve("default").resolve("node-" + grim.node().number() +
                "-" + grim.node().incarnation() + ".inbox"), Inbox.MAGIC, Inbox.lengthMin(), false))
        {
            final Inbox inbox = Inbox.wrap(file.buffer());
            grim.handlers().register("reply", message -> replyCount++);
            grim.start();
            for (int i = 0; i < DEATH_COUNT; i++)
            {
                try (PeerJvm victim = new PeerJvm(logs.resolve("log"), IdleMain.class, directory.toString()))
                {
                    final Link link = meet(grim);
                    final long startNs = System.nanoTime();
                    victim.kill();
                    goneNs[i] = awaitGone(grim, link) - startNs;
                    reclaimedNs[i] = awaitReclaimed(grim, inbox) - startNs;
                }
            }
        }
        finally
        {
            ShmDirectory.delete(directory);
        }

        Arrays.sort(goneNs);
        Arrays.sort(reclaimedNs);
        LoggerFactory.getLogger(DeathTimesIT.class).warn(String.format(
                "deaths=%d one at a time: PEER_GONE p50=%d ms max=%d ms, queue back p50=%d ms max=%d ms",
            DEATH_COUNT, ms(goneNs[DEATH_COUNT / 2]), ms(goneNs[DEATH_COUNT - 1]), ms(reclaimedNs[DEATH_COUNT / 2]),
            ms(reclaimedNs[DEATH_COUNT - 1])));
        assertTrue(ms(goneNs[DEATH_COUNT / 2]) < MEDIAN_MS_MAX, () -> Arrays.toString(goneNs));
        assertTrue(ms(reclaimedNs[DEATH_COUNT / 2]) < MEDIAN_MS_MAX, () -> Arrays.toString(reclaimedNs));
    }

    /** Waits for the victim, and has it reply, so that it owns a queue of this node. */
    private Link meet(final Grim grim)
    {
        final HandlerId reply = grim.handlers().resolve("reply");
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        while (grim.nodes().stream()
            .noneMatch(node -> node.name().equals(IdleMain.NAME) && node.state() == NodeInfo.State.UP))
        {
            poll(grim, deadlineNs, "the victim does not join");
        }
        final Link link = grim.endpoint().link(grim.locate(IdleMain.NAME));
        final long before = replyCount;
        final HandlerId echo = grim.handlers().resolve(IdleMain.ECHO);
        while (replyCount == before)
        {
            // Again and again: a node that has just joined refuses what it has no handler for yet.
            link.send(echo, 1, reply.number(), 0, 0, new UnsafeBuffer(), 0, 0);
            LockSupport.parkNanos(1_000_000);
            poll(grim, deadlineNs, "the victim does not reply");
        }
        return link;
    }

    private static long awaitGone(final Grim grim, final Link link)
    {
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        final HandlerId echo = grim.handlers().resolve(IdleMain.ECHO);
        while (link.send(echo, new UnsafeBuffer(), 0, 0) != SendStatus.PEER_GONE)
        {
            poll(grim, deadlineNs, "the death is not noticed");
        }
        return System.nanoTime();
    }

    private static long awaitReclaimed(final Grim grim, final Inbox inbox)
    {
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        while (inbox.owner(0, 0) != 0)
        {
            poll(grim, deadlineNs, "the queue is not taken back");
        }
        return System.nanoTime();
    }

    private static void poll(final Grim grim, final long deadlineNs, final String failure)
    {
        grim.endpoint().poll();
        if (System.nanoTime() - deadlineNs > 0)
        {
            throw new GrimException(BAD_DATA, failure);
        }
    }

    private static long ms(final long ns)
    {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
