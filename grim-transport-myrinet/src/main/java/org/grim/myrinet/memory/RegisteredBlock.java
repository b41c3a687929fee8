// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Memory that the board may read and write by address, until it is freed. Begins on a page; its last page may have
 * bytes behind its end, which belong to nobody else.
 * <p>Thread: any; made and freed by {@link RegisteredMemory} alone.
 */
public final class RegisteredBlock
{
    private final long virtualAddress;
    private final long physicalAddress;
    private final AtomicBuffer buffer;
    private final int generation;
    private final int offset;
    private final int length;
    private final int staticEntry;

    RegisteredBlock(
        final long virtualAddress, final long physicalAddress, final AtomicBuffer buffer, final int generation,
        final int offset, final int staticEntry)
    {
        this.virtualAddress = virtualAddress;
        this.physicalAddress = physicalAddress;
        this.buffer = buffer;
        this.generation = generation;
        this.offset = offset;
        length = buffer.capacity();
        this.staticEntry = staticEntry;
    }

    /**
     * Where this process has it, and what peers name it by in RM-V and RM-RV operations.
     *
     * @return address of its first byte, on a page.
     */
    public long virtualAddress()
    {
        return virtualAddress;
    }

    /**
     * Where the board has it, and what peers name it by in RM-P operations.
     *
     * @return address of its first byte, on a page.
     */
    public long physicalAddress()
    {
        return physicalAddress;
    }

    /**
     * Its bytes.
     *
     * @return a view of them; empty when the block has been freed.
     */
    public AtomicBuffer buffer()
    {
        return buffer;
    }

    /**
     * Tells it from earlier and later blocks at the same address.
     *
     * @return 1 or more, rising with each block of the process.
     */
    public int generation()
    {
        return generation;
    }

    /**
     * Size that was asked for.
     *
     * @return bytes.
     */
    public int length()
    {
        return length;
    }

    int offset()
    {
        return offset;
    }

    int staticEntry()
    {
        return staticEntry;
    }
}
