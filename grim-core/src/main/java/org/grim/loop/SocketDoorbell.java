// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.buffer.FileIdentity;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;
import org.grim.buffer.Uninterrupted;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Doorbell of a sleeping endpoint: a Unix-domain socket in the cluster's directory, where a ring is a connection or a
 * byte in one that is kept ({@link DoorbellConnections}); or a pipe, where the cluster has no directory. A selector of
 * the application's own can wait for it, too.
 * <p>Thread: the endpoint's owner; {@link #ring()} any.
 * <p>Owns: the socket's file, which goes when the doorbell is closed or the node's files are swept; the connections.
 * <p>Bounds: {@value #CONNECTION_COUNT_MAX} connections are kept; what rings beyond them connects each time.
 */
public final class SocketDoorbell implements AutoCloseable
{
    /** Longest path of a socket in bytes: what the kernel's address holds, less what the JDK keeps. */
    public static final int PATH_LENGTH_MAX = 106;

    static final int CONNECTION_COUNT_MAX = 16;

    private static final int SENDER_OPERATIONS = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;
    private static final int BACKLOG = 16;
    private static final long DEAF_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path path;
    private final ServerSocketChannel server;
    private final Pipe pipe;
    private final Selector selector;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(CONNECTION_COUNT_MAX);
    private final List<SelectableChannel> channels = new CopyOnWriteArrayList<>();  // The first: the socket or pipe.
    private FileIdentity socket;                        // null until the path is this doorbell's.
    private Selector listening;
    private Object attachment;
    private IOException failure;
    private boolean isDeaf;                 // No connection can be accepted, as without file descriptors.
    private long deafDeadlineNs;

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
        SocketDoorbell bell = null;
        boolean isReady = false;
        try
        {
            selector = Selector.open();
            server = path == null ? null : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            pipe = path == null ? Pipe.open() : null;
            bell = new SocketDoorbell(path, server, pipe, selector);
            bell.hang();
            isReady = true;
            return bell;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "doorbell " + path + " cannot be made: " + MappedFile.describe(ex), ex);
        }
        catch (final LinkageError ex)           // A full heap once broke the JDK's class for such sockets, for good.
        {
            throw new GrimException(SYSTEM_REFUSED, "doorbell " + path + " cannot be made: " + ex, ex);
        }
        finally
        {
            if (!isReady)
            {
                CloseHelper.quietCloseAll(selector, server, pipe == null ? null : pipe.source(),
                    pipe == null ? null : pipe.sink());
                if (bell != null)
                {
                    bell.deleteSocket();
                }
            }
        }
    }

    /** Rings this doorbell, which has no path, from inside its process. */
    public void ring()
    {
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

    /** Has a selector wait for this doorbell, and no other one any more. */
    public void listen(final Selector selector, final Object keyAttachment)
    {
        if (isDeaf && deafDeadlineNs - System.nanoTime() <= 0)
        {
            isDeaf = false;
            interest(server, SelectionKey.OP_ACCEPT);
        }
        if (selector != listening)
        {
            for (int i = 0; i < channels.size(); i++)
            {
                interest(channels.get(i), 0);
            }
            listening = selector;
            attachment = keyAttachment;
            for (int i = 0; i < channels.size(); i++)
            {
                final SelectableChannel channel = channels.get(i);
                interest(channel, isDeaf && channel == server ? 0 : channel.validOps() & ~SENDER_OPERATIONS);
            }
        }
    }

    /**
     * Sleeps until the bell is rung or closed, also if the thread is interrupted; it stays so.
     *
     * @param timeoutMs longest sleep, 1 or more.
     */
    public void await(final long timeoutMs)
    {
        listen(selector, null);
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

    /**
     * Takes note of the rings that the last select saw, so that the next one waits for others. If one was a byte, new
     * connections are left to the next call: usually there are none, and a select shows them.
     */
    public void silence()
    {
        boolean isRung = false;
        for (int i = channels.size() - 1; i >= 0; i--)
        {
            final SelectableChannel channel = channels.get(i);
            if (isReady(channel) && !(isRung && channel == server))
            {
                isRung |= trySilence(channel);
            }
        }
    }

    /** {@return whether rings by new connections are not taken note of at present} */
    public boolean isDeaf()
    {
        return isDeaf;
    }

    /**
     * Says why rings by new connections were not taken note of since the last call; those by bytes were. They are
     * again, some time later.
     *
     * @return what the system answered; null if nothing failed.
     */
    public IOException takeFailure()
    {
        final IOException last = failure;
        failure = null;
        return last;
    }

    @Override
    public void close()
    {
        try
        {
            selector.close();
            for (final SelectableChannel channel : channels)
            {
                if (channel instanceof final SocketChannel connection)
                {
                    connection.shutdownInput();     // The kernel's socket stays until the selector's next select.
                }
                channel.close();
            }
            if (pipe != null)
            {
                pipe.sink().close();
            }
            if (listening != null)
            {
                listening.wakeup();
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "doorbell cannot be closed: " + MappedFile.describe(ex), ex);
        }
        finally
        {
            deleteSocket();
        }
    }

    private void hang() throws IOException
    {
        if (server != null)
        {
            MappedFile.delete(path);                // A node that was killed may have left one of the name.
            server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            socket = FileIdentity.of(path);
            Files.setPosixFilePermissions(path, OwnFiles.FILE_PERMISSIONS);     // The directory is closed to others.
        }
        else
        {
            pipe.sink().configureBlocking(false);
        }
        final SelectableChannel first = server == null ? pipe.source() : server;
        first.configureBlocking(false);
        channels.add(first);
    }

    /** A key stays with its selector, so that the doorbell can come back there at once. */
    private void interest(final SelectableChannel channel, final int operations)
    {
        try
        {
            final SelectionKey key = listening == null ? null : channel.keyFor(listening);
            if (key != null)
            {
                key.interestOps(operations);
            }
            else if (operations != 0)
            {
                channel.register(listening, operations, attachment);
            }
        }
        catch (final CancelledKeyException | ClosedSelectorException ex)
        {
            return;                     // The application has closed that selector.
        }
        catch (final ClosedChannelException ex)
        {
            return;                     // The node has left meanwhile.
        }
    }

    /** The last select of the selector may be some time ago: then a look finds nothing. */
    private boolean isReady(final SelectableChannel channel)
    {
        final SelectionKey key = listening == null ? null : channel.keyFor(listening);
        try
        {
            return key != null && key.readyOps() != 0;
        }
        catch (final CancelledKeyException ex)
        {
            return false;               // The node has left meanwhile, or the application closed its selector.
        }
    }

    /** Returns true if there were bytes. */
    private boolean trySilence(final SelectableChannel channel)
    {
        try
        {
            if (channel != server)
            {
                return tryRead(channel);
            }
            accept();
        }
        catch (final ClosedChannelException ex)
        {
            return false;               // The node has left meanwhile.
        }
        catch (final IOException ex)
        {
            if (channel == server)
            {
                deafen(ex);
            }
            else if (channel == channels.get(0))
            {
                throw new GrimException(SYSTEM_REFUSED, "doorbell cannot be silenced: " + MappedFile.describe(ex), ex);
            }
            else
            {
                drop(channel);          // Reset by a process that rang.
            }
        }
        return false;
    }

    /** The connection that waits would end each sleep at once. */
    private void deafen(final IOException ex)
    {
        failure = ex;
        isDeaf = true;
        deafDeadlineNs = System.nanoTime() + DEAF_NS;
        interest(server, 0);
    }

    private boolean tryRead(final SelectableChannel channel) throws IOException
    {
        int length = scratch.capacity();
        while (length == scratch.capacity())
        {
            scratch.clear();
            length = ((ReadableByteChannel)channel).read(scratch);
        }
        if (length < 0)
        {
            drop(channel);
        }
        return length > 0;
    }

    private void accept() throws IOException
    {
        SocketChannel ring = server.accept();
        while (ring != null)
        {
            if (channels.size() > CONNECTION_COUNT_MAX)
            {
                ring.close();
            }
            else
            {
                ring.configureBlocking(false);
                channels.add(ring);
                interest(ring, SelectionKey.OP_READ);
                if (!server.isOpen())
                {
                    ring.close();       // Another thread that closed this doorbell may not have seen it.
                }
            }
            ring = server.accept();
        }
    }

    private void drop(final SelectableChannel connection)
    {
        channels.remove(connection);
        CloseHelper.quietClose(connection);
    }

    private void deleteSocket()
    {
        if (socket != null)
        {
            socket.delete();
        }
    }
}
