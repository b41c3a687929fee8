// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.collections.Int2ObjectHashMap;
import org.grim.ActiveMessage;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.shared.SharedEndpoint;
import org.grim.sockets.observe.ConnectionTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connections and listeners of the node, and the messages between them and their peers: each has its kind as
 * argument 0, then the receiver's number of the connection, the sender's number, and a value.
 * <p>Thread: under the lock of the shared endpoint, unless a method says that it takes it.
 */
final class Connections
{
    /** Bytes of a connection. */
    static final int DATA = 1;
    /** The value is the low 32 bits of how many bytes were read. The first one is a client's answer: it still waits. */
    static final int CREDIT = 2;
    /** No more bytes will be sent. */
    static final int END = 4;
    /** The connection is gone, and what was under way with it. */
    static final int RESET = 8;
    /** The value is 0; the payload a {@link Greeting}; the sender's window stands in place of its number. */
    private static final int CONNECT = 16;
    /** The value is the window of the listener, which waits for the client's answer. */
    private static final int ACCEPTED = 32;
    /** Nobody listens there, or there is no room. */
    private static final int REFUSED = 64;

    private static final Logger LOGGER = LoggerFactory.getLogger(Connections.class);
    private static final String HANDLER_NAME = "grim.sockets";
    private static final int WINDOW_MAX = 1 << 30;
    /** A peer that stands still holds up a process that ends for no longer. */
    private static final long LAST_BYTES_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_BYTES_LOOK_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final SharedEndpoint shared;
    private final SocketsConfig config;
    private final Grim grim;
    private final ConnectionTable table;
    private final HandlerId handler;
    private final Int2ObjectHashMap<Connection> connections = new Int2ObjectHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final List<Connection> connecting = new ArrayList<>();
    private final List<Connection> pending = new ArrayList<>();
    private final List<Connection> stalled = new ArrayList<>();
    private final FrameClaim claim;
    private final Gathered gathered = new Gathered();
    private final Greeting greeting = new Greeting();
    private int nextId = ThreadLocalRandom.current().nextInt();
    private int nextListener;
    private volatile boolean isInUse;

    Connections(
        final SharedEndpoint shared, final SocketsConfig config, final Grim grim, final ConnectionTable table)
    {
        this.table = table;
        this.shared = shared;
        this.config = config;
        this.grim = grim;
        claim = shared.endpoint().newClaim();
        handler = grim.handlers().register(HANDLER_NAME, this::onMessage);
        shared.endpoint().onNodeGone(new PeerWatch());
        shared.afterPoll(this::afterPoll);
    }

    SharedEndpoint shared()
    {
        return shared;
    }

    /** {@return bytes that a connection holds for its reader} */
    int bufferLength()
    {
        return config.bufferLength();
    }

    /** {@return false while nothing can arrive that anybody waits for; any thread} */
    boolean isInUse()
    {
        return isInUse;
    }

    /** {@return connections that are not closed} */
    int count()
    {
        return connections.size();
    }

    // Listeners.

    /** Lets connections come. */
    void add(final Listener listener)
    {
        listeners.add(listener);
        countUse();
    }

    /** Takes a listener out; connections that were not accepted are reset. */
    void remove(final Listener listener)
    {
        listeners.remove(listener);
        listener.close();
        for (final Connection connection : all())
        {
            if (connection.listener() == listener)
            {
                close(connection, true);
            }
        }
        for (Connection next = listener.poll(); next != null; next = listener.poll())
        {
            close(next, true);
        }
        countUse();
    }

    List<Listener> listeners()
    {
        return listeners;
    }

    // Connections.

    /** Connects, as {@link SocketNode#connect} says. */
    Connection connect(
        final List<NodeInfo> listening, final InetSocketAddress target, final InetSocketAddress local,
        final Runnable onRefused, final Runnable onChange)
    {
        final long deadlineNs = System.nanoTime() + config.connectTimeoutNs();
        final int id = newId();
        final Connection connection =
            new Connection(this, id, target, table.add(id, local, target), deadlineNs, onRefused);
        connection.onChange(onChange);
        connections.put(connection.id(), connection);
        boolean isAsked = false;
        try
        {
            isAsked = ask(connection, listening, local);
        }
        finally
        {
            if (!isAsked)
            {
                forget(connection);             // An acceptor after an error here learns that it is unknown.
            }
        }
        if (!isAsked)
        {
            return null;
        }
        connecting.add(connection);
        countUse();
        return connection;
    }

