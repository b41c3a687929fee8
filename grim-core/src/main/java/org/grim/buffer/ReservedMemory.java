// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;

import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * Memory outside the heap that costs address space at first, and a page of real memory only when that page is written.
 * It is not zeroed: a reader may read only bytes that it has written.
 * <p>Thread: any. It stays for as long as a registered view can be reached, also after {@link #close()}.
 */
public final class ReservedMemory implements AutoCloseable
{
    private static final Cleaner CLEANER = Cleaner.create();

    private final long length;
    private final long address;
    private final Block block;
    private boolean isClosed;

    /** Memory that is released when no view uses it any more. */
    private static final class Block
    {
        private final long start;
        private final AtomicInteger useCount = new AtomicInteger(1);

        Block(final long start)
        {
            this.start = start;
        }

        void release()
        {
            if (useCount.decrementAndGet() == 0)
            {
                UnsafeApi.freeMemory(start);
            }
        }
    }

    /**
     * Reserves memory.
     *
     * @param length bytes.
     * @throws GrimException if there is no such room.
     */
    public ReservedMemory(final long length)
    {
        this.length = length;
        try
        {
            block = new Block(UnsafeApi.allocateMemory(length + Buffers.CACHE_LINE_LENGTH));
        }
        catch (final OutOfMemoryError ex)
        {
            throw new GrimException(NO_ROOM, "no room for " + length + " bytes outside the heap", ex);
        }
        address = block.start + Buffers.CACHE_LINE_LENGTH - 1 & -Buffers.CACHE_LINE_LENGTH;
    }

    /** {@return where it begins, on a cache line} */
    public long address()
    {
        return address;
    }

    /** {@return size} */
    public long length()
    {
        return length;
    }

    /**
     * Keeps the memory for a view of it, which may be handed to anybody: until the view cannot be reached any more.
     *
     * @param view that wraps addresses of this memory; registered once, before {@link #close()}.
     */
    public void keepFor(final AtomicBuffer view)
    {
        block.useCount.incrementAndGet();
        CLEANER.register(view, block::release);
    }

    /** Lets go of it: it is given back when its views are. Does nothing the second time. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            block.release();
        }
    }
}
