// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.grim.FreePorts;
import org.grim.GrimConfig;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server's provider and a client's: the JDK's, or GRIM's with a node of its own, as a process has. */
final class ProviderPair implements AutoCloseable
{
    final SelectorProvider server;
    final SelectorProvider client;

    private ProviderPair(final SelectorProvider server, final SelectorProvider client)
    {
        this.server = server;
        this.client = client;
    }

    static ProviderPair ofJdk()
    {
        return new ProviderPair(SelectorProvider.provider(), SelectorProvider.provider());
    }

    static ProviderPair ofGrim(final Path directory)
    {
        return new ProviderPair(provider(directory, "server"), provider(directory, "client"));
    }

    /** A server over GRIM, whose clients are not of the cluster. */
    static ProviderPair ofGrimServer(final Path directory)
    {
        return new ProviderPair(provider(directory, "server"), SelectorProvider.provider());
    }

    /** A client over GRIM, whose servers are not of the cluster. */
    static ProviderPair ofGrimClient(final Path directory)
    {
        return new ProviderPair(SelectorProvider.provider(), provider(directory, "client"));
    }

    /** As on two hosts, each with a directory, an agent and a media driver, which find each other on loopback. */
    static ProviderPair ofHosts(final Path directory)
    {
        final int[] ports = {FreePorts.pair(), FreePorts.pair()};
        final ProviderPair pair = new ProviderPair(host(directory, 0, ports), host(directory, 1, ports));
        try (ServerSocketChannel listening = pair.listen())
        {
            // Hosts learn of each other some time after they have joined.
            final long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            boolean isGrim = false;
            while (!isGrim)
            {
                assertTrue(System.nanoTime() - deadlineNs < 0, "the hosts do not see each other");
                try (SocketChannel connected = pair.client.openSocketChannel())
                {
                    connected.connect(listening.getLocalAddress());
                    listening.accept().close();
                    isGrim = ((GrimSocketChannel)connected).grimStream() != null;
                }
            }
            return pair;
        }
        catch (final IOException ex)
        {
            pair.close();
            throw new UncheckedIOException(ex);
        }
    }

    /** One of as many hosts as there are ports. */
    static GrimSelectorProvider host(final Path directory, final int host, final int... ports)
    {
        return joined(new GrimSelectorProvider(config(directory.resolve(Integer.toString(host)), "sockets-" + host)
            .transports("shmem", "aeron").set("grim.node.host", "host-" + host).set("grim.cluster.nodes-max", 8)
            .set("grim.sockets.connect-timeout", "10s")         // Hosts that do not know each other yet try again.
            .set("grim.aeron.connect-timeout", "10s").set("grim.network.bind", "127.0.0.1:" + ports[host])
            .set("grim.network.discovery.hosts",
                IntStream.of(ports).mapToObj(port -> "127.0.0.1:" + port).toList()).build()));
    }

    /** In its cluster: connections are over GRIM from the first one on. */
    static GrimSelectorProvider provider(final Path directory, final String name)
    {
        return joined(new GrimSelectorProvider(config(directory, name).build()));
    }

    /** A listener that a busy machine makes late is waited for: the connection does not become TCP. */
    static GrimConfig.Builder config(final Path directory, final String name)
    {
        return GrimConfig.builder().nodeName(name).directory(directory).set("grim.warm-up", "0s")
            .set("grim.sockets.connect-timeout", "60s");
    }

    static GrimSelectorProvider joined(final GrimSelectorProvider provider)
    {
        assertTrue(provider.awaitJoined(Duration.ofMinutes(1)), "the cluster was not joined");
        return provider;
    }

    boolean isGrim()
    {
        return server instanceof GrimSelectorProvider && client instanceof GrimSelectorProvider;
    }

    /** Some server channel on a free port of loopback. */
    ServerSocketChannel listen() throws IOException
    {
        return server.openServerSocketChannel().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Connected channels that block. */
    Pair connect() throws IOException
    {
        try (ServerSocketChannel listening = listen())
        {
            return connect(listening);
        }
    }

    Pair connect(final ServerSocketChannel listening) throws IOException
    {
        final SocketChannel connected = client.openSocketChannel();
        connected.connect(listening.getLocalAddress());
        final SocketChannel accepted = listening.accept();
        if (isGrim())
        {
            assertTrue(((GrimSocketChannel)connected).grimStream() != null, connected.toString());
            assertTrue(((GrimSocketChannel)accepted).grimStream() != null, accepted.toString());
        }
        return new Pair(connected, accepted);
    }

    static ByteBuffer pattern(final int length, final long seed)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /** Reads until a buffer is full. */
    static ByteBuffer readFully(final SocketChannel channel, final int length) throws IOException
    {
        final ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining())
        {
            assertTrue(channel.read(target) >= 0, "ended after " + target.position() + " of " + length + " bytes");
        }
        return target.flip();
    }

    @Override
    public void close()
    {
        close(client);
        close(server);
    }

    private static void close(final SelectorProvider provider)
    {
        if (provider instanceof final GrimSelectorProvider grim)
        {
            grim.close();
        }
    }

    /** Both ends of a connection. */
    record Pair(SocketChannel near, SocketChannel far) implements AutoCloseable
    {
        @Override
        public void close() throws IOException
        {
            near.close();
            far.close();
        }
    }
}
