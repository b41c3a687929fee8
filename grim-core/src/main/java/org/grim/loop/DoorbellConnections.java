// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.agrona.CloseHelper;

/**
 * Connections to the doorbells of other processes. The first ring of a doorbell is a connection; as long as both sides
 * keep that, each further ring is a byte. A connection that the sleeper has closed is replaced by the next ring.
 * <p>Thread: any. Owns: the connections.
 * <p>Bounds: {@value #CONNECTION_COUNT_MAX} connections; what is rung beyond them is connected and closed each time.
 */
public final class DoorbellConnections implements AutoCloseable
{
    static final int CONNECTION_COUNT_MAX = 64;

    private static final ByteBuffer RING = ByteBuffer.allocateDirect(1).asReadOnlyBuffer();

    private final Map<Long, SocketChannel> connections = new ConcurrentHashMap<>();
    private boolean isClosed;

    /**
     * Rings a doorbell. Does not block.
     *
     * @param key  of the doorbell: no other one of this object has the same, ever.
     * @param path of its socket, asked for where there is no connection.
     * @return false if nobody answers there, or the bell has been rung often enough already.
     */
    public boolean tryRing(final long key, final Supplier<Path> path)
    {
        final SocketChannel known = connections.get(key);
        return (known != null && tryRing(known)) || tryConnect(key, known, path);
    }

    @Override
    public synchronized void close()
    {
        isClosed = true;
        connections.values().forEach(CloseHelper::quietClose);
        connections.clear();
    }

    private static boolean tryRing(final SocketChannel connection)
    {
        try
        {
            connection.write(RING.duplicate());         // Where there is no room nobody has heard the rings before it.
            return true;
        }
        catch (final IOException ex)
        {
            return false;                               // The sleeper has closed it, or has gone.
        }
    }

    private synchronized boolean tryConnect(final long key, final SocketChannel before, final Supplier<Path> path)
    {
        if (before != null && connections.remove(key, before))
        {
            CloseHelper.quietClose(before);
        }
        final SocketChannel meanwhile = connections.get(key);
        return meanwhile != null ? tryRing(meanwhile) : (!isClosed && tryConnect(key, path.get()));
    }

    private boolean tryConnect(final long key, final Path path)
    {
        SocketChannel connection = null;
        boolean isKept = false;
        try
        {
            connection = SocketChannel.open(StandardProtocolFamily.UNIX);
            connection.configureBlocking(false);
            final boolean isRung = connection.connect(UnixDomainSocketAddress.of(path));
            connections.values().removeIf(DoorbellConnections::isOver);
            isKept = isRung && connections.size() < CONNECTION_COUNT_MAX;
            if (isKept)
            {
                connections.put(key, connection);
            }
            return isRung;
        }
        catch (final IOException ex)
        {
            // The sleeper is gone, or its backlog is full of rings: both need no further one.
            return false;
        }
        catch (final LinkageError ex)
        {
            return false;                               // As where a doorbell is made: sleepers wake a little later.
        }
        finally
        {
            if (!isKept)
            {
                CloseHelper.quietClose(connection);
            }
        }
    }

    /** Returns whether the other side has closed; it never writes. */
    private static boolean isOver(final SocketChannel connection)
    {
        boolean isOver;
        try
        {
            isOver = connection.read(ByteBuffer.allocate(1)) < 0;
        }
        catch (final IOException ex)
        {
            isOver = true;                              // Closed by another thread, or the sleeper with rings unread.
        }
        if (isOver)
        {
            CloseHelper.quietClose(connection);
        }
        return isOver;
    }
}
