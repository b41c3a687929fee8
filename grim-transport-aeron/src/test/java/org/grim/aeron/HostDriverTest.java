// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The end of a host's driver while other processes use it; a client of this process stands for one of theirs. */
@Timeout(180)
final class HostDriverTest
{
    private static final long PATIENCE_S = 60;
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LONG_MS = 2 * TimeUnit.SECONDS.toMillis(PATIENCE_S);
    private static final long SHORT_MS = 50;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    @TempDir
    private Path cluster;

    @AfterEach
    void requireNoError()
    {
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldStayForOthersThatLeaveSoonAfter() throws Exception
    {
        final HostDriver host = acquire(LONG_MS);
        final Path directory = Path.of(host.directory());
        final DriverSession other = connect(directory);

        final CompletableFuture<Void> released = CompletableFuture.runAsync(host::release);
        Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(100));
        assertFalse(released.isDone());
        other.close();
        released.get(PATIENCE_S, TimeUnit.SECONDS);

        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldEndWhenOthersStayForLongerThanItLingers()
    {
        final HostDriver host = acquire(SHORT_MS);
        final Path directory = Path.of(host.directory());
        final DriverSession other = connect(directory);
        try
        {
            final long startNs = System.nanoTime();
            host.release();

            assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(SHORT_MS));
            assertFalse(Files.exists(directory));
        }
        finally
        {
            other.close();
        }
    }

    @Test
    void shouldEndAtOnceWithTheLastUseOfItsProcess()
    {
        final HostDriver host = acquire(LONG_MS);
        assertEquals(host, acquire(LONG_MS));
        final Path directory = Path.of(host.directory());

        host.release();
        assertTrue(Files.exists(directory));
        host.release();

        assertFalse(Files.exists(directory));
    }

    private HostDriver acquire(final long lingerMs)
    {
        return HostDriver.acquire(cluster, new AeronConfig(null, "127.0.0.1", 0, null, 0, 65_536, 1_408, 32_768, false,
            SILENCE_NS, TimeUnit.MILLISECONDS.toNanos(100), 0, TimeUnit.MILLISECONDS.toNanos(lingerMs), 2),
            errors::add);
    }

    private static DriverSession connect(final Path directory)
    {
        final DriverSession session = new DriverSession(directory.toString(), "other", SILENCE_NS, frame ->
        {
        });
        session.receiveReports("aeron:udp?endpoint=127.0.0.1:0|term-length=64k", 1);    // The driver knows it now.
        return session;
    }
}
