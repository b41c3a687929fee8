// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/** Two loops of one node step its board: what one loop's steps bring for the other is seen by that. */
@Timeout(180)
final class TwoLoopsTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int ROUND_COUNT = 20;
    private static final int BURST_COUNT = 5;
    private static final int POLL_COUNT = 100;

    @TempDir
    private Path directory;
    private int arrivedCount;

    @Test
    void shouldSeeWhatAnotherLoopsStepsHaveBrought()
    {
        try (Grim near = open("near"); Grim far = open("far"))
        {
            near.handlers().register("count", message -> arrivedCount++);
            final Endpoint second = near.openEndpoint(2);
            await(() -> far.handlers().tryResolve("count") != null, near, far);
            final HandlerId count = far.handlers().tryResolve("count");
            final EndpointId destination = EndpointId.of(near.node().number(), 0, 2);

            for (int round = 0; round < ROUND_COUNT; round++)
            {
                final int before = arrivedCount;
                send(far, destination, count);
                await(() -> second.poll() >= 0 && arrivedCount == before + 1, far);     // By its own steps.
                for (int i = 0; i < BURST_COUNT; i++)
                {
                    send(far, destination, count);
                }
                for (int i = 0; i < POLL_COUNT; i++)
                {
                    far.endpoint().poll();
                    near.endpoint().poll();                                         // By those of the other.
                }
                for (int i = 0; i < POLL_COUNT; i++)
                {
                    second.poll();
                }
                assertEquals(before + 1 + BURST_COUNT, arrivedCount, "round " + round);
            }
        }
    }

    private Grim open(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(directory).nodeName(name).transports("myrinet")
            .set("grim.channels.count", 3).set("grim.myrinet.firmware", "duty-cycle").build());
    }

    private static void send(final Grim from, final EndpointId to, final HandlerId handler)
    {
        await(() -> from.endpoint().link(to).send(handler, 0, 0, 0, 0) == SendStatus.SENT, from);
    }

    private static void await(final BooleanSupplier isSo, final Grim... polled)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isSo.getAsBoolean())
        {
            for (final Grim grim : polled)
            {
                grim.endpoint().poll();
            }
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited in vain");
            }
        }
    }
}
