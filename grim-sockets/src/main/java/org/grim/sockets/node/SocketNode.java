// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterFiles;
import org.grim.shared.Awaited;
import org.grim.shared.PollingOrder;
import org.grim.shared.SharedEndpoint;
import org.grim.shared.Sleeper;
import org.grim.shared.Waiting;
import org.grim.sockets.observe.ConnectionTable;
import org.grim.thread.ErrorReports;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one node of the process that all its channels share.
 * <p>Thread: any.
 * <p>Owns: the node, its deputy thread, and the files that say who listens where.
 */
public final class SocketNode implements AutoCloseable
{
    /** The beginning of the names of nodes for channels. */
    public static final String NAME_PREFIX = "sockets-";

    private static final Logger LOGGER = LoggerFactory.getLogger(SocketNode.class);

    private final SocketsConfig config;
    private final Grim grim;
    private final SharedEndpoint shared;
    private final ConnectionTable table;
    private final Connections connections;
    private final Listings listings;
    private final RemoteHosts remoteHosts;
    private final PollingOrder pollingOrder;
    private final Waiting waiting;

    private SocketNode(
        final SocketsConfig config, final Grim grim, final Path clusterDirectory, final SelectorProvider kernel,
        final ConnectionTable table, final Sleeper deputySleeper, final ErrorReports reports)
    {
        this.config = config;
        this.grim = grim;
        this.table = table;
        listings = new Listings(clusterDirectory);
        remoteHosts = new RemoteHosts(clusterDirectory);
        shared = new SharedEndpoint(grim.endpoint());
        connections = new Connections(shared, config, grim, table);
        pollingOrder = new PollingOrder("grim-sockets", shared, deputySleeper, reports);
        waiting = new Waiting(shared, pollingOrder, kernel, config.spinNs());
    }

    /**
     * Joins the cluster.
     *
     * @param grimConfig of the node.
     * @param config     of its channels, read from that.
     * @param kernel     the JDK's provider.
     * @param onOut      run by any thread, once or more, when the node is out of its cluster: others convicted it
     *                   although it is alive, or the cluster's files were removed.
     * @return the node, up, with its deputy at work.
     * @throws IOException              if the system refuses.
     * @throws GrimException            if the cluster cannot be joined.
     * @throws IllegalArgumentException if a setting is wrong.
     */
    public static SocketNode join(
        final GrimConfig grimConfig, final SocketsConfig config, final SelectorProvider kernel,
        final Consumer<GrimException> onOut) throws IOException
    {
        final ErrorHandler errors = watching(grimConfig.errorHandler(), onOut);
        final Grim grim = Grim.enable(grimConfig.toBuilder().errorHandler(errors).build());
        Sleeper deputySleeper = null;
        ConnectionTable table = null;
        boolean isReady = false;
        try
        {
            deputySleeper = new Sleeper(kernel.openSelector(), false);
            final NodeInfo self = grim.node();
            table = new ConnectionTable(new ClusterFiles(grimConfig.clusterDirectory()).ofNode(
                self.number(), self.incarnation(), ConnectionTable.KIND));
            final SocketNode node = new SocketNode(config, grim, grimConfig.clusterDirectory(), kernel, table,
                deputySleeper, new ErrorReports(errors));
            node.shared.acquire();
            try
            {
                grim.start();
            }
            finally
            {
                node.shared.release();
            }
            node.pollingOrder.start();
            isReady = true;
            return node;
        }
        finally
        {
            if (!isReady)
            {
                CloseHelper.quietCloseAll(table, grim, deputySleeper);
            }
        }
    }

    /** That a node is out of its cluster core says to the application's error handler. */
    private static ErrorHandler watching(final ErrorHandler application, final Consumer<GrimException> onOut)
    {
        return error ->
        {
            if (error instanceof final GrimException failure && failure.reason() == GrimException.Reason.FENCED)
            {
                onOut.accept(failure);
            }
            application.onError(error);
        };
    }

    /** {@return how long a thread looks for messages before it sleeps} */
    public long spinNs()
    {
        return config.spinNs();
    }

    /** {@return who sleeps on the doorbell} */
    public PollingOrder pollingOrder()
    {
        return pollingOrder;
    }

    /** {@return blocking calls} */
    public Waiting waiting()
    {
        return waiting;
    }

    /** {@return false while nothing can arrive that anybody waits for, and after the node has left} */
    public boolean isInUse()
    {
        return connections.isInUse() && !shared.isClosed();
    }

    /** Handles what has arrived, unless another thread is doing that. Returns true if there was something. */
    public boolean poll()
    {
        return shared.poll();
    }

    /** Counts a connection that was made over TCP. */
    public void countTcp()
    {
        table.countTcp();
    }

    /** {@return the node's endpoint, for tests that hold it up} */
    SharedEndpoint sharedForTest()
    {
        return shared;
    }

