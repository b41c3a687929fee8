// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.observe;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.MappedFile;
import org.grim.text.SafeText;

/**
 * Content of a process's {@link ConnectionTable} at one look.
 *
 * @param grimCount     connections that were made over GRIM, those that are over included.
 * @param tcpCount      likewise over TCP.
 * @param unlistedCount over GRIM that found no entry.
 * @param connections   that are there.
 */
public record ConnectionReport(long grimCount, long tcpCount, long unlistedCount, List<Listed> connections)
{
    /**
     * One connection, as one end sees it.
     *
     * @param state            of it.
     * @param id               number on this side.
     * @param local            address and port on this side; empty if not known.
     * @param remote           address and port at the other end.
     * @param peerNode         node at the other end, once it is open.
     * @param peerId           number there, likewise.
     * @param sentPosition     bytes sent.
     * @param limitPosition    bytes that may be sent.
     * @param window           bytes that the other end holds until they are read; 0 before it is open.
     * @param receivedPosition bytes that came.
     * @param readPosition     bytes that the application read, or dropped.
     * @param isStalled        whether the link has no room.
     */
    public record Listed(
        ConnectionTable.State state, int id, String local, String remote, int peerNode, int peerId, long sentPosition,
        long limitPosition, int window, long receivedPosition, long readPosition, boolean isStalled)
    {
        /** {@return bytes that wait here for the application} */
        public long unreadLength()
        {
            return Math.max(0, receivedPosition - readPosition);
        }

        /** {@return bytes that were sent, and not read at the other end, as far as this one knows} */
        public long unreadThereLength()
        {
            return Math.max(0, sentPosition - (limitPosition - window));
        }

        /** {@return whether the application can send nothing until the other end's has read} */
        public boolean isFull()
        {
            return state == ConnectionTable.State.OPEN && sentPosition >= limitPosition;
        }
    }

    /**
     * Looks.
     *
     * @param path of the node's file.
     * @return what stands there.
     * @throws org.grim.GrimException if it is not there, or not such a file.
     */
    public static ConnectionReport read(final Path path)
    {
        final MappedFile file = MappedFile.open(path, ConnectionTable.MAGIC, ConnectionTable.LENGTH, false);
        try
        {
            final AtomicBuffer buffer = file.buffer();
            final List<Listed> connections = new ArrayList<>();
            for (int i = 0; i < ConnectionTable.ENTRY_COUNT; i++)
            {
                final Listed listed = listed(buffer, ConnectionTable.ENTRIES_OFFSET + i * ConnectionTable.ENTRY_LENGTH);
                if (listed != null)
                {
                    connections.add(listed);
                }
            }
            return new ConnectionReport(buffer.getLongVolatile(ConnectionTable.GRIM_COUNT_OFFSET),
                buffer.getLongVolatile(ConnectionTable.TCP_COUNT_OFFSET),
                buffer.getLongVolatile(ConnectionTable.UNLISTED_COUNT_OFFSET), connections);
        }
        finally
        {
            file.unmap();
        }
    }

    /** An entry; null if it is free, or became another one's meanwhile. */
    private static Listed listed(final AtomicBuffer buffer, final int offset)
    {
        final ConnectionTable.State state =
            ConnectionTable.State.of(buffer.getIntVolatile(offset + ConnectionTable.STATE_OFFSET));
        final int id = buffer.getInt(offset + ConnectionTable.ID_OFFSET);
        if (state == ConnectionTable.State.FREE)
        {
            return null;
        }
        final long readPosition = buffer.getLongVolatile(offset + ConnectionTable.READ_OFFSET);     // Before received.
        final long sentPosition = buffer.getLongVolatile(offset + ConnectionTable.SENT_OFFSET);     // Before the limit.
        final Listed listed = new Listed(state, id,
            address(buffer, offset + ConnectionTable.LOCAL_ADDRESS_OFFSET, offset + ConnectionTable.LOCAL_PORT_OFFSET),
            address(buffer, offset + ConnectionTable.REMOTE_ADDRESS_OFFSET,
            offset + ConnectionTable.REMOTE_PORT_OFFSET),
            buffer.getInt(offset + ConnectionTable.PEER_NODE_OFFSET),
            buffer.getInt(offset + ConnectionTable.PEER_ID_OFFSET), sentPosition,
            buffer.getLongVolatile(offset + ConnectionTable.LIMIT_OFFSET),
            buffer.getInt(offset + ConnectionTable.WINDOW_OFFSET),
            buffer.getLongVolatile(offset + ConnectionTable.RECEIVED_OFFSET), readPosition,
            buffer.getIntVolatile(offset + ConnectionTable.STALLED_OFFSET) != 0);
        final boolean isSame = buffer.getIntVolatile(offset + ConnectionTable.STATE_OFFSET) != 0 &&
            buffer.getInt(offset + ConnectionTable.ID_OFFSET) == id;
        return isSame ? listed : null;
    }

    private static String address(final AtomicBuffer buffer, final int offset, final int portOffset)
    {
        final byte[] text = new byte[ConnectionTable.ADDRESS_LENGTH_MAX];
        buffer.getBytes(offset, text);
        final String address = SafeText.escape(new String(text, StandardCharsets.US_ASCII).trim());
        return address.isEmpty() ? "" :
            (address.indexOf(':') < 0 ? address : '[' + address + ']') + ':' + buffer.getInt(portOffset);
    }
}
