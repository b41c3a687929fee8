// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.lang.invoke.VarHandle;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteRefusal;

import static org.agrona.BitUtil.align;
import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * By virtual address: the region that was found last, as long as its slot has the same generation; else by search. A
 * generation is never used twice, so what was read of a slot between two equal ones belongs to it.
 */
final class VirtualLookup implements Lookup
{
    private final MemoryDirectory directory;
    private final ArenaSource arenas;
    private final RegionTable table;
    private AtomicBuffer buffer;
    private int arenaIndex;
    private int slot;
    private int rights;
    private long generation;
    private long start;
    private long length = -1;                   // No region yet: nothing fits.
    private int index;

    VirtualLookup(final MemoryDirectory directory, final ArenaSource arenas, final RegionTable table)
    {
        this.directory = directory;
        this.arenas = arenas;
        this.table = table;
    }

    @Override
    public RemoteRefusal find(final long address, final long byteCount, final int neededRights)
    {
        final long offset = address - start;
        if (offset < 0 || offset > length - byteCount || (rights & neededRights) != neededRights ||
            directory.regionGeneration(slot) != generation)
        {
            return search(address, byteCount, neededRights);
        }
        index = arenaIndex + (int)offset;
        return null;
    }

    @Override
    public AtomicBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int index()
    {
        return index;
    }

    private RemoteRefusal search(final long address, final long byteCount, final int neededRights)
    {
        if (!tryLoad(address) && !(table.refreshIfChanged() && tryLoad(address)))
        {
            return reasonForNone(address);
        }
        final long offset = address - start;
        final RemoteRefusal reason = offset > length - byteCount ? RemoteRefusal.OUT_OF_RANGE :
            (rights & neededRights) != neededRights ? RemoteRefusal.NO_RIGHT :
            buffer == null ? RemoteRefusal.NO_MEMORY : null;
        index = arenaIndex + (int)offset;
        if (buffer == null)
        {
            length = -1;
        }
        return reason;
    }

    /** Loads the region that an address lies in; false if the table does not know it, or it is there no more. */
    private boolean tryLoad(final long address)
    {
        length = -1;
        final int found = table.slotOf(address);
        if (found == RegionTable.NONE)
        {
            return false;
        }
        slot = found;
        generation = directory.regionGeneration(slot);
        start = directory.regionStart(slot);
        final long newLength = directory.regionLength(slot);
        final long spaceOffset = directory.regionSpaceOffset(slot);
        rights = directory.regionRights(slot);
        VarHandle.acquireFence();               // The loads above come before that of the generation again.
        final boolean isThere = generation != 0 && directory.regionGeneration(slot) == generation &&
            start >= MemoryAddress.VIRTUAL_START && start <= address && newLength > 0 &&
            newLength <= Integer.MAX_VALUE && address - start < newLength;
        if (isThere)
        {
            final ArenaSource.Arena arena = arenas.find(spaceOffset);
            final boolean isInside = arena != null && arena.has(spaceOffset, newLength);
            buffer = isInside ? arena.buffer() : null;
            arenaIndex = isInside ? (int)(spaceOffset - arena.start()) : 0;
            length = newLength;
        }
        return isThere;
    }

    /**
     * Returns the reason: an address beyond the end of a region is out of range; an address that was assigned once, and
     * lies in none, has been freed.
     */
    private RemoteRefusal reasonForNone(final long address)
    {
        final int below = table.slotOf(address);
        if (below == RegionTable.NONE || address >= directory.virtualEnd())
        {
            return address >= MemoryAddress.VIRTUAL_START && address < directory.virtualEnd() ? RemoteRefusal.FREED :
                RemoteRefusal.OUT_OF_RANGE;
        }
        final long offset = address - directory.regionStart(below);
        final long lengthBelow = directory.regionLength(below);
        final boolean isBehind = directory.regionGeneration(below) != 0 && lengthBelow > 0 && offset >= lengthBelow &&
            offset - PAGE_LENGTH < align(lengthBelow, (long)PAGE_LENGTH);
        return isBehind ? RemoteRefusal.OUT_OF_RANGE : RemoteRefusal.FREED;
    }
}
