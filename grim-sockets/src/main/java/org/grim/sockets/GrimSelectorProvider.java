// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.grim.GrimConfig;

/**
 * Channels of {@code java.nio} that run over GRIM where both ends are in one cluster. Applications do not call it, but
 * name it to the JVM:
 * {@code -Djava.nio.channels.spi.SelectorProvider=org.grim.sockets.GrimSelectorProvider}, together with
 * {@code --add-exports=java.base/sun.nio.ch=ALL-UNNAMED} and
 * {@code --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED}.
 * <p>The process joins its cluster, as {@link GrimConfig#load()} says, in the background, from when the JVM makes the
 * provider. Connections are TCP until it has joined, unless {@code grim.sockets.only} forbids that: then binding and
 * connecting wait for the first attempt to join. A failed attempt is repeated from time to time, and the log says once
 * that connections are TCP; after the node was fenced the process joins again.
 * <p>Thread: any.
 */
public final class GrimSelectorProvider extends SelectorProvider implements AutoCloseable
{
    private final ProcessNode process;

    /**
     * Made by the JVM.
     *
     * @throws IllegalStateException if the JVM was started without the flag that is needed; the text names it.
     */
    public GrimSelectorProvider()
    {
        process = new ProcessNode(null);
    }

    /**
     * For a program that opens channels of GRIM beside those of the JVM's provider. Each such provider has a node of
     * its own, which begins to join in the background: see {@link #awaitJoined}.
     *
     * @param config of the node.
     * @throws IllegalStateException if the JVM was started without the flag that is needed; the text names it.
     */
    public GrimSelectorProvider(final GrimConfig config)
    {
        process = new ProcessNode(config);
    }

    /**
     * Waits until the process is in its cluster, so that new connections can be over GRIM.
     *
     * @param timeout longest wait; a negative one is none, one too long for nanoseconds lasts for ever.
     * @return false if it is not: the time is over, the provider is closed, or the cluster can never be joined, as the
     *     log says.
     */
    public boolean awaitJoined(final Duration timeout)
    {
        return process.awaitNode(Math.max(0, TimeUnit.NANOSECONDS.convert(timeout)));
    }

    /**
     * Leaves the cluster, which ends all connections over GRIM. Waits for an attempt to join that is under way. The
     * JVM's own provider leaves when the JVM exits.
     */
    @Override
    public void close()
    {
        process.close();
    }

    /** {@return what the provider's channels share} */
    ProcessNode process()
    {
        return process;
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException
    {
        return process.kernel().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(final ProtocolFamily family) throws IOException
    {
        return process.kernel().openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException
    {
        return process.kernel().openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException
    {
        return new GrimSelector(this, process, process.kernel().openSelector());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException
    {
        return new GrimServerSocketChannel(this, process, process.kernel().openServerSocketChannel());
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException
    {
        return new GrimSocketChannel(this, process, null);
    }

    @Override
    public SocketChannel openSocketChannel(final ProtocolFamily family) throws IOException
    {
        return family == StandardProtocolFamily.UNIX ? process.kernel().openSocketChannel(family) :
            new GrimSocketChannel(this, process, family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(final ProtocolFamily family) throws IOException
    {
        final ServerSocketChannel channel = process.kernel().openServerSocketChannel(family);
        return family == StandardProtocolFamily.UNIX ? channel :
            new GrimServerSocketChannel(this, process, channel);
    }

    @Override
    public Channel inheritedChannel() throws IOException
    {
        return process.kernel().inheritedChannel();
    }
}
