// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;
import org.grim.buffer.Uninterrupted;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * What a sleeping endpoint waits on: a Unix-domain socket in the cluster's directory, where each ring is a connection;
 * or a pipe, where the cluster has no directory. Either is a channel that an application can put in a selector of its
 * own.
 * <p>Thread: the endpoint's owner; {@link #ring()} any.
 * <p>Owns: the socket's file, which goes when the doorbell is closed or the node's files are swept.
 */
public final class SocketDoorbell implements AutoCloseable
{
    /** Longest path of a socket in bytes: what the kernel's address holds, less what the JDK keeps. */
    public static final int PATH_LENGTH_MAX = 106;

    private static final int BACKLOG = 16;

    private final Path path;
    private final ServerSocketChannel server;
    private final Pipe pipe;
    private final Selector selector;
    private final ByteBuffer scratch = ByteBuffer.allocate(BACKLOG);

    private SocketDoorbell(final Path path, final ServerSocketChannel server, final Pipe pipe, final Selector selector)
    {
        this.path = path;
        this.server = server;
        this.pipe = pipe;
        this.selector = selector;
    }

    /**
     * Hangs up a doorbell.
     *
     * @param path of its socket, or null for one inside this process.
     * @return the doorbell, silent.
     * @throws GrimException if the system refuses.
     */
    public static SocketDoorbell open(final Path path)
    {
        Selector selector = null;
        ServerSocketChannel server = null;
        Pipe pipe = null;
        boolean isReady = false;
        try
        {
            selector = Selector.open();
            server = path == null ? null : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            pipe = path == null ? Pipe.open() : null;
            final SocketDoorbell bell = new SocketDoorbell(path, server, pipe, selector);
            bell.hang();
            isReady = true;
            return bell;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "doorbell " + path + " cannot be made: " + MappedFile.describe(ex), ex);
        }
        finally
        {
            if (!isReady)
            {
                CloseHelper.quietCloseAll(selector, server, pipe == null ? null : pipe.source(),
                    pipe == null ? null : pipe.sink());
                deleteSocket(path);
            }
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
        catch (final ClosedChannelException ex)
        {
            return;                     // The node has left meanwhile: nobody sleeps there.
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "doorbell cannot be rung: " + MappedFile.describe(ex), ex);
        }
    }

    /** {@return the channel to select on; ready for {@link #operations()} when the bell has been rung} */
    public SelectableChannel channel()
    {
        return server == null ? pipe.source() : server;
    }

    /** {@return what to select for; accept for a socket, read for a pipe} */
    public int operations()
    {
        return server == null ? SelectionKey.OP_READ : SelectionKey.OP_ACCEPT;
    }

    /**
     * Sleeps until the bell is rung or closed, also if the thread is interrupted; it stays so.
     *
     * @param timeoutMs longest sleep, 1 or more.
     */
    public void await(final long timeoutMs)
    {
        try
        {
            Uninterrupted.select(selector, timeoutMs);
            if (selector.selectedKeys().isEmpty())
            {
                return;                 // Nobody rang: there is nothing to take note of.
            }
            selector.selectedKeys().clear();
        }
        catch (final ClosedSelectorException ex)
        {
            return;                     // The node has left meanwhile: nobody rings any more.
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "doorbell cannot be waited for: " + MappedFile.describe(ex), ex);
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
        catch (final ClosedChannelException ex)
        {
            return;                     // The node has left meanwhile.
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "doorbell cannot be silenced: " + MappedFile.describe(ex), ex);
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
            throw new GrimException(SYSTEM_REFUSED, "doorbell cannot be closed: " + MappedFile.describe(ex), ex);
        }
        finally
        {
            deleteSocket(path);
        }
    }

    private void hang() throws IOException
    {
        if (server != null)
        {
            deleteSocket(path);                     // A node that was killed may have left one of the name.
            server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            Files.setPosixFilePermissions(path, OwnFiles.FILE_PERMISSIONS);     // The directory is closed to others.
        }
        else
        {
            pipe.sink().configureBlocking(false);
        }
        channel().configureBlocking(false);
        channel().register(selector, operations());
    }

    private static void deleteSocket(final Path path)
    {
        if (path != null)
        {
            MappedFile.delete(path);
        }
    }
}
