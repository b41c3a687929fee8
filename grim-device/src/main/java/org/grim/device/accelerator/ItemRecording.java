// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;

/**
 * Reads the record of a device's items, which the device's option {@code record} has made. Nothing in the file is
 * trusted.
 * <p>Thread: one.
 * <p>Owns: the file, until {@link #close()}.
 */
public final class ItemRecording implements AutoCloseable
{
    private static final ByteOrder ORDER = ByteOrder.BIG_ENDIAN;
    private static final long NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Path path;
    private final InputStream stream;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[RecordFormat.FILE_HEADER_LENGTH]);
    private UnsafeBuffer body = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer payload = new UnsafeBuffer(0, 0);
    private final long fileLength;
    private long position;
    private long recordCount;

    /**
     * Opens a record.
     *
     * @param path of the file.
     * @throws GrimException if it cannot be read, or is no record of items.
     */
    public ItemRecording(final Path path)
    {
        this.path = path;
        try
        {
            fileLength = Files.size(path);
            stream = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
        }
        catch (final IOException ex)
        {
            throw new GrimException(GrimException.Reason.SYSTEM_REFUSED, "cannot read record " + path + ": " + ex, ex);
        }
        try
        {
            readFileHeader();
        }
        catch (final GrimException ex)
        {
            close();
            throw ex;
        }
    }

    private void readFileHeader()
    {
        if (read(head.byteArray(), RecordFormat.FILE_HEADER_LENGTH) < RecordFormat.FILE_HEADER_LENGTH ||
            head.getInt(RecordFormat.MAGIC_OFFSET, ORDER) != RecordFormat.MAGIC)
        {
            throw bad("is no pcap file with nanoseconds in big endian order");
        }
        if (head.getShort(RecordFormat.MAJOR_OFFSET, ORDER) != RecordFormat.MAJOR)
        {
            throw bad("is of pcap version=" + head.getShort(RecordFormat.MAJOR_OFFSET, ORDER) + ", expected " +
                RecordFormat.MAJOR);
        }
        if (head.getInt(RecordFormat.LINK_TYPE_OFFSET, ORDER) != RecordFormat.LINK_TYPE)
        {
            throw bad("has no items of a device: link type=" + head.getInt(RecordFormat.LINK_TYPE_OFFSET, ORDER) +
                ", expected " + RecordFormat.LINK_TYPE);
        }
    }

    /**
     * Reads the next item.
     *
     * @return the item; null at the end of the file.
     * @throws GrimException if the file ends within the item, or has bytes that no record has.
     */
    public RecordedItem next()
    {
        final int count = read(head.byteArray(), RecordFormat.RECORD_HEADER_LENGTH);
        if (count == 0)
        {
            return null;
        }
        if (count < RecordFormat.RECORD_HEADER_LENGTH)
        {
            throw ended();
        }
        final int length = head.getInt(RecordFormat.CAPTURED_OFFSET, ORDER);
        if (length < RecordFormat.ITEM_HEADER_LENGTH || length > RecordFormat.RECORD_LENGTH_MAX ||
            length != head.getInt(RecordFormat.ORIGINAL_OFFSET, ORDER))
        {
            throw bad("has a wrong item " + recordCount + ": length=" + Integer.toUnsignedString(length) +
                ", min=" + RecordFormat.ITEM_HEADER_LENGTH + " max=" + RecordFormat.RECORD_LENGTH_MAX);
        }
        if (length > fileLength - position)         // Before memory is taken for it.
        {
            throw ended();
        }
        body = room(length);
        if (read(body.byteArray(), length) < length)
        {
            throw ended();
        }
        recordCount++;
        return item(length);
    }

    private UnsafeBuffer room(final int length)
    {
        try
        {
            return StreamItem.roomIn(body, length);
        }
        catch (final OutOfMemoryError ex)
        {
            throw bad("has an item " + recordCount + " of length=" + length + ", for which the heap has no room: max=" +
                Runtime.getRuntime().maxMemory());
        }
    }

    private RecordedItem item(final int length)
    {
        final int version = body.getByte(RecordFormat.VERSION_OFFSET);
        final int nameLength = body.getByte(RecordFormat.NAME_LENGTH_OFFSET) & RecordFormat.NAME_LENGTH_MAX;
        final int payloadOffset = RecordFormat.ITEM_HEADER_LENGTH + nameLength;
        if (version != RecordFormat.VERSION || payloadOffset > length)
        {
            throw bad("has a wrong item " + (recordCount - 1) + ": version=" + version + ", expected " +
                RecordFormat.VERSION + ", or name of length=" + nameLength + " exceeds the item");
        }
        final String kernel = body.getStringWithoutLengthUtf8(RecordFormat.ITEM_HEADER_LENGTH, nameLength);
        if (kernel.chars().anyMatch(Character::isISOControl))
        {
            throw bad("has a wrong item " + (recordCount - 1) + ": its kernel's name has a control character");
        }
        payload.wrap(body, payloadOffset, length - payloadOffset);
        final int arguments = RecordFormat.ARGUMENTS_OFFSET;
        return new RecordedItem(Integer.toUnsignedLong(body.getInt(RecordFormat.NUMBER_OFFSET, ORDER)),
            Integer.toUnsignedLong(head.getInt(RecordFormat.SECONDS_OFFSET, ORDER)) * NS_PER_SECOND +
            Integer.toUnsignedLong(head.getInt(RecordFormat.NANOSECONDS_OFFSET, ORDER)),
            body.getInt(RecordFormat.DEVICE_OFFSET, ORDER),
            kernel,
            body.getInt(arguments, ORDER), body.getInt(arguments + Integer.BYTES, ORDER),
            body.getInt(arguments + 2 * Integer.BYTES, ORDER), payload, length - payloadOffset);
    }

    private int read(final byte[] bytes, final int length)
    {
        try
        {
            final int count = stream.readNBytes(bytes, 0, length);
            position += count;
            return count;
        }
        catch (final IOException ex)
        {
            throw new GrimException(GrimException.Reason.SYSTEM_REFUSED, "cannot read record " + path + ": " + ex, ex);
        }
    }

    private GrimException ended()
    {
        return bad("ends within item " + recordCount + ": length=" + fileLength);
    }

    private GrimException bad(final String what)
    {
        return new GrimException(GrimException.Reason.BAD_DATA, "record " + path + " " + what);
    }

    /** Closes the file. */
    @Override
    public void close()
    {
        try
        {
            stream.close();
        }
        catch (final IOException ex)
        {
            throw new GrimException(GrimException.Reason.SYSTEM_REFUSED, "cannot close record " + path + ": " + ex, ex);
        }
    }
}
