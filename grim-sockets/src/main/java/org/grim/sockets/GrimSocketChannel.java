// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import org.grim.NodeInfo;
import org.grim.shared.Waiting;
import org.grim.sockets.node.Connection;
import org.grim.sockets.node.SocketNode;

/**
 * A stream between two processes: over GRIM if the other end is a node of the cluster, else the JDK's TCP channel, to
 * which every call is passed on then.
 * <p>Thread: any, as the contract of {@link SocketChannel} says: one reads and one writes at a time.
 */
final class GrimSocketChannel extends SocketChannel implements KeyedChannel, BlockingChannel
{
    private final ProcessNode process;
    private final ProtocolFamily family;
    private final ChannelKeys keys;
    private final OptionValues options;
    private final ReentrantLock connectLock = new ReentrantLock();
    private final Object stateLock = new Object();
    private volatile State state = State.UNCONNECTED;
    private volatile GrimAttempt attempt;               // To connect over GRIM.
    private volatile ByteStream stream;
    private volatile SocketChannel tcp;                 // Holds a port, or is the connection.
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress remote;
    private volatile IOException connectFailure;
    private boolean isConnectBlocking;
    private ChannelSocket socket;

    /** State of the channel. Closing shows in {@link #isOpen()} alone. */
    private enum State
    {
        /** Neither connected nor about to be. */
        UNCONNECTED,
        /** A listener was asked over GRIM. */
        PENDING,
        /** The kernel was asked. */
        PENDING_TCP,
        /** Bytes go over GRIM or TCP. */
        CONNECTED
    }

    /**
     * A channel that is not connected.
     *
     * @param provider that opens it.
     * @param process  what its channels share.
     * @param family   of its addresses; null for any.
     */
    GrimSocketChannel(final SelectorProvider provider, final ProcessNode process, final ProtocolFamily family)
    {
        super(provider);
        this.process = process;
        keys = new ChannelKeys(process);
        this.family = family;
        options = new OptionValues(process.options());
    }

    /** A channel that a server channel accepted over GRIM. */
    static GrimSocketChannel accepted(
        final SelectorProvider provider, final ProcessNode process, final SocketNode node, final Connection connection)
    {
        final GrimSocketChannel channel = new GrimSocketChannel(provider, process, null);
        channel.local = connection.local();
        channel.remote = connection.remote();
        channel.stream = new GrimStream(node, connection, channel);
        channel.state = State.CONNECTED;
        connection.onChange(channel.keys::signal);
        return channel;
    }

    /** A channel that a server channel accepted over TCP: the JDK's would have a key of its own beside this one's. */
    static GrimSocketChannel accepted(
        final SelectorProvider provider, final ProcessNode process, final SocketChannel tcp) throws IOException
    {
        final GrimSocketChannel channel = new GrimSocketChannel(provider, process, null);
        channel.tcp = tcp;
        channel.connectedTcp();
        return channel;
    }

    // State of the channel.

    @Override
    public ChannelKeys keys()
    {
        return keys;
    }

    @Override
    public int readyOperations()
    {
        return switch (state)
        {
            case PENDING -> hasOutcome(attempt) ? SelectionKey.OP_CONNECT : 0;
            case PENDING_TCP -> connectFailure != null ? SelectionKey.OP_CONNECT : 0;
            case CONNECTED -> stream.readyOperations();
            case UNCONNECTED -> 0;
        };
    }

    /** A refused channel that does not block goes on with TCP at once, and has its outcome there. */
    private boolean hasOutcome(final GrimAttempt current)
    {
        return current != null && (current.state().hasConnected() || connectFailure != null ||
            (isConnectBlocking && current.state() == Connection.State.REFUSED));
    }

    @Override
    public void beginBlocking()
    {
        begin();
    }

    @Override
    public void endBlocking(final boolean isCompleted) throws AsynchronousCloseException
    {
        end(isCompleted);
    }

    /** {@return address of the other end, also after the channel was closed; null if there was none} */
    InetSocketAddress remote()
    {
        return wasConnected() ? remote : null;
    }

    /** {@return whether it has been connected, also after it was closed} */
    boolean wasConnected()
    {
        return state == State.CONNECTED;
    }

    /** {@return address of this end, also after the channel was closed; null if it was not bound} */
    InetSocketAddress local()
    {
        return local;
    }

    private ByteStream requireStream() throws IOException
    {
        requireOpen();
        if (!wasConnected())                        // Another thread may close it here.
        {
            throw new NotYetConnectedException();
        }
        return stream;
    }

    /** {@return the stream if its bytes go over GRIM, else null} */
    GrimStream grimStream()
    {
        return stream instanceof final GrimStream grim ? grim : null;
    }

    /** {@return the JDK's channel, once there is one} */
    SocketChannel tcp()
    {
        return tcp;
    }

    @Override
    public boolean isConnected()
    {
        return wasConnected() && isOpen();
    }

