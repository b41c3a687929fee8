// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.concurrent.TimeUnit;

import org.grim.ContractSupport;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nobody who publishes rings for a loop that sleeps: the transport's thread does. */
@Timeout(180)
final class AeronSleepTest
{
    private static final long PATIENCE_MS = 60_000;

    @TempDir
    private Path directory;
    private Grim sender;
    private Grim sleeper;
    private Selector selector;
    private int receivedCount;

    @BeforeEach
    void open() throws IOException
    {
        sender = join("sender");
        sleeper = join("sleeper");
        sleeper.handlers().register("count", message -> receivedCount++);
        selector = Selector.open();
    }

    @AfterEach
    void close() throws IOException
    {
        selector.close();
        sleeper.close();
        sender.close();
    }

    @Test
    void shouldWakeALoopThatSleepsForEachMessage() throws IOException
    {
        pollUntilResolved();
        final Endpoint.Doorbell doorbell = listen();
        final Link link = sender.endpoint().link(sleeper.node().endpoint());
        final HandlerId count = sender.handlers().tryResolve("count");

        for (int i = 1; i <= 20; i++)
        {
            while (!doorbell.prepareToSleep())
            {
                sleeper.endpoint().poll();
            }
            assertEquals(SendStatus.SENT, link.send(count, i, 0, 0, 0));
            final int readyCount = selector.select(PATIENCE_MS);
            selector.selectedKeys().clear();
            doorbell.awake();

            assertTrue(readyCount > 0, "the bell was not rung");
            pollUntil(i);
        }
    }

    @Test
    void shouldWakeALoopThatSleepsForANewSender() throws IOException
    {
        pollUntilResolved();
        final Endpoint.Doorbell doorbell = listen();
        while (!doorbell.prepareToSleep())
        {
            sleeper.endpoint().poll();
        }

        sender.endpoint().sharedLink(sleeper.node().endpoint());
        final int readyCount = selector.select(PATIENCE_MS);
        doorbell.awake();

        assertTrue(readyCount > 0, "the bell was not rung");
    }

    private Endpoint.Doorbell listen()
    {
        final Endpoint.Doorbell doorbell = sleeper.endpoint().doorbell();
        doorbell.listen(selector);
        return doorbell;
    }

    private void pollUntilResolved()
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (sender.handlers().tryResolve("count") == null)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "the name was not resolved");
            sender.endpoint().poll();
            sleeper.endpoint().poll();
            Uninterrupted.park(100_000);
        }
    }

    private void pollUntil(final int count)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (receivedCount < count)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "received=" + receivedCount);
            sleeper.endpoint().poll();
        }
    }

    private Grim join(final String name)
    {
        return Grim.enable(ContractSupport.builder(AeronSettings.with(new HashMap<>(), directory), 0)
            .nodeName(name).build());
    }
}
