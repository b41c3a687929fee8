// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.grim.ContractSupport;
import org.grim.CountingErrorHandler;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.Logged;
import org.grim.RemoteRefusal;
import org.grim.SharedLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An application's code that the library calls, and that throws. */
@Timeout(60)
final class ErrorsOfHandlersTest
{
    private static final int ERROR_COUNT = 5;

    @Test
    void shouldLogAnErrorOncePerCauseAndHandlerWithBothNamesAndCountEach()
    {
        final CountingErrorHandler errors = new CountingErrorHandler();
        final String log = Logged.by(() ->
        {
            try (Grim grim = Grim.enable(builder("metz").errorHandler(errors).build()))
            {
                final HandlerId one = grim.handlers().register("print.one", message -> fail(message.argument(0)));
                final HandlerId other = grim.handlers().register("print.other", message -> fail(message.argument(0)));
                grim.start();
                final Link link = grim.endpoint().link(grim.endpoint().id());
                for (int i = 0; i < ERROR_COUNT; i++)
                {
                    link.send(one, i, 0, 0, 0);
                    link.send(other, i, 0, 0, 0);
                }
                while (grim.endpoint().poll() > 0 || errors.count() < 2 * ERROR_COUNT)
                {
                    Thread.onSpinWait();
                }
                assertEquals(2 * ERROR_COUNT, ContractSupport.counter(grim, "handler-errors"));
            }
        });

        assertEquals(2 * ERROR_COUNT, errors.count());
        assertEquals(1, Logged.count(log, "handler=print.one failed at a message from node=0 name=metz"), log);
        assertEquals(1, Logged.count(log, "handler=print.other failed at a message from node=0 name=metz"), log);
        assertEquals(2, Logged.count(log, "IllegalStateException"), log);
    }

    @Test
    void shouldGoOnPollingWhenTheErrorHandlerThrows() throws Exception
    {
        final CountDownLatch handled = new CountDownLatch(1);
        try (Grim grim = Grim.enable(builder("metz").errorHandler(ex ->
        {
            throw new IllegalStateException("of the error handler");
        }).build()))
        {
            final HandlerId bad = grim.handlers().register("bad", message -> fail(0));
            final HandlerId good = grim.handlers().register("good", message -> handled.countDown());
            grim.startPolling();
            grim.start();
            final SharedLink link = grim.endpoint().sharedLink(grim.node().endpoint());

            link.send(bad, 0, 0, 0, 0);
            link.send(good, 0, 0, 0, 0);

            assertTrue(handled.await(60, TimeUnit.SECONDS), "the polling thread has ended");
        }
    }

    @Test
    void shouldCountAListenerThatThrowsAsAHandler()
    {
        final ScriptedEndpoint own = new ScriptedEndpoint("1MiB");
        own.memory().onRefused((destination, remoteAddress, length, reason) -> fail(0));
        own.remote();

        final String log = Logged.by(() ->
        {
            for (int i = 0; i < ERROR_COUNT; i++)
            {
                own.refuse(0, RemoteRefusal.NO_RIGHT);
                own.poll();
            }
        });

        assertEquals(ERROR_COUNT, own.errors.count());
        assertEquals(1, Logged.count(log, "the listener of refused remote-memory operations failed"), log);
    }

    private static GrimConfig.Builder builder(final String name)
    {
        return GrimConfig.builder().transports("null").nodeName(name).set("grim.handlers.resolve-timeout", "60s");
    }

    private static void fail(final int number)
    {
        throw new IllegalStateException("message " + number);
    }
}
