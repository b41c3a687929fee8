// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Server channels that share a port, as servers with several acceptors do: each gets connections. */
@Timeout(180)
final class SharedPortTest
{
    private static final int CONNECTION_COUNT = 64;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGiveConnectionsToAllThatListenAtAPort(final boolean isOneProcess) throws IOException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory);
            GrimSelectorProvider other = ProviderPair.provider(directory, "other");
            ServerSocketChannel first = listen((GrimSelectorProvider)providers.server, anyPort());
            ServerSocketChannel second = listen(isOneProcess ? (GrimSelectorProvider)providers.server : other,
                first.getLocalAddress()))
        {
            int firstCount = 0;
            int secondCount = 0;
            for (int i = 0; i < CONNECTION_COUNT; i++)
            {
                try (SocketChannel channel = providers.client.openSocketChannel())
                {
                    channel.connect(first.getLocalAddress());
                    boolean isAccepted = false;
                    while (!isAccepted)
                    {
                        final boolean isFirst = isAccepted(first);
                        final boolean isSecond = !isFirst && isAccepted(second);
                        firstCount += isFirst ? 1 : 0;
                        secondCount += isSecond ? 1 : 0;
                        isAccepted = isFirst || isSecond;
                    }
                }
            }
            assertEquals(CONNECTION_COUNT, firstCount + secondCount);
            assertTrue(Math.min(firstCount, secondCount) > CONNECTION_COUNT / 8, firstCount + " " + secondCount);
        }
    }

    private static SocketAddress anyPort()
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static ServerSocketChannel listen(final GrimSelectorProvider provider, final SocketAddress address)
        throws IOException
    {
        final ServerSocketChannel channel = provider.openServerSocketChannel();
        channel.setOption(StandardSocketOptions.SO_REUSEPORT, true).bind(address).configureBlocking(false);
        return channel;
    }

    private static boolean isAccepted(final ServerSocketChannel listening) throws IOException
    {
        try (SocketChannel accepted = listening.accept())
        {
            return accepted != null;
        }
    }
}
