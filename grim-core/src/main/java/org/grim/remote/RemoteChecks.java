// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.agrona.DirectBuffer;
import org.grim.MemoryRegion;
import org.grim.memory.NodeMemory;

/** What callers of remote memory may get wrong on their own side: said before anything happens. Any thread. */
final class RemoteChecks
{
    private RemoteChecks()
    {
    }

    /** Bytes of a write. */
    static void source(final DirectBuffer source, final int offset, final int length)
    {
        length("length", length);
        if (length > 0 && (offset < 0 || offset > source.capacity() - length))
        {
            throw new IllegalArgumentException("source offset=" + offset + " length=" + length +
                " exceeds capacity=" + source.capacity());
        }
    }

    /** A block of rows. */
    static void rows(
        final DirectBuffer source, final int offset, final int sourceStride, final int rowLength, final int rowCount)
    {
        length("row length", rowLength);
        if (rowCount < 1)
        {
            throw new IllegalArgumentException("row count=" + rowCount + " is less than min=1");
        }
        final long last = offset + (rowCount - 1L) * sourceStride;
        if (rowLength > 0 && (Math.min(offset, last) < 0 || Math.max(offset, last) > source.capacity() - rowLength))
        {
            throw new IllegalArgumentException("source rows from offset=" + offset + " to offset=" + last + " length=" +
                rowLength + " exceed capacity=" + source.capacity());
        }
    }

    /** Where a read's bytes go. */
    static void target(
        final NodeMemory regions, final MemoryRegion target, final long targetOffset, final int length)
    {
        length("length", length);
        if (target.buffer().capacity() == 0)
        {
            throw new IllegalStateException("target region generation=" + target.generation() + " has been freed");
        }
        if (targetOffset < 0 || targetOffset > target.length() - length)
        {
            throw new IllegalArgumentException("target offset=" + targetOffset + " length=" + length +
                " exceeds region length=" + target.length());
        }
        if (!regions.owns(target))
        {
            throw new IllegalArgumentException("target region generation=" + target.generation() +
                " was not registered by this node");
        }
    }

    private static void length(final String what, final int length)
    {
        if (length < 0)
        {
            throw new IllegalArgumentException(what + "=" + length + " is less than min=0");
        }
    }
}
