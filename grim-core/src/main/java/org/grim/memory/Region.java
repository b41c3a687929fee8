// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.MemoryRegion;
import org.grim.RemoteRegion;

/** One registration. Any thread. */
final class Region implements MemoryRegion
{
    private final NodeMemory memory;
    private final AtomicBuffer buffer;
    private final int slot;
    private final int firstPage;
    private final int pageCount;
    private final RemoteRegion remote;
    private final RemoteRegion remotePhysical;
    private final long length;
    private final long generation;
    private final MemoryRegion.Rights rights;
    private boolean isFreed;                // Guarded by the memory.

    Region(
        final NodeMemory memory, final EndpointId owner, final AtomicBuffer buffer, final int slot,
        final int firstPage, final long virtualAddress, final long generation, final MemoryRegion.Rights rights)
    {
        this.memory = memory;
        this.buffer = buffer;
        this.slot = slot;
        this.firstPage = firstPage;
        pageCount = (buffer.capacity() - 1) / MemorySettings.PAGE_LENGTH + 1;
        this.generation = generation;
        this.rights = rights;
        length = buffer.capacity();
        remote = new RemoteRegion(owner, virtualAddress, length, rights, false);
        remotePhysical =
            new RemoteRegion(owner, MemoryAddress.physical(generation, spaceOffset()), length, rights, true);
    }

    @Override
    public RemoteRegion remote()
    {
        return remote;
    }

    @Override
    public RemoteRegion remotePhysical()
    {
        return remotePhysical;
    }

    long virtualAddress()
    {
        return remote.address();
    }

    @Override
    public long length()
    {
        return length;
    }

    @Override
    public AtomicBuffer buffer()
    {
        return buffer;
    }

    @Override
    public MemoryRegion.Rights rights()
    {
        return rights;
    }

    @Override
    public long generation()
    {
        return generation;
    }

    boolean isOf(final NodeMemory other)
    {
        return memory == other;
    }

    @Override
    public void close()
    {
        memory.free(this);
    }

    /** Where it begins in the node's memory. */
    long spaceOffset()
    {
        return (long)firstPage * MemorySettings.PAGE_LENGTH;
    }

    int slot()
    {
        return slot;
    }

    int firstPage()
    {
        return firstPage;
    }

    int pageCount()
    {
        return pageCount;
    }

    /** Says that it is freed from now on; false if it was before. */
    boolean tryFree()
    {
        final boolean isFirst = !isFreed;
        isFreed = true;
        return isFirst;
    }

    @Override
    public String toString()
    {
        return "region generation=" + generation + " virtual=0x" + Long.toHexString(virtualAddress()) + " length=" +
            length + " rights=" + rights;
    }
}
