// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

import org.grim.Allocation;
import org.grim.sockets.ProviderPair.Pair;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(180)
final class SocketsAllocationTest
{
    private static final int WARM_COUNT = 2_000;
    /** Few: who is descheduled for long finds its peer asleep, and ringing allocates. */
    private static final int ROUND_COUNT = 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"32, true", "32, false", "50000, false"})
    void readsAndWritesAllocateNothing(final int length, final boolean isBlocking) throws IOException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory); Pair pair = providers.connect())
        {
            pair.near().configureBlocking(isBlocking);
            pair.far().configureBlocking(isBlocking);
            final ByteBuffer bytes = ByteBuffer.allocateDirect(length);
            assertEquals(0, Allocation.least(
                () -> echo(pair, bytes, WARM_COUNT), () -> echo(pair, bytes, ROUND_COUNT)));
        }
    }

    private static void echo(final Pair pair, final ByteBuffer bytes, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            pass(pair.near(), pair.far(), bytes);
            pass(pair.far(), pair.near(), bytes);
        }
    }

    private static void pass(final SocketChannel from, final SocketChannel to, final ByteBuffer bytes)
    {
        try
        {
            bytes.clear();
            while (bytes.hasRemaining())
            {
                from.write(bytes);
            }
            bytes.clear();
            while (bytes.hasRemaining())
            {
                to.read(bytes);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
