// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import org.agrona.UnsafeApi;
import org.grim.GrimException;

/**
 * Memory outside the heap that costs address space at first, and a page of real memory only when that page is written.
 * It is not zeroed: nobody may read what he has not written.
 * <p>Thread: any, as long as nobody uses it during {@link #close()}.
 */
public final class ReservedMemory implements AutoCloseable
{
    private final long length;
    private final long start;
    private final long address;
    private boolean isClosed;

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
            start = UnsafeApi.allocateMemory(length + Buffers.CACHE_LINE_LENGTH);
        }
        catch (final OutOfMemoryError ex)
        {
            throw new GrimException("no room for " + length + " bytes outside the heap", ex);
        }
        address = start + Buffers.CACHE_LINE_LENGTH - 1 & -Buffers.CACHE_LINE_LENGTH;
    }

    /**
     * Where it begins, on a cache line.
     *
     * @return the address.
     */
    public long address()
    {
        return address;
    }

    /**
     * Size.
     *
     * @return bytes.
     */
    public long length()
    {
        return length;
    }

    /** Gives it back. Does nothing the second time. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            UnsafeApi.freeMemory(start);
        }
    }
}
