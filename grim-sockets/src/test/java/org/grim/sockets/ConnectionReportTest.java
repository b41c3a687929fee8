// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.grim.buffer.Uninterrupted;
import org.grim.sockets.ProviderPair.Pair;
import org.grim.sockets.observe.ConnectionReport;
import org.grim.sockets.observe.ConnectionReport.Listed;
import org.grim.sockets.observe.ConnectionTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Reports of connections, from the files of both ends. */
@Timeout(180)
final class ConnectionReportTest
{
    private static final int LENGTH = 1_000;
    private static final int MUCH = 100_000;
    private static final long PAUSE_NS = 100_000;

    @TempDir
    private Path directory;

    @Test
    void shouldShowHowFarBothEndsHaveCome() throws IOException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory);
            ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening))
        {
            pair.near().write(ByteBuffer.allocate(LENGTH));
            ProviderPair.readFully(pair.far(), LENGTH / 4);

            final Listed near = connection("client");
            final Listed far = connection("server");

            assertEquals(ConnectionTable.State.OPEN, near.state());
            assertEquals(LENGTH, near.sentPosition());
            assertEquals(0, near.unreadLength());
            assertFalse(near.isFull());
            assertEquals(LENGTH, far.receivedPosition());
            assertEquals(LENGTH * 3 / 4, far.unreadLength());
            assertEquals(near.id(), far.peerId());
            assertEquals(far.id(), near.peerId());
            assertEquals(pair.near().getRemoteAddress().toString().substring(1), near.remote());
            assertEquals(near.remote(), far.local());
            assertEquals(pair.far().getRemoteAddress().toString().substring(1), far.remote());
            assertEquals(near.local(), far.remote());
            assertEquals(1, report("client").grimCount());
            assertEquals(1, report("server").grimCount());
        }
    }

    @Test
    void shouldShowThatAWriterHasNoRoom() throws IOException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory);
            ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening))
        {
            pair.near().configureBlocking(false);
            while (!connection("client").isFull())
            {
                pair.near().write(ByteBuffer.allocate(MUCH));
                Uninterrupted.park(PAUSE_NS);
            }
            assertEquals(0, pair.near().write(ByteBuffer.allocate(1)));
            final long sentPosition = connection("client").sentPosition();
            while (connection("server").receivedPosition() < sentPosition)
            {
                Uninterrupted.park(PAUSE_NS);
            }
            assertEquals(sentPosition, connection("server").unreadLength());

            ProviderPair.readFully(pair.far(), (int)sentPosition);
            while (pair.near().write(ByteBuffer.allocate(1)) == 0)
            {
                Uninterrupted.park(PAUSE_NS);
            }
            assertFalse(connection("client").isFull());
        }
    }

    @Test
    void shouldForgetConnectionsThatAreClosedAndCountThoseOverTcp() throws IOException
    {
        try (ProviderPair providers = ProviderPair.ofGrim(directory))
        {
            try (ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening))
            {
                assertEquals(1, report("client").connections().size(), pair::toString);
            }
            assertEquals(List.of(), report("client").connections());
            assertEquals(0, report("client").tcpCount());

            try (ProviderPair jdk = ProviderPair.ofJdk(); ServerSocketChannel listening = jdk.listen();
                SocketChannel channel = providers.client.openSocketChannel())
            {
                channel.connect(listening.getLocalAddress());
                listening.accept().close();
            }

            assertEquals(1, report("client").grimCount());
            assertEquals(1, report("client").tcpCount());
            assertEquals(0, report("client").unlistedCount());
        }
        try (Stream<Path> files = Files.walk(directory))
        {
            assertEquals(0, files.filter(file -> file.toString().endsWith(ConnectionTable.KIND)).count());
        }
    }

    private Listed connection(final String node) throws IOException
    {
        return report(node).connections().get(0);
    }

    private ConnectionReport report(final String node) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            // The server's node joined first.
            final String prefix = "node-" + ("server".equals(node) ? 0 : 1) + "-";
            return ConnectionReport.read(files.filter(file -> file.getFileName().toString().startsWith(prefix) &&
                file.toString().endsWith(ConnectionTable.KIND)).findFirst().orElseThrow());
        }
    }
}
