// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

import org.grim.shared.Waiting;

/**
 * A {@link GrimServerSocketChannel} as a {@link ServerSocket}. The JDK's socket handles its address and its options.
 * <p>Thread: any, as the channel.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized")     // All state is volatile or the channel's.
final class ChannelServerSocket extends ServerSocket
{
    private final GrimServerSocketChannel channel;
    private final ServerSocket tcp;
    private volatile int timeoutMs;

    ChannelServerSocket(final GrimServerSocketChannel channel, final ServerSocket tcp) throws IOException
    {
        this.channel = channel;
        this.tcp = tcp;
    }

    @Override
    public void bind(final SocketAddress address) throws IOException
    {
        channel.bind(address == null ? new InetSocketAddress(0) : address, 0);
    }

    @Override
    public void bind(final SocketAddress address, final int backlog) throws IOException
    {
        channel.bind(address == null ? new InetSocketAddress(0) : address, backlog);
    }

    @Override
    public Socket accept() throws IOException
    {
        if (!channel.isBlocking())
        {
            throw new IllegalBlockingModeException();
        }
        try
        {
            final SocketChannel accepted =
                channel.accept(timeoutMs == 0 ? Long.MAX_VALUE : Waiting.deadlineNs(timeoutMs));
            if (accepted == null)
            {
                throw new SocketTimeoutException("Accept timed out");
            }
            return accepted.socket();
        }
        catch (final NotYetBoundException ex)
        {
            throw ChannelSocket.asSocketException("Socket is not bound yet", ex);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel()
    {
        return channel;
    }

    @Override
    public boolean isClosed()
    {
        return !channel.isOpen();
    }

    @Override
    public void setSoTimeout(final int newTimeoutMs)
    {
        if (newTimeoutMs < 0)
        {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeoutMs = newTimeoutMs;
    }

    @Override
    public int getSoTimeout()
    {
        return timeoutMs;
    }

    @Override
    public InetAddress getInetAddress()
    {
        return tcp.getInetAddress();
    }

    @Override
    public int getLocalPort()
    {
        return tcp.getLocalPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress()
    {
        return tcp.getLocalSocketAddress();
    }

    @Override
    public boolean isBound()
    {
        return tcp.isBound();
    }

    @Override
    public void setReuseAddress(final boolean isOn) throws SocketException
    {
        tcp.setReuseAddress(isOn);
    }

    @Override
    public boolean getReuseAddress() throws SocketException
    {
        return tcp.getReuseAddress();
    }

    @Override
    public void setReceiveBufferSize(final int length) throws SocketException
    {
        tcp.setReceiveBufferSize(length);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException
    {
        return tcp.getReceiveBufferSize();
    }

    @Override
    public <T> ServerSocket setOption(final SocketOption<T> name, final T value) throws IOException
    {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(final SocketOption<T> name) throws IOException
    {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions()
    {
        return channel.supportedOptions();
    }

    @Override
    public String toString()
    {
        return tcp.toString();
    }
}
