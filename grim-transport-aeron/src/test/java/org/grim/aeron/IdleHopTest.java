// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.aeron.AeronCounters;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.StreamCounter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hops that nothing passes through give their logs back, and nobody sees a difference. */
@Timeout(180)
final class IdleHopTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final List<Integer> received = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();
    @TempDir
    private Path directory;
    private MediaDriver driver;
    private Grim sender;
    private Grim receiver;
    private HandlerId take;

    @AfterEach
    void close()
    {
        sender.close();
        receiver.close();
        driver.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveBackItsLogAndGoOnWithTheNextMessage(final boolean hasKey)
    {
        open(hasKey);
        for (int round = 0; round < 3; round++)
        {
            final int first = round * 10;
            IntStream.range(first, first + 10).forEach(sequence -> send(sequence));
            await(() -> received.size() == first + 10);
            assertEquals(1, hopLogCount());
            await(() -> hopLogCount() == 0);
        }
        receiver.close();
        await(() -> !lost.isEmpty());

        assertEquals(IntStream.range(0, 30).boxed().toList(), received);
        assertEquals(List.of("gone undelivered=0 unknown=0"), lost);
    }

    @Test
    void shouldAccountForWhatCameAfterTheLastIdleTime()
    {
        open(false);
        IntStream.range(0, 10).forEach(sequence -> send(sequence));
        await(() -> received.size() == 10);
        await(() -> hopLogCount() == 0);
        IntStream.range(10, 15).forEach(sequence -> send(sequence));
        await(() -> received.size() == 15);
        pollFor(TimeUnit.MILLISECONDS.toNanos(300));        // The receiver reports.
        IntStream.range(15, 18).forEach(sequence -> awaitAlone(() -> trySend(sequence) == SendStatus.SENT));

        driver.close();
        driver = launch();
        awaitAlone(() -> !lost.isEmpty());

        assertEquals(List.of("lost undelivered=0 unknown=3"), lost);
    }

    @Test
    void shouldServeALinkOfSeveralThreads()
    {
        open(false);
        final SharedLink link = sender.endpoint().sharedLink(sender.locate("receiver"));
        for (int i = 0; i < 3; i++)
        {
            final int sequence = i;
            await(() -> link.send(take, sequence, 0, 0, 0) == SendStatus.SENT);
            await(() -> received.size() == sequence + 1);
            await(() -> hopLogCount() == 0);
        }
        link.close();

        assertEquals(List.of(0, 1, 2), received);
    }

    private void send(final int sequence)
    {
        await(() -> trySend(sequence) == SendStatus.SENT);
    }

    private SendStatus trySend(final int sequence)
    {
        return sender.endpoint().link(sender.locate("receiver")).send(take, sequence, 0, 0, 0);
    }

    /** Logs of publications that lead to a channel; those of reports have another kind of stream. */
    private int hopLogCount()
    {
        final int[] count = {0};
        driver.context().countersManager().forEach((counterId, typeId, key, label) ->
            count[0] += typeId == AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID &&
            key.getInt(StreamCounter.STREAM_ID_OFFSET) >= 0 ? 1 : 0);
        return count[0];
    }

    private void open(final boolean hasKey)
    {
        driver = launch();
        sender = join("sender", hasKey);
        receiver = join("receiver", hasKey);
        sender.endpoint().onNodeGone(new Endpoint.NodeGoneListener()
        {
            @Override
            public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
            {
                lost.add("gone undelivered=" + undelivered + " unknown=" + unknown);
            }

            @Override
            public void onWayLost(final NodeInfo node, final long undelivered, final long unknown)
            {
                lost.add("lost undelivered=" + undelivered + " unknown=" + unknown);
            }
        });
        receiver.handlers().register("take", message -> received.add(message.argument(0)));
        await(() -> sender.handlers().tryResolve("take") != null);
        take = sender.handlers().tryResolve("take");
    }

    private Grim join(final String name, final boolean hasKey)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(name).transports("aeron")
            .directory(directory).set("grim.node.host", name)
            .set("grim.aeron.directory", driver.aeronDirectoryName())
            .set("grim.aeron.term-length", AeronSettings.TERM_LENGTH)
            .set("grim.aeron.connect-timeout", "10s").set("grim.aeron.idle-timeout", "200ms");
        return Grim.enable((hasKey ? builder.set(
            "grim.network.key-file", AeronSettings.keyFile(directory, "cluster.key", 1).toString()) : builder).build());
    }

    private MediaDriver launch()
    {
        return MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(directory.resolve("driver").toString())
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnStart(true).dirDeleteOnShutdown(true)
            .timerIntervalNs(TimeUnit.MILLISECONDS.toNanos(50)).publicationLingerTimeoutNs(1));
    }

    private void pollFor(final long durationNs)
    {
        final long startNs = System.nanoTime();
        await(() -> System.nanoTime() - startNs > durationNs);
    }

    private void await(final BooleanSupplier isSo)
    {
        awaitAlone(() ->
        {
            receiver.poll();
            return isSo.getAsBoolean();
        });
    }

    /** While the receiver's loop does nothing. */
    private void awaitAlone(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "in vain: lost=" + lost + " received=" + received);
            sender.poll();
            Uninterrupted.park(100_000);
        }
    }
}
