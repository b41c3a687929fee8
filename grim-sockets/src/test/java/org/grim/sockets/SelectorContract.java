// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.grim.sockets.ProviderPair.Pair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Contract of selectors of any provider: run with the JDK's provider and with GRIM's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
abstract class SelectorContract
{
    private static final int CONNECTION_COUNT = Integer.getInteger("sockets.connection-count", 100);
    private static final long LONG_MS = 120_000;

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

    @Test
    void acceptConnectReadAndWriteShowInTheirKeys() throws Exception
    {
        try (Selector serving = providers.server.openSelector(); Selector asking = providers.client.openSelector();
            ServerSocketChannel listening = providers.listen();
            SocketChannel near = providers.client.openSocketChannel())
        {
            listening.configureBlocking(false);
            near.configureBlocking(false);
            final SelectionKey acceptKey = listening.register(serving, SelectionKey.OP_ACCEPT);
            assertEquals(0, serving.selectNow());
            final SelectionKey nearKey = near.register(asking, SelectionKey.OP_CONNECT, "attachment");
            assertSame(nearKey, near.keyFor(asking));
            assertEquals("attachment", nearKey.attachment());
            near.connect(listening.getLocalAddress());
            assertEquals(1, serving.select(LONG_MS));
            assertEquals(Set.of(acceptKey), serving.selectedKeys());
            assertTrue(acceptKey.isAcceptable());
            assertEquals(0, serving.selectNow(), "nothing new of a key that is selected");
            final SocketChannel far = listening.accept();
            serving.selectedKeys().clear();
            assertEquals(0, serving.selectNow());

            assertEquals(1, asking.select(LONG_MS));
            assertTrue(nearKey.isConnectable());
            assertTrue(near.finishConnect());
            nearKey.interestOps(SelectionKey.OP_READ);
            asking.selectedKeys().clear();
            assertEquals(0, asking.selectNow());
            far.write(ByteBuffer.allocate(3));
            assertEquals(1, asking.select(LONG_MS));
            assertTrue(nearKey.isReadable());
            assertFalse(nearKey.isWritable());
            asking.selectedKeys().clear();
            assertEquals(1, asking.select(LONG_MS), "as long as bytes are there");
            assertEquals(3, near.read(ByteBuffer.allocate(10)));
            asking.selectedKeys().clear();
            assertEquals(0, asking.selectNow());
            assertEquals(SelectionKey.OP_READ, nearKey.interestOpsOr(SelectionKey.OP_WRITE));
            assertEquals(1, asking.select(LONG_MS));
            assertEquals(SelectionKey.OP_WRITE, nearKey.readyOps());
            far.close();
            nearKey.interestOpsAnd(SelectionKey.OP_READ);
            asking.selectedKeys().clear();
            assertEquals(1, asking.select(LONG_MS), "the end is read, too");
            assertEquals(-1, near.read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void refusalShowsInTheKey() throws Exception
    {
        final InetSocketAddress address;
        try (ServerSocketChannel listening = providers.listen())
        {
            address = (InetSocketAddress)listening.getLocalAddress();
        }
        try (Selector selector = providers.client.openSelector();
            SocketChannel channel = providers.client.openSocketChannel())
        {
            channel.configureBlocking(false);
            channel.connect(address);
            final SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            assertEquals(1, selector.select(LONG_MS));
            assertTrue(key.isConnectable());
            assertThrows(ConnectException.class, channel::finishConnect);
        }
    }

    @Test
    void fullConnectionIsNotWritableUntilItsReaderReads() throws Exception
    {
        try (Selector selector = providers.client.openSelector(); Pair pair = providers.connect())
        {
            pair.near().configureBlocking(false);
            pair.far().configureBlocking(false);
            final SelectionKey key = pair.near().register(selector, SelectionKey.OP_WRITE);
            final ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
            FutureTask<Integer> selecting;
            do                              // The thread that reads the link for the far end may get the core late.
            {
                int idleCount = 0;
                while (idleCount < 25)
                {
                    final boolean isReady = selector.select(20) > 0;
                    selector.selectedKeys().clear();
                    assertTrue(!isReady || pair.near().write(bytes.clear()) > 0);
                    idleCount = isReady ? 0 : idleCount + 1;
                }
                selecting = start(() -> selector.select(LONG_MS));
                Thread.sleep(50);
            }
            while (selecting.isDone());
            while (pair.far().read(bytes.clear()) > 0 || !selecting.isDone())
            {
                Thread.onSpinWait();
            }
            assertEquals(1, selecting.get());
            assertTrue(key.isWritable());
        }
    }

    @Test
    void wakeupEndsThisSelectOrTheNext() throws Exception
    {
        try (Selector selector = providers.client.openSelector(); Pair pair = providers.connect())
        {
            pair.near().configureBlocking(false);
            pair.near().register(selector, SelectionKey.OP_READ);
            assertSame(selector, selector.wakeup());
            selector.wakeup();
            assertEquals(0, selector.select());
            assertTrue(elapsedMs(() -> selector.select(100)) >= 99);
            for (int i = 0; i < 5; i++)
            {
                final FutureTask<Integer> selecting = start(selector::select);
                Thread.sleep(30);
                assertFalse(selecting.isDone());
                selector.wakeup();
                assertEquals(0, selecting.get(60, TimeUnit.SECONDS));
            }
            selector.wakeup();
            assertEquals(0, selector.selectNow());
            assertTrue(elapsedMs(() -> selector.select(50)) >= 49, "selectNow took the wakeup");
        }
    }

    @Test
    void interruptEndsASelectAndStays() throws Exception
    {
        try (Selector selector = providers.client.openSelector(); Pair pair = providers.connect())
        {
            pair.near().configureBlocking(false);
            pair.near().register(selector, SelectionKey.OP_READ);
            final FutureTask<Boolean> selecting = new FutureTask<>(() ->
            {
                selector.select();
                selector.select();
                return Thread.interrupted();
            });
            final Thread thread = new Thread(selecting, "selecting");
            thread.start();
            Thread.sleep(50);
            thread.interrupt();
            assertTrue(selecting.get(60, TimeUnit.SECONDS));
            assertTrue(selector.isOpen());
            assertTrue(pair.near().isOpen());
        }
    }

    @Test
    void closingASelectorEndsItsSelectAndItsKeys() throws Exception
    {
        try (Pair pair = providers.connect())
        {
            final Selector selector = providers.client.openSelector();
            pair.near().configureBlocking(false);
            final SelectionKey key = pair.near().register(selector, SelectionKey.OP_READ);
            final FutureTask<Integer> selecting = new FutureTask<>(selector::select);
            final Thread thread = new Thread(selecting, "selecting");
            thread.start();
            while (!ChannelContract.sleepsInKernel(thread))
            {
                assertFalse(selecting.isDone());
                Thread.sleep(10);
            }
            selector.close();
            selector.close();
            assertEquals(0, selecting.get(60, TimeUnit.SECONDS));
            assertFalse(key.isValid());
            assertFalse(pair.near().isRegistered());
            assertThrows(ClosedSelectorException.class, selector::select);
            assertThrows(ClosedSelectorException.class, selector::keys);
            assertThrows(ClosedSelectorException.class, selector::selectedKeys);
            assertThrows(ClosedSelectorException.class, () -> pair.near().register(selector, SelectionKey.OP_READ));
        }
    }

    @Test
    void cancelledKeysAndClosedChannelsLeave() throws Exception
    {
        try (Selector selector = providers.client.openSelector(); Pair pair = providers.connect())
        {
            pair.near().configureBlocking(false);
            final SelectionKey key = pair.near().register(selector, SelectionKey.OP_READ);
            assertEquals(Set.of(key), selector.keys());
            assertThrows(IllegalArgumentException.class, () -> key.interestOps(SelectionKey.OP_ACCEPT));
            assertThrows(IllegalBlockingModeException.class, () -> pair.near().configureBlocking(true));
            pair.far().write(ByteBuffer.allocate(1));
            assertEquals(1, selector.select(LONG_MS));
            key.cancel();
            assertFalse(key.isValid());
            assertThrows(CancelledKeyException.class, key::readyOps);
            assertThrows(CancelledKeyException.class, key::interestOps);
            assertThrows(CancelledKeyException.class, () -> pair.near().register(selector, SelectionKey.OP_READ));
            assertEquals(0, selector.selectNow());
            assertEquals(Set.of(), selector.keys());
            assertEquals(Set.of(), selector.selectedKeys());
            assertNull(pair.near().keyFor(selector));

            pair.near().configureBlocking(true);
            assertEquals(1, pair.near().read(ByteBuffer.allocate(1)));
            pair.near().configureBlocking(false);
            final SelectionKey second = pair.near().register(selector, SelectionKey.OP_READ);
            pair.near().close();
            assertFalse(second.isValid());
            assertEquals(0, selector.selectNow());
            assertEquals(Set.of(), selector.keys());
            assertEquals(-1, pair.far().read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void keysCanBeRemovedFromTheSelectedOnesAndNotAdded() throws Exception
    {
        try (Selector selector = providers.client.openSelector(); Pair pair = providers.connect())
        {
            pair.near().configureBlocking(false);
            final SelectionKey key = pair.near().register(selector, SelectionKey.OP_WRITE);
            assertThrows(UnsupportedOperationException.class, () -> selector.selectedKeys().add(key));
            assertThrows(UnsupportedOperationException.class, () -> selector.keys().clear());
            final List<SelectionKey> selected = new ArrayList<>();
            assertEquals(1, selector.select(selected::add));
            assertEquals(List.of(key), selected);
            assertThrows(IllegalArgumentException.class, () -> selector.select(-1));
        }
    }

    @Test
    void shouldBlockAgainWhenItsKeyIsCancelled() throws Exception
    {
        try (Selector asking = providers.client.openSelector(); Selector serving = providers.server.openSelector();
            Pair pair = providers.connect())
        {
            for (final boolean isNear : new boolean[] {true, false})
            {
                final SocketChannel channel = isNear ? pair.near() : pair.far();
                final Selector selector = isNear ? asking : serving;
                (isNear ? pair.far() : pair.near()).write(ByteBuffer.wrap(new byte[] {7}));
                channel.configureBlocking(false);
                final SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                assertEquals(key, selectOne(selector));
                assertEquals(Set.of(key), selector.keys());
                assertSame(key, channel.keyFor(selector));

                key.cancel();
                channel.configureBlocking(true);

                assertEquals(1, channel.read(ByteBuffer.allocate(2)));
                channel.configureBlocking(false);
                selector.selectNow();
                assertTrue(channel.register(selector, SelectionKey.OP_READ).isValid());
            }
        }
    }

    @Test
    void channelsOfAllKindsShareASelector() throws Exception
    {
        final Pipe pipe = providers.client.openPipe();
        try (Selector selector = providers.client.openSelector(); Pair pair = providers.connect();
            DatagramChannel datagrams = providers.client.openDatagramChannel();
            DatagramChannel sender = providers.client.openDatagramChannel();
            ServerSocketChannel jdkListening = ProviderPair.ofJdk().listen();
            SocketChannel tcp = providers.client.openSocketChannel(); Pipe.SourceChannel source = pipe.source();
            Pipe.SinkChannel sink = pipe.sink())
        {
            datagrams.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
            source.configureBlocking(false);
            pair.near().configureBlocking(false);
            tcp.configureBlocking(false);
            tcp.connect(jdkListening.getLocalAddress());
            final SelectionKey tcpKey = tcp.register(selector, SelectionKey.OP_CONNECT);
            final SelectionKey datagramKey = datagrams.register(selector, SelectionKey.OP_READ);
            final SelectionKey pipeKey = source.register(selector, SelectionKey.OP_READ);
            final SelectionKey grimKey = pair.near().register(selector, SelectionKey.OP_READ);
            final SocketChannel tcpFar = jdkListening.accept();
            assertEquals(tcpKey, selectOne(selector));
            assertTrue(tcp.finishConnect());
            tcpKey.interestOps(SelectionKey.OP_READ);
            for (int i = 0; i < 3; i++)
            {
                sendLater(() -> sender.send(ByteBuffer.allocate(1), datagrams.getLocalAddress()));
                assertEquals(datagramKey, selectOne(selector));
                datagrams.receive(ByteBuffer.allocate(1));
                sendLater(() -> pair.far().write(ByteBuffer.allocate(1)));
                assertEquals(grimKey, selectOne(selector));
                pair.near().read(ByteBuffer.allocate(1));
                sendLater(() -> sink.write(ByteBuffer.allocate(1)));
                assertEquals(pipeKey, selectOne(selector));
                source.read(ByteBuffer.allocate(1));
                sendLater(() -> tcpFar.write(ByteBuffer.allocate(1)));
                assertEquals(tcpKey, selectOne(selector));
                tcp.read(ByteBuffer.allocate(1));
            }
            // None of them starves while another is always ready.
            pair.far().write(ByteBuffer.allocate(1));
            tcpFar.write(ByteBuffer.allocate(1));
            sink.write(ByteBuffer.allocate(1));
            while (selector.selectedKeys().size() < 3)
            {
                selector.select(LONG_MS);
            }
            assertEquals(Set.of(grimKey, tcpKey, pipeKey), selector.selectedKeys());
            tcpFar.close();
        }
    }

    private static SelectionKey selectOne(final Selector selector) throws Exception
    {
        assertEquals(1, selector.select(LONG_MS));
        final SelectionKey key = selector.selectedKeys().iterator().next();
        selector.selectedKeys().clear();
        return key;
    }

    private static void sendLater(final Callable<?> sending)
    {
        final FutureTask<Object> task = new FutureTask<>(() ->
        {
            Thread.sleep(5);
            return sending.call();
        });
        new Thread(task, "sender").start();
    }

    @Test
    @Timeout(180)
    void manyConnectionsOfOneSelectorEcho() throws Exception
    {
        try (Selector serving = providers.server.openSelector(); Selector asking = providers.client.openSelector();
            ServerSocketChannel listening = providers.server.openServerSocketChannel())
        {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CONNECTION_COUNT);
            final List<SocketChannel> channels = new ArrayList<>();
            final FutureTask<Integer> server = start(() -> serve(serving, listening));
            for (int i = 0; i < CONNECTION_COUNT; i++)
            {
                final SocketChannel channel = providers.client.openSocketChannel();
                channel.connect(listening.getLocalAddress());
                channel.configureBlocking(false);
                channel.register(asking, SelectionKey.OP_READ, i);
                channels.add(channel);
            }
            for (int i = 0; i < CONNECTION_COUNT; i++)
            {
                channels.get(i).write(ByteBuffer.allocate(8).putInt(0, i));
            }
            int echoCount = 0;
            while (echoCount < CONNECTION_COUNT)
            {
                assertTrue(asking.select(LONG_MS) > 0);
                for (final SelectionKey key : asking.selectedKeys())
                {
                    final ByteBuffer echo = ByteBuffer.allocate(8);
                    while (echo.hasRemaining())
                    {
                        assertTrue(((SocketChannel)key.channel()).read(echo) >= 0);
                    }
                    assertEquals(key.attachment(), echo.getInt(0));
                    echoCount++;
                }
                asking.selectedKeys().clear();
            }
            for (final SocketChannel channel : channels)
            {
                channel.close();
            }
            assertEquals(CONNECTION_COUNT, server.get(60, TimeUnit.SECONDS));
        }
    }

    /** Accepts and echoes until all clients have closed. */
    private static int serve(final Selector selector, final ServerSocketChannel listening) throws Exception
    {
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
        final ByteBuffer bytes = ByteBuffer.allocate(1024);
        int closedCount = 0;
        while (closedCount < CONNECTION_COUNT)
        {
            selector.select(LONG_MS);
            for (final SelectionKey key : selector.selectedKeys())
            {
                if (key.isAcceptable())
                {
                    final SocketChannel accepted = listening.accept();
                    if (accepted != null)
                    {
                        accepted.configureBlocking(false);
                        accepted.register(selector, SelectionKey.OP_READ);
                    }
                }
                else if (((SocketChannel)key.channel()).read(bytes.clear()) < 0)
                {
                    key.channel().close();
                    closedCount++;
                }
                else
                {
                    ((SocketChannel)key.channel()).write(bytes.flip());
                }
            }
            selector.selectedKeys().clear();
        }
        return closedCount;
    }

    private static long elapsedMs(final Callable<?> call) throws Exception
    {
        final long startNs = System.nanoTime();
        call.call();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    private static <T> FutureTask<T> start(final Callable<T> call)
    {
        final FutureTask<T> task = new FutureTask<>(call);
        new Thread(task, "contract").start();
        return task;
    }
}
