// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A node starts and leaves again and again within milliseconds, while another one sends to it: the messages that are
 * reported as undelivered or unknown, and those that arrived, are all that were accepted.
 */
@Timeout(120)
final class RestartAccountsTest
{
    private static final int CHANNEL_COUNT = 3;
    private static final int START_COUNT = 150;
    private static final int LENGTH_MAX = 4_000;
    private static final int POLL_COUNT_MAX = 3_000;
    private static final String GUEST = "guest";
    private static final DirectBuffer PAYLOAD = new UnsafeBuffer(new byte[LENGTH_MAX]);

    @TempDir
    private Path directory;

    /** By incarnation of a guest. */
    private final Map<Integer, AtomicLong> open = new ConcurrentHashMap<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private long acceptedCount;
    private volatile int lastIncarnation;

    @ParameterizedTest
    @ValueSource(strings = {"shmem", "myrinet"})
    void shouldAccountForWhatIsSentToNodesThatComeAndGo(final String transport) throws InterruptedException
    {
        final Map<Integer, Long> goneOpen = new HashMap<>();
        final List<Throwable> errors = new ArrayList<>();
        final Thread guests = new Thread(() -> startAndLeave(transport), GUEST);
        guests.setUncaughtExceptionHandler((thread, error) -> errors.add(error));
        try (Grim host = enable(transport, "host"))
        {
            host.endpoint().onNodeGone(new Losses(goneOpen));
            final HandlerId handler = host.handlers().register("count", message -> { });
            host.start();
            guests.start();
            while (guests.isAlive())
            {
                host.endpoint().poll();
                for (final NodeInfo node : host.nodes())
                {
                    if (node.name().equals(GUEST) && node.state() == NodeInfo.State.UP && random.nextInt(8) == 0)
                    {
                        send(host, node, handler);
                    }
                }
                pause(200, 20);
            }
            guests.join();
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!goneOpen.containsKey(lastIncarnation) && System.nanoTime() - deadlineNs < 0)
            {
                host.endpoint().poll();
            }
        }
        assertEquals(List.of(), errors);
        assertTrue(goneOpen.containsKey(lastIncarnation), "the last one has gone");
        // Some come and go between two looks of the host: nothing was sent to them.
        open.forEach((incarnation, count) -> assertTrue(count.get() <= goneOpen.getOrDefault(incarnation, 0L), () ->
            "incarnation=" + incarnation + " open=" + count + " reported=" + goneOpen.get(incarnation)));
        assertTrue(acceptedCount > START_COUNT / 4, "accepted=" + acceptedCount);
    }

    private Grim enable(final String transport, final String name)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().directory(directory).nodeName(name)
            .transports(transport).set("grim.channels.count", CHANNEL_COUNT).set("grim.channels.host", CHANNEL_COUNT);
        if (transport.equals("myrinet"))
        {
            builder.set("grim.myrinet.firmware", "duty-cycle").set("grim.myrinet.queue-length", "16KiB")
                .set("grim.myrinet.arrival.frame-count", 16);
        }
        return Grim.enable(builder.build());
    }

    /** One guest after another. */
    private void startAndLeave(final String transport)
    {
        final SplittableRandom chance = new SplittableRandom(2);
        for (int start = 0; start < START_COUNT; start++)
        {
            try (Grim guest = enable(transport, GUEST))
            {
                final int incarnation = guest.node().incarnation();
                lastIncarnation = incarnation;
                guest.handlers().register("count", message ->
                {
                    assertEquals(incarnation, message.argument(0));
                    open(incarnation).decrementAndGet();
                });
                guest.start();
                final int pollCount = chance.nextInt(POLL_COUNT_MAX);
                for (int i = 0; i < pollCount; i++)
                {
                    guest.endpoint().poll();
                }
            }
        }
    }

    /** A message that belongs to one incarnation: the link was made while that was up. */
    private void send(final Grim host, final NodeInfo node, final HandlerId handler)
    {
        final int channel = random.nextInt(CHANNEL_COUNT);
        try
        {
            final Link link = host.endpoint().link(channel, EndpointId.of(node.number(), 0, channel));
            final boolean isOfNode = host.nodes().stream().anyMatch(now -> now.number() == node.number() &&
                now.incarnation() == node.incarnation() && now.state() == NodeInfo.State.UP);
            final int length = random.nextInt(random.nextInt(3) == 0 ? LENGTH_MAX : 33);
            if (isOfNode && link.send(handler, node.incarnation(), 0, 0, 0, PAYLOAD, 0,
                Math.min(length, link.payloadLengthMax())).isAccepted())
            {
                open(node.incarnation()).incrementAndGet();
                acceptedCount++;
            }
        }
        catch (final GrimException ex)
        {
            assertTrue(ex.reason() == GrimException.Reason.NOT_FOUND ||
                ex.reason() == GrimException.Reason.UNREACHABLE, () -> ex.reason() + ": " + ex);
        }
    }

    private AtomicLong open(final int incarnation)
    {
        return open.computeIfAbsent(incarnation, any -> new AtomicLong());
    }

    private void pause(final int odds, final int msMax)
    {
        if (random.nextInt(odds) == 0)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(msMax)));
        }
    }

    /** Sums of what was reported of each incarnation. */
    private record Losses(Map<Integer, Long> byIncarnation) implements Endpoint.NodeGoneListener
    {
        @Override
        public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
        {
            byIncarnation.merge(node.incarnation(), undelivered + unknown, Long::sum);
        }

        @Override
        public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
        {
            onNodeGone(node, undelivered, unknown);
        }
    }
}
