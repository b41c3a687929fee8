// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteRegion;
import org.grim.buffer.AtomicWord;
import org.grim.memory.NodeMemory;
import org.grim.transport.MemoryHop;

/** Checks of the arguments of remote memory, before anything happens. Allocates nothing if all is well. Any thread. */
final class RemoteChecks
{
    private static final int WORD_LENGTH = Integer.BYTES;

    private final int node;

    /** Checks of links to a node. */
    RemoteChecks(final int node)
    {
        this.node = node;
    }

    /** Where a write's first byte goes. */
    long write(final RemoteRegion region, final long offset, final int length)
    {
        return address(region, offset, length, MemoryRegion.Rights.WRITE);
    }

    /** Where a read's first byte comes from. */
    long read(final RemoteRegion region, final long offset, final int length)
    {
        requireVirtual(region);
        return address(region, offset, length, MemoryRegion.Rights.READ);
    }

    /** Where an atomic operation's word is. */
    long atomic(final RemoteRegion region, final long offset, final int length)
    {
        if (!AtomicWord.isLength(length))
        {
            throw new IllegalArgumentException("word length=" + length + " is neither 4 nor 8");
        }
        requireVirtual(region);
        final long address = address(region, offset, length, MemoryRegion.Rights.READ_WRITE);
        if (!AtomicWord.isAligned(address, length))
        {
            throw new IllegalArgumentException("address=" + address + " of a word at region offset=" + offset +
                " is not a multiple of its length=" + length);
        }
        return address;
    }

    /** Address of the signal, of 4 or 8 bytes, of a write to a region, which is checked. */
    long signal(final RemoteRegion signal, final int length, final RemoteRegion beside)
    {
        requireVirtual(beside);
        return word(Objects.requireNonNull(signal, "signal"), length, beside);
    }

    /** Where the first byte of the first row goes. */
    long rows(final RemoteRegion region, final long offset, final RemoteLink.Rows rows)
    {
        requireVirtual(region);
        final long address = address(region, offset, rows.length(), MemoryRegion.Rights.WRITE);
        final long stride = rows.remoteStride();
        final long strideMax = rows.count() == 1 || rows.length() == 0 ? Long.MAX_VALUE :
            region.length() / (rows.count() - 1);
        if (stride < -strideMax || stride > strideMax)
        {
            throw outside(region, offset, rows.length(), " stride=" + stride + " count=" + rows.count());
        }
        final long last = strideMax == Long.MAX_VALUE ? offset : offset + (rows.count() - 1) * stride;
        if (last < 0 || last > region.length() - rows.length())
        {
            throw outside(region, offset, rows.length(), " stride=" + stride + " count=" + rows.count());
        }
        return address;
    }

    /** Address of the notification word of an operation on memory of the same node as a region, which is checked. */
    long word(final RemoteRegion word, final RemoteRegion beside)
    {
        return word == null ? MemoryHop.NO_NOTIFICATION : word(word, WORD_LENGTH, beside);
    }

    private static long word(final RemoteRegion word, final int length, final RemoteRegion beside)
    {
        if (word.length() < length)
        {
            throw new IllegalArgumentException(
                "notification word of length=" + word.length() + " is less than min=" + length);
        }
        if (word.endpoint().node() != beside.endpoint().node() || word.isPhysical() != beside.isPhysical())
        {
            throw new IllegalArgumentException("notification word=" + word + " is of another node, or kind, than " +
                beside);
        }
        return word.address();
    }

    private long address(
        final RemoteRegion region, final long offset, final int length, final MemoryRegion.Rights needed)
    {
        if (Objects.requireNonNull(region, "region").endpoint().node() != node)
        {
            throw new IllegalArgumentException(region + " is not of node=" + node);
        }
        if (offset < 0 || offset > region.length() - length)
        {
            throw outside(region, offset, length, "");
        }
        if ((region.rights().bits() & needed.bits()) != needed.bits())
        {
            throw new IllegalArgumentException(region + " does not grant " + needed);
        }
        return region.address() + offset;
    }

    private static void requireVirtual(final RemoteRegion region)
    {
        if (Objects.requireNonNull(region, "region").isPhysical())
        {
            throw new IllegalArgumentException(region + " is by physical address: it can only be written");
        }
    }

    private static IllegalArgumentException outside(
        final RemoteRegion region, final long offset, final int length, final String more)
    {
        return new IllegalArgumentException(
            "region offset=" + offset + " length=" + length + more + " exceeds region length=" + region.length());
    }

    /** Bytes of a write. */
    static void source(final DirectBuffer source, final int offset, final int length)
    {
        length(length);
        if (length > 0 && (offset < 0 || offset > Objects.requireNonNull(source, "source").capacity() - length))
        {
            throw new IllegalArgumentException("source offset=" + offset + " length=" + length +
                " exceeds capacity=" + source.capacity());
        }
    }

    /** Source of a block of rows. */
    static void rows(final DirectBuffer source, final int offset, final RemoteLink.Rows rows)
    {
        final int length = Objects.requireNonNull(rows, "rows").length();
        final long last = offset + (rows.count() - 1L) * rows.sourceStride();
        if (length > 0 && (Math.min(offset, last) < 0 ||
            Math.max(offset, last) > Objects.requireNonNull(source, "source").capacity() - length))
        {
            throw new IllegalArgumentException("source rows from offset=" + offset + " to offset=" + last + " length=" +
                length + " exceed capacity=" + source.capacity());
        }
    }

    /** Where a read's bytes go. */
    static void target(
        final NodeMemory regions, final MemoryRegion target, final long targetOffset, final int length)
    {
        length(length);
        if (Objects.requireNonNull(target, "target").buffer().capacity() == 0)
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

    private static void length(final int length)
    {
        if (length < 0)
        {
            throw new IllegalArgumentException("length=" + length + " is less than min=0");
        }
    }
}
