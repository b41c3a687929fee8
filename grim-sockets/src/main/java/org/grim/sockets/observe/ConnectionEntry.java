// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.observe;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/**
 * The entry of one connection in a {@link ConnectionTable}, where the connection keeps what tools look at.
 * <p>Thread: {@link #read} the one that reads from the connection; the others under the lock of the process's node.
 */
public final class ConnectionEntry
{
    /** Where nobody looks. */
    private static final AtomicBuffer NOWHERE = Buffers.allocate(ConnectionTable.ENTRY_LENGTH);

    private volatile AtomicBuffer buffer;

    /** An entry of a table. */
    ConnectionEntry(final AtomicBuffer buffer)
    {
        this.buffer = buffer;
    }

    /** For a connection that is not listed. */
    ConnectionEntry()
    {
        this(NOWHERE);
    }

    /**
     * The other end is there.
     *
     * @param node   of it.
     * @param id     number there.
     * @param window bytes that it holds until they are read.
     */
    public void opened(final int node, final int id, final int window)
    {
        buffer.putInt(ConnectionTable.PEER_NODE_OFFSET, node);
        buffer.putInt(ConnectionTable.PEER_ID_OFFSET, id);
        buffer.putInt(ConnectionTable.WINDOW_OFFSET, window);
        limit(window);
        state(ConnectionTable.State.OPEN);
    }

    /** The other end is gone. */
    public void reset()
    {
        state(ConnectionTable.State.RESET);
    }

    /** Releases the place of a closed connection: another one may get it. Later notes are invisible. */
    public void release()
    {
        final AtomicBuffer entry = buffer;
        buffer = NOWHERE;
        entry.putIntRelease(ConnectionTable.STATE_OFFSET, ConnectionTable.State.FREE.code());
    }

    /**
     * Returns the number of bytes sent.
     *
     * @param position bytes since the beginning.
     */
    public void sent(final long position)
    {
        buffer.putLongRelease(ConnectionTable.SENT_OFFSET, position);
    }

    /**
     * Returns the limit of bytes that may be sent.
     *
     * @param position bytes since the beginning.
     */
    public void limit(final long position)
    {
        buffer.putLongRelease(ConnectionTable.LIMIT_OFFSET, position);
    }

    /**
     * More has come.
     *
     * @param length bytes.
     */
    public void received(final int length)
    {
        final AtomicBuffer entry = buffer;
        entry.putLongRelease(
            ConnectionTable.RECEIVED_OFFSET, entry.getLong(ConnectionTable.RECEIVED_OFFSET) + length);
    }

    /**
     * Returns the number of bytes that the application has read or dropped.
     *
     * @param position bytes since the beginning.
     */
    public void read(final long position)
    {
        buffer.putLongRelease(ConnectionTable.READ_OFFSET, position);
    }

    /**
     * Whether the link has no room.
     *
     * @param isStalled true if so.
     */
    public void stalled(final boolean isStalled)
    {
        buffer.putIntRelease(ConnectionTable.STALLED_OFFSET, isStalled ? 1 : 0);
    }

    private void state(final ConnectionTable.State state)
    {
        buffer.putIntRelease(ConnectionTable.STATE_OFFSET, state.code());
    }
}
