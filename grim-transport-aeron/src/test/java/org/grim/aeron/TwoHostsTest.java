// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two hosts: directories, agents and media drivers of their own, which find each other on loopback. */
@Timeout(180)
final class TwoHostsTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int COUNT = 2_000;

    private final List<String> reported = new ArrayList<>();
    private final List<Grim> open = new ArrayList<>();
    @TempDir
    private Path base;
    private final int[] ports = {FreePorts.pair(), FreePorts.pair()};
    private int echoCount;
    private int wrongCount;

    @AfterEach
    void close()
    {
        open.forEach(Grim::close);
    }

    @Test
    void shouldCarryMessagesBetweenHostsAndAccountForThemWhenAHostLeaves()
    {
        final Grim left = join(0);
        final Grim right = join(1);
        right.handlers().register("echo", message ->
            message.reply(HandlerId.of(message.argument(0)), message.argument(1)));
        left.handlers().register("echoed", message -> wrongCount += message.argument(0) == echoCount++ ? 0 : 1);
        left.endpoint().onNodeGone((node, undelivered, unknown) ->
            reported.add(node.name() + ' ' + node.state() + " undelivered=" + undelivered + " unknown=" + unknown));
        await(() -> Stream.of(left, right).allMatch(grim ->
            grim.handlers().tryResolve("echo") != null && grim.handlers().tryResolve("echoed") != null));
        final HandlerId echo = left.handlers().tryResolve("echo");
        final int echoed = left.handlers().tryResolve("echoed").number();
        await(() -> left.nodes().stream().anyMatch(node ->
            node.name().equals("host-1") && node.state() == NodeInfo.State.UP));
        final NodeInfo there = left.nodes().get(left.locate("host-1").node());
        final Link link = left.endpoint().link(left.locate("host-1"));

        for (int i = 0; i < COUNT; i++)
        {
            final int sequence = i;
            await(() -> link.send(echo, echoed, sequence, 0, 0) == SendStatus.SENT);
        }
        await(() -> echoCount == COUNT);
        right.close();
        open.remove(right);
        await(() -> !reported.isEmpty());

        assertEquals(0, wrongCount);
        assertEquals("host-1", there.host());
        assertEquals(List.of("host-1 GONE undelivered=0 unknown=0"), reported);
    }

    private void await(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        int idleCount = 0;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0,
                () -> "in vain: echoes=" + echoCount + " reported=" + reported);
            int workCount = 0;
            for (final Grim grim : open)
            {
                workCount += grim.endpoint().poll();
            }
            idleCount = workCount == 0 ? idleCount + 1 : 0;
            if (idleCount > 100)
            {
                Uninterrupted.park(TimeUnit.MICROSECONDS.toNanos(100));
            }
        }
    }

    private Grim join(final int host)
    {
        final Grim grim = Grim.enable(AeronSettings.patient(base.resolve(Integer.toString(host)), "host-" + host)
            .set("grim.node.host", "host-" + host).set("grim.cluster.nodes-max", 8)
            .set("grim.aeron.linger", "30s").set("grim.network.join-timeout", "60s")
            .set("grim.network.silence-timeout", "30s")
            .set("grim.network.bind", "127.0.0.1:" + ports[host])
            .set("grim.network.discovery.hosts", List.of("127.0.0.1:" + ports[0], "127.0.0.1:" + ports[1])).build());
        open.add(grim);
        return grim;
    }
}
