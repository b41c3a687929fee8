// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.sockets.ProviderPair.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(600)
final class SocketsLeakTest
{
    private static final int CLOSE_COUNT = Integer.getInteger("sockets.close-count", 300);
    private static final int WARM_COUNT = 20;
    private static final int NODE_COUNT = 2;

    @TempDir
    private Path directory;

    @Test
    void nothingStaysOfConnectionsThatAreClosed() throws IOException, InterruptedException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory);
            Selector selector = providers.client.openSelector())
        {
            for (int i = 0; i < WARM_COUNT; i++)
            {
                connectAndClose(providers, selector, i);
            }
            awaitDoorbells();
            final long descriptorCount = count(Path.of("/proc/self/fd"));
            final Set<String> before = files();
            for (int i = 0; i < CLOSE_COUNT; i++)
            {
                connectAndClose(providers, selector, i);
            }
            assertEquals(before, files());
            final long more = count(Path.of("/proc/self/fd")) - descriptorCount;
            assertTrue(more <= WARM_COUNT, "file descriptors more than before=" + more);
            awaitNoConnection(providers.client);
            awaitNoConnection(providers.server);
            assertEquals(0, selector.keys().size());
        }
    }

    /** In various states: unread bytes, registered, connection never accepted. */
    private static void connectAndClose(final ProviderPair providers, final Selector selector, final int round)
        throws IOException
    {
        try (ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening);
            SocketChannel unaccepted = providers.client.openSocketChannel())
        {
            unaccepted.connect(listening.getLocalAddress());
            pair.near().write(ByteBuffer.allocate(round % 7 == 0 ? 1000 : 1));
            if (round % 2 == 0)
            {
                pair.far().read(ByteBuffer.allocate(1));
            }
            pair.near().configureBlocking(false);
            pair.near().register(selector, SelectionKey.OP_READ);
            selector.selectNow();
        }
        selector.selectNow();
    }

    /** A node makes its doorbell when its thread sleeps for the first time: after the warm-up, on a busy machine. */
    private void awaitDoorbells() throws IOException, InterruptedException
    {
        while (files().stream().filter(name -> name.contains(".bell-")).count() < NODE_COUNT)
        {
            Thread.sleep(1);
        }
    }

    /** A node's thread takes what the other side says of a connection's end. */
    private static void awaitNoConnection(final SelectorProvider provider) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        int count = 1;
        while (count > 0)
        {
            count = ((GrimSelectorProvider)provider).process().nodeIfJoined().connectionCount();
            assertTrue(System.nanoTime() - deadlineNs < 0, "connections=" + count);
            Thread.sleep(1);
        }
    }

    private Set<String> files() throws IOException
    {
        try (Stream<Path> all = Files.walk(directory))
        {
            return all.map(path -> directory.relativize(path).toString())
                .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static long count(final Path path) throws IOException
    {
        try (Stream<Path> all = Files.list(path))
        {
            return all.count();
        }
    }
}
