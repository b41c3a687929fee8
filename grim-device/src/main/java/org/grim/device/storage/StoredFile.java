// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;

/**
 * A file that a {@link StorageClient} opened. Lengths are any: longer ones take several requests.
 * <p>Thread: as the client's.
 * <p>Owns: the open file at the store, until {@link #close()}.
 */
public final class StoredFile implements AutoCloseable
{
    /** With the offset in the file it fits into a frame of the usual queues. */
    private static final int MESSAGE_LENGTH_MAX = 60 * 1024;

    private final DeviceClient device;
    private final int number;
    private final long length;
    private final RemoteRegion window;
    private final AtomicBuffer request = Buffers.wrap(new byte[StoreFormat.DATA_OFFSET + MESSAGE_LENGTH_MAX]);
    private final IdleStrategy idle;
    private boolean isClosed;

    StoredFile(final DeviceClient device, final int number, final long length, final RemoteRegion window)
    {
        this.device = device;
        this.number = number;
        this.length = length;
        this.window = window;
        idle = device.endpoint().idleStrategy();
    }

    /** {@return bytes of the file when it was opened} */
    public long length()
    {
        return length;
    }

    /** Returns the store's number of the file. */
    int number()
    {
        return number;
    }

    /** Returns the memory that writes go through; null for none. */
    RemoteRegion window()
    {
        return window;
    }

    /**
     * Reads by messages.
     *
     * @param position    first byte in the file.
     * @param target      of the bytes.
     * @param targetIndex first byte there.
     * @param readLength  bytes.
     * @return bytes that were there: fewer only at the end of the file.
     */
    public int read(
        final long position, final MutableDirectBuffer target, final int targetIndex, final int readLength)
    {
        int done = 0;
        boolean isEnd = false;
        while (done < readLength && !isEnd)
        {
            final Reply reply = call(StoreFormat.READ, position + done, Math.min(MESSAGE_LENGTH_MAX, readLength - done),
                0, StoreFormat.REGION_OFFSET);
            target.putBytes(targetIndex + done, reply.buffer(), 0, reply.length());
            done += reply.argument(1);
            isEnd = reply.argument(0) == DeviceCode.END.number();
        }
        return done;
    }

    /**
     * Reads by remote memory: the store writes into registered memory of this node.
     *
     * @param position     first byte in the file.
     * @param target       of the bytes; peers may write it.
     * @param targetOffset first byte there.
     * @param readLength   bytes.
     * @return as {@link #read(long, MutableDirectBuffer, int, int)}.
     */
    public int read(final long position, final MemoryRegion target, final long targetOffset, final int readLength)
    {
        int done = 0;
        boolean isEnd = false;
        while (done < readLength && !isEnd)
        {
            final int part = Math.min(StoreFormat.TRANSFER_LENGTH_MAX, readLength - done);
            target.remote().slice(targetOffset + done, part).writeTo(request, StoreFormat.REGION_OFFSET);
            final Reply reply = call(StoreFormat.READ, position + done, part, 0, StoreFormat.WORD_OFFSET);
            done += reply.argument(1);
            isEnd = reply.argument(0) == DeviceCode.END.number();
        }
        return done;
    }

    /**
     * Writes: by remote memory if the file was opened with a window, otherwise by messages.
     *
     * @param position    first byte in the file.
     * @param source      of the bytes.
     * @param sourceIndex first byte there.
     * @param writeLength bytes.
     */
    public void write(final long position, final DirectBuffer source, final int sourceIndex, final int writeLength)
    {
        final int partMax = window == null ? MESSAGE_LENGTH_MAX :
            (int)Math.min(StoreFormat.TRANSFER_LENGTH_MAX, window.length());
        int done = 0;
        while (done < writeLength)
        {
            final int part = Math.min(partMax, writeLength - done);
            if (window == null)
            {
                request.putBytes(StoreFormat.DATA_OFFSET, source, sourceIndex + done, part);
                call(StoreFormat.WRITE, position + done, 0, 0, StoreFormat.DATA_OFFSET + part);
            }
            else
            {
                fillWindow(source, sourceIndex + done, part);
                call(StoreFormat.WRITE, position + done, 0, part, StoreFormat.DATA_OFFSET);
            }
            done += part;
        }
    }

    /** Has the operating system write to the disk what was written, and waits for it. */
    public void sync()
    {
        call(StoreFormat.SYNC, 0, 0, 0, 0);
    }

    /** Closes it at the store; the second time does nothing. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            call(StoreFormat.CLOSE, 0, 0, 0, 0);
        }
    }

    /** The write is before the request on the same path. */
    private void fillWindow(final DirectBuffer source, final int sourceIndex, final int part)
    {
        final SendStatus status = device.endpoint().memory().link(device.device())
            .writeBlocking(window, 0, source, sourceIndex, part, null, 0, idle);
        if (status != SendStatus.SENT)
        {
            throw new GrimException(
                GrimException.Reason.UNREACHABLE, "window of " + device.device() + " cannot be written: " + status);
        }
    }

    private Reply call(final String handler, final long position, final int a1, final int a2, final int requestLength)
    {
        request.putLong(0, position, StoreFormat.ORDER);
        return device.call(device.handler(handler), number, a1, a2, request, 0, requestLength);
    }
}
