// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.sockets.GrimSelectorProvider;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.PeerKind;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * A program of {@code java.nio}: channels of the JDK over loopback TCP or a Unix-domain socket, or of this library. A
 * length, then the payload; one write per message without delay, as many messages per read as there are. Non-blocking,
 * and busy.
 */
final class SocketPeer implements Peer
{
    private static final int MESSAGE_LENGTH_MAX = Integer.BYTES + (1 << 16);
    private static final int RECEIVE_LENGTH = MESSAGE_LENGTH_MAX * 4;

    /** Smaller messages are copied behind their length, larger ones gathered. */
    private static final int GATHER_LENGTH_MIN = 4096;

    private final boolean isTcp;
    private final SelectorProvider provider;
    private final MessageReceiver receiver;
    private final Path portFile;
    private final SocketAddress address;
    private final ServerSocketChannel server;
    private final AtomicBuffer outbound = Buffers.allocate(MESSAGE_LENGTH_MAX);
    private final ByteBuffer outboundBytes = outbound.byteBuffer().duplicate();
    private final AtomicBuffer inbound = Buffers.allocate(RECEIVE_LENGTH);
    private final ByteBuffer inboundBytes = inbound.byteBuffer().duplicate();
    private final int outboundStart = outbound.wrapAdjustment();
    private final int inboundStart = inbound.wrapAdjustment();
    private final ByteBuffer[] gathered = {outboundBytes.duplicate(), null};
    private ByteBuffer gatheredSource;
    private SocketChannel channel;
    private int headIndex;
    private int tailIndex;

    SocketPeer(
        final PeerKind kind, final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        isTcp = kind != PeerKind.UDS;
        provider = kind == PeerKind.GRIM_SOCKETS ?
            grimProvider(directory, isInitiator ? "sockets-first" : "sockets-second") : SelectorProvider.provider();
        this.receiver = receiver;
        portFile = directory.resolve(kind.label() + "-port");
        outboundBytes.limit(outboundStart).position(outboundStart);
        try
        {
            final Path socket = directory.resolve("uds");
            server = isInitiator ? bind(socket) : null;
            address = isTcp ? new InetSocketAddress(InetAddress.getLoopbackAddress(), isInitiator ? 0 : port()) :
                UnixDomainSocketAddress.of(socket);
        }
        catch (final IOException ex)
        {
            throw failed("bind", ex);
        }
    }

    @Override
    public void connect()
    {
        try
        {
            channel = server == null ? open() : server.accept();
            if (channel == null)
            {
                throw new GrimException(TIMED_OUT, "nobody has connected");
            }
            channel.configureBlocking(false);
            if (isTcp)
            {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
        }
        catch (final IOException ex)
        {
            throw failed("connect", ex);
        }
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        if (outboundBytes.hasRemaining() && !flush())
        {
            return false;
        }
        outbound.putInt(0, length);
        if (length < GATHER_LENGTH_MIN)
        {
            outbound.putBytes(Integer.BYTES, source, offset, length);
            outboundBytes.limit(outboundStart + Integer.BYTES + length).position(outboundStart);
            flush();
        }
        else
        {
            gather(source, offset, length);
        }
        return true;
    }

    @Override
    public int poll()
    {
        if (outboundBytes.hasRemaining())
        {
            flush();
        }
        return receive() == 0 ? 0 : deliver();
    }

    @Override
    public void close()
    {
        try
        {
            CloseHelper.closeAll(channel, server);
        }
        finally
        {
            if (provider instanceof final GrimSelectorProvider grim)
            {
                grim.close();
            }
        }
    }

    private static SelectorProvider grimProvider(final Path directory, final String name)
    {
        return new GrimSelectorProvider(GrimConfig.builder().directory(directory)
            .set("grim.cluster.name", "sockets").nodeName(name).set("grim.sockets.only.0", "*:*").build());
    }

    private SocketChannel open() throws IOException
    {
        final SocketChannel opened =
            isTcp ? provider.openSocketChannel() : provider.openSocketChannel(StandardProtocolFamily.UNIX);
        opened.connect(address);
        return opened;
    }

    private ServerSocketChannel bind(final Path socket) throws IOException
    {
        final ServerSocketChannel bound =
            isTcp ? provider.openServerSocketChannel() : provider.openServerSocketChannel(StandardProtocolFamily.UNIX);
        bound.configureBlocking(false);
        if (isTcp)
        {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Files.writeString(portFile, Integer.toString(((InetSocketAddress)bound.getLocalAddress()).getPort()));
        }
        else
        {
            bound.bind(UnixDomainSocketAddress.of(socket));
        }
        return bound;
    }

    private int port() throws IOException
    {
        return Integer.parseInt(Files.readString(portFile, US_ASCII));
    }

    /** Bytes that do not go now are kept. */
    @SuppressWarnings("ReferenceEquality")      // The memory itself, not its content.
    private void gather(final DirectBuffer source, final int offset, final int length)
    {
        if (source.byteBuffer() != gatheredSource)
        {
            gatheredSource = source.byteBuffer();
            gathered[1] = gatheredSource.duplicate();
        }
        final int start = source.wrapAdjustment() + offset;
        gathered[0].limit(outboundStart + Integer.BYTES).position(outboundStart);
        gathered[1].limit(start + length).position(start);
        try
        {
            channel.write(gathered);
        }
        catch (final IOException ex)
        {
            throw failed("write", ex);
        }
        final int written = gathered[0].hasRemaining() ? 0 : length - gathered[1].remaining();
        if (written < length)
        {
            outbound.putBytes(Integer.BYTES + written, source, offset + written, length - written);
            outboundBytes.limit(outboundStart + Integer.BYTES + length)
                .position(gathered[0].position() + written);
        }
    }

    private boolean flush()
    {
        try
        {
            channel.write(outboundBytes);
            return !outboundBytes.hasRemaining();
        }
        catch (final IOException ex)
        {
            throw failed("write", ex);
        }
    }

    private int receive()
    {
        if (headIndex == tailIndex)
        {
            headIndex = 0;
            tailIndex = 0;
        }
        else if (RECEIVE_LENGTH - headIndex < MESSAGE_LENGTH_MAX)
        {
            inbound.putBytes(0, inbound, headIndex, tailIndex - headIndex);     // Regions do not overlap: see capacity.
            tailIndex -= headIndex;
            headIndex = 0;
        }
        inboundBytes.limit(inboundStart + RECEIVE_LENGTH).position(inboundStart + tailIndex);
        try
        {
            final int length = channel.read(inboundBytes);
            if (length < 0)
            {
                throw new GrimException(UNREACHABLE, "the other side closed the connection");
            }
            tailIndex += length;
            return length;
        }
        catch (final IOException ex)
        {
            throw failed("read", ex);
        }
    }

    private int deliver()
    {
        int count = 0;
        while (tailIndex - headIndex >= Integer.BYTES)
        {
            final int length = inbound.getInt(headIndex);
            if (tailIndex - headIndex - Integer.BYTES < length)
            {
                break;
            }
            final int offset = headIndex + Integer.BYTES;
            headIndex = offset + length;
            receiver.onMessage(inbound, offset, length);
            count++;
        }
        return count;
    }

    private UncheckedIOException failed(final String call, final IOException ex)
    {
        return new UncheckedIOException(call + " failed on " + address + ": " + ex.getMessage(), ex);
    }
}
