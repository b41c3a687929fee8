// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.grim.GrimConfig;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.aeron.AeronCounters;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.status.StreamCounter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hops that nothing passes through give their logs back, and nobody sees a difference. */
@Timeout(180)
final class IdleHopTest extends HopFixture
{
    private String keyFile = "";

    @AfterEach
    void close()
    {
        leave();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveBackItsLogAndGoOnWithTheNextMessage(final boolean hasKey)
    {
        keyFile = hasKey ? AeronSettings.keyFile(directory, "cluster.key", 1).toString() : "";
        join();
        for (int round = 0; round < 3; round++)
        {
            final int first = round * 10;
            IntStream.range(first, first + 10).forEach(this::send);
            await(() -> received.size() == first + 10);
            assertTrue(hopLogCount() > 0);
            await(() -> hopLogCount() == 0);
        }
        receiver.close();
        await(() -> !losses.isEmpty());

        assertEquals(IntStream.range(0, 30).boxed().toList(), received);
        assertEquals(List.of("gone undelivered=0 unknown=0"), losses);
    }

    @Test
    void shouldAccountForWhatCameAfterTheLastIdleTime()
    {
        join();
        IntStream.range(0, 10).forEach(this::send);
        await(() -> received.size() == 10);
        await(() -> hopLogCount() == 0);
        IntStream.range(10, 15).forEach(this::send);
        await(() -> received.size() == 15);
        await(() -> hopLogCount() == 0);                    // The sender has read what the receiver reports.
        IntStream.range(15, 18).forEach(this::sendAlone);

        driver.close();
        driver = launch();
        awaitAlone(() -> !losses.isEmpty());

        assertEquals(List.of("lost undelivered=0 unknown=3"), losses);
    }

    @Test
    void shouldServeALinkOfSeveralThreads()
    {
        join();
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

    /** Logs of publications that lead to a channel; those of reports have another kind of stream. */
    private int hopLogCount()
    {
        final int[] count = {0};
        driver.context().countersManager().forEach((counterId, typeId, key, label) ->
            count[0] += typeId == AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID &&
            key.getInt(StreamCounter.STREAM_ID_OFFSET) >= 0 ? 1 : 0);
        return count[0];
    }

    @Override
    GrimConfig.Builder config(final String name)
    {
        return config(name, driver).set("grim.aeron.idle-timeout", "200ms").set("grim.network.key-file", keyFile);
    }

    @Override
    MediaDriver.Context driverContext(final String name)
    {
        return super.driverContext(name).timerIntervalNs(TimeUnit.MILLISECONDS.toNanos(50))
            .publicationLingerTimeoutNs(1);
    }
}