    private boolean ask(final Connection connection, final List<NodeInfo> nodes, final InetSocketAddress local)
    {
        boolean isAsked = false;
        for (final NodeInfo node : nodes)
        {
            isAsked |= connection.state() == Connection.State.CONNECTING && ask(connection, node, local);
        }
        return isAsked;
    }

    private boolean ask(final Connection connection, final NodeInfo node, final InetSocketAddress local)
    {
        try
        {
            final Link link = shared.endpoint().link(node);
            final Connection.Asked asked = new Connection.Asked(peerOf(node.number(), node.incarnation()), link);
            connection.asked(asked);
            SendStatus status = sendConnect(connection, link, local);
            while (status == SendStatus.BACK_PRESSURED && System.nanoTime() - connection.deadlineNs() < 0)
            {
                shared.wakeAll();
                shared.pollLocked();
                status = sendConnect(connection, link, local);
            }
            if (!status.isAccepted())
            {
                connection.refusedBy(asked.peer());
            }
            return status.isAccepted();
        }
        catch (final GrimException ex)
        {
            LOGGER.debug("{} cannot be reached over GRIM: {}", node, ex.getMessage());
            return false;
        }
    }

    private SendStatus sendConnect(final Connection connection, final Link link, final InetSocketAddress local)
    {
        final int length = greeting.write(connection.remote(), local);      // A poll may have read another one.
        return link.send(handler, CONNECT, connection.id(), config.bufferLength(), 0, greeting.buffer(), 0, length);
    }

    /** Writes what there is room for; see {@link Connection#write}. */
    long write(final Connection connection, final ByteBuffer[] sources, final int first, final int count)
    {
        gathered.wrap(sources, first, count);
        return connection.write(gathered, handler, claim);
    }

    /** Closes, as {@link SocketNode#close(Connection, boolean)} says. */
    void close(final Connection connection, final boolean isAbort)
    {
        connection.close(isAbort);
        forget(connection);
        connecting.remove(connection);
        if (!connection.hasKept())
        {
            stalled.remove(connection);
        }
        countWaiting();
        countUse();
    }

    /**
     * Sends a message without bytes, now or when the link has room and what was written is sent; of one that is over
     * only that. A peer that is gone gets none: what it sent before is read, and then the endpoint says so. Under the
     * lock. Returns false if the peer is gone.
     */
    boolean sendControl(final Connection connection, final int kind)
    {
        if (shared.isClosed() || (connection.isOver() && kind != RESET))
        {
            return true;
        }
        final SendStatus status = kind == END && connection.hasKept() ? SendStatus.BACK_PRESSURED :
            connection.link().send(handler, kind, connection.peerId(), connection.id(),
                kind == CREDIT ? connection.creditValue() : 0);
        if (status == SendStatus.BACK_PRESSURED)
        {
            if (connection.pendingControls() == 0)
            {
                pending.add(connection);
            }
            connection.pendingControls(connection.pendingControls() | kind);
            countWaiting();
        }
        return status.isAccepted() || status == SendStatus.BACK_PRESSURED;
    }

    /** The link of a connection has no room. Under the lock. */
    void stalled(final Connection connection)
    {
        assert connection.isStalled() : connection.state();
        stalled.add(connection);
        countWaiting();
    }

    private void countWaiting()
    {
        shared.impatient(!stalled.isEmpty() || !pending.isEmpty());
    }

    private void sendPending()
    {
        final Connection[] waiting = pending.toArray(Connection[]::new);
        pending.clear();
        for (final Connection connection : waiting)
        {
            final int kinds = connection.pendingControls();
            connection.pendingControls(0);
            for (int kind = CREDIT; kind <= RESET; kind <<= 1)
            {
                if ((kinds & kind) != 0)
                {
                    sendControl(connection, kind);
                }
            }
        }
    }