    @Override
    public boolean isConnectionPending()
    {
        return state == State.PENDING || state == State.PENDING_TCP;
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException
    {
        requireOpen();
        return remote();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException
    {
        requireOpen();
        return local;
    }

    @Override
    public Socket socket()
    {
        synchronized (stateLock)
        {
            try
            {
                if (socket == null)
                {
                    socket = new ChannelSocket(this);
                }
                return socket;
            }
            catch (final SocketException ex)
            {
                throw new IllegalStateException(ex);        // Never thrown without an implementation behind it.
            }
        }
    }

    // Options.

    @Override
    public <T> SocketChannel setOption(final SocketOption<T> name, final T value) throws IOException
    {
        Objects.requireNonNull(name, "name");
        options.requireSupported(name);
        synchronized (stateLock)
        {
            requireOpen();
            options.set(name, value);
            if (tcp != null)
            {
                tcp.setOption(name, value);
            }
        }
        return this;
    }

    @Override
    public <T> T getOption(final SocketOption<T> name) throws IOException
    {
        Objects.requireNonNull(name, "name");
        options.requireSupported(name);
        synchronized (stateLock)
        {
            requireOpen();
            return tcp != null ? tcp.getOption(name) : options.get(name);
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions()
    {
        return process.options().supported();
    }

    // Binding and connecting.

    @Override
    public SocketChannel bind(final SocketAddress address) throws IOException
    {
        synchronized (stateLock)
        {
            requireOpen();
            if (isConnectionPending())
            {
                throw new ConnectionPendingException();
            }
            if (local != null)
            {
                throw new AlreadyBoundException();
            }
            kernelChannel().bind(address);
            local = (InetSocketAddress)tcp.getLocalAddress();
        }
        return this;
    }

    @Override
    public boolean connect(final SocketAddress address) throws IOException
    {
        return connect(address, Long.MAX_VALUE);
    }

    /**
     * Connects; waits at most until a deadline if the channel is blocking.
     *
     * @throws java.net.SocketTimeoutException if the deadline is over; the channel is closed.
     */
    boolean connect(final SocketAddress address, final long deadlineNs) throws IOException
    {
        final InetSocketAddress target = GrimAttempt.requireTarget(address);
        connectLock.lock();
        try
        {
            synchronized (stateLock)
            {
                requireOpen();
                if (isConnected())
                {
                    throw new AlreadyConnectedException();
                }
                if (isConnectionPending())
                {
                    throw new ConnectionPendingException();
                }
                isConnectBlocking = isBlocking();
                remote = target;
            }
            beginGrim(target, deadlineNs);
            final boolean isAsked = attempt != null;
            return (!isAsked || isConnectBlocking) &&
                ((isAsked && awaitGrim(deadlineNs)) || connectTcp(deadlineNs));
        }
        catch (final IOException ex)
        {
            close();
            throw ex;
        }
        finally
        {
            connectLock.unlock();
        }
    }

    /** Asks the listeners there. */
    private void beginGrim(final InetSocketAddress target, final long deadlineNs) throws IOException
    {
        final SocketNode node = awaitNode(target, deadlineNs);
        final List<List<NodeInfo>> listeners = GrimAttempt.listeners(process, node, target);
        if (!listeners.isEmpty())
        {
            synchronized (stateLock)
            {
                requireOpen();
                state = State.PENDING;
                attempt = GrimAttempt.begin(
                    process, node, listeners, target, kernelChannel(), this::onRefused, keys::signal);
                if (attempt == null)
                {
                    state = State.UNCONNECTED;
                }
                else
                {
                    local = attempt.local();
                }
            }
            keys.signal();
        }
    }

    /** Waits, where TCP is forbidden, until the process may be in its cluster. Returns null if it is not. */
    private SocketNode awaitNode(final InetSocketAddress target, final long deadlineNs) throws IOException
    {
        SocketNode node = null;
        try
        {
            if (isConnectBlocking)
            {
                begin();
            }
            node = process.nodeFor(target, this::isOpen, deadlineNs);
        }
        finally
        {
            if (isConnectBlocking)
            {
                end(isOpen());
            }
        }
        if (node == null && deadlineNs != Long.MAX_VALUE && Waiting.timeoutMs(deadlineNs) < 0)
        {
            throw new SocketTimeoutException("Connect timed out");
        }
        return node;
    }

    /** Waits for the listener's answer. Returns false if the connection must be TCP. */
    private boolean awaitGrim(final long deadlineNs) throws IOException
    {
        attempt.await(this, deadlineNs);
        return attempt.state().hasConnected() && connectedGrim();
    }

    private boolean connectedGrim()
    {
        stream = attempt.stream(this);
        state = State.CONNECTED;
        keys.signal();
        return true;
    }

    private boolean connectTcp(final long deadlineNs) throws IOException
    {
        process.requireTcpAllowed(remote);
        synchronized (stateLock)
        {
            requireOpen();
            state = State.PENDING_TCP;
            kernelChannel();
        }
        try
        {
            boolean isConnected = true;
            if (deadlineNs != Long.MAX_VALUE)
            {
                tcp.socket().connect(remote, (int)Math.max(1, Waiting.timeoutMs(deadlineNs)));
            }
            else
            {
                isConnected = tcp.connect(remote);
            }
            if (!isConnectBlocking)
            {
                keys.watch(tcp);
            }
            return isConnected && connectedTcp();
        }
        finally
        {
            closeWithTcp();
        }
    }

    /** The listener refused a channel that does not block: the kernel is asked at once. The node is locked. */
    private void onRefused()
    {
        if (!isConnectBlocking && state == State.PENDING)
        {
            try
            {
                process.requireTcpAllowed(remote);
                state = State.PENDING_TCP;
                tcp.connect(remote);
                keys.watch(tcp);
            }
            catch (final IOException | RuntimeException ex)
            {
                connectFailure = ex instanceof final IOException io ? io : new IOException(ex);
            }
        }
    }

    @Override
    public boolean finishConnect() throws IOException
    {
        connectLock.lock();
        try
        {
            requireOpen();
            if (!wasConnected() && !isConnectionPending())
            {
                throw new NoConnectionPendingException();
            }
            return wasConnected() || finish();
        }
        catch (final IOException ex)
        {
            close();
            throw ex;
        }
        finally
        {
            connectLock.unlock();
        }
    }

    private boolean finish() throws IOException
    {
        if (state == State.PENDING)
        {
            if (isBlocking())
            {
                attempt.await(this, Long.MAX_VALUE);
            }
            else
            {
                attempt.poll();
            }
        }
        if (connectFailure != null)
        {
            throw connectFailure;
        }
        if (state == State.PENDING)
        {
            return attempt.state().hasConnected() && connectedGrim();
        }
        try
        {
            return tcp.finishConnect() && connectedTcp();
        }
        finally
        {
            closeWithTcp();
        }
    }

    private boolean connectedTcp() throws IOException
    {
        local = (InetSocketAddress)tcp.getLocalAddress();
        remote = (InetSocketAddress)tcp.getRemoteAddress();
        stream = new TcpStream(tcp, this);
        state = State.CONNECTED;
        keys.watch(tcp);
        process.countTcp();
        return true;
    }

    /** The JDK's channel, made when it is needed. Under the lock of the state. */
    private SocketChannel kernelChannel() throws IOException
    {
        if (tcp == null)
        {
            final SocketChannel channel = family == null ? process.kernel().openSocketChannel() :
                process.kernel().openSocketChannel(family);
            options.applyTo(channel);
            channel.configureBlocking(isBlocking());
            tcp = channel;
        }
        return tcp;
    }

    // Reading and writing.

    @Override
    public int read(final ByteBuffer target) throws IOException
    {
        return requireStream().read(Objects.requireNonNull(target, "target"));
    }

    @Override
    public long read(final ByteBuffer[] targets, final int offset, final int length) throws IOException
    {
        Objects.checkFromIndexSize(offset, length, targets.length);
        return requireStream().read(targets, offset, length);
    }

    @Override
    public SocketChannel shutdownInput() throws IOException
    {
        requireStream().shutInput();
        keys.signal();
        return this;
    }

    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        return requireStream().write(Objects.requireNonNull(source, "source"));
    }

    @Override
    public long write(final ByteBuffer[] sources, final int offset, final int length) throws IOException
    {
        Objects.checkFromIndexSize(offset, length, sources.length);
        return requireStream().write(sources, offset, length);
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException
    {
        requireStream().shutOutput();
        keys.signal();
        return this;
    }

    // Closing.

    @Override
    protected void implCloseSelectableChannel() throws IOException
    {
        final GrimStream current = grimStream();
        final GrimAttempt unfinished = stream == null ? attempt : null;
        final SocketChannel kernel;
        synchronized (stateLock)
        {
            kernel = tcp;
        }
        try
        {
            if (current != null)
            {
                current.close(options.get(StandardSocketOptions.SO_LINGER) == 0);
            }
            else if (unfinished != null)
            {
                unfinished.close();
            }
        }
        finally
        {
            if (kernel != null)
            {
                kernel.close();
            }
            keys.signal();
        }
    }

    @Override
    protected void implConfigureBlocking(final boolean isNowBlocking) throws IOException
    {
        keys.forgetCancelled();
        synchronized (stateLock)
        {
            if (tcp != null)
            {
                tcp.configureBlocking(isNowBlocking);
            }
        }
    }

    /** Closes this channel after the end of the JDK's channel, for instance by an interrupt. */
    void closeWithTcp() throws IOException
    {
        if (!tcp.isOpen() && isOpen())
        {
            close();
        }
    }

    void requireOpen() throws ClosedChannelException
    {
        if (!isOpen())
        {
            throw new ClosedChannelException();
        }
    }

    @Override
    public String toString()
    {
        return getClass().getName() + "[" + (isOpen() ? state + " local=" + local + " remote=" + remote : "closed") +
            "]";
    }
}
