// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteRefusal;
import org.grim.memory.DirectoryLayout.PageTag;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * By physical address: the tags of the first and the last page say whether they are still the region's, as pages in a
 * row of one generation are. No table, no search.
 */
final class PhysicalLookup implements Lookup
{
    private static final int PAGE_SHIFT = Integer.numberOfTrailingZeros(PAGE_LENGTH);

    private final MemoryDirectory directory;
    private final ArenaSource arenas;
    private AtomicBuffer buffer;
    private long arenaStart;
    private long arenaLength = -1;              // No arena yet: nothing fits.
    private int index;

    PhysicalLookup(final MemoryDirectory directory, final ArenaSource arenas)
    {
        this.directory = directory;
        this.arenas = arenas;
    }

    @Override
    public RemoteRefusal find(final long address, final long length, final int rights)
    {
        final long offset = MemoryAddress.offset(address);
        final long arenaIndex = offset - arenaStart;
        if (arenaIndex < 0 || arenaIndex > arenaLength - length)
        {
            return findInAnother(address, length, rights);
        }
        final int generation = MemoryAddress.generation(address);
        final int firstPage = (int)(offset >>> PAGE_SHIFT);
        final int lastPage = (int)((offset + length - 1) >>> PAGE_SHIFT);
        final int tag = directory.tag(firstPage);
        final int lastTag = lastPage == firstPage ? tag : directory.tag(lastPage);
        if (PageTag.generation(tag) != generation || lastTag != tag || !PageTag.grants(tag, rights))
        {
            return reason(generation, tag, lastTag);
        }
        index = (int)arenaIndex;
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

    private RemoteRefusal findInAnother(final long address, final long length, final int rights)
    {
        final long offset = MemoryAddress.offset(address);
        final ArenaSource.Arena arena = arenas.find(offset);
        if (arena == null || !arena.has(offset, length))
        {
            return RemoteRefusal.OUT_OF_RANGE;
        }
        buffer = arena.buffer();
        arenaStart = arena.start();
        arenaLength = arena.length();
        return find(address, length, rights);
    }

    private static RemoteRefusal reason(final int generation, final int tag, final int lastTag)
    {
        if (generation == 0 || generation > MemoryAddress.GENERATION_MASK)
        {
            return RemoteRefusal.OUT_OF_RANGE;          // No region ever had such an address.
        }
        if (PageTag.generation(tag) != generation)
        {
            return RemoteRefusal.FREED;
        }
        return lastTag != tag ? RemoteRefusal.OUT_OF_RANGE : RemoteRefusal.NO_RIGHT;
    }
}
