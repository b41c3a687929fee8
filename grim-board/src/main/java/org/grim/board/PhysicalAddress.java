// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;

/** A board's physical address: a context, and a byte of that context's region. Any thread; no state. */
public final class PhysicalAddress
{
    private static final int OFFSET_BITS = 40;
    private static final int NODE_OFFSET_BITS = 39;
    private static final long NODE_OFFSET_MASK = (1L << NODE_OFFSET_BITS) - 1;

    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

    private PhysicalAddress()
    {
    }

    /**
     * The address of a byte.
     *
     * @param context index of the context.
     * @param offset  of the byte in the context's region.
     * @return the address.
     */
    public static long of(final int context, final long offset)
    {
        return (long)context << OFFSET_BITS | offset;
    }

    /**
     * The context that an address names.
     *
     * @param address any value.
     * @return index of a context, which may not exist; beyond all indices if the upper bits make none.
     */
    public static long context(final long address)
    {
        return address >>> OFFSET_BITS;
    }

    /**
     * The byte that an address names.
     *
     * @param address any value.
     * @return offset in the context's region, which may exceed it.
     */
    public static long offset(final long address)
    {
        return address & OFFSET_MASK;
    }

    /**
     * Address as peers use it (RM-P): 24 bits of the region's generation, at which boards do not look, above the offset
     * in the node's registered memory.
     *
     * @param address any value.
     * @return the offset, which may exceed that memory; -1 for a negative address, which names nothing.
     */
    public static long registeredOffset(final long address)
    {
        return address < 0 ? -1 : address & NODE_OFFSET_MASK;
    }

    /**
     * Where in a context's region some bytes begin.
     *
     * @param name    of the bytes, for the error's text.
     * @param address of the first.
     * @param region  of the context.
     * @param length  how many bytes.
     * @return index of the first in the region.
     * @throws IllegalArgumentException if they do not lie in the region, or not on a whole word.
     */
    public static int index(final String name, final long address, final AtomicBuffer region, final long length)
    {
        final long index = offset(address);
        if (index % QueueFormat.ALIGNMENT != 0)
        {
            throw new IllegalArgumentException(
                name + " address=0x" + Long.toHexString(address) + " is not a multiple of " + QueueFormat.ALIGNMENT);
        }
        if (index + length > region.capacity())
        {
            throw new IllegalArgumentException(name + " address=0x" + Long.toHexString(address) + " with length=" +
                length + " exceeds the region's " + region.capacity() + " bytes");
        }
        return (int)index;
    }
}
