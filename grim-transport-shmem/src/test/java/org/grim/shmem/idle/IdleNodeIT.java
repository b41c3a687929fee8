// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.idle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.death.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Cost of an idle node, and the time until it is awake again. Prints what it measured. */
@Tag("process")
@Tag("slow")
final class IdleNodeIT
{
    private static final long WINDOW_MS = 10_000;
    private static final double CORE_SHARE_MAX = 0.01;
    private static final int WAKE_COUNT = 30;
    private static final long SLEEP_MS = 60;                        // Long past the last yield.
    private static final long WAKE_MS_MAX = 100;

    @TempDir
    private Path directory;
    private long replyCount;

    @Test
    @Timeout(180)
    void shouldCostLessThanOneHundredthOfACoreAndWakeAtOnce()
    {
        try (PeerJvm peer = new PeerJvm(directory.resolve("log"), IdleMain.class, directory.toString());
            Grim grim = Grim.enable(
                GrimConfig.builder().directory(directory).nodeName("near").transports("shmem").build()))
        {
            grim.handlers().register("reply", message -> replyCount++);
            grim.start();
            final HandlerId echo = grim.handlers().resolve(IdleMain.ECHO);
            final HandlerId reply = grim.handlers().resolve("reply");
            final Link link = grim.endpoint().link(grim.locate(IdleMain.NAME));
            meet(grim.endpoint(), link, echo, reply.number());

            final long[] wakesNs = new long[WAKE_COUNT];
            for (int i = 0; i < WAKE_COUNT; i++)
            {
                pause(SLEEP_MS);
                wakesNs[i] = roundTripNs(grim.endpoint(), link, echo, reply.number());
            }
            pause(1_000);
            final double share = coreShare(peer.process().toHandle());

            Arrays.sort(wakesNs);
            LoggerFactory.getLogger(IdleNodeIT.class).warn(String.format(
                "idle node: core=%.2f %% over %d ms; first round trip after sleep: p50=%d us max=%d us",
                share * 100, WINDOW_MS, wakesNs[WAKE_COUNT / 2] / 1_000, wakesNs[WAKE_COUNT - 1] / 1_000));
            assertTrue(share < CORE_SHARE_MAX, "share of a core=" + share);
            assertTrue(wakesNs[WAKE_COUNT / 2] < TimeUnit.MILLISECONDS.toNanos(WAKE_MS_MAX), "p50=" + wakesNs[15]);
        }
    }

    /** A node that has just joined refuses what it has no handler for yet. */
    private void meet(final Endpoint endpoint, final Link link, final HandlerId echo, final int reply)
    {
        while (replyCount == 0)
        {
            link.send(echo, 1, reply, 0, 0, new UnsafeBuffer(), 0, 0);
            pause(SLEEP_MS);
            endpoint.poll();
        }
        pause(1_000);
        endpoint.poll();                        // Replies to all that it has not refused have come.
    }

    private long roundTripNs(final Endpoint endpoint, final Link link, final HandlerId echo, final int reply)
    {
        final long before = replyCount;
        final long startNs = System.nanoTime();
        final SendStatus status = link.send(echo, 1, reply, 0, 0, new UnsafeBuffer(), 0, 0);
        if (status != SendStatus.SENT)
        {
            throw new GrimException(UNREACHABLE, "status=" + status);
        }
        final IdleStrategy idle = endpoint.idleStrategy();
        while (replyCount == before)
        {
            idle.idle(endpoint.poll());
        }
        return System.nanoTime() - startNs;
    }

    private static double coreShare(final ProcessHandle process)
    {
        final Duration before = process.info().totalCpuDuration().orElseThrow();
        final long startNs = System.nanoTime();
        pause(WINDOW_MS);
        final Duration used = process.info().totalCpuDuration().orElseThrow().minus(before);
        return (double)used.toNanos() / (System.nanoTime() - startNs);
    }

    private static void pause(final long ms)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (endNs - System.nanoTime() > 0)
        {
            LockSupport.parkNanos(endNs - System.nanoTime());
        }
    }
}
