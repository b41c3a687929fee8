// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.grim.buffer.Uninterrupted;
import org.grim.transport.Settings;
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

    @TempDir
    private Path cluster;

    @Test
    void shouldStayForOthersThatLeaveSoonAfter() throws Exception
    {
        final HostDriver host = acquire("60s");
        final Path directory = Path.of(host.directory());
        final DriverSession other = connect(directory);

        final CompletableFuture<Void> released = CompletableFuture.runAsync(host::release);
        Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(100));
        assertFalse(released.isDone());
        other.close();
        released.get(PATIENCE_S / 2, TimeUnit.SECONDS);

        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldEndWhenOthersStayForLongerThanItLingers()
    {
        final HostDriver host = acquire("50ms");
        final Path directory = Path.of(host.directory());
        final DriverSession other = connect(directory);
        try
        {
            final long startNs = System.nanoTime();
            host.release();

            assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(50));
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
        final HostDriver host = acquire("60s");
        assertEquals(host, acquire("60s"));
        final Path directory = Path.of(host.directory());

        host.release();
        assertTrue(Files.exists(directory));
        host.release();

        assertFalse(Files.exists(directory));
    }

    private HostDriver acquire(final String linger)
    {
        return HostDriver.acquire(cluster, AeronConfig.of(
            new Settings(Map.of("grim.aeron.linger", linger, "grim.aeron.term-length", "64KiB"))), ex ->
        {
            throw new AssertionError(ex);
        });
    }

    private static DriverSession connect(final Path directory)
    {
        return new DriverSession(directory.toString(), "other", TimeUnit.SECONDS.toNanos(10), frame ->
        {
        });
    }
}
