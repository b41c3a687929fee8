// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;

import org.grim.GrimConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two nodes with connections between them, without channels: the test decides what happens between two calls. */
@Timeout(180)
final class SocketNodeTest
{
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5555);
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 6666);

    private static final int BACKLOG = 5;
    private static final String CONNECT_TIMEOUT = "1s";

    @TempDir
    private Path directory;
    private SocketNode server;
    private SocketNode client;
    private Listener listener;

    @BeforeEach
    void join() throws IOException
    {
        server = join("server");
        client = join("client");
        listener = server.listen(ADDRESS, BACKLOG, () -> { });
    }

    @AfterEach
    void leave()
    {
        client.close();
        server.close();
    }

    @Test
    void shouldSendNothingBehindTheEndWhenOutputIsShutWhileSomebodyWrites() throws IOException
    {
        final Connection near = connect();
        final Connection far = accept();
        assertEquals(3, write(near, 3));

        client.shutOutput(near);                        // The writer has looked, and waits for the node.
        final long written = write(near, 5);

        assertEquals(0, written);
        assertThrows(AsynchronousCloseException.class, near::requireOutput);
        assertEquals(3, readToEnd(far));
    }

    @Test
    void shouldSendNothingBehindTheEndWhenTheConnectionIsClosedWhileSomebodyWrites() throws IOException
    {
        final Connection near = connect();
        final Connection far = accept();
        assertEquals(3, write(near, 3));

        client.close(near, false);
        final long written = write(near, 5);

        assertEquals(0, written);
        assertEquals(3, readToEnd(far));
    }

    @Test
    void shouldAcceptNoConnectionWhenItsClientWaitsNoMoreWhileTheListenerStandsStill() throws IOException
    {
        server.sharedForTest().acquire();
        try
        {
            for (final boolean isClosed : new boolean[] {false, true})
            {
                final Connection late = begin();
                if (isClosed)
                {
                    client.close(late, true);
                }
                while (!isClosed && late.outcome() == Connection.Outcome.NONE)
                {
                    client.poll();
                }
            }
        }
        finally
        {
            server.sharedForTest().release();
        }

        // What comes behind them is accepted as the first, so they are not there.
        final Connection near = connect();
        final Connection far = accept();
        assertEquals(3, write(near, 3));
        client.close(near, false);
        assertEquals(3, readToEnd(far));
        server.close(far, false);
        assertTrue(listener.isEmpty());
        while (server.connectionCount() > 0)
        {
            server.poll();
            client.poll();
        }
    }

    @Test
    void shouldTakeAsManyConnectionsAsItsBacklogWhenEarlierClientsHaveGone() throws IOException
    {
        client.sharedForTest().acquire();
        try
        {
            for (int i = 0; i < BACKLOG; i++)
            {
                client.close(begin(), true);
            }
            while (server.connectionCount() < BACKLOG)
            {
                server.poll();
            }
        }
        finally
        {
            client.sharedForTest().release();
        }
        while (server.connectionCount() > 0)
        {
            server.poll();
            client.poll();
        }

        for (int i = 0; i < BACKLOG; i++)
        {
            connect();
        }
        final Connection more = begin();
        while (more.outcome() == Connection.Outcome.NONE)
        {
            server.poll();
            client.poll();
        }

        assertEquals(Connection.Outcome.REFUSED, more.outcome());
    }

    private long write(final Connection connection, final int length)
    {
        return client.write(connection, new ByteBuffer[] {ByteBuffer.allocate(length)}, 0, 1);
    }

    private int readToEnd(final Connection connection) throws IOException
    {
        final ByteBuffer target = ByteBuffer.allocate(100);
        while (server.read(connection, target) >= 0)
        {
            Thread.onSpinWait();
        }
        return target.position();
    }

    private Connection connect() throws IOException
    {
        final Connection connection = begin();
        while (connection.outcome() == Connection.Outcome.NONE)
        {
            server.poll();
            client.poll();
        }
        assertEquals(Connection.Outcome.CONNECTED, connection.outcome());
        return connection;
    }

    private Connection begin() throws IOException
    {
        final Connection connection =
            client.connect(client.listenersAt(ADDRESS).get(0), ADDRESS, CLIENT, () -> { }, () -> { });
        assertNotNull(connection);
        return connection;
    }

    private Connection accept()
    {
        Connection accepted = listener.poll();
        while (accepted == null)
        {
            server.poll();
            accepted = listener.poll();
        }
        return accepted;
    }

    private SocketNode join(final String name) throws IOException
    {
        final GrimConfig config = GrimConfig.builder().nodeName(SocketNode.NAME_PREFIX + name).directory(directory)
            .set("grim.warm-up", "0s").set("grim.sockets.connect-timeout", CONNECT_TIMEOUT).build();
        return SocketNode.join(config, SocketsConfig.of(config), SelectorProvider.provider());
    }
}
