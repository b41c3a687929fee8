// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import org.grim.shared.PollingOrder;
import org.grim.shared.Sleeper;
import org.grim.shared.Waiting;
import org.grim.sockets.node.Connection;
import org.grim.sockets.node.Listener;
import org.grim.sockets.node.SocketNode;

/**
 * Listens with TCP, and is found by clients of the cluster, whose connections come over GRIM.
 * <p>Thread: any, as the contract of {@link ServerSocketChannel} says.
 */
final class GrimServerSocketChannel extends ServerSocketChannel implements KeyedChannel, BoundChannel
{
    private static final int BACKLOG = 50;

    private final SelectorProvider provider;
    private final ProcessNode process;
    private final ServerSocketChannel tcp;              // Never blocks: two queues are waited for.
    private final ChannelKeys keys;
    private final ReentrantLock acceptLock = new ReentrantLock();
    private final Object stateLock = new Object();
    private volatile Listening listening;               // Null while clients are served by TCP alone.
    private InetSocketAddress bound;                    // Before the keeper knows the channel.
    private int backlog;
    private Sleeper sleeper;
    private ChannelServerSocket socket;

    /** The node that lets clients find the channel, and their connections there. */
    private record Listening(SocketNode node, Listener listener)
    {
    }

    GrimServerSocketChannel(
        final SelectorProvider provider, final ProcessNode process, final ServerSocketChannel tcp) throws IOException
    {
        super(provider);
        this.provider = provider;
        this.process = process;
        keys = new ChannelKeys(process);
        this.tcp = tcp;
        tcp.configureBlocking(false);
        keys.watch(tcp);
    }

    @Override
    public ChannelKeys keys()
    {
        return keys;
    }

