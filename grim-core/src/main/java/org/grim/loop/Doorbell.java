// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;

/**
 * What a sleeping endpoint waits on: a Unix-domain socket in the cluster's directory, where each ring is a connection;
 * or a pipe, where the cluster has no directory. Either is a channel that an application can put in a selector of its
 * own.
 * <p>Thread: the endpoint's owner; {@link #ring()} any.
 * <p>Owns: the socket's file, which goes when the doorbell is closed or the node's files are swept.
 */
public final class Doorbell implements AutoCloseable
{
    private static final int BACKLOG = 16;

    private final Path path;
    private final ServerSocketChannel server;
    private final Pipe pipe;
    private final Selector selector;
    private final ByteBuffer scratch = ByteBuffer.allocate(BACKLOG);

    private Doorbell(final Path path) throws IOException
    {
        this.path = path;
        selector = Selector.open();
        if (path == null)
        {
            server = null;
            pipe = Pipe.open();
            pipe.sink().configureBlocking(false);
        }
        else
        {
            pipe = null;
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
        }
        channel().configureBlocking(false);
        channel().register(selector, operations());
    }

    /**
     * Hangs up a doorbell.
     *
     * @param path of its socket, or null for one inside this process.
     * @return the doorbell, silent.
     * @throws GrimException if the system refuses.
     */
    public static Doorbell open(final Path path)
    {
        try
        {
            return new Doorbell(path);
        }
        catch (final IOException ex)
        {
            throw new GrimException("doorbell " + path + " cannot be made: " + MappedFile.describe(ex), ex);
        }
    }

    /**
     * Rings the doorbell of another process. Does not block.
     *
     * @param path of its socket.
     * @return false if nobody answers there, or the bell has been rung often enough already.
     */
    public static boolean tryRing(final Path path)
    {
        try (SocketChannel caller = SocketChannel.open(StandardProtocolFamily.UNIX))
        {
            caller.configureBlocking(false);
            return caller.connect(UnixDomainSocketAddress.of(path));
        }
        catch (final IOException ex)
        {
            // The sleeper is gone, or its backlog is full of rings: both need no further one.
            return false;
        }
    }

    /** Rings this doorbell from inside its process. */
    public void ring()
    {
        if (pipe == null)
        {
            tryRing(path);
            return;
        }
        try
        {
            pipe.sink().write(ByteBuffer.wrap(new byte[1]));
        }
        catch (final IOException ex)
        {
            throw new GrimException("doorbell cannot be rung: " + MappedFile.describe(ex), ex);
        }
    }

    /**
     * The channel to select on.
     *
     * @return ready for {@link #operations()} when the bell has been rung.
     */
    public SelectableChannel channel()
    {
        return server == null ? pipe.source() : server;
    }

    /**
     * What to select for.
     *
     * @return accept for a socket, read for a pipe.
     */
    public int operations()
    {
        return server == null ? SelectionKey.OP_READ : SelectionKey.OP_ACCEPT;
    }

    /**
     * Sleeps until the bell is rung.
     *
     * @param timeoutMs longest sleep, 1 or more.
     */
    public void await(final long timeoutMs)
    {
        try
        {
            selector.select(timeoutMs);
            selector.selectedKeys().clear();
        }
        catch (final IOException ex)
        {
            throw new GrimException("doorbell cannot be waited for: " + MappedFile.describe(ex), ex);
        }
        silence();
    }

    /** Takes note of all rings so far, so that the next select waits for a new one. */
    public void silence()
    {
        try
        {
            if (server == null)
            {
                scratch.clear();
                while (pipe.source().read(scratch) > 0)
                {
                    scratch.clear();
                }
            }
            else
            {
                SocketChannel ring = server.accept();
                while (ring != null)
                {
                    ring.close();
                    ring = server.accept();
                }
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException("doorbell cannot be silenced: " + MappedFile.describe(ex), ex);
        }
    }

    @Override
    public void close()
    {
        try
        {
            selector.close();
            channel().close();
            if (pipe != null)
            {
                pipe.sink().close();
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException("doorbell cannot be closed: " + MappedFile.describe(ex), ex);
        }
        if (path != null)
        {
            MappedFile.delete(path);
        }
    }
}