    private void probeStalled()
    {
        for (int i = stalled.size() - 1; i >= 0; i--)
        {
            final Connection connection = stalled.get(i);
            if (connection.trySendKept(handler, claim) && hasRoom(connection))
            {
                stalled.remove(i);
                connection.onRoom();
            }
        }
    }

    private boolean hasRoom(final Connection connection)
    {
        final SendStatus status = connection.link().tryClaim(handler, connection.nextLength(), claim);
        if (status.isAccepted())
        {
            claim.abort();
        }
        return status != SendStatus.BACK_PRESSURED;
    }

    private void endLateConnecting(final long nowNs)
    {
        for (int i = connecting.size() - 1; i >= 0; i--)
        {
            final Connection connection = connecting.get(i);
            if (connection.state() != Connection.State.CONNECTING)
            {
                connecting.remove(i);
            }
            else if (connection.deadlineNs() - nowNs <= 0)
            {
                connecting.remove(i);
                forget(connection);
                connection.onRefused();
            }
        }
        countUse();
    }

    private void afterPoll()
    {
        if (!stalled.isEmpty())
        {
            probeStalled();
        }
        if (!pending.isEmpty())
        {
            sendPending();
        }
        countWaiting();
        if (!connecting.isEmpty())
        {
            endLateConnecting(System.nanoTime());
        }
    }

    /** The node leaves: what was written is sent within a bounded time, can be read, and that is the end. */
    void closeAll()
    {
        final Connection[] open = all();
        for (final Connection connection : open)
        {
            close(connection, false);
        }
        final long startNs = System.nanoTime();
        while ((!stalled.isEmpty() || !pending.isEmpty()) && System.nanoTime() - startNs < LAST_BYTES_NS)
        {
            shared.wakeAll();
            LockSupport.parkNanos(LAST_BYTES_LOOK_NS);
            shared.pollLocked();
        }
        for (final Connection connection : open)
        {
            connection.onReset();
        }
    }

    private Connection[] all()
    {
        return connections.values().toArray(new Connection[0]);
    }

    private void forget(final Connection connection)
    {
        connections.remove(connection.id());
        connection.forgotten();
        final Listener listener = connection.listener();
        if (listener != null)
        {
            connection.unconfirmed(null);
            listener.giveBack();
        }
    }

    private void countUse()
    {
        isInUse = !connections.isEmpty() || !listeners.isEmpty();
    }

    private int newId()
    {
        nextId++;
        while (connections.containsKey(nextId))
        {
            nextId++;
        }
        return nextId;
    }

    /** {@return one incarnation of one node} */
    private static long peerOf(final int node, final int incarnation)
    {
        return ((long)node << Integer.SIZE) | incarnation;
    }

    // Receives a message.

    private void onMessage(final ActiveMessage message)
    {
        final int kind = message.argument(0);
        if (kind == CONNECT)
        {
            onConnect(message);
            return;
        }
        final Connection connection = connections.get(message.argument(1));
        final int peerId = message.argument(2);
        if (connection == null || !isFromPeer(connection, message.source().node(), peerId))
        {
            if (kind == DATA || kind == ACCEPTED)
            {
                message.reply(handler, RESET, peerId, message.argument(1), 0, null, 0, 0);
            }
            return;
        }
        if (!handle(connection, kind, message))
        {
            LOGGER.warn("connection with {} is reset: it broke the protocol, message kind={}",
                message.source(), kind);
            sendControl(connection, RESET);
            connection.onReset();
        }
    }

    private static boolean isFromPeer(final Connection connection, final int node, final int peerId)
    {
        return connection.state().hasConnected() ?
            connection.peer() >> Integer.SIZE == node && connection.peerId() == peerId : connection.asked(node) != null;
    }

