// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.observe;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * The connections of a process over GRIM, in a file of its node: tools see the progress of each, also while the process
 * is stopped or dead. In the machine's byte order; offsets in bytes; the process alone writes.
 * <pre>
 *    0  header of GRIM's files
 *   64  connections made over GRIM (u64)    72  over TCP (u64)    80  over GRIM that had no entry (u64)
 *  128  {@value #ENTRY_COUNT} entries of {@value #ENTRY_LENGTH} bytes:
 *         0  state (u32), 0: free              4  number on this side (u32)
 *         8  node at the other end (u32)      12  its number there (u32)
 *        16  bytes sent (u64)                 24  limit of what may be sent (u64)
 *        32  bytes received (u64)             40  bytes that the application read (u64)
 *        48  1: the link has no room (u32)    52  port on this side (u32)
 *        56  port at the other end (u32)      60  bytes that the other end holds unread (u32)
 *        64  address on this side, text, up to 64 bytes, zeros behind
 *       128  address at the other end, likewise
 * </pre>
 * <p>Thread: under the lock of the process's node, but for entries, as they say. Owns: the file.
 */
public final class ConnectionTable implements AutoCloseable
{
    /** Kind of the node's file. */
    public static final String KIND = "x-connections";

    static final long MAGIC = SegmentHeader.magic("GRIMCONN");
    static final int GRIM_COUNT_OFFSET = SegmentHeader.LENGTH;
    static final int TCP_COUNT_OFFSET = GRIM_COUNT_OFFSET + SIZE_OF_LONG;
    static final int UNLISTED_COUNT_OFFSET = TCP_COUNT_OFFSET + SIZE_OF_LONG;
    static final int ENTRIES_OFFSET = 2 * SegmentHeader.LENGTH;
    static final int STATE_OFFSET = 0;
    static final int ID_OFFSET = STATE_OFFSET + SIZE_OF_INT;
    static final int PEER_NODE_OFFSET = ID_OFFSET + SIZE_OF_INT;
    static final int PEER_ID_OFFSET = PEER_NODE_OFFSET + SIZE_OF_INT;
    static final int SENT_OFFSET = PEER_ID_OFFSET + SIZE_OF_INT;
    static final int LIMIT_OFFSET = SENT_OFFSET + SIZE_OF_LONG;
    static final int RECEIVED_OFFSET = LIMIT_OFFSET + SIZE_OF_LONG;
    static final int READ_OFFSET = RECEIVED_OFFSET + SIZE_OF_LONG;
    static final int STALLED_OFFSET = READ_OFFSET + SIZE_OF_LONG;
    static final int LOCAL_PORT_OFFSET = STALLED_OFFSET + SIZE_OF_INT;
    static final int REMOTE_PORT_OFFSET = LOCAL_PORT_OFFSET + SIZE_OF_INT;
    static final int WINDOW_OFFSET = REMOTE_PORT_OFFSET + SIZE_OF_INT;
    static final int LOCAL_ADDRESS_OFFSET = WINDOW_OFFSET + SIZE_OF_INT;
    static final int ADDRESS_LENGTH_MAX = 64;
    static final int REMOTE_ADDRESS_OFFSET = LOCAL_ADDRESS_OFFSET + ADDRESS_LENGTH_MAX;
    static final int ENTRY_LENGTH = REMOTE_ADDRESS_OFFSET + ADDRESS_LENGTH_MAX;
    static final int ENTRY_COUNT = 1_024;
    static final int LENGTH = ENTRIES_OFFSET + ENTRY_COUNT * ENTRY_LENGTH;

    private final MappedFile file;
    private final AtomicBuffer buffer;
    private int next;

    /**
     * Makes the file.
     *
     * @param path of the node's file.
     * @throws org.grim.GrimException if there is no room for it, or the system refuses.
     */
    public ConnectionTable(final Path path)
    {
        file = MappedFile.create(path, LENGTH);
        buffer = file.buffer();
        SegmentHeader.complete(buffer, MAGIC);
        file.publish();
    }

    /**
     * Lists a connection that begins; one that finds no free entry is counted.
     *
     * @param id     number on this side.
     * @param local  address on this side; null if it is not known.
     * @param remote address at the other end.
     * @return its entry, to be released when it ends.
     */
    public ConnectionEntry add(final int id, final InetSocketAddress local, final InetSocketAddress remote)
    {
        for (int i = 0; i < ENTRY_COUNT; i++)
        {
            final int offset = ENTRIES_OFFSET + next * ENTRY_LENGTH;
            next = next + 1 == ENTRY_COUNT ? 0 : next + 1;
            if (buffer.getInt(offset + STATE_OFFSET) == State.FREE.code())
            {
                put(offset, id, local, remote);
                return new ConnectionEntry(Buffers.wrap(buffer, offset, ENTRY_LENGTH));
            }
        }
        increment(UNLISTED_COUNT_OFFSET);
        return new ConnectionEntry();
    }

    /** Counts a connection that was made over GRIM. */
    public void countGrim()
    {
        increment(GRIM_COUNT_OFFSET);
    }

    /** Counts a connection that was made over TCP. */
    public void countTcp()
    {
        increment(TCP_COUNT_OFFSET);
    }

    /** Removes the file. */
    @Override
    public void close()
    {
        file.closeAndDelete();
    }

    private void put(final int offset, final int id, final InetSocketAddress local, final InetSocketAddress remote)
    {
        buffer.setMemory(offset, ENTRY_LENGTH, (byte)0);
        buffer.putInt(offset + ID_OFFSET, id);
        putAddress(offset + LOCAL_ADDRESS_OFFSET, offset + LOCAL_PORT_OFFSET, local);
        putAddress(offset + REMOTE_ADDRESS_OFFSET, offset + REMOTE_PORT_OFFSET, remote);
        buffer.putIntRelease(offset + STATE_OFFSET, State.CONNECTING.code());       // Partner: ConnectionReport.
    }

    private void putAddress(final int offset, final int portOffset, final InetSocketAddress address)
    {
        if (address != null)
        {
            final byte[] text = Arrays.copyOf(
                address.getAddress().getHostAddress().getBytes(StandardCharsets.US_ASCII), ADDRESS_LENGTH_MAX);
            buffer.putBytes(offset, text);
            buffer.putInt(portOffset, address.getPort());
        }
    }

    private void increment(final int offset)
    {
        buffer.getAndAddLong(offset, 1);
    }

    /** State of an entry. */
    public enum State
    {
        /** Nobody's. */
        FREE(0),
        /** The listener has not answered. */
        CONNECTING(1),
        /** Bytes may come and go. */
        OPEN(2),
        /** The other side is gone, or reset it. */
        RESET(3);

        private final int code;

        State(final int code)
        {
            this.code = code;
        }

        int code()
        {
            return code;
        }

        /** The state of a code; that of nobody's entry for one that there is not. */
        static State of(final int code)
        {
            for (final State state : values())
            {
                if (state.code == code)
                {
                    return state;
                }
            }
            return FREE;
        }
    }
}
