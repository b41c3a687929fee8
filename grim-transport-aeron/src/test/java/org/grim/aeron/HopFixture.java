// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two nodes with a hop between them, which use a driver of the test's; the sender notes what becomes of hops. */
abstract class HopFixture
{
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private static final Logger LOGGER = LoggerFactory.getLogger(HopFixture.class);

    final List<Integer> received = new ArrayList<>();
    final List<String> losses = new ArrayList<>();
    @TempDir
    Path directory;
    MediaDriver driver;
    Grim sender;
    Grim receiver;
    HandlerId take;

    /** {@return what a node is joined with} */
    abstract GrimConfig.Builder config(String name);

    /** As on a host of its own. */
    final GrimConfig.Builder config(final String name, final MediaDriver itsDriver)
    {
        return GrimConfig.builder().nodeName(name).transports("aeron").directory(directory)
            .set("grim.node.host", name).set("grim.aeron.directory", itsDriver.aeronDirectoryName())
            .set("grim.aeron.term-length", AeronSettings.TERM_LENGTH).set("grim.aeron.connect-timeout", "10s");
    }

    final void join()
    {
        driver = launch();
        sender = Grim.enable(config("sender").build());
        receiver = Grim.enable(config("receiver").build());
        sender.endpoint().onNodeGone(new Endpoint.NodeGoneListener()
        {
            @Override
            public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
            {
                losses.add("gone undelivered=" + undelivered + " unknown=" + unknown);
            }

            @Override
            public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
            {
                losses.add("lost undelivered=" + undelivered + " unknown=" + unknown);
            }
        });
        receiver.handlers().register("take", message -> received.add(message.argument(0)));
        await(() -> sender.handlers().tryResolve("take") != null);
        take = sender.handlers().tryResolve("take");
    }

    final void leave()
    {
        sender.close();
        receiver.close();
        driver.close();
    }

    final MediaDriver launch()
    {
        return MediaDriver.launch(driverContext("driver"));
    }

    MediaDriver.Context driverContext(final String name)
    {
        return new MediaDriver.Context().aeronDirectoryName(directory.resolve(name).toString())
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnStart(true).dirDeleteOnShutdown(true)
            .errorHandler(ex -> LOGGER.info("driver: {}", ex.toString()));
    }

    /** Text for a wait that fails. */
    String state()
    {
        return "losses=" + losses + " received=" + received;
    }

    final void send(final int sequence)
    {
        await(() -> trySend(sequence) == SendStatus.SENT);
    }

    /** While the receiver's loop does nothing. */
    final void sendAlone(final int sequence)
    {
        awaitAlone(() -> trySend(sequence) == SendStatus.SENT);
    }

    final SendStatus trySend(final int sequence)
    {
        try
        {
            return sender.endpoint().link(sender.locate("receiver")).send(take, sequence, 0, 0, 0);
        }
        catch (final GrimException ex)
        {
            return requireUnreachable(ex);
        }
    }

    static SendStatus requireUnreachable(final GrimException ex)
    {
        assertEquals(GrimException.Reason.UNREACHABLE, ex.reason(), ex::getMessage);
        return SendStatus.BACK_PRESSURED;               // There is no driver at this moment.
    }

    final void pollFor(final long durationNs)
    {
        final long startNs = System.nanoTime();
        await(() -> System.nanoTime() - startNs > durationNs);
    }

    final void await(final BooleanSupplier isSo)
    {
        awaitAlone(() ->
        {
            receiver.endpoint().poll();
            return isSo.getAsBoolean();
        });
    }

    /** While the receiver's loop does nothing. */
    final void awaitAlone(final BooleanSupplier isSo)
    {
        await(sender, isSo);
    }

    /** While the sender's loop does nothing. */
    final void awaitOther(final BooleanSupplier isSo)
    {
        await(receiver, isSo);
    }

    private void await(final Grim polling, final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "in vain: " + state());
            polling.endpoint().poll();
            Uninterrupted.park(100_000);
        }
    }
}
