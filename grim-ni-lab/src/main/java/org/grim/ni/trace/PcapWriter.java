// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.wire.MessageHeader;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Writes the packets between NIs into a pcap file with nanoseconds, which Wireshark reads with {@code docs/grim.lua}.
 * Big endian throughout; the magic shows the byte order to Wireshark.
 * <pre>
 * file    magic (32) | major (16) | minor (16) | zone (32) | accuracy (32) | snapshot length (32) | link type (32)
 * record  seconds (32) | nanoseconds (32) | captured length (32) | original length (32)
 * pseudo  source NI (16) | destination NI (16) | event (8) | version (8) | flags (16)
 * then the bytes of the message as on the wire
 * </pre>
 * <p>Thread: one, the simulation's.
 * <p>Owns: the stream, and closes it.
 * <p>Bounds: never allocates after construction. Records reach the stream with {@link #flush()} or {@link #close()} at
 * the latest.
 * <p>A stream that failed once stays closed: a file with a hole in its middle could not be read any further.
 */
public final class PcapWriter implements AutoCloseable
{
    private static final int MAGIC = 0xA1B23C4D;
    private static final int MAJOR = 2;
    private static final int MINOR = 4;
    /** USER0: a registered dissector defines its meaning in Wireshark. */
    private static final int LINK_TYPE = 147;
    private static final int PSEUDO_LENGTH = 8;
    private static final int PSEUDO_VERSION = 1;
    /** Most bytes of a message that a record holds: the longest message there is, so none is cut. */
    private static final int MESSAGE_LENGTH_MAX = MessageHeader.LENGTH + MessageHeader.PAYLOAD_LENGTH_MAX;
    private static final int BLOCK_LENGTH = 1 << 16;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long TIME_NS_MAX = 0xFFFF_FFFFL * NS_PER_SECOND + NS_PER_SECOND - 1;
    private static final int NI_MAX = 0xFFFF;

    private final OutputStream stream;
    private final DataOutputStream fields;
    private final String name;
    private final byte[] message = new byte[MESSAGE_LENGTH_MAX];
    private boolean isOpen = true;

    /**
     * Begins a trace in a file. A file of that name is overwritten.
     *
     * @param path of the file; its directory exists.
     * @throws GrimException if the file cannot be made.
     */
    public PcapWriter(final Path path)
    {
        this(open(path), path.toString());
    }

    /**
     * Begins a trace in a stream.
     *
     * @param stream to write to; closed by {@link #close()}.
     * @param name   of the stream in errors.
     */
    public PcapWriter(final OutputStream stream, final String name)
    {
        this.stream = Objects.requireNonNull(stream, "stream");
        this.name = Objects.requireNonNull(name, "name");
        fields = new DataOutputStream(new BufferedOutputStream(stream, BLOCK_LENGTH));
        try
        {
            fields.writeInt(MAGIC);
            fields.writeShort(MAJOR);
            fields.writeShort(MINOR);
            fields.writeInt(0);                                         // time zone
            fields.writeInt(0);                                         // accuracy
            fields.writeInt(PSEUDO_LENGTH + MESSAGE_LENGTH_MAX);        // snapshot length
            fields.writeInt(LINK_TYPE);
        }
        catch (final IOException exception)
        {
            throw failed("write to", exception);
        }
    }

    /**
     * Records a packet. Bytes of a message beyond the longest that the format allows are left out; the record says how
     * many there were.
     *
     * @param timeNs        when it happened, since any beginning; below 2^32 seconds.
     * @param event         what happened to it.
     * @param sourceNi      the NI that sent it, 0 to 65,535.
     * @param destinationNi the NI that it is for, 0 to 65,535.
     * @param buffer        that holds the message as on the wire.
     * @param offset        of its first byte.
     * @param length        of the message in bytes.
     * @throws GrimException if the file system refuses; the trace is closed then.
     */
    public void packet(
        final long timeNs, final PacketEvent event, final int sourceNi, final int destinationNi,
        final DirectBuffer buffer, final int offset, final int length)
    {
        checkOpen();
        checkRange("time", timeNs, TIME_NS_MAX);
        checkRange("source NI", sourceNi, NI_MAX);
        checkRange("destination NI", destinationNi, NI_MAX);
        final int code = event.code();
        buffer.boundsCheck(offset, length);
        final int keptLength = Math.min(length, MESSAGE_LENGTH_MAX);
        buffer.getBytes(offset, message, 0, keptLength);
        try
        {
            fields.writeInt((int)(timeNs / NS_PER_SECOND));             // u32: the sign bit counts, too
            fields.writeInt((int)(timeNs % NS_PER_SECOND));
            fields.writeInt(PSEUDO_LENGTH + keptLength);
            fields.writeInt(PSEUDO_LENGTH + length);
            fields.writeShort(sourceNi);
            fields.writeShort(destinationNi);
            fields.writeByte(code);
            fields.writeByte(PSEUDO_VERSION);
            fields.writeShort(0);                                       // flags
            fields.write(message, 0, keptLength);
        }
        catch (final IOException exception)
        {
            throw failed("write to", exception);
        }
    }

    /**
     * Hands everything recorded so far to the file system.
     *
     * @throws GrimException if the file system refuses; the trace is closed then.
     */
    public void flush()
    {
        checkOpen();
        try
        {
            fields.flush();
        }
        catch (final IOException exception)
        {
            throw failed("write to", exception);
        }
    }

    /**
     * Writes what is still gathered and closes the stream. Does nothing if it is closed already.
     *
     * @throws GrimException if the file system refuses.
     */
    @Override
    public void close()
    {
        if (isOpen)
        {
            flush();
            isOpen = false;
            try
            {
                stream.close();
            }
            catch (final IOException exception)
            {
                throw refused("close", exception);
            }
        }
    }

    private static OutputStream open(final Path path)
    {
        try
        {
            return Files.newOutputStream(path);
        }
        catch (final IOException exception)
        {
            throw new GrimException(SYSTEM_REFUSED, "cannot create trace " + path + ": " + exception, exception);
        }
    }

    private GrimException failed(final String call, final IOException cause)
    {
        isOpen = false;
        final GrimException failure = refused(call, cause);
        try
        {
            stream.close();
        }
        catch (final IOException exception)
        {
            failure.addSuppressed(exception);
        }
        return failure;
    }

    private GrimException refused(final String call, final IOException cause)
    {
        return new GrimException(SYSTEM_REFUSED, "cannot " + call + " trace " + name + ": " + cause, cause);
    }

    private void checkOpen()
    {
        if (!isOpen)
        {
            throw new IllegalStateException("trace " + name + " is closed");
        }
    }

    private static void checkRange(final String what, final long value, final long max)
    {
        if (value < 0 || value > max)
        {
            throw new IllegalArgumentException(what + "=" + value + " is outside 0 to " + max);
        }
    }
}
