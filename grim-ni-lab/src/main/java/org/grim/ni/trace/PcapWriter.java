// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Writes what passes between NIs into a pcap file, which Wireshark reads with {@code docs/grim.lua}.
 * <p>Thread: one, the simulation's.
 * <p>Owns: the stream, and closes it.
 * <p>Bounds: gathers records in one block and writes it when the next does not fit; never allocates after
 * construction. What is gathered reaches the stream with {@link #flush()} or {@link #close()} at the latest.
 * <p>A stream that failed once stays closed: a file with a hole in its middle could not be read any further.
 */
public final class PcapWriter implements AutoCloseable
{
    private static final int BLOCK_LENGTH =
        TraceDescriptor.FILE_HEADER_LENGTH +                // of the first block only
        TraceDescriptor.RECORD_HEADER_LENGTH +
        TraceDescriptor.SNAPSHOT_LENGTH;                    // so that an empty block takes the longest record
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long TIME_NS_MAX = 0xFFFF_FFFFL * NS_PER_SECOND + NS_PER_SECOND - 1;
    private static final int NI_MAX = 0xFFFF;

    private final OutputStream stream;
    private final String name;
    private final byte[] block = new byte[BLOCK_LENGTH];
    private final MutableDirectBuffer blockBuffer = Buffers.wrap(block);
    private int blockPosition;
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
        putFileHeader();
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
        Objects.requireNonNull(event, "event");
        buffer.boundsCheck(offset, length);

        final int keptLength = Math.min(length, TraceDescriptor.MESSAGE_LENGTH_MAX);
        final int headersLength = TraceDescriptor.RECORD_HEADER_LENGTH + TraceDescriptor.PSEUDO_HEADER_LENGTH;
        if (headersLength + keptLength > BLOCK_LENGTH - blockPosition)
        {
            writeBlock();
        }
        putRecordHeader(timeNs, keptLength, length);
        putPseudoHeader(event, sourceNi, destinationNi);
        buffer.getBytes(offset, block, blockPosition, keptLength);
        blockPosition += keptLength;
    }

    /**
     * Hands everything recorded so far to the file system.
     *
     * @throws GrimException if the file system refuses; the trace is closed then.
     */
    public void flush()
    {
        checkOpen();
        writeBlock();
        try
        {
            stream.flush();
        }
        catch (final IOException exception)
        {
            throw failed("flush", exception);
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
        if (!isOpen)
        {
            return;
        }
        writeBlock();
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

    private static OutputStream open(final Path path)
    {
        try
        {
            return Files.newOutputStream(path);
        }
        catch (final IOException exception)
        {
            throw new GrimException("cannot create trace " + path + ": " + exception, exception);
        }
    }

    private void putFileHeader()
    {
        blockBuffer.putInt(TraceDescriptor.MAGIC_OFFSET, TraceDescriptor.MAGIC, BIG_ENDIAN);
        blockBuffer.putShort(TraceDescriptor.MAJOR_OFFSET, TraceDescriptor.MAJOR, BIG_ENDIAN);
        blockBuffer.putShort(TraceDescriptor.MINOR_OFFSET, TraceDescriptor.MINOR, BIG_ENDIAN);
        blockBuffer.putInt(TraceDescriptor.ZONE_OFFSET, 0, BIG_ENDIAN);
        blockBuffer.putInt(TraceDescriptor.ACCURACY_OFFSET, 0, BIG_ENDIAN);
        blockBuffer.putInt(TraceDescriptor.SNAPSHOT_OFFSET, TraceDescriptor.SNAPSHOT_LENGTH, BIG_ENDIAN);
        blockBuffer.putInt(TraceDescriptor.LINK_TYPE_OFFSET, TraceDescriptor.LINK_TYPE, BIG_ENDIAN);
        blockPosition = TraceDescriptor.FILE_HEADER_LENGTH;
    }

    private void putRecordHeader(final long timeNs, final int keptLength, final int length)
    {
        final int at = blockPosition;
        final int seconds = (int)(timeNs / NS_PER_SECOND);                      // u32: the sign bit counts, too
        final long originalLength = (long)TraceDescriptor.PSEUDO_HEADER_LENGTH + length;
        blockBuffer.putInt(at + TraceDescriptor.SECONDS_OFFSET, seconds, BIG_ENDIAN);
        blockBuffer.putInt(at + TraceDescriptor.NANOSECONDS_OFFSET, (int)(timeNs % NS_PER_SECOND), BIG_ENDIAN);
        blockBuffer.putInt(at + TraceDescriptor.CAPTURED_LENGTH_OFFSET,
            TraceDescriptor.PSEUDO_HEADER_LENGTH + keptLength, BIG_ENDIAN);
        blockBuffer.putInt(at + TraceDescriptor.ORIGINAL_LENGTH_OFFSET, (int)originalLength, BIG_ENDIAN);
        blockPosition = at + TraceDescriptor.RECORD_HEADER_LENGTH;
    }

    private void putPseudoHeader(final PacketEvent event, final int sourceNi, final int destinationNi)
    {
        final int at = blockPosition;
        blockBuffer.putShort(at + TraceDescriptor.SOURCE_NI_OFFSET, (short)sourceNi, BIG_ENDIAN);
        blockBuffer.putShort(at + TraceDescriptor.DESTINATION_NI_OFFSET, (short)destinationNi, BIG_ENDIAN);
        blockBuffer.putByte(at + TraceDescriptor.EVENT_OFFSET, (byte)event.code());
        blockBuffer.putByte(at + TraceDescriptor.VERSION_OFFSET, TraceDescriptor.PSEUDO_VERSION);
        blockBuffer.putShort(at + TraceDescriptor.FLAGS_OFFSET, (short)0, BIG_ENDIAN);
        blockPosition = at + TraceDescriptor.PSEUDO_HEADER_LENGTH;
    }

    private void writeBlock()
    {
        try
        {
            stream.write(block, 0, blockPosition);
        }
        catch (final IOException exception)
        {
            throw failed("write to", exception);
        }
        blockPosition = 0;
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
        return new GrimException("cannot " + call + " trace " + name + ": " + cause, cause);
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
