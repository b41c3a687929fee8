// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;

/**
 * A bound server channel as the node sees it: connections that were made over GRIM and are not accepted yet.
 * <p>Thread: any; each call is atomic.
 */
public final class Listener
{
    private final InetSocketAddress address;
    private final int backlog;
    private final Path listing;
    private final Runnable onChange;
    private final ArrayDeque<Connection> queue = new ArrayDeque<>();
    private int reservedCount;
    private volatile boolean isEmpty = true;
    private boolean isClosed;

    Listener(final InetSocketAddress address, final int backlog, final Path listing, final Runnable onChange)
    {
        this.address = address;
        this.backlog = backlog;
        this.listing = listing;
        this.onChange = onChange;
    }

    InetSocketAddress address()
    {
        return address;
    }

    Path listing()
    {
        return listing;
    }

    /** {@return true if no connection waits} */
    public boolean isEmpty()
    {
        return isEmpty;
    }

    /**
     * Reserves a place for a connection whose client has to answer: {@link #add} or {@link #giveBack} follows. Returns
     * false if as many wait as may: the client tries TCP, where the kernel has a backlog of its own.
     */
    synchronized boolean tryReserve()
    {
        final boolean hasRoom = !isClosed && queue.size() + reservedCount < backlog;
        if (hasRoom)
        {
            reservedCount++;
        }
        return hasRoom;
    }

    /** The client of a connection has answered, which waits in its place from now on. */
    synchronized void add(final Connection connection)
    {
        unreserve();
        queue.add(connection);
        isEmpty = false;
        onChange.run();
    }

    /** The client of a connection is gone: its place is free. */
    synchronized void giveBack()
    {
        unreserve();
    }

    private void unreserve()
    {
        reservedCount--;
        assert reservedCount >= 0 && queue.size() + reservedCount < backlog : reservedCount;
    }

    /** {@return the next connection; null if none waits} */
    public synchronized Connection poll()
    {
        final Connection next = queue.poll();
        isEmpty = queue.isEmpty();
        return next;
    }

    /** Closes the queue: nothing is added from now on. Waiting connections can still be polled. */
    synchronized void close()
    {
        isClosed = true;
    }
}