    @Override
    public int readyOperations()
    {
        final Listening current = listening;
        return current != null && !current.listener().isEmpty() ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public ServerSocketChannel bind(final SocketAddress address, final int newBacklog) throws IOException
    {
        synchronized (stateLock)
        {
            requireOpen();
            tcp.bind(address, newBacklog);
            bound = (InetSocketAddress)tcp.getLocalAddress();
            backlog = newBacklog < 1 ? BACKLOG : newBacklog;
        }
        process.listen(this, bound);                    // It may wait, and the channel be closed meanwhile.
        return this;
    }

    @Override
    public void enter(final SocketNode node)
    {
        if (process.isNever(bound))
        {
            return;
        }
        try
        {
            listening = new Listening(node, node.listen(bound, backlog, keys::signal));
            keys.signal();                              // Accepting threads and selectors wait for messages, too.
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            process.warnOfTcp(bound, ex);
        }
    }

    @Override
    public void leave()
    {
        final Listening last = listening;
        listening = null;
        if (last != null)
        {
            try
            {
                last.node().close(last.listener());
            }
            catch (final IOException | RuntimeException | Error ex)
            {
                process.warnOfTcp(bound, ex);
            }
        }
    }

    @Override
    public void forgetNode()
    {
        listening = null;
    }

    @Override
    public boolean isEntered()
    {
        return listening != null;
    }

    @Override
    public <T> ServerSocketChannel setOption(final SocketOption<T> name, final T value) throws IOException
    {
        tcp.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(final SocketOption<T> name) throws IOException
    {
        return tcp.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions()
    {
        return tcp.supportedOptions();
    }

    @Override
    public ServerSocket socket()
    {
        synchronized (stateLock)
        {
            try
            {
                if (socket == null)
                {
                    socket = new ChannelServerSocket(this, tcp.socket());
                }
                return socket;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException
    {
        return tcp.getLocalAddress();
    }

    @Override
    public SocketChannel accept() throws IOException
    {
        return accept(Long.MAX_VALUE);
    }

    /**
     * Accepts a connection.
     *
     * @param deadlineNs how long a channel that blocks waits.
     * @return the connection; null if none is there, and the channel does not block or the time is over.
     */
    SocketChannel accept(final long deadlineNs) throws IOException
    {
        acceptLock.lock();
        try
        {
            requireOpen();
            if (tcp.getLocalAddress() == null)
            {
                throw new NotYetBoundException();
            }
            if (!isBlocking())
            {
                return tryAccept();
            }
            SocketChannel accepted = null;
            try
            {
                accepted = awaitOne(deadlineNs);
            }
            finally
            {
                end(accepted != null);
            }
            return accepted;
        }
        finally
        {
            acceptLock.unlock();
            if (!isOpen())
            {
                closeSleeper();
            }
        }
    }

    private SocketChannel tryAccept() throws IOException
    {
        final Listening current = listening;
        if (current != null)
        {
            if (current.listener().isEmpty())
            {
                current.node().poll();
            }
            final Connection connection = current.listener().poll();
            if (connection != null)
            {
                return GrimSocketChannel.accepted(provider, process, current.node(), connection);
            }
        }
        final SocketChannel accepted = isOpen() ? tcp.accept() : null;
        return accepted == null ? null : GrimSocketChannel.accepted(provider, process, accepted);
    }

    private SocketChannel awaitOne(final long deadlineNs) throws IOException
    {
        begin();
        final long startNs = System.nanoTime();
        final SocketChannel found = lookAndAccept();
        if (found != null)
        {
            return found;
        }
        final Sleeper current = sleeper();
        keys.waiting(SelectionKey.OP_ACCEPT, current);
        try
        {
            current.prepare();
            SocketChannel accepted = tryAccept();
            long timeoutMs = Waiting.timeoutMs(deadlineNs);
            while (accepted == null && isOpen() && timeoutMs >= 0)
            {
                current.sleep(pollingOrder(), timeoutMs);
                current.selector().selectedKeys().clear();
                begin();                    // The selector that was slept in took the place of who is interrupted.
                current.prepare();          // The sleep ended it.
                accepted = tryAccept();
                timeoutMs = Waiting.timeoutMs(deadlineNs);
            }
            return accepted;
        }
        finally
        {
            keys.waiting(SelectionKey.OP_ACCEPT, null);
            final Listening last = listening;
            if (last != null)
            {
                keys.spinTime().slept(System.nanoTime() - startNs, last.node().spinNs());
            }
            current.finish();
            process.depart();
        }
    }

    /** Looks for a connection over GRIM as long as that pays. Returns null if none is there, over TCP neither. */
    private SocketChannel lookAndAccept() throws IOException
    {
        final SocketChannel accepted = tryAccept();
        final Listening current = listening;
        final boolean isFound = accepted == null && current != null &&
            current.node().waiting().spin(this, SelectionKey.OP_ACCEPT);
        return isFound ? tryAccept() : accepted;
    }

    /** {@return of the node whose messages are waited for; null for none} */
    private PollingOrder pollingOrder()
    {
        final Listening current = listening;
        return current != null && current.node().isInUse() ? current.node().pollingOrder() : null;
    }

    /** Returns the sleeper of this channel alone, as the kernel's channel stays registered with it. */
    private Sleeper sleeper() throws IOException
    {
        if (sleeper == null)
        {
            sleeper = new Sleeper(process.kernel().openSelector(), true);
            tcp.register(sleeper.selector(), SelectionKey.OP_ACCEPT);
        }
        return sleeper;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException
    {
        try
        {
            process.close(this);
        }
        finally
        {
            tcp.close();
            keys.signal();
            closeSleeper();
        }
    }

    /** A thread that accepts at this moment does it afterwards. */
    private void closeSleeper() throws IOException
    {
        if (acceptLock.tryLock())
        {
            try
            {
                if (sleeper != null)
                {
                    sleeper.close();
                }
            }
            finally
            {
                acceptLock.unlock();
            }
        }
    }

    @Override
    protected void implConfigureBlocking(final boolean isNowBlocking)
    {
        // The kernel's channel never blocks.
    }

    private void requireOpen() throws ClosedChannelException
    {
        if (!isOpen())
        {
            throw new ClosedChannelException();
        }
    }

    @Override
    public String toString()
    {
        return getClass().getName() + "[" + tcp + "]";
    }
}
