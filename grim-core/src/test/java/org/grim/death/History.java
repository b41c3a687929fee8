// SPDX-License-Identifier: Apache-2.0
package org.grim.death;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Actions of a process, written to its standard output at once. Each record is one write to a pipe, which is atomic:
 * every record written before a SIGKILL is read.
 * <pre>
 *  | type (u8) | node (u8) | spare (u16) | first (s32) | second (s32) | third (s32) |
 * </pre>
 */
public final class History
{
    /** The JVM has started and waits for its command. */
    public static final int READY = 1;
    /** first: node number, second: incarnation. */
    public static final int JOINED = 2;
    /** first: stream, second: sequence. Written when the send has returned. */
    public static final int ACCEPTED = 3;
    /** A claim was given back. */
    public static final int ABORTED = 4;
    /** second: sequence of a message from the survivor. */
    public static final int DELIVERED = 5;
    /** first: what went wrong, one of the FAULT constants; second and third: particulars. */
    public static final int FAULT = 6;
    /** The node has left in order. */
    public static final int LEFT = 7;

    public static final int FAULT_PEER_GONE = 1;
    public static final int FAULT_CORRUPT = 2;
    public static final int FAULT_STALE = 3;
    public static final int FAULT_GAP = 4;
    public static final int FAULT_FAILED = 5;

    private static final int LENGTH = 16;

    private History()
    {
    }

    /** Takes records, on any thread. */
    public interface Sink
    {
        void onRecord(int type, int node, int first, int second, int third);
    }

    /** Writes to the standard output of this process. */
    public static Sink toStandardOutput()
    {
        final FileOutputStream output = new FileOutputStream(FileDescriptor.out);
        return (type, node, first, second, third) ->
        {
            final byte[] bytes = ByteBuffer.allocate(LENGTH).put((byte)type).put((byte)node).putShort((short)0)
                .putInt(first).putInt(second).putInt(third).array();
            try
            {
                output.write(bytes);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException("the history's reader is gone", ex);
            }
        };
    }

    /** Reads until the writer is no more. */
    public static void read(final InputStream stream, final Sink sink) throws IOException
    {
        try (DataInputStream input = new DataInputStream(stream))
        {
            while (true)
            {
                final int type = input.readUnsignedByte();
                final int node = input.readUnsignedByte();
                input.readShort();
                sink.onRecord(type, node, input.readInt(), input.readInt(), input.readInt());
            }
        }
        catch (final EOFException ex)
        {
            return;         // The process has ended, for any reason.
        }
    }
}
