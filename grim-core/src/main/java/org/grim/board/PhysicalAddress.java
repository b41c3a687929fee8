// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;

/** What a physical address is made of: a context, and a byte of that context's region. Any thread; no state. */
final class PhysicalAddress
{
    static final int OFFSET_BITS = 40;

    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

    private PhysicalAddress()
    {
    }

    /** Where in a context's region some bytes begin that must lie in it, on a whole word. */
    static int index(final String name, final long address, final AtomicBuffer region, final long length)
    {
        final long index = address & OFFSET_MASK;
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
