// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;

import org.grim.shared.Waiting;

/**
 * A {@link GrimSocketChannel} as a {@link Socket}: what {@link SocketChannel#socket()} gives.
 * <p>Thread: any, as the channel.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized")     // All state is volatile or the channel's.
final class ChannelSocket extends Socket
{
    private final GrimSocketChannel channel;
    private volatile int timeoutMs;
    private volatile boolean isUrgentInline;

    ChannelSocket(final GrimSocketChannel channel) throws SocketException
    {
        super((SocketImpl)null);
        this.channel = channel;
    }

    @Override
    public void connect(final SocketAddress address) throws IOException
    {
        connect(address, 0);
    }

    @Override
    public void connect(final SocketAddress address, final int connectTimeoutMs) throws IOException
    {
        if (connectTimeoutMs < 0)
        {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        requireBlocking();
        try
        {
            channel.connect(address,
                connectTimeoutMs == 0 ? Long.MAX_VALUE : Waiting.deadlineNs(connectTimeoutMs));
        }
        catch (final AlreadyConnectedException ex)
        {
            throw asSocketException("already connected", ex);
        }
    }

    @Override
    public void bind(final SocketAddress address) throws IOException
    {
        channel.bind(address == null ? new InetSocketAddress(0) : address);
    }

    @Override
    public InetAddress getInetAddress()
    {
        final InetSocketAddress remote = remote();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public InetAddress getLocalAddress()
    {
        final InetSocketAddress local = channel.local();
        return local == null || isClosed() ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getPort()
    {
        final InetSocketAddress remote = remote();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public int getLocalPort()
    {
        final InetSocketAddress local = channel.local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress()
    {
        return remote();
    }

    @Override
    public SocketAddress getLocalSocketAddress()
    {
        return channel.local();
    }

    @Override
    public SocketChannel getChannel()
    {
        return channel;
    }

    @Override
    public InputStream getInputStream() throws IOException
    {
        requireUsable();
        if (isInputShutdown())
        {
            throw new SocketException("Socket input is shutdown");
        }
        return new Input();
    }

    @Override
    public OutputStream getOutputStream() throws IOException
    {
        requireUsable();
        if (isOutputShutdown())
        {
            throw new SocketException("Socket output is shutdown");
        }
        return new Output();
    }

    @Override
    public void sendUrgentData(final int data) throws IOException
    {
        requireUsable();
        if (channel.grimStream() != null)
        {
            throw new SocketException("Urgent data not supported over GRIM");
        }
        channel.tcp().socket().sendUrgentData(data);
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException
    {
        channel.requireOpen();
        requireUsable();
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException
    {
        channel.requireOpen();
        requireUsable();
        channel.shutdownOutput();
    }

    @Override
    public boolean isConnected()
    {
        return channel.isConnected();
    }

    @Override
    public boolean isBound()
    {
        return channel.local() != null;
    }

    @Override
    public boolean isClosed()
    {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown()
    {
        final GrimStream stream = channel.grimStream();
        return stream != null ? stream.isInputShut() :
            channel.tcp() != null && channel.tcp().socket().isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown()
    {
        final GrimStream stream = channel.grimStream();
        return stream != null ? stream.isOutputShut() :
            channel.tcp() != null && channel.tcp().socket().isOutputShutdown();
    }

    // Options.

    @Override
    public <T> Socket setOption(final SocketOption<T> name, final T value) throws IOException
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
    public void setSoTimeout(final int newTimeoutMs) throws SocketException
    {
        requireOpen();
        if (newTimeoutMs < 0)
        {
            throw new IllegalArgumentException("timeout can't be negative");
        }
        timeoutMs = newTimeoutMs;
    }

    @Override
    public int getSoTimeout() throws SocketException
    {
        requireOpen();
        return timeoutMs;
    }

    @Override
    public void setTcpNoDelay(final boolean isOn) throws SocketException
    {
        set(StandardSocketOptions.TCP_NODELAY, isOn);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException
    {
        return get(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(final boolean isOn, final int lingerS) throws SocketException
    {
        if (isOn && lingerS < 0)
        {
            throw new IllegalArgumentException("invalid value for SO_LINGER");
        }
        set(StandardSocketOptions.SO_LINGER, isOn ? lingerS : -1);
    }

    @Override
    public int getSoLinger() throws SocketException
    {
        return get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void setOOBInline(final boolean isOn)
    {
        isUrgentInline = isOn;
    }

    @Override
    public boolean getOOBInline()
    {
        return isUrgentInline;
    }

    @Override
    public void setSendBufferSize(final int length) throws SocketException
    {
        requirePositive(length);
        set(StandardSocketOptions.SO_SNDBUF, length);
    }

    @Override
    public int getSendBufferSize() throws SocketException
    {
        return get(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(final int length) throws SocketException
    {
        requirePositive(length);
        set(StandardSocketOptions.SO_RCVBUF, length);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException
    {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setKeepAlive(final boolean isOn) throws SocketException
    {
        set(StandardSocketOptions.SO_KEEPALIVE, isOn);
    }

    @Override
    public boolean getKeepAlive() throws SocketException
    {
        return get(StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setTrafficClass(final int trafficClass) throws SocketException
    {
        if (trafficClass < 0 || trafficClass > 255)
        {
            throw new IllegalArgumentException("tc is not in range 0 -- 255");
        }
        set(StandardSocketOptions.IP_TOS, trafficClass);
    }

    @Override
    public int getTrafficClass() throws SocketException
    {
        return get(StandardSocketOptions.IP_TOS);
    }

    @Override
    public void setReuseAddress(final boolean isOn) throws SocketException
    {
        set(StandardSocketOptions.SO_REUSEADDR, isOn);
    }

    @Override
    public boolean getReuseAddress() throws SocketException
    {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public String toString()
    {
        return channel.isConnected() ?
            "Socket[addr=" + getInetAddress() + ",port=" + getPort() + ",localport=" + getLocalPort() + "]" :
            "Socket[unconnected]";
    }

    private <T> void set(final SocketOption<T> name, final T value) throws SocketException
    {
        try
        {
            channel.setOption(name, value);
        }
        catch (final IOException ex)
        {
            throw asSocketException("Socket is closed", ex);
        }
    }

    private <T> T get(final SocketOption<T> name) throws SocketException
    {
        try
        {
            return channel.getOption(name);
        }
        catch (final IOException ex)
        {
            throw asSocketException("Socket is closed", ex);
        }
    }

    private InetSocketAddress remote()
    {
        return channel.remote();
    }

    private int read(final byte[] target, final int offset, final int length) throws IOException
    {
        requireBlocking();
        channel.requireOpen();
        final GrimStream grim = channel.grimStream();
        if (grim == null)
        {
            try
            {
                channel.tcp().socket().setSoTimeout(timeoutMs);
                return channel.tcp().socket().getInputStream().read(target, offset, length);
            }
            finally
            {
                channel.closeWithTcp();
            }
        }
        return grim.read(ByteBuffer.wrap(target, offset, length),
            timeoutMs == 0 ? Long.MAX_VALUE : Waiting.deadlineNs(timeoutMs));
    }

    private void requireBlocking()
    {
        if (!channel.isBlocking())
        {
            throw new IllegalBlockingModeException();
        }
    }

    private void requireOpen() throws SocketException
    {
        if (!channel.isOpen())
        {
            throw new SocketException("Socket is closed");
        }
    }

    private void requireUsable() throws SocketException
    {
        requireOpen();
        if (!channel.wasConnected())
        {
            throw new SocketException("Socket is not connected");
        }
    }

    private static void requirePositive(final int length)
    {
        if (length <= 0)
        {
            throw new IllegalArgumentException("Invalid buffer size: " + length);
        }
    }

    static SocketException asSocketException(final String text, final Exception cause)
    {
        final SocketException exception = new SocketException(text);
        exception.initCause(cause);
        return exception;
    }

    /** Bytes of the channel, with the time-out of the socket. */
    private final class Input extends InputStream
    {
        @Override
        public int read() throws IOException
        {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(final byte[] target, final int offset, final int length) throws IOException
        {
            Objects.checkFromIndexSize(offset, length, target.length);
            return length == 0 ? 0 : ChannelSocket.this.read(target, offset, length);
        }

        @Override
        public int available() throws IOException
        {
            channel.requireOpen();
            final GrimStream grim = channel.grimStream();
            return grim == null ? channel.tcp().socket().getInputStream().available() : grim.unreadLength();
        }

        @Override
        public void close() throws IOException
        {
            ChannelSocket.this.close();
        }
    }

    /** Writes to the channel until it has taken everything. */
    private final class Output extends OutputStream
    {
        @Override
        public void write(final int value) throws IOException
        {
            write(new byte[] {(byte)value}, 0, 1);
        }

        @Override
        public void write(final byte[] source, final int offset, final int length) throws IOException
        {
            Objects.checkFromIndexSize(offset, length, source.length);
            requireBlocking();
            final ByteBuffer buffer = ByteBuffer.wrap(source, offset, length);
            while (buffer.hasRemaining())
            {
                requireBlocking();
                channel.write(buffer);
            }
        }

        @Override
        public void close() throws IOException
        {
            ChannelSocket.this.close();
        }
    }
}