    /** {@return connections that are not closed} */
    public int connectionCount()
    {
        shared.acquire();
        try
        {
            return connections.count();
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Lets clients of the cluster find a server channel.
     *
     * @param address  it is bound to.
     * @param backlog  most connections that wait to be accepted.
     * @param onChange run when a connection waits.
     * @return the listener.
     * @throws IOException if it cannot be entered.
     */
    public Listener listen(final InetSocketAddress address, final int backlog, final Runnable onChange)
        throws IOException
    {
        shared.acquire();
        try
        {
            final Listener listener =
                new Listener(address, backlog, listings.enter(grim.node(), address), onChange);
            connections.add(listener);
            return listener;
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Takes a listener out; connections that were not accepted are reset.
     *
     * @param listener of this node.
     * @throws IOException if its file cannot be removed.
     */
    public void close(final Listener listener) throws IOException
    {
        shared.acquire();
        try
        {
            connections.remove(listener);
            final Path listing = listener.listing();
            if (connections.listeners().stream().noneMatch(other -> other.listing().equals(listing)))
            {
                Files.deleteIfExists(listing);
            }
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Finds who may listen at an address: nodes of this host that say so, one after the other, beginning at any of them
     * (several may share a port), or else all at once that share the address of another host.
     *
     * @param target of a client.
     * @return nodes to {@link #connect} to; empty if the connection must be TCP.
     * @throws IOException if the cluster's directory cannot be read.
     */
    public List<List<NodeInfo>> listenersAt(final InetSocketAddress target) throws IOException
    {
        final List<NodeInfo> nodes = grim.nodes();
        final List<NodeInfo> near = listings.find(target, nodes);
        if (!near.isEmpty())
        {
            Collections.rotate(near, ThreadLocalRandom.current().nextInt(near.size()));
            return near.stream().map(List::of).toList();
        }
        final List<NodeInfo> far = remoteHosts.find(target.getAddress(), nodes);
        return far.isEmpty() ? List.of() : List.of(far);
    }

    /**
     * Begins to connect.
     *
     * @param listening nodes that are asked at once, from {@link #listenersAt}; the first that accepts is the other
     *                  end.
     * @param target    address there.
     * @param local     address of the client.
     * @param onRefused run, while the node is locked, if it will not be over GRIM.
     * @param onChange  run when something about the connection has changed.
     * @return the connection; null if none of the nodes can be reached.
     */
    public Connection connect(
        final List<NodeInfo> listening, final InetSocketAddress target, final InetSocketAddress local,
        final Runnable onRefused, final Runnable onChange)
    {
        shared.acquire();
        try
        {
            return connections.connect(listening, target, local, onRefused, onChange);
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Handles what has arrived, and reads. Bytes that arrive now go straight to the reader.
     *
     * @param connection of which everything else has been read.
     * @param target     with room for a byte or more.
     * @return bytes; 0 if none are there, -1 if none will come.
     * @throws IOException if the connection was reset.
     */
    public int read(final Connection connection, final ByteBuffer target) throws IOException
    {
        int taken = 0;
        pollingOrder.enter();
        if (shared.tryAcquire())
        {
            try
            {
                connection.post(target);
                shared.drive();
            }
            finally
            {
                taken = connection.takePosted();
                shared.release();
            }
        }
        return taken > 0 ? taken : connection.read(target);
    }

    /**
     * Reads; waits for bytes, which go straight to the reader, until the channel is closed, the time is over, or the
     * thread is interrupted.
     *
     * @param connection of which everything else has been read.
     * @param channel    of the connection.
     * @param target     with room for a byte or more.
     * @param deadlineNs as of {@link Waiting#await}.
     * @return bytes; 0 if none have come, -1 if none will come.
     * @throws SocketTimeoutException if the time is over.
     * @throws IOException            if the connection was reset.
     */
    public int awaitRead(
        final Connection connection, final Awaited channel, final ByteBuffer target, final long deadlineNs)
        throws IOException
    {
        final boolean isInTime;
        int taken = 0;
        post(connection, target);
        try
        {
            isInTime = waiting.await(channel, SelectionKey.OP_READ, deadlineNs);
        }
        finally
        {
            taken = takePosted(connection);
        }
        if (taken == 0 && !isInTime)
        {
            throw new SocketTimeoutException("Read timed out");
        }
        return taken > 0 || !channel.isOpen() ? taken : connection.read(target);
    }

    private void post(final Connection connection, final ByteBuffer target)
    {
        shared.acquire();
        try
        {
            connection.post(target);
        }
        finally
        {
            shared.release();
        }
    }

    private int takePosted(final Connection connection)
    {
        shared.acquire();
        try
        {
            return connection.takePosted();
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Writes what there is room for.
     *
     * @param connection to write to; it is connected.
     * @param sources    of the bytes; their positions move.
     * @param first      of them.
     * @param count      of them.
     * @return bytes; 0 also if the output has ended, behind which nothing is sent.
     */
    public long write(final Connection connection, final ByteBuffer[] sources, final int first, final int count)
    {
        shared.acquire();
        try
        {
            return connections.write(connection, sources, first, count);
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Ends what is written.
     *
     * @param connection that is connected.
     */
    public void shutOutput(final Connection connection)
    {
        shared.acquire();
        try
        {
            connection.shutOutput();
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Closes one side; the other reads what was sent, or learns of a reset.
     *
     * @param connection of this node.
     * @param isAbort    whether it is a reset, as it is when bytes are unread.
     */
    public void close(final Connection connection, final boolean isAbort)
    {
        shared.acquire();
        try
        {
            connections.close(connection, isAbort);
        }
        finally
        {
            shared.release();
        }
    }

    /**
     * Closes all parts, also after a failure of one. The node leaves without the endpoint's lock: threads that it waits
     * for may wait for that.
     */
    @Override
    public synchronized void close()
    {
        if (!shared.isClosed())
        {
            CloseHelper.closeAll(this::endConnections, remoteHosts, grim, waiting, pollingOrder::close);
        }
    }

    private void endConnections()
    {
        shared.acquire();
        try
        {
            CloseHelper.closeAll(
                connections::closeAll, table, this::deleteListings, shared::pollLocked, shared::close);
        }
        finally
        {
            shared.release();
        }
    }

    private void deleteListings()
    {
        for (final Listener listener : connections.listeners())
        {
            try
            {
                Files.deleteIfExists(listener.listing());
            }
            catch (final IOException ex)
            {
                LOGGER.warn("{} could not be removed: GRIM will", listener.listing(), ex);
            }
        }
    }
}
