// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Writes a device's items to a file, as their kernels get them ({@link RecordFormat}). A thread of its own writes, so
 * that a slow disk holds up no item.
 * <p>Thread: the runner's.
 * <p>Bounds: the file has {@code lengthMax} bytes at most. The queue of the thread is bounded, too; an item that finds
 * no room is left out, and its number is missing.
 */
final class ItemRecorder implements AutoCloseable
{
    private static final ByteOrder ORDER = ByteOrder.BIG_ENDIAN;
    private static final byte[] END = new byte[0];
    private static final long NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Path path;
    private final int device;
    private final long lengthMax;
    private final long queuedLengthMax;
    private final OutputStream stream;
    private final BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
    private final AtomicLong queuedLength = new AtomicLong();
    private final Thread thread;
    private volatile String failure;
    private long length = RecordFormat.FILE_HEADER_LENGTH;
    private long number;
    private long recordedCount;
    private boolean isFull;

    ItemRecorder(final Path path, final int device, final long lengthMax, final long queuedLengthMax) throws IOException
    {
        this.path = path;
        this.device = device;
        this.lengthMax = lengthMax;
        this.queuedLengthMax = queuedLengthMax;
        stream = new BufferedOutputStream(open(path), 1 << 16);
        try
        {
            stream.write(fileHeader());
        }
        catch (final IOException ex)
        {
            stream.close();
            throw ex;
        }
        thread = new Thread(this::write, "grim-accelerator-recorder");
        thread.setDaemon(true);
        thread.start();
    }

    /** Items may be private: only the user reads a new file. */
    private static OutputStream open(final Path path) throws IOException
    {
        final boolean isPosix =
            path.toAbsolutePath().getFileSystem().supportedFileAttributeViews().contains("posix");
        final FileAttribute<?>[] attributes = isPosix ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))} :
            new FileAttribute<?>[0];
        return Channels.newOutputStream(Files.newByteChannel(path, Set.of(StandardOpenOption.CREATE,
            StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING), attributes));
    }

    private static byte[] fileHeader()
    {
        final UnsafeBuffer header = new UnsafeBuffer(new byte[RecordFormat.FILE_HEADER_LENGTH]);
        header.putInt(RecordFormat.MAGIC_OFFSET, RecordFormat.MAGIC, ORDER);
        header.putShort(RecordFormat.MAJOR_OFFSET, (short)RecordFormat.MAJOR, ORDER);
        header.putShort(RecordFormat.MINOR_OFFSET, (short)RecordFormat.MINOR, ORDER);
        header.putInt(RecordFormat.SNAPSHOT_OFFSET, RecordFormat.RECORD_LENGTH_MAX, ORDER);
        header.putInt(RecordFormat.LINK_TYPE_OFFSET, RecordFormat.LINK_TYPE, ORDER);
        return header.byteArray();
    }

    /** Records an item whose kernel is about to run. */
    void record(final StreamItem item, final long timeNs)
    {
        final long itemNumber = number;
        number++;
        if (isFull || failure != null)
        {
            return;
        }
        final byte[] name = item.kernel.name().getBytes(UTF_8);
        final long bodyLength = (long)RecordFormat.ITEM_HEADER_LENGTH + name.length + item.length;
        final long recordLength = RecordFormat.RECORD_HEADER_LENGTH + bodyLength;
        if (length + recordLength > lengthMax || name.length > RecordFormat.NAME_LENGTH_MAX)
        {
            isFull = true;
            return;
        }
        if (queuedLength.get() + recordLength > queuedLengthMax)
        {
            return;
        }
        final UnsafeBuffer record = new UnsafeBuffer(new byte[(int)recordLength]);
        record.putInt(RecordFormat.SECONDS_OFFSET, (int)(timeNs / NS_PER_SECOND), ORDER);
        record.putInt(RecordFormat.NANOSECONDS_OFFSET, (int)(timeNs % NS_PER_SECOND), ORDER);
        record.putInt(RecordFormat.CAPTURED_OFFSET, (int)bodyLength, ORDER);
        record.putInt(RecordFormat.ORIGINAL_OFFSET, (int)bodyLength, ORDER);
        final int body = RecordFormat.RECORD_HEADER_LENGTH;
        record.putByte(body + RecordFormat.VERSION_OFFSET, (byte)RecordFormat.VERSION);
        record.putByte(body + RecordFormat.NAME_LENGTH_OFFSET, (byte)name.length);
        record.putInt(body + RecordFormat.NUMBER_OFFSET, (int)itemNumber, ORDER);
        record.putInt(body + RecordFormat.DEVICE_OFFSET, device, ORDER);
        final int arguments = body + RecordFormat.ARGUMENTS_OFFSET;
        record.putInt(arguments, item.a0, ORDER);
        record.putInt(arguments + SIZE_OF_INT, item.sequence, ORDER);
        record.putInt(arguments + 2 * SIZE_OF_INT, item.constant, ORDER);
        record.putBytes(body + RecordFormat.ITEM_HEADER_LENGTH, name);
        record.putBytes(body + RecordFormat.ITEM_HEADER_LENGTH + name.length, item.data, 0, item.length);
        length += recordLength;
        recordedCount++;
        queuedLength.addAndGet(recordLength);
        queue.add(record.byteArray());
    }

    private void write()
    {
        try (OutputStream closing = stream)
        {
            for (byte[] record = queue.take(); record != END; record = queue.take())
            {
                closing.write(record);
                queuedLength.addAndGet(-record.length);
                if (queue.isEmpty())
                {
                    closing.flush();
                }
            }
        }
        catch (final IOException ex)
        {
            failure = ex.toString();
        }
        catch (final InterruptedException ex)
        {
            failure = "the thread was interrupted";
        }
    }

    /** Says what was recorded, for people. */
    String state()
    {
        final String reason = failure;
        final String state = reason != null ? "failed: " + reason : isFull ? "full" : "recording";
        return path + ": " + state + ", items " + recordedCount + " of " + number + ", bytes " + length;
    }

    /** Writes what is left. */
    @Override
    public void close()
    {
        queue.add(END);
        LastWait.join(thread);
    }
}
