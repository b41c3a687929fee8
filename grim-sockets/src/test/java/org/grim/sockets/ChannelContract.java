// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import org.grim.sockets.ProviderPair.Pair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Contract of stream channels of any provider: run with the JDK's provider and with GRIM's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
abstract class ChannelContract
{
    private static final int ACCEPT_COUNT = 20;
    private static final int ECHOES_PER_ACCEPT = 100;
    private static final int CLOSE_COUNT = 200;
    private static final long STREAM_LENGTH = Long.getLong("sockets.stream-length", 64L << 20);

    private ProviderPair providers;

    abstract ProviderPair open();

    @BeforeAll
    void openProviders()
    {
        providers = open();
    }

    @AfterAll
    void closeProviders()
    {
        providers.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32, 4095, 4096, 65_503, 65_536, 300_000, 3_000_000})
    void everyKindOfBufferArrivesWhole(final int length) throws Exception
    {
        final ByteBuffer heap = ProviderPair.pattern(length, length);
        final ByteBuffer direct = ByteBuffer.allocateDirect(length).put(heap.duplicate()).flip();
        final ByteBuffer offset = ByteBuffer.allocate(length + 7).position(7).slice().put(heap.duplicate()).flip();
        try (Pair pair = providers.connect())
        {
            for (final ByteBuffer source :
                List.of(heap, direct, heap.asReadOnlyBuffer(), direct.asReadOnlyBuffer(), offset))
            {
                final ByteBuffer sent = source.duplicate();
                final FutureTask<Integer> writer = start(() -> pair.near().write(sent));
                assertEquals(heap, ProviderPair.readFully(pair.far(), length));
                assertEquals(length, writer.get());
                assertFalse(sent.hasRemaining());
            }
            final ByteBuffer target = ByteBuffer.allocateDirect(length);
            final FutureTask<Integer> writer = start(() -> pair.far().write(direct.duplicate()));
            while (target.hasRemaining())
            {
                assertTrue(pair.near().read(target) > 0);
            }
            assertEquals(direct, target.flip());
            assertEquals(length, writer.get());
        }
    }

    @Test
    void gathersAndScatters() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            final ByteBuffer[] sources = {ByteBuffer.wrap(new byte[] {9}), ByteBuffer.wrap(new byte[] {1, 2}),
                ByteBuffer.allocate(0), ByteBuffer.allocateDirect(3).put(new byte[] {3, 4, 5}).flip()};
            assertEquals(5, pair.near().write(sources, 1, 3));
            assertEquals(1, sources[0].remaining());
            final ByteBuffer first = ByteBuffer.allocate(1);
            final ByteBuffer second = ByteBuffer.allocateDirect(10);
            long taken = 0;
            while (taken < 5)
            {
                taken += pair.far().read(new ByteBuffer[] {first, second});
            }
            assertEquals(ByteBuffer.wrap(new byte[] {1}), first.flip());
            assertEquals(ByteBuffer.wrap(new byte[] {2, 3, 4, 5}), second.flip());
            assertThrows(IndexOutOfBoundsException.class, () -> pair.near().write(sources, 3, 2));
            assertThrows(IndexOutOfBoundsException.class, () -> pair.near().read(sources, -1, 2));
        }
    }

    @Test
    void withoutBlockingTakesWhatThereIsRoomFor() throws Exception
    {
        try (Pair slow = providers.connect(); Pair other = providers.connect())
        {
            slow.near().configureBlocking(false);
            slow.far().configureBlocking(false);
            final ByteBuffer target = ByteBuffer.allocate(100_000);
            assertEquals(0, slow.far().read(target));
            final ByteBuffer source = ProviderPair.pattern(100_000, 1);
            final long accepted = fill(slow.near(), source);
            assertTrue(accepted > 0);

            // The full connection holds back no other.
            for (int i = 0; i < 100; i++)
            {
                other.near().write(source.duplicate().clear());
                assertEquals(source.duplicate().clear(), ProviderPair.readFully(other.far(), 100_000));
            }

            final CRC32C expected = crc(source, accepted);
            final CRC32C actual = new CRC32C();
            long taken = 0;
            while (taken < accepted)
            {
                final int length = slow.far().read(target.clear());
                assertTrue(length >= 0);
                actual.update(target.flip());
                taken += length;
            }
            assertEquals(expected.getValue(), actual.getValue());
            assertTrue(fill(slow.near(), source) > 0, "there is room again");
        }
    }

    /** Writes the source again and again until nothing is taken for a while. */
    private static long fill(final SocketChannel channel, final ByteBuffer source) throws Exception
    {
        long accepted = 0;
        int refusalCount = 0;
        while (refusalCount < 20)
        {
            source.clear().position((int)(accepted % source.capacity()));
            final int length = channel.write(source);
            accepted += length;
            refusalCount = length == 0 ? refusalCount + 1 : 0;
            if (length == 0)
            {
                Thread.sleep(5);
            }
        }
        return accepted;
    }

    private static CRC32C crc(final ByteBuffer source, final long length)
    {
        final CRC32C crc = new CRC32C();
        for (long rest = length; rest > 0; rest -= source.capacity())
        {
            crc.update(source.duplicate().clear().limit((int)Math.min(rest, source.capacity())));
        }
        return crc;
    }

    @Test
    @Timeout(900)
    void streamArrivesWhole() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            final ByteBuffer source = ProviderPair.pattern(100_003, 7);
            final FutureTask<Long> writer = start(() ->
            {
                long written = 0;
                while (written < STREAM_LENGTH)
                {
                    final int length = (int)Math.min(source.capacity(), STREAM_LENGTH - written);
                    written += pair.near().write(source.duplicate().clear().limit(length));
                }
                pair.near().shutdownOutput();
                return written;
            });
            final CRC32C actual = new CRC32C();
            final ByteBuffer target = ByteBuffer.allocateDirect(70_000);
            long taken = 0;
            while (pair.far().read(target.clear()) >= 0)
            {
                taken += target.position();
                actual.update(target.flip());
            }
            assertEquals(STREAM_LENGTH, taken);
            assertEquals(STREAM_LENGTH, writer.get());
            assertEquals(crc(source, STREAM_LENGTH).getValue(), actual.getValue());
        }
    }

    @Test
    void eitherHalfCloses() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            pair.near().write(ByteBuffer.wrap(new byte[] {1}));
            assertFalse(pair.near().socket().isOutputShutdown());
            pair.near().shutdownOutput();
            pair.near().shutdownOutput();
            assertTrue(pair.near().socket().isOutputShutdown());
            assertThrows(ClosedChannelException.class, () -> pair.near().write(ByteBuffer.allocate(1)));
            assertEquals(1, ProviderPair.readFully(pair.far(), 1).get(0));
            assertEquals(-1, pair.far().read(ByteBuffer.allocate(1)));
            assertEquals(-1, pair.far().read(ByteBuffer.allocate(1)));
            assertEquals(2, pair.far().write(ByteBuffer.wrap(new byte[] {2, 3})));
            assertEquals(2, ProviderPair.readFully(pair.near(), 2).get(0));
            assertFalse(pair.near().socket().isInputShutdown());
            pair.near().shutdownInput();
            assertTrue(pair.near().socket().isInputShutdown());
            assertEquals(-1, pair.near().read(ByteBuffer.allocate(1)));
            assertTrue(pair.near().isOpen());
            pair.far().shutdownOutput();
            assertTrue(pair.far().isConnected());
        }
    }

    @Test
    void shouldSayHowMuchWasWrittenWhenTheOutputEndsMeanwhile() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            final AtomicLong written = new AtomicLong();
            final FutureTask<Object> writer = start(() -> writeForever(pair.near(), 100_000, written));
            long before = -1;
            while (written.get() == 0 || written.get() != before)
            {
                before = written.get();
                Thread.sleep(50);                   // The reader does not read: the writer will wait for room.
            }
            pair.near().shutdownOutput();

            assertThrows(ExecutionException.class, () -> writer.get(60, TimeUnit.SECONDS));
            assertEquals(readToEnd(pair.far()), written.get());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLoseNoByteThatWasTakenWhenTheOutputEndsMeanwhile(final boolean isClose) throws Exception
    {
        try (ServerSocketChannel listening = providers.listen())
        {
            for (int i = 0; i < 150; i++)
            {
                try (Pair pair = providers.connect(listening))
                {
                    final FutureTask<Long> reader = start(() -> readToEnd(pair.far()));
                    final AtomicLong written = new AtomicLong();
                    final FutureTask<Object> writer = start(() -> writeForever(pair.near(), 3000, written));
                    while (written.get() == 0)
                    {
                        Thread.onSpinWait();
                    }
                    if (isClose)
                    {
                        pair.near().close();
                    }
                    else
                    {
                        pair.near().shutdownOutput();
                    }
                    assertThrows(ExecutionException.class, () -> writer.get(60, TimeUnit.SECONDS));
                    assertEquals(written.get(), reader.get(60, TimeUnit.SECONDS));
                }
            }
        }
    }

    private static Object writeForever(final SocketChannel channel, final int length, final AtomicLong written)
        throws IOException
    {
        while (true)
        {
            written.addAndGet(channel.write(ByteBuffer.allocate(length)));
        }
    }

    private static long readToEnd(final SocketChannel channel) throws IOException
    {
        final ByteBuffer target = ByteBuffer.allocate(100_000);
        long total = 0;
        for (int length = channel.read(target); length >= 0; length = channel.read(target.clear()))
        {
            total += length;
        }
        return total;
    }

    @Test
    void closeIsTheEndBehindAllBytes() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            pair.near().write(ProviderPair.pattern(50_000, 3));
            pair.near().close();
            assertEquals(ProviderPair.pattern(50_000, 3), ProviderPair.readFully(pair.far(), 50_000));
            assertEquals(-1, pair.far().read(ByteBuffer.allocate(1)));
            assertThrows(ClosedChannelException.class, () -> pair.near().read(ByteBuffer.allocate(1)));
            assertThrows(ClosedChannelException.class, () -> pair.near().write(ByteBuffer.allocate(1)));
            assertThrows(ClosedChannelException.class, pair.near()::getRemoteAddress);
            assertThrows(ClosedChannelException.class, pair.near()::shutdownInput);
            assertThrows(ClosedChannelException.class, () -> pair.near().getOption(StandardSocketOptions.SO_SNDBUF));
            pair.near().close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeWithUnreadBytesAndWithoutLingerResets(final boolean isUnread) throws Exception
    {
        try (Pair pair = providers.connect())
        {
            if (isUnread)
            {
                pair.far().write(ByteBuffer.allocate(10));
                assertEquals(1, pair.near().read(ByteBuffer.allocate(1)));
            }
            else
            {
                pair.near().setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            pair.near().close();
            assertThrows(IOException.class, () -> pair.far().read(ByteBuffer.allocate(1)));
            assertThrows(IOException.class, () ->
            {
                while (true)
                {
                    pair.far().write(ByteBuffer.allocate(1000));
                }
            });
            assertTrue(pair.far().isOpen());
        }
    }

    @Test
    void writesIntoAClosedConnectionFailSoon() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            pair.near().close();
            assertThrows(IOException.class, () ->
            {
                while (true)
                {
                    pair.far().write(ByteBuffer.allocate(1000));
                }
            });
        }
    }

    @Test
    void whereNobodyListensConnectingIsRefused() throws Exception
    {
        final InetSocketAddress address;
        try (ServerSocketChannel listening = providers.listen())
        {
            address = (InetSocketAddress)listening.getLocalAddress();
        }
        try (SocketChannel channel = providers.client.openSocketChannel())
        {
            assertThrows(ConnectException.class, () -> channel.connect(address));
            assertFalse(channel.isOpen());
        }
        try (SocketChannel channel = providers.client.openSocketChannel())
        {
            channel.configureBlocking(false);
            assertThrows(ConnectException.class, () ->
            {
                channel.connect(address);
                while (!channel.finishConnect())
                {
                    Thread.onSpinWait();
                }
            });
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void whereNobodyAcceptsConnectingTakesTheTimeThatItMay() throws Exception
    {
        final List<SocketChannel> channels = new ArrayList<>();
        try (ServerSocketChannel listening = providers.server.openServerSocketChannel())
        {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
            final InetSocketAddress address = (InetSocketAddress)listening.getLocalAddress();
            assertThrows(SocketTimeoutException.class, () ->
            {
                for (int i = 0; i < 20; i++)
                {
                    final SocketChannel channel = providers.client.openSocketChannel();
                    channels.add(channel);
                    channel.socket().connect(address, 200);
                }
            });
            assertFalse(channels.get(channels.size() - 1).isOpen());
        }
        finally
        {
            for (final SocketChannel channel : channels)
            {
                channel.close();
            }
        }
    }

    @Test
    void connectsWithoutBlocking() throws Exception
    {
        try (ServerSocketChannel listening = providers.listen();
            SocketChannel channel = providers.client.openSocketChannel())
        {
            listening.configureBlocking(false);
            channel.configureBlocking(false);
            assertNull(listening.accept());
            assertThrows(NoConnectionPendingException.class, channel::finishConnect);
            boolean isConnected = channel.connect(listening.getLocalAddress());
            assertEquals(!isConnected, channel.isConnectionPending());
            SocketChannel accepted = null;
            while (!isConnected || accepted == null)
            {
                isConnected = isConnected || channel.finishConnect();
                accepted = accepted == null ? listening.accept() : accepted;
            }
            assertTrue(channel.isConnected());
            assertTrue(accepted.isBlocking());
            assertThrows(AlreadyConnectedException.class, () -> channel.connect(listening.getLocalAddress()));
            accepted.close();
        }
    }

    @Test
    void bothEndsNameBothAddresses() throws Exception
    {
        try (ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening))
        {
            assertEquals(listening.getLocalAddress(), pair.near().getRemoteAddress());
            assertEquals(listening.getLocalAddress(), pair.far().getLocalAddress());
            assertEquals(pair.near().getLocalAddress(), pair.far().getRemoteAddress());
            assertEquals(pair.near().getLocalAddress(), pair.near().socket().getLocalSocketAddress());
            assertSame(pair.near(), pair.near().socket().getChannel());
            assertSame(pair.near().socket(), pair.near().socket());
            final int port = ((InetSocketAddress)pair.near().getLocalAddress()).getPort();
            assertTrue(port > 0);
            try (ServerSocketChannel taken = providers.client.openServerSocketChannel())
            {
                taken.setOption(StandardSocketOptions.SO_REUSEADDR, false);
                assertThrows(IOException.class,
                    () -> taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            }
        }
        try (SocketChannel channel = providers.client.openSocketChannel())
        {
            assertNull(channel.getLocalAddress());
            assertNull(channel.getRemoteAddress());
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertNotNull(channel.getLocalAddress());
        }
    }

    /** A socket of IPv6 on all addresses gets what comes by IPv4, and one of IPv4 nothing that comes by IPv6. */
    @ParameterizedTest
    @CsvSource({"INET, 127.0.0.1, true", "INET, ::1, false", "INET6, 127.0.0.1, true", "INET6, ::1, true"})
    void listenerOnAllAddressesIsReachedByItsFamilies(
        final StandardProtocolFamily family, final String host, final boolean isReached) throws Exception
    {
        final InetAddress target = InetAddress.getByName(host);
        assumeTrue(NetworkInterface.getByInetAddress(target) != null);
        try (ServerSocketChannel listening = providers.server.openServerSocketChannel(family);
            SocketChannel channel = providers.client.openSocketChannel())
        {
            listening.bind(new InetSocketAddress(0));
            final InetSocketAddress address = new InetSocketAddress(target, listening.socket().getLocalPort());
            if (isReached)
            {
                channel.connect(address);
                listening.accept().close();
            }
            else
            {
                assertThrows(ConnectException.class, () -> channel.connect(address));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0, 127.0.0.1", "::, ::1"})
    void connectingToNoHostIsLoopback(final String none, final String loopback) throws Exception
    {
        final InetAddress host = InetAddress.getByName(loopback);
        assumeTrue(NetworkInterface.getByInetAddress(host) != null);
        try (ServerSocketChannel listening = providers.server.openServerSocketChannel();
            SocketChannel channel = providers.client.openSocketChannel())
        {
            listening.bind(new InetSocketAddress(0));
            final int port = listening.socket().getLocalPort();
            channel.connect(new InetSocketAddress(InetAddress.getByName(none), port));
            assertEquals(new InetSocketAddress(host, port), channel.getRemoteAddress());
            assertEquals(host, channel.socket().getInetAddress());
            listening.accept().close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void streamsEndWithTheirSocket(final boolean isInterrupted) throws Exception
    {
        final Class<? extends IOException> expected =
            isInterrupted ? ClosedByInterruptException.class : AsynchronousCloseException.class;
        try (ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening))
        {
            final Socket socket = pair.near().socket();
            final InputStream input = socket.getInputStream();
            final OutputStream output = socket.getOutputStream();
            final int port = socket.getLocalPort();

            endsWith(expected, pair.near(), input::read);

            assertNull(assertThrows(ClosedChannelException.class, input::read).getMessage());
            assertThrows(ClosedChannelException.class, input::available);
            assertThrows(ClosedChannelException.class, () -> output.write(1));
            assertThrows(ClosedChannelException.class, socket::shutdownInput);
            assertThrows(ClosedChannelException.class, socket::shutdownOutput);
            assertFalse(socket.isConnected());
            assertFalse(pair.near().isConnected());
            assertTrue(socket.isBound());
            assertEquals(port, socket.getLocalPort());
            assertEquals(listening.getLocalAddress(), socket.getRemoteSocketAddress());
        }
        try (Pair pair = providers.connect())
        {
            pair.near().socket().setSoTimeout(60_000);
            endsWith(expected, pair.near(), pair.near().socket().getInputStream()::read);
        }
        try (ServerSocketChannel listening = providers.listen())
        {
            endsWith(expected, listening, listening.socket()::accept);
            assertThrows(ClosedChannelException.class, listening.socket()::accept);
        }
    }

    @Test
    void callsThatComeTooEarlyAreRefused() throws Exception
    {
        try (SocketChannel channel = providers.client.openSocketChannel();
            ServerSocketChannel server = providers.server.openServerSocketChannel(); Pair pair = providers.connect())
        {
            assertThrows(NotYetConnectedException.class, () -> channel.read(ByteBuffer.allocate(1)));
            assertThrows(NotYetConnectedException.class, () -> channel.write(ByteBuffer.allocate(1)));
            assertThrows(NotYetConnectedException.class, channel::shutdownOutput);
            assertThrows(NotYetBoundException.class, server::accept);
            assertThrows(NullPointerException.class, () -> pair.near().read((ByteBuffer)null));
            assertThrows(NullPointerException.class, () -> pair.near().write((ByteBuffer)null));
            pair.far().write(ByteBuffer.allocate(1));
            assertThrows(IllegalArgumentException.class,
                () -> pair.near().read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
            assertEquals(0, pair.near().read(ByteBuffer.allocate(0)));
        }
    }

    @Test
    void optionsAreKept() throws Exception
    {
        try (SocketChannel channel = providers.client.openSocketChannel(); Pair pair = providers.connect())
        {
            for (final SocketChannel each : List.of(channel, pair.near(), pair.far()))
            {
                assertTrue(each.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY));
                assertSame(each, each.setOption(StandardSocketOptions.TCP_NODELAY, true));
                assertTrue(each.getOption(StandardSocketOptions.TCP_NODELAY));
                each.socket().setKeepAlive(true);
                assertTrue(each.getOption(StandardSocketOptions.SO_KEEPALIVE));
                assertTrue(each.getOption(StandardSocketOptions.SO_RCVBUF) > 0);
                assertThrows(IllegalArgumentException.class,
                    () -> each.setOption(StandardSocketOptions.SO_SNDBUF, -1));
                assertThrows(UnsupportedOperationException.class,
                    () -> each.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true));
                assertThrows(NullPointerException.class, () -> each.getOption(null));
            }
        }
    }

    @Test
    void socketsHaveStreamsAndTimeOuts() throws Exception
    {
        try (ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening))
        {
            pair.near().socket().getOutputStream().write(new byte[] {1, 2, 3}, 1, 2);
            final InputStream input = pair.far().socket().getInputStream();
            assertEquals(2, input.read());
            assertArrayEquals(new byte[] {3}, input.readNBytes(1));
            pair.far().socket().setSoTimeout(50);
            final long startNs = System.nanoTime();
            assertThrows(SocketTimeoutException.class, input::read);
            assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(49));
            assertTrue(pair.far().isOpen());
            pair.near().socket().shutdownOutput();
            assertEquals(-1, input.read());
            assertTrue(pair.near().socket().isOutputShutdown());
            listening.socket().setSoTimeout(50);
            assertThrows(SocketTimeoutException.class, listening.socket()::accept);
            pair.near().socket().close();
            assertFalse(pair.near().isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blockedReadEndsWithItsChannel(final boolean isInterrupted) throws Exception
    {
        try (Pair pair = providers.connect())
        {
            endsWith(isInterrupted ? ClosedByInterruptException.class : AsynchronousCloseException.class, pair.near(),
                () -> pair.near().read(ByteBuffer.allocate(1)));
            assertEquals(-1, pair.far().read(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blockedWriteEndsWithItsChannel(final boolean isInterrupted) throws Exception
    {
        try (Pair pair = providers.connect())
        {
            // A write that has taken some bytes returns, and the next one finds the channel closed.
            endsWith(isInterrupted ? ClosedByInterruptException.class : ClosedChannelException.class, pair.near(), () ->
            {
                while (true)
                {
                    pair.near().write(ByteBuffer.allocate(1 << 20));
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blockedAcceptEndsWithItsChannel(final boolean isInterrupted) throws Exception
    {
        try (ServerSocketChannel listening = providers.listen())
        {
            endsWith(isInterrupted ? ClosedByInterruptException.class : AsynchronousCloseException.class, listening,
                listening::accept);
        }
    }

    @Test
    void shouldSayThatAnotherThreadHasClosedTheChannel() throws Exception
    {
        try (ServerSocketChannel listening = providers.listen())
        {
            for (int i = 0; i < CLOSE_COUNT; i++)
            {
                try (Pair pair = providers.connect(listening))
                {
                    final CountDownLatch isAsking = new CountDownLatch(1);
                    final FutureTask<Object> asking = start(() ->
                    {
                        while (true)
                        {
                            assertNotNull(pair.near().getRemoteAddress());
                            pair.near().write(ByteBuffer.allocate(0));
                            isAsking.countDown();
                        }
                    });
                    isAsking.await();
                    pair.near().close();
                    final Throwable failure = assertThrows(ExecutionException.class, asking::get).getCause();
                    assertInstanceOf(ClosedChannelException.class, failure, failure::toString);
                }
            }
        }
    }

    /** As servers do: one thread accepts, another selects, and may find what comes for the first. */
    @Test
    void shouldAcceptWhenAnotherThreadSelectsMeanwhile() throws Exception
    {
        try (ServerSocketChannel listening = providers.listen(); Pair pair = providers.connect(listening);
            Selector selector = providers.server.openSelector())
        {
            pair.far().configureBlocking(false);
            pair.far().register(selector, SelectionKey.OP_READ);
            final FutureTask<Object> echo = start(() -> echo(pair.far(), selector));
            for (int i = 0; i < ACCEPT_COUNT; i++)
            {
                final FutureTask<SocketChannel> accepting = start(listening::accept);
                for (int j = 0; j < ECHOES_PER_ACCEPT; j++)
                {
                    pair.near().write(ByteBuffer.allocate(1));
                    ProviderPair.readFully(pair.near(), 1);
                }
                try (SocketChannel connected = providers.client.openSocketChannel())
                {
                    connected.connect(listening.getLocalAddress());
                    accepting.get(60, TimeUnit.SECONDS).close();
                }
            }
            pair.near().shutdownOutput();
            echo.get(60, TimeUnit.SECONDS);
        }
    }

    /** A thread whose selector has nothing more to wait for may have been the one that listened for all. */
    @Test
    void shouldReadWhenTheSelectorOfAnotherThreadHasLostItsLastChannel() throws Exception
    {
        try (ServerSocketChannel listening = providers.listen(); Pair selected = providers.connect(listening);
            Pair read = providers.connect(listening); Selector selector = providers.server.openSelector())
        {
            selected.far().configureBlocking(false);
            selected.far().register(selector, SelectionKey.OP_READ);
            final FutureTask<Integer> selecting = start(selector::select);
            Thread.sleep(50);
            final FutureTask<ByteBuffer> reading = start(() -> ProviderPair.readFully(read.far(), 1));
            Thread.sleep(50);
            selected.far().close();
            Thread.sleep(50);
            read.near().write(ByteBuffer.allocate(1));
            assertEquals(0, reading.get(60, TimeUnit.SECONDS).get(0));
            selector.wakeup();
            assertEquals(0, selecting.get(60, TimeUnit.SECONDS));
        }
    }

    private static Object echo(final SocketChannel channel, final Selector selector) throws IOException
    {
        final ByteBuffer buffer = ByteBuffer.allocate(1);
        while (channel.read(buffer) >= 0)
        {
            channel.write(buffer.flip());
            buffer.clear();
            selector.select();
            selector.selectedKeys().clear();
        }
        return null;
    }

    @Test
    void threadThatIsInterruptedAlreadyClosesTheChannel() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            final FutureTask<Object> reader = start(() ->
            {
                Thread.currentThread().interrupt();
                return pair.near().read(ByteBuffer.allocate(1));
            });
            assertInstanceOf(ClosedByInterruptException.class,
                assertThrows(ExecutionException.class, reader::get).getCause());
            assertFalse(pair.near().isOpen());
        }
    }

    private static void endsWith(
        final Class<? extends IOException> expected, final Channel channel, final Callable<?> call) throws Exception
    {
        final FutureTask<Object> task = new FutureTask<>(call::call);
        final Thread thread = new Thread(task, "blocked");
        thread.start();
        while (!sleepsInKernel(thread))
        {
            assertFalse(task.isDone());
            Thread.sleep(10);
        }
        if (expected == ClosedByInterruptException.class)
        {
            thread.interrupt();
        }
        else
        {
            channel.close();
        }
        assertInstanceOf(expected,
            assertThrows(ExecutionException.class, () -> task.get(60, TimeUnit.SECONDS)).getCause());
        assertFalse(channel.isOpen());
    }

    /** Whether a thread is in a call of the JDK's that waits, or may wait, for a channel. */
    static boolean sleepsInKernel(final Thread thread)
    {
        return Stream.of(thread.getStackTrace()).anyMatch(frame ->
            frame.isNativeMethod() && frame.getClassName().startsWith("sun.nio.ch."));
    }

    private static <T> FutureTask<T> start(final Callable<T> call)
    {
        final FutureTask<T> task = new FutureTask<>(call);
        new Thread(task, "contract").start();
        return task;
    }
}