    private boolean handle(final Connection connection, final int kind, final ActiveMessage message)
    {
        final int value = message.argument(3);
        if (!connection.state().hasConnected())
        {
            final Connection.Asked asked = connection.asked(message.source().node());
            if (kind == ACCEPTED && value > 0 && value <= WINDOW_MAX)
            {
                connection.onConnected(asked, message.argument(2), value);
                table.countGrim();
            }
            else if (!connection.refusedBy(asked.peer()))
            {
                forget(connection);
                connection.onRefused();
            }
            return true;
        }
        if (connection.listener() != null)
        {
            onAnswer(connection, kind);
        }
        switch (kind)
        {
            case DATA ->
            {
                return connection.onData(message);
            }
            case CREDIT ->
            {
                return connection.onCredit(value);
            }
            case END -> connection.onEnd();
            case RESET -> connection.onReset();
            default ->
            {
                return false;
            }
        }
        return true;
    }

    /** A client that still waits goes on; another, that waits no more, resets what it does not know. */
    private void onAnswer(final Connection connection, final int kind)
    {
        final Listener listener = connection.listener();
        if (kind == RESET)
        {
            forget(connection);
            countUse();
        }
        else
        {
            connection.unconfirmed(null);
            table.countGrim();
            listener.add(connection);
        }
    }

    private void onConnect(final ActiveMessage message)
    {
        final int window = message.argument(2);
        final int clientId = message.argument(1);
        if (window > 0 && window <= WINDOW_MAX &&
            greeting.read(message.buffer(), message.offset(), message.length()))
        {
            final Listener listener = reserve();
            if (listener != null)
            {
                accept(listener, message, clientId, window);
                return;
            }
        }
        message.reply(handler, REFUSED, clientId, 0, 0, null, 0, 0);
    }

    /** {@return a listener with room at the address that was read; those that share it take turns; null if none} */
    private Listener reserve()
    {
        final int count = listeners.size();
        for (int i = 0; i < count; i++)
        {
            final int index = (nextListener + i) % count;
            final Listener listener = listeners.get(index);
            if (listener.address().getPort() == greeting.targetPort() &&
                Listings.reaches(listener.address().getAddress(), greeting.target()) && listener.tryReserve())
            {
                nextListener = index + 1;
                return listener;
            }
        }
        return null;
    }

    private void accept(final Listener listener, final ActiveMessage message, final int clientId, final int window)
    {
        final Connection.Asked client = clientOf(message.source());
        if (client == null)
        {
            listener.giveBack();                // It is gone: nobody would say so once more.
            return;
        }
        final int id = newId();
        final InetSocketAddress local = new InetSocketAddress(greeting.target(), greeting.targetPort());
        final Connection connection =
            new Connection(this, id, greeting.client(), table.add(id, local, greeting.client()), 0, () -> { });
        connection.local(local);
        connection.unconfirmed(listener);
        connections.put(connection.id(), connection);
        connection.onConnected(client, clientId, window);
        if (!connection.link().send(handler, ACCEPTED, clientId, id, config.bufferLength()).isAccepted())
        {
            forget(connection);                 // The client is gone, or will try TCP.
        }
        countUse();
    }

    /** {@return a client that is there; null otherwise} */
    private Connection.Asked clientOf(final EndpointId source)
    {
        final NodeInfo node = grim.nodes().stream().filter(candidate -> candidate.number() == source.node() &&
            candidate.state() == NodeInfo.State.UP).findFirst().orElse(null);
        try
        {
            return node == null ? null :
                new Connection.Asked(peerOf(node.number(), node.incarnation()), shared.endpoint().link(source));
        }
        catch (final GrimException ex)
        {
            LOGGER.debug("{} cannot be answered: {}", node, ex.getMessage());
            return null;
        }
    }

    /** Resets the connections of a node that is gone. */
    private final class PeerWatch implements Endpoint.NodeGoneListener
    {
        @Override
        public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
        {
            final long peer = peerOf(node.number(), node.incarnation());
            for (final Connection connection : all())
            {
                if (connection.listener() != null && connection.peer() == peer)
                {
                    forget(connection);
                }
                else if (connection.state() == Connection.State.CONNECTING)
                {
                    if (connection.asked(node.number()) != null && !connection.refusedBy(peer))
                    {
                        connection.onReset();
                    }
                }
                else if (connection.peer() == peer)
                {
                    connection.onReset();
                }
            }
        }

        @Override
        public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
        {
            onNodeGone(node, undelivered, unknown);
        }
    }
}
