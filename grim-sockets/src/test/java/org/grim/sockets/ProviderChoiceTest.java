// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Choice between GRIM, TCP and refusal. */
@Timeout(180)
final class ProviderChoiceTest
{
    @TempDir
    private Path directory;

    @Test
    void exitOfTheJvmDoesNotWaitForANodeThatCannotLeave() throws InterruptedException
    {
        final CompletableFuture<Thread> leaver = new CompletableFuture<>();
        final CompletableFuture<Void> lock = new CompletableFuture<>();

        assertFalse(ProcessNode.finish(() ->
        {
            leaver.complete(Thread.currentThread());
            lock.join();
        }, 20));

        assertTrue(leaver.join().isDaemon());
        lock.complete(null);
        leaver.join().join();
        assertTrue(ProcessNode.finish(lock::join, 50_000));
    }

    @Test
    void aProcessMeetsItselfOverGrim() throws IOException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory);
            ServerSocketChannel listening = providers.listen();
            SocketChannel channel = providers.server.openSocketChannel())
        {
            channel.connect(listening.getLocalAddress());
            assertNotNull(((GrimSocketChannel)channel).grimStream());
        }
    }

    @Test
    void listenerOfAllAddressesIsFoundAndLeavesNoFile() throws IOException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory))
        {
            try (ServerSocketChannel listening = providers.server.openServerSocketChannel().bind(null);
                SocketChannel channel = providers.client.openSocketChannel())
            {
                final int port = ((InetSocketAddress)listening.getLocalAddress()).getPort();
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                assertNotNull(((GrimSocketChannel)channel).grimStream());
                assertEquals(1, listingCount());
            }
            assertEquals(0, listingCount());
        }
    }

    @Test
    void programsOutsideOfTheClusterAreReachedByTcp() throws IOException
    {
        try (ProviderPair jdk = ProviderPair.ofJdk(); ProviderPair providers = ProviderPair.ofGrim(directory);
            ServerSocketChannel theirs = jdk.listen(); ServerSocketChannel ours = providers.listen();
            SocketChannel out = providers.client.openSocketChannel();
            SocketChannel in = jdk.client.openSocketChannel())
        {
            out.connect(theirs.getLocalAddress());
            assertNull(((GrimSocketChannel)out).grimStream());
            theirs.accept().close();
            assertEquals(-1, out.read(java.nio.ByteBuffer.allocate(1)));
            in.connect(ours.getLocalAddress());
            ours.accept().close();
            assertEquals(-1, in.read(java.nio.ByteBuffer.allocate(1)));
        }
    }

    @Test
    void clusterThatCannotBeJoinedIsTcpUnlessThatIsForbidden() throws IOException
    {
        final Path nowhere = Files.createFile(directory.resolve("file"));
        try (GrimSelectorProvider provider =
                new GrimSelectorProvider(ProviderPair.config(nowhere, "a").build());
            GrimSelectorProvider refusing = only(nowhere);
            ServerSocketChannel listening = provider.openServerSocketChannel();
            SocketChannel channel = provider.openSocketChannel();
            SocketChannel refused = refusing.openSocketChannel();
            ServerSocketChannel refusedServer = refusing.openServerSocketChannel())
        {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.connect(listening.getLocalAddress());
            assertNull(((GrimSocketChannel)channel).grimStream());
            final String message = assertThrows(ConnectException.class,
                () -> refused.connect(listening.getLocalAddress())).getMessage();
            assertTrue(message.contains("grim.sockets.only"), message);
            assertThrows(ConnectException.class,
                () -> refusedServer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }
    }

    @Test
    void whereTcpIsForbiddenNobodyOutsideIsReached() throws IOException
    {
        final GrimSelectorProvider provider = only(directory);
        try (ServerSocketChannel theirs = ProviderPair.ofJdk().listen())
        {
            for (final boolean isBlocking : new boolean[] {true, false})
            {
                try (SocketChannel channel = provider.openSocketChannel())
                {
                    channel.configureBlocking(isBlocking);
                    assertThrows(ConnectException.class, () -> channel.connect(theirs.getLocalAddress()));
                }
            }
        }
        provider.close();
    }

    private static GrimSelectorProvider only(final Path directory)
    {
        return new GrimSelectorProvider(GrimConfig.builder().nodeName("only").directory(directory)
            .set("grim.sockets.only", List.of("127.0.0.1:*", "[::1]:*")).build());
    }

    private long listingCount() throws IOException
    {
        try (var files = Files.walk(directory))
        {
            return files.filter(file -> file.toString().contains("x-listen-")).count();
        }
    }
}
