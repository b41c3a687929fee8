// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.buffer.Uninterrupted;
import org.grim.shared.Awaited;
import org.grim.shared.Sleeper;
import org.grim.shared.SpinTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    private static final int MUCH = 1 << 20;
    private static final int KEPT = 16 * 1024;
    private static final int QUARTER = 300 * 1024;              // Of what fills a link, and above half of a window.
    private static final int CONNECTIONS_THAT_FILL = 4;
    private static final String CONNECT_TIMEOUT = "60s";
    private static final String SHORT_CONNECT_TIMEOUT = "1s";

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
    void shouldStayResetWhenItsNodeLeavesAfterTheOtherSideBrokeItOff() throws IOException
    {
        final Connection near = connect();
        final Connection far = accept();

        server.close(far, true);
        while (near.state() == Connection.State.CONNECTED)
        {
            client.poll();
        }
        client.close();

        assertEquals(Connection.State.RESET, far.state());
        assertEquals(Connection.State.RESET, near.state());
        assertThrows(IOException.class, near::requireOutput);
    }

    @Test
    void shouldAcceptNoConnectionWhenItsClientWaitsNoMoreWhileTheListenerStandsStill() throws IOException
    {
        final SocketNode impatient = join("impatient", SHORT_CONNECT_TIMEOUT);
        server.sharedForTest().acquire();
        try
        {
            for (final boolean isClosed : new boolean[] {false, true})
            {
                final Connection late = begin(impatient);
                if (isClosed)
                {
                    impatient.close(late, true);
                }
                while (!isClosed && late.state() == Connection.State.CONNECTING)
                {
                    impatient.poll();
                }
            }
        }
        finally
        {
            server.sharedForTest().release();
        }

        // The next connection is accepted as the first, so they are not there.
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
            impatient.poll();
        }
        impatient.close();
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
        while (more.state() == Connection.State.CONNECTING)
        {
            server.poll();
            client.poll();
        }

        assertEquals(Connection.State.REFUSED, more.state());
    }

    @Test
    void shouldMakeNoConnectionWhenAskingFailsInTheMiddle() throws IOException
    {
        final List<NodeInfo> asked = new ArrayList<>(client.listenersAt(ADDRESS).get(0));
        asked.add(null);                                    // As if a class were missing for the second one.

        assertThrows(NullPointerException.class, () -> client.connect(asked, ADDRESS, CLIENT, () -> { }, () -> { }));

        assertEquals(0, client.connectionCount());
        connect();                                          // Behind it, so the listener has seen the first.
        accept();
        assertTrue(listener.isEmpty());
        while (server.connectionCount() > 1)
        {
            server.poll();
            client.poll();
        }
    }

    /** A process tries to join again and again: what it leaves open adds up. */
    @Test
    void shouldLeaveNothingOpenWhenJoiningFails() throws IOException
    {
        final GrimConfig config = config("late").build();
        final Path cluster = config.clusterDirectory();
        // Its files cannot be made any more.
        final OpenedSelectors kernel = new OpenedSelectors(() ->
        {
            Files.move(cluster, directory.resolve("moved"));
            Files.createFile(cluster);
            return null;
        });

        assertThrows(Exception.class,
            () -> SocketNode.join(config, SocketsConfig.of(config), kernel, reason -> { }));

        assertEquals(1, kernel.opened.size());
        assertFalse(kernel.opened.get(0).isOpen());
        Files.delete(cluster);
        Files.move(directory.resolve("moved"), cluster);
    }

    @Test
    void shouldCloseItsSelectorsWhenItLeaves() throws IOException
    {
        final OpenedSelectors kernel = new OpenedSelectors(() -> null);
        final GrimConfig config = config("short").build();
        final SocketNode node = SocketNode.join(config, SocketsConfig.of(config), kernel, reason -> { });
        final Connection connection =
            node.connect(node.listenersAt(ADDRESS).get(0), ADDRESS, CLIENT, () -> { }, () -> { });
        assertThrows(SocketTimeoutException.class, () -> node.awaitRead(
            connection, new UnreadyChannel(), ByteBuffer.allocate(1), System.nanoTime() + 1));

        node.close();

        assertEquals(2, kernel.opened.size());
        while (kernel.opened.stream().anyMatch(Selector::isOpen))
        {
            Thread.onSpinWait();                            // The deputy closes its own at its end.
        }
    }

    @Test
    void shouldKeepNothingOfAClientThatIsGoneWhenItsConnectIsRead() throws IOException
    {
        for (int i = 0; i <= BACKLOG; i++)
        {
            server.sharedForTest().acquire();
            try
            {
                begin();
                client.close();
            }
            finally
            {
                server.sharedForTest().release();
            }
            while (server.connectionCount() > 0)
            {
                server.poll();
            }
            client = join("client");
        }

        final Connection near = connect();
        accept();
        assertEquals(3, write(near, 3));
    }

    @Test
    void shouldLetAWaitingWriterGoOnWhenHalfOfItsRoomIsFree() throws IOException
    {
        final Connection near = connect();
        final Connection far = accept();
        final int room = (int)write(near, MUCH);
        assertFalse(near.isWritable());

        read(far, room / 2 - 1);
        client.poll();
        assertFalse(near.isWritable());

        read(far, 1);
        while (!near.isWritable())
        {
            client.poll();                  // The node's own thread may be inside: then it polls.
        }
        assertEquals(room / 2, write(near, MUCH));
    }

    @Test
    void shouldTakeTheFirstBytesOfAWriteWhenOtherConnectionsFillTheLink() throws IOException
    {
        final Connection near = connect();
        final Connection far = accept();
        final byte[] sent = bytes();
        final ByteBuffer source = ByteBuffer.wrap(sent);
        standStillWithAFullLink();
        try
        {
            assertEquals(1, write(near, source.limit(1)));
            assertEquals(KEPT - 1, write(near, source.limit(sent.length)));
            assertEquals(0, write(near, source));
            assertFalse(near.isWritable());
        }
        finally
        {
            server.sharedForTest().release();
        }
        final ByteBuffer target = ByteBuffer.allocate(sent.length);
        while (target.position() < KEPT)
        {
            server.read(far, target);
        }
        while (source.hasRemaining())
        {
            client.poll();
            write(near, source);
        }
        while (target.hasRemaining())
        {
            server.read(far, target);
        }
        assertArrayEquals(sent, target.array());
    }

    @Test
    void shouldSendTheEndBehindWhatWasWrittenWhenTheLinkIsFull() throws IOException
    {
        for (final boolean isClosed : new boolean[] {false, true})
        {
            final Connection near = connect();
            final Connection far = accept();
            standStillWithAFullLink();
            try
            {
                assertEquals(100, write(near, 100));
                if (isClosed)
                {
                    client.close(near, false);
                }
                else
                {
                    client.shutOutput(near);
                }
                client.poll();
                assertEquals(0, write(near, 1));
            }
            finally
            {
                server.sharedForTest().release();
            }
            assertEquals(100, readToEnd(far));
        }
    }

    @Test
    void shouldSendNothingOfWhatTheFullLinkHasNotTakenWhenTheConnectionIsAborted() throws IOException
    {
        final Connection near = connect();
        final Connection far = accept();
        standStillWithAFullLink();
        try
        {
            assertEquals(100, write(near, 100));
            client.close(near, true);
        }
        finally
        {
            server.sharedForTest().release();
        }
        assertThrows(SocketException.class, () -> readToEnd(far));
        assertEquals(0, far.unreadLength());
    }

    @Test
    void shouldSendWhatTheFullLinkHasNotTakenWhenTheNodeLeaves() throws Exception
    {
        final Connection near = connect();
        final Connection far = accept();
        standStillWithAFullLink();
        final Thread leaving;
        try
        {
            assertEquals(100, write(near, 100));
            leaving = new Thread(client::close);
            leaving.start();
            while (!near.isOutputShut())
            {
                Thread.onSpinWait();
            }
        }
        finally
        {
            server.sharedForTest().release();
        }
        assertEquals(100, readToEnd(far));
        leaving.join();
    }

    @Test
    void shouldLeaveWithinABoundedTimeWhenTheLinkStaysFull() throws IOException
    {
        final Connection near = connect();
        standStillWithAFullLink();
        try
        {
            assertEquals(100, write(near, 100));
            final long startNs = System.nanoTime();
            client.close();
            assertTrue(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(30));
        }
        finally
        {
            server.sharedForTest().release();
        }
    }

    /** The end, which is short, has room where bytes have none. */
    @Test
    void shouldResetAConnectionWhoseBytesTheFullLinkHasNotTakenWhenTheNodeLeaves() throws IOException
    {
        final Connection near = connect();
        final Connection far = accept();
        standStillWithALinkFullForLongWrites();
        try
        {
            assertTrue(write(near, MUCH) > 0);
            client.close();
        }
        finally
        {
            server.sharedForTest().release();
        }
        assertThrows(SocketException.class, () -> readToEnd(far));
    }

    @Test
    void shouldReadAllThatWasSentWhenItsWriterHasLeftBefore() throws IOException
    {
        final List<Connection> near = new ArrayList<>();
        final List<Connection> far = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS_THAT_FILL; i++)
        {
            near.add(connect());
            far.add(accept());
        }
        final List<Long> sent = new ArrayList<>();
        server.sharedForTest().acquire();
        try
        {
            for (final Connection connection : near)
            {
                sent.add(connection.isStalled() ? 0 : write(connection, QUARTER));
            }
            client.close();
        }
        finally
        {
            server.sharedForTest().release();
        }
        final List<Long> received = new ArrayList<>();
        for (final Connection connection : far)
        {
            received.add(lengthToEnd(connection));
        }
        assertEquals(sent, received);
    }

    private long lengthToEnd(final Connection connection) throws IOException
    {
        long length = 0;
        final ByteBuffer target = ByteBuffer.allocate(KEPT);
        for (int taken = 0; taken >= 0; taken = server.read(connection, target.clear()))
        {
            length += taken;
        }
        return length;
    }

    /** The server takes nothing until its lock is released, and connections with room at the reader have no link. */
    private void standStillWithAFullLink() throws IOException
    {
        final Connection last = standStillWithALinkFullForLongWrites();
        while (!last.isStalled())
        {
            write(last, 1);
        }
    }

    private Connection standStillWithALinkFullForLongWrites() throws IOException
    {
        final List<Connection> full = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS_THAT_FILL; i++)
        {
            full.add(connect());
            accept();
        }
        server.sharedForTest().acquire();
        int count = 0;
        while (!full.get(count).isStalled())
        {
            if (write(full.get(count), MUCH) == 0)
            {
                count++;
            }
        }
        return full.get(CONNECTIONS_THAT_FILL - 1);
    }

    private static byte[] bytes()
    {
        final byte[] bytes = new byte[3 * KEPT];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(i * 31 + (i >> 8));
        }
        return bytes;
    }

    private long write(final Connection connection, final ByteBuffer source)
    {
        return client.write(connection, new ByteBuffer[] {source}, 0, 1);
    }

    private void read(final Connection connection, final int length) throws IOException
    {
        final ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining())
        {
            server.read(connection, target);
        }
    }

    private long write(final Connection connection, final int length)
    {
        return write(connection, ByteBuffer.allocate(length));
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
        while (connection.state() == Connection.State.CONNECTING)
        {
            server.poll();
            client.poll();
        }
        assertEquals(Connection.State.CONNECTED, connection.state());
        return connection;
    }

    private Connection begin() throws IOException
    {
        return begin(client);
    }

    private static Connection begin(final SocketNode node) throws IOException
    {
        final Connection connection =
            node.connect(node.listenersAt(ADDRESS).get(0), ADDRESS, CLIENT, () -> { }, () -> { });
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
        return join(name, CONNECT_TIMEOUT);
    }

    private SocketNode join(final String name, final String connectTimeout) throws IOException
    {
        final GrimConfig config = config(name).set("grim.sockets.connect-timeout", connectTimeout).build();
        return SocketNode.join(config, SocketsConfig.of(config), SelectorProvider.provider(), reason -> { });
    }

    private GrimConfig.Builder config(final String name)
    {
        return GrimConfig.builder().nodeName(SocketNode.NAME_PREFIX + name).directory(directory)
            .set("grim.warm-up", "0s").set("grim.sockets.buffer-length", "512KiB");
    }

    /** The JDK's provider, with a list of the selectors that it has opened. */
    private static final class OpenedSelectors extends SelectorProvider
    {
        private final List<Selector> opened = new ArrayList<>();
        private final Uninterrupted.FileOperation<Void> onOpen;

        OpenedSelectors(final Uninterrupted.FileOperation<Void> onOpen)
        {
            this.onOpen = onOpen;
        }

        @Override
        public AbstractSelector openSelector() throws IOException
        {
            onOpen.run();
            final AbstractSelector selector = SelectorProvider.provider().openSelector();
            opened.add(selector);
            return selector;
        }

        @Override
        public DatagramChannel openDatagramChannel() throws IOException
        {
            return SelectorProvider.provider().openDatagramChannel();
        }

        @Override
        public DatagramChannel openDatagramChannel(final ProtocolFamily family) throws IOException
        {
            return SelectorProvider.provider().openDatagramChannel(family);
        }

        @Override
        public Pipe openPipe() throws IOException
        {
            return SelectorProvider.provider().openPipe();
        }

        @Override
        public ServerSocketChannel openServerSocketChannel() throws IOException
        {
            return SelectorProvider.provider().openServerSocketChannel();
        }

        @Override
        public SocketChannel openSocketChannel() throws IOException
        {
            return SelectorProvider.provider().openSocketChannel();
        }
    }

    /** A channel that blocks, of which nothing comes. */
    private static final class UnreadyChannel implements Awaited
    {
        private final SpinTime spinTime = new SpinTime();

        @Override
        public int readyOperations()
        {
            return 0;
        }

        @Override
        public boolean isOpen()
        {
            return true;
        }

        @Override
        public void waiting(final int operations, final Sleeper sleeper)
        {
            // Nothing wakes it.
        }

        @Override
        public SpinTime spinTime()
        {
            return spinTime;
        }
    }
}
