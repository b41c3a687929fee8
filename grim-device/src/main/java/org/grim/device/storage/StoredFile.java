// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.util.function.ObjIntConsumer;

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
 * A file that a {@link StorageClient} opened. Lengths are any: longer ones take several requests, of which up to
 * {@value #PART_COUNT_MAX} are under way. If one fails, later ones may have been done.
 * <p>Thread: as the client's.
 * <p>Owns: the open file at the store, until {@link #close()}.
 */
public final class StoredFile implements AutoCloseable
{
    /** With the offset in the file it fits into a frame of the usual queues. */
    private static final int MESSAGE_LENGTH_MAX = 60 * 1024;
    private static final int PART_LENGTH = 256 * 1024;
    private static final int PART_COUNT_MAX = 4;

    private final DeviceClient device;
    private final int number;
    private final long length;
    private final RemoteRegion window;
    private final AtomicBuffer request = Buffers.wrap(new byte[StoreFormat.DATA_OFFSET + MESSAGE_LENGTH_MAX]);
    private final Reply[] replies = new Reply[PART_COUNT_MAX];
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
        return transfer(StoreFormat.READ, readLength, MESSAGE_LENGTH_MAX, PART_COUNT_MAX, (reply, part, done, length) ->
            begin(StoreFormat.READ, position + done, length, 0, StoreFormat.REGION_OFFSET, reply),
            (reply, done) -> target.putBytes(targetIndex + done, reply.buffer(), 0, reply.length()));
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
        return transfer(StoreFormat.READ, readLength, PART_LENGTH, PART_COUNT_MAX, (reply, part, done, length) ->
        {
            target.remote().slice(targetOffset + done, length).writeTo(request, StoreFormat.REGION_OFFSET);
            begin(StoreFormat.READ, position + done, length, 0, StoreFormat.WORD_OFFSET, reply);
        }, null);
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
        if (window == null)
        {
            transfer(StoreFormat.WRITE, writeLength, MESSAGE_LENGTH_MAX, PART_COUNT_MAX, (reply, part, done, length) ->
            {
                request.putBytes(StoreFormat.DATA_OFFSET, source, sourceIndex + done, length);
                begin(StoreFormat.WRITE, position + done, 0, 0, StoreFormat.DATA_OFFSET + length, reply);
            }, null);
            return;
        }
        final int partCountMax = (int)Math.max(1, Math.min(PART_COUNT_MAX, window.length() / PART_LENGTH));
        final int partMax = (int)Math.min(PART_LENGTH, window.length());
        transfer(StoreFormat.WRITE, writeLength, partMax, partCountMax, (reply, part, done, length) ->
        {
            fillWindow(part * partMax, source, sourceIndex + done, length);
            begin(StoreFormat.WRITE, position + done, part * partMax, length, StoreFormat.DATA_OFFSET, reply);
        }, null);
    }

    /** Has the operating system write to the disk what was written, and waits for it. */
    public void sync()
    {
        call(StoreFormat.SYNC);
    }

    /** Closes it at the store; the second time does nothing. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            call(StoreFormat.CLOSE);
        }
    }

    /** The write is before the request on the same path. */
    private void fillWindow(final int offset, final DirectBuffer source, final int sourceIndex, final int part)
    {
        final SendStatus status = device.endpoint().memory().link(device.device())
            .writeBlocking(window, offset, source, sourceIndex, part, null, 0, idle);
        if (status != SendStatus.SENT)
        {
            throw new GrimException(
                GrimException.Reason.UNREACHABLE, "window of " + device.device() + " cannot be written: " + status);
        }
    }

    /**
     * Reads or writes in parts, of which several are under way; the store does those of a file in order. Returns the
     * bytes that were read or written.
     *
     * @param onAnswer takes an answer and its first byte; null if the bytes are not in it.
     */
    private int transfer(
        final String handler, final int length, final int partMax, final int partCountMax, final Part begin,
        final ObjIntConsumer<Reply> onAnswer)
    {
        int begun = 0;
        int done = 0;
        int beginCount = 0;
        int endCount = 0;
        boolean isEnd = false;
        try
        {
            while (endCount < beginCount || (begun < length && !isEnd))
            {
                if (begun < length && !isEnd && beginCount - endCount < partCountMax)
                {
                    final int part = Math.min(partMax, length - begun);
                    begin.begin(reply(beginCount % partCountMax), beginCount % partCountMax, begun, part);
                    begun += part;
                    beginCount++;
                }
                else
                {
                    final Reply reply = reply(endCount % partCountMax);
                    endCount++;
                    device.await(device.handler(handler), reply);
                    if (!isEnd)
                    {
                        if (onAnswer != null)
                        {
                            onAnswer.accept(reply, done);
                        }
                        done += reply.argument(1);
                        isEnd = reply.argument(0) == DeviceCode.END.number();
                    }
                }
            }
        }
        finally
        {
            for (; endCount < beginCount; endCount++)
            {
                reply(endCount % partCountMax).await();     // Behind a failure.
            }
        }
        return done;
    }

    private Reply reply(final int part)
    {
        if (replies[part] == null)
        {
            replies[part] = device.endpoint().newReply();
        }
        return replies[part];
    }

    private void begin(
        final String handler, final long position, final int a1, final int a2, final int requestLength,
        final Reply reply)
    {
        request.putLong(0, position, StoreFormat.ORDER);
        device.begin(device.handler(handler), number, a1, a2, request, 0, requestLength, reply);
    }

    private void call(final String handler)
    {
        device.call(device.handler(handler), number, 0, 0, null, 0, 0);
    }

    /** A request for a part. */
    private interface Part
    {
        /** Sends it: its number of those under way, its first byte, and its length. */
        void begin(Reply reply, int part, int done, int length);
    }
}
