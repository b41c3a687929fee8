// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.buffer.LockFile;
import org.grim.buffer.OwnFiles;
import org.grim.buffer.Uninterrupted;
import org.grim.sockets.ProviderPair.Pair;
import org.grim.sockets.node.SocketNode;
import org.grim.sockets.node.SocketsConfig;
import org.grim.sockets.observe.ConnectionReport;
import org.grim.sockets.observe.ConnectionTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A process joins in the background, and joins again. While the test holds the cluster's lock nobody can. */
@Timeout(180)
final class NodeKeeperTest
{
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String THREAD = "grim-sockets-join";

    @TempDir
    private Path directory;
    private LockFile joinLock;
    private GrimSelectorProvider provider;

    @AfterEach
    void close() throws IOException
    {
        letJoin();
        if (provider != null)
        {
            provider.close();
        }
    }

    @Test
    void shouldBindAndConnectOverTcpWhileJoiningTakesLong() throws IOException
    {
        holdUpJoining();
        provider = begin("late");
        try (ServerSocketChannel listening = provider.openServerSocketChannel().bind(ANY_PORT))
        {
            try (Pair pair = connect(listening))
            {
                assertFalse(isGrim(pair.near()) || isGrim(pair.far()));
                awaitJoining();
                assertFalse(provider.process().hasTried());
                letJoin();
                ProviderPair.joined(provider);
                assertEquals(2, tcpCount());
                pair.near().write(ByteBuffer.wrap(new byte[] {1}));
                assertEquals(1, ProviderPair.readFully(pair.far(), 1).get(0));
            }
            try (Pair pair = connect(listening))
            {
                assertTrue(isGrim(pair.near()) && isGrim(pair.far()), pair.toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeConnectionsOverGrimInACallThatBeganBeforeTheNodeWasThere(final boolean isSelect) throws Exception
    {
        final GrimSelectorProvider client = ProviderPair.provider(directory, "client");
        holdUpJoining();
        provider = begin("late");
        try (ServerSocketChannel listening = provider.openServerSocketChannel().bind(ANY_PORT);
            Selector selector = provider.openSelector();
            SocketChannel near = client.openSocketChannel())
        {
            listening.configureBlocking(!isSelect);
            final FutureTask<SocketChannel> acceptor = start(() ->
            {
                if (isSelect)
                {
                    listening.register(selector, SelectionKey.OP_ACCEPT);
                    selector.select();
                }
                return listening.accept();
            });
            letJoin();
            ProviderPair.joined(provider);
            near.connect(listening.getLocalAddress());
            assertTrue(isGrim(near), near.toString());
            try (SocketChannel far = acceptor.get(60, TimeUnit.SECONDS))
            {
                assertTrue(isGrim(far), far.toString());
                // Nobody waits any more: the node's own thread answers.
                try (SocketChannel next = client.openSocketChannel())
                {
                    next.connect(listening.getLocalAddress());
                    assertTrue(isGrim(next), next.toString());
                }
            }
        }
        finally
        {
            client.close();
        }
    }

    @Test
    void shouldBindWhenTheNodeIsThereWhereTcpIsForbidden() throws Exception
    {
        holdUpJoining();
        provider = only();
        final FutureTask<ServerSocketChannel> binder =
            start(() -> provider.openServerSocketChannel().bind(ANY_PORT));
        assertFalse(isDoneSoon(binder));

        letJoin();

        try (ServerSocketChannel listening = binder.get(60, TimeUnit.SECONDS); Pair pair = connect(listening))
        {
            assertTrue(isGrim(pair.near()) && isGrim(pair.far()), pair.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldConnectWhenTheNodeIsThereWhereTcpIsForbidden(final boolean isBlocking) throws Exception
    {
        try (GrimSelectorProvider server = ProviderPair.provider(directory, "server");
            ServerSocketChannel listening = server.openServerSocketChannel().bind(ANY_PORT))
        {
            holdUpJoining();
            provider = only();
            final SocketChannel channel = provider.openSocketChannel();
            channel.configureBlocking(isBlocking);
            final FutureTask<Boolean> connector = start(() -> channel.connect(listening.getLocalAddress()));
            assertFalse(isDoneSoon(connector));

            letJoin();

            boolean isConnected = connector.get(60, TimeUnit.SECONDS);
            while (!isConnected)
            {
                isConnected = channel.finishConnect();
            }
            assertTrue(isGrim(channel), channel.toString());
            channel.close();
        }
    }

    @Test
    void shouldKeepATimeOutWhereTcpIsForbidden() throws IOException
    {
        holdUpJoining();
        provider = only();
        try (ServerSocketChannel listening = ProviderPair.ofJdk().listen();
            SocketChannel channel = provider.openSocketChannel())
        {
            assertThrows(SocketTimeoutException.class,
                () -> channel.socket().connect(listening.getLocalAddress(), 20));
            assertFalse(provider.process().hasTried());
        }
    }

    @Test
    void shouldEndAConnectThatWaitsForTheNodeWhenItsChannelIsClosed() throws Exception
    {
        holdUpJoining();
        provider = only();
        final SocketChannel channel = provider.openSocketChannel();
        final FutureTask<Boolean> connector = start(() -> channel.connect(ANY_PORT));
        assertFalse(isDoneSoon(connector));

        channel.close();

        assertInstanceOf(AsynchronousCloseException.class,
            assertThrows(ExecutionException.class, () -> connector.get(60, TimeUnit.SECONDS)).getCause());
    }

    @Test
    void shouldLeaveNoFilesAndNoThreadWhenItIsClosedWhileItJoins() throws Exception
    {
        holdUpJoining();
        provider = begin("late");
        awaitJoining();
        final FutureTask<Void> closer = start(() ->
        {
            provider.close();
            return null;
        });
        assertFalse(isDoneSoon(closer));

        letJoin();
        closer.get(60, TimeUnit.SECONDS);

        assertEquals(List.of(), files());
        assertTrue(Thread.getAllStackTraces().keySet().stream().noneMatch(thread ->
            thread.getName().equals(THREAD)));
        assertFalse(provider.awaitJoined(Duration.ofMinutes(1)));
    }

    /** The JVM's exit waits for that. */
    @Test
    void shouldHaveLeftWhenItSaysSoAlthoughItsThreadBeganToLeaveBefore() throws Exception
    {
        final GrimConfig config = ProviderPair.config(directory, "out").build();
        final AtomicReference<Consumer<GrimException>> onOut = new AtomicReference<>();
        final NodeKeeper keeper = new NodeKeeper((isFirst, newOnOut) ->
        {
            onOut.set(newOnOut);
            return SocketNode.join(config, SocketsConfig.of(config), SelectorProvider.provider(), newOnOut);
        });
        keeper.start();
        assertTrue(keeper.awaitNode(System.nanoTime() + TimeUnit.MINUTES.toNanos(1)));
        final SlowChannel channel = new SlowChannel();
        keeper.add(channel);
        onOut.get().accept(new GrimException(GrimException.Reason.FENCED, "as another node says"));
        channel.isForgotten.await();

        final Thread leaving = new Thread(keeper::leave, "leaving");
        leaving.start();
        while (leaving.getState() != Thread.State.BLOCKED)
        {
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
        }
        channel.mayGoOn.countDown();
        leaving.join();

        assertEquals(List.of(), files());
        keeper.close();
    }

    @Test
    void shouldJoinAgainWhenTheFilesOfItsClusterWereRemoved() throws Exception
    {
        provider = ProviderPair.provider(directory, "again");
        try (ServerSocketChannel listening = provider.openServerSocketChannel().bind(ANY_PORT);
            Pair old = connect(listening); SocketChannel unaccepted = provider.openSocketChannel())
        {
            unaccepted.connect(listening.getLocalAddress());
            assertTrue(isGrim(old.near()) && isGrim(unaccepted));
            final Object first = provider.process().nodeIfJoined();

            removeFiles();

            assertThrows(IOException.class, () -> old.near().read(ByteBuffer.allocate(1)));
            assertThrows(IOException.class, () -> unaccepted.read(ByteBuffer.allocate(1)));
            awaitOther(first);
            try (Pair pair = connect(listening))
            {
                assertTrue(isGrim(pair.near()) && isGrim(pair.far()), pair.toString());
                pair.near().write(ByteBuffer.wrap(new byte[] {1}));
                assertEquals(1, ProviderPair.readFully(pair.far(), 1).get(0));
            }
        }
    }

    @Test
    void shouldJoinAgainWhenAnAttemptFailed() throws IOException
    {
        final Path nowhere = Files.createFile(directory.resolve("file"));
        provider = new GrimSelectorProvider(ProviderPair.config(nowhere, "again").build());
        try (ServerSocketChannel listening = provider.openServerSocketChannel().bind(ANY_PORT))
        {
            provider.process().nodeFor(ANY_PORT, () -> true, Long.MAX_VALUE);
            try (Pair pair = connect(listening))
            {
                assertFalse(isGrim(pair.near()));
            }
            Files.delete(nowhere);
            ProviderPair.joined(provider);
            try (Pair pair = connect(listening))
            {
                assertTrue(isGrim(pair.near()) && isGrim(pair.far()), pair.toString());
            }
        }
    }

    @Test
    void shouldNotTryAgainWhenASettingIsWrong()
    {
        provider = new GrimSelectorProvider(
            ProviderPair.config(directory, "wrong").set("grim.sockets.buffer-length", "7 B").build());

        assertFalse(provider.awaitJoined(Duration.ofDays(1)));
    }

    @Test
    void shouldNotFallBackToTcpWhereThatMayBeForbiddenAndAnotherSettingIsWrong() throws IOException
    {
        provider = new GrimSelectorProvider(ProviderPair.config(directory, "wrong")
            .set("grim.sockets.only", List.of("10.0.0.1:80")).set("grim.sockets.buffer-length", "7 B").build());
        try (ServerSocketChannel listening = provider.openServerSocketChannel();
            SocketChannel channel = provider.openSocketChannel())
        {
            final IOException refusal = assertThrows(SocketException.class, () -> listening.bind(ANY_PORT));
            assertTrue(refusal.getMessage().contains("grim.sockets.buffer-length=7 B"), refusal.getMessage());
            assertThrows(SocketException.class, () -> channel.connect(ANY_PORT));
        }
    }

    @Test
    void shouldNotEnterWhatIsToBeTcpThoughItWasBoundBeforeThatWasKnown() throws IOException
    {
        holdUpJoining();
        provider = new GrimSelectorProvider(ProviderPair.config(directory, "never")
            .set("grim.sockets.never", List.of("127.0.0.1:*")).build());
        try (ServerSocketChannel listening = provider.openServerSocketChannel().bind(ANY_PORT))
        {
            letJoin();
            ProviderPair.joined(provider);
            assertEquals(List.of(), files().stream().filter(file -> file.toString().contains("x-listen")).toList());
            try (Pair pair = connect(listening))
            {
                assertFalse(isGrim(pair.near()));
            }
        }
    }

    /** Nothing can be entered in the cluster's directory, nor be read there, before the node knows that it is gone. */
    @Test
    void shouldBeTcpWhenListenersCanNeitherBeEnteredNorFound() throws IOException
    {
        provider = ProviderPair.provider(directory, "gone");
        try (ServerSocketChannel early = provider.openServerSocketChannel().bind(ANY_PORT))
        {
            final Path cluster = config().clusterDirectory();
            Files.move(cluster, directory.resolve("moved"));
            Files.createFile(cluster);

            try (ServerSocketChannel late = provider.openServerSocketChannel().bind(ANY_PORT);
                Pair toEarly = connect(early); Pair toLate = connect(late))
            {
                assertFalse(isGrim(toEarly.near()) || isGrim(toLate.near()), toEarly + " " + toLate);
            }
        }
    }

    private GrimSelectorProvider begin(final String name)
    {
        return new GrimSelectorProvider(ProviderPair.config(directory, name).build());
    }

    private GrimSelectorProvider only()
    {
        return new GrimSelectorProvider(ProviderPair.config(directory, "only")
            .set("grim.sockets.only", List.of("127.0.0.1:*")).build());
    }

    private Pair connect(final ServerSocketChannel listening) throws IOException
    {
        final SocketChannel near = provider.openSocketChannel();
        near.connect(listening.getLocalAddress());
        return new Pair(near, listening.accept());
    }

    private static boolean isGrim(final SocketChannel channel)
    {
        return ((GrimSocketChannel)channel).grimStream() != null;
    }

    private void awaitOther(final Object first)
    {
        while (provider.process().nodeIfJoined() == null || provider.process().nodeIfJoined() == first)
        {
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** As a process that joins, and is stopped. */
    private void holdUpJoining() throws IOException
    {
        final Path cluster = config().clusterDirectory();
        OwnFiles.makeDirectory(cluster);
        joinLock = LockFile.open(cluster.resolve("join.lock"), true);
        assertTrue(joinLock.tryLock(0));
    }

    private GrimConfig config()
    {
        return ProviderPair.config(directory, "any").build();
    }

    private static void awaitJoining()
    {
        while (Thread.getAllStackTraces().values().stream().flatMap(Stream::of).noneMatch(frame ->
            frame.getClassName().endsWith(".JoinLock")))
        {
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private void letJoin() throws IOException
    {
        if (joinLock != null)
        {
            joinLock.close();
            joinLock = null;
        }
    }

    private long tcpCount() throws IOException
    {
        return ConnectionReport.read(files().stream().filter(file ->
            file.toString().endsWith(ConnectionTable.KIND)).findFirst().orElseThrow()).tcpCount();
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> all = Files.walk(directory))
        {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private void removeFiles() throws IOException
    {
        for (final Path file : files())
        {
            Files.delete(file);
        }
    }

    private static boolean isDoneSoon(final FutureTask<?> task)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
        while (!task.isDone() && System.nanoTime() - deadlineNs < 0)
        {
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return task.isDone();
    }

    private static <T> FutureTask<T> start(final Callable<T> call)
    {
        final FutureTask<T> task = new FutureTask<>(call);
        final Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Holds up the thread that reports the end of its node. */
    private static final class SlowChannel implements BoundChannel
    {
        private final CountDownLatch isForgotten = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        @Override
        public boolean isOpen()
        {
            return true;
        }

        @Override
        public void enter(final SocketNode node)
        {
        }

        @Override
        public void leave()
        {
        }

        @Override
        public void forgetNode()
        {
            isForgotten.countDown();
            while (mayGoOn.getCount() > 0)
            {
                Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }

        @Override
        public boolean isEntered()
        {
            return true;
        }
    }
}
