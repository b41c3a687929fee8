// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A program of its own process, named nothing but the provider, is met over GRIM, and ends for various reasons. */
@Timeout(180)
final class PeerDeathIT
{
    /** 100 ms on a machine that does nothing else; builds share theirs, and a process may take seconds to end. */
    private static final long NOTICE_MS_MAX = Long.getLong("sockets.notice-ms", 20_000);

    @TempDir
    private Path directory;
    private GrimSelectorProvider provider;
    private PeerProcess peer;

    @BeforeEach
    void startPeer() throws IOException
    {
        provider = ProviderPair.provider(directory, "survivor");
        peer = new PeerProcess(directory, PeerProcess.ONLY);
    }

    @AfterEach
    void close() throws IOException
    {
        peer.close();
        provider.close();
    }

    @Test
    void blockedReaderAndWriterOfAKilledPeerGetAReset() throws Exception
    {
        assertEquals("GrimSelector", peer.selectorName());
        try (SocketChannel reading = connect(); SocketChannel writing = connect())
        {
            writing.write(ByteBuffer.allocate(1));
            final FutureTask<Integer> reader = start(() -> reading.read(ByteBuffer.allocate(10)));
            final FutureTask<Integer> writer = start(() ->
            {
                while (true)
                {
                    writing.write(ByteBuffer.allocate(100_000));
                }
            });
            Thread.sleep(300);
            assertFalse(reader.isDone() || writer.isDone());
            final long startNs = System.nanoTime();
            peer.kill();
            for (final FutureTask<Integer> task : java.util.List.of(reader, writer))
            {
                final Throwable cause =
                    assertThrows(ExecutionException.class, () -> task.get(60, TimeUnit.SECONDS)).getCause();
                assertInstanceOf(IOException.class, cause);
            }
            final long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            System.getLogger("sockets").log(System.Logger.Level.INFO, "noticed after {0} ms", elapsedMs);
            assertTrue(elapsedMs < NOTICE_MS_MAX, elapsedMs + " ms");
            assertThrows(IOException.class, () -> reading.write(ByteBuffer.allocate(1)));
        }
        assertEquals(0, provider.process().nodeIfJoined().connectionCount());
    }

    @Test
    void selectorOfAKilledPeerHasAReadyKey() throws Exception
    {
        try (SocketChannel channel = connect(); Selector selector = provider.openSelector())
        {
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), ProviderPair.readFully(channel, 3));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            assertEquals(0, selector.select(50));
            final long startNs = System.nanoTime();
            peer.kill();
            assertEquals(1, selector.select(60_000));
            assertTrue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) < NOTICE_MS_MAX);
            assertThrows(IOException.class, () -> channel.read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void staleEntryLeadsToTcp() throws Exception
    {
        connect().close();
        peer.kill();
        try (SocketChannel channel = provider.openSocketChannel())
        {
            assertThrows(ConnectException.class, () -> channel.connect(peer.address()));
        }
    }

    @Test
    void programThatExitsEndsItsConnections() throws Exception
    {
        try (SocketChannel channel = connect())
        {
            assertEquals(0, peer.end());
            assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Dgrim.sockets.never.0=*:*", "-Dgrim.cluster.name=other", "-Dgrim.queue.slot-count=7"})
    void whereThePeerIsNotOfTheClusterItIsTcp(final String setting) throws Exception
    {
        try (PeerProcess other = new PeerProcess(directory, setting);
            SocketChannel channel = provider.openSocketChannel())
        {
            channel.connect(other.address());
            assertNull(((GrimSocketChannel)channel).grimStream());
            channel.write(ByteBuffer.wrap(new byte[] {5}));
            assertEquals(5, ProviderPair.readFully(channel, 1).get(0));
        }
    }

    private SocketChannel connect() throws IOException
    {
        final SocketChannel channel = provider.openSocketChannel();
        channel.connect(peer.address());
        assertTrue(((GrimSocketChannel)channel).grimStream() != null, channel.toString());
        return channel;
    }

    private static <T> FutureTask<T> start(final java.util.concurrent.Callable<T> call)
    {
        final FutureTask<T> task = new FutureTask<>(call);
        new Thread(task, "survivor").start();
        return task;
    }
}
