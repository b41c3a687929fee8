// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import java.util.Objects;

import org.grim.NodeInfo;
import org.grim.shared.Waiting;
import org.grim.sockets.node.Connection;
import org.grim.sockets.node.SocketNode;

/**
 * An attempt to connect over GRIM: a listener was asked.
 * <p>Thread: any.
 */
final class GrimAttempt
{
    private static final long LOOK_MS = 10;
    private static final int ROUTE_PORT = 9;
    private static final byte LOOPBACK_NETWORK = 127;

    private final SocketNode node;
    private final Connection connection;
    private final InetSocketAddress local;

    private GrimAttempt(final SocketNode node, final Connection connection, final InetSocketAddress local)
    {
        this.node = node;
        this.connection = connection;
        this.local = local;
    }

    /**
     * Finds who listens at an address, by the cluster's directory.
     *
     * @param process of the channel.
     * @param node    of the process; may be null.
     * @param target  that the application named.
     * @return nodes, as {@link SocketNode#listenersAt} says; empty if the connection must be TCP.
     */
    static List<List<NodeInfo>> listeners(
        final ProcessNode process, final SocketNode node, final InetSocketAddress target)
    {
        try
        {
            return node == null ? List.of() : node.listenersAt(target);
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            process.warnOfTcp(target, ex);
            return List.of();
        }
    }

    /**
     * Asks the first listeners that can be reached.
     *
     * @param process   of the channel.
     * @param node      of the process.
     * @param listeners that may listen there.
     * @param target    that the application named.
     * @param port      holds a port that no other has.
     * @param onRefused run, while the node is locked, if it will not be over GRIM.
     * @param onChange  run when there is an outcome, and later when something about the connection has changed.
     * @return the attempt; null if no listener can be reached.
     */
    static GrimAttempt begin(
        final ProcessNode process, final SocketNode node, final List<List<NodeInfo>> listeners,
        final InetSocketAddress target, final SocketChannel port, final Runnable onRefused, final Runnable onChange)
        throws IOException
    {
        final InetAddress host = target.getAddress();
        if (port.getLocalAddress() == null)
        {
            port.bind(new InetSocketAddress(near(host), 0));
        }
        final InetSocketAddress bound = (InetSocketAddress)port.getLocalAddress();
        final InetSocketAddress local =
            bound.getAddress().isAnyLocalAddress() ? new InetSocketAddress(near(host), bound.getPort()) : bound;
        try
        {
            for (final List<NodeInfo> asked : listeners)
            {
                final Connection connection = node.connect(asked, target, local, onRefused, onChange);
                if (connection != null)
                {
                    return new GrimAttempt(node, connection, local);
                }
            }
        }
        catch (final RuntimeException | Error ex)
        {
            process.warnOfTcp(target, ex);
        }
        return null;
    }

    /** {@return the address of this host that connections to another address have} */
    private static InetAddress near(final InetAddress host) throws IOException
    {
        if (host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null)
        {
            return host;
        }
        try (DatagramChannel route = DatagramChannel.open())
        {
            route.connect(new InetSocketAddress(host, ROUTE_PORT));         // Sends nothing.
            return ((InetSocketAddress)route.getLocalAddress()).getAddress();
        }
    }

    /**
     * Refuses what is no address to connect to.
     *
     * @return the address; that of loopback for that of no host, as the JDK does.
     */
    static InetSocketAddress requireTarget(final SocketAddress address) throws IOException
    {
        Objects.requireNonNull(address, "address");
        if (!(address instanceof final InetSocketAddress target))
        {
            throw new UnsupportedAddressTypeException();
        }
        if (target.isUnresolved())
        {
            throw new UnresolvedAddressException();
        }
        return target.getAddress().isAnyLocalAddress() ?
            new InetSocketAddress(loopback(target.getAddress()), target.getPort()) : target;
    }

    /** {@return 127.0.0.1 or ::1, of the same family as the address of no host} */
    private static InetAddress loopback(final InetAddress any) throws IOException
    {
        final byte[] bytes = any.getAddress();              // All 0.
        if (any instanceof Inet4Address)
        {
            bytes[0] = LOOPBACK_NETWORK;
        }
        bytes[bytes.length - 1] = 1;
        return InetAddress.getByAddress(bytes);
    }

    Connection.State state()
    {
        return connection.state();
    }

    /** {@return address of this end} */
    InetSocketAddress local()
    {
        return local;
    }

    /** {@return what is read and written from now on} */
    GrimStream stream(final BlockingChannel channel)
    {
        return new GrimStream(node, connection, channel);
    }

    void poll()
    {
        node.poll();
    }

    /** The channel is closed before there is an outcome, or the outcome is TCP. */
    void close()
    {
        node.close(connection, true);
    }

    /**
     * Waits for the outcome.
     *
     * @throws SocketTimeoutException if the deadline is over.
     */
    void await(final BlockingChannel channel, final long deadlineNs) throws IOException
    {
        try
        {
            channel.beginBlocking();
            while (state() == Connection.State.CONNECTING && channel.isOpen())
            {
                if (System.nanoTime() - deadlineNs > 0 && deadlineNs != Long.MAX_VALUE)
                {
                    throw new SocketTimeoutException("Connect timed out");
                }
                // A refusal may have become an attempt of TCP, which is no outcome of the channel.
                node.waiting().await(channel, SelectionKey.OP_CONNECT,
                    Math.min(deadlineNs, Waiting.deadlineNs(LOOK_MS)));
                channel.beginBlocking();
            }
        }
        finally
        {
            channel.endBlocking(state() != Connection.State.CONNECTING);
        }
    }
}
