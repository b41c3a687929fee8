// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.Arrays;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * Where a node's regions begin, sorted, as they were when one was last found nowhere: says which slot to look at. The
 * slot itself says what is true.
 * <p>Thread: the link's owner. Allocates when there are more regions than ever before.
 */
final class RegionTable
{
    /** No region begins at an address or before. */
    static final int NONE = -1;

    private static final int PAGE_SHIFT = Integer.numberOfTrailingZeros(PAGE_LENGTH);
    private static final int SLOT_BITS = 16;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
    /** A page's number and a slot's go into one number that is not negative. */
    private static final long START_END = 1L << (63 - SLOT_BITS + PAGE_SHIFT);

    private final MemoryDirectory directory;
    private final int slotCount;
    private long[] keys = new long[8];                  // page number << SLOT_BITS | slot
    private int keyCount;
    private long sequence;

    RegionTable(final MemoryDirectory directory)
    {
        this.directory = directory;
        slotCount = Math.min(directory.layout().regionCountMax(), SLOT_MASK + 1);
        sequence = -1;
    }

    /** Slot of the last region that begins at an address or before. */
    int slotOf(final long address)
    {
        if (address < MemoryAddress.VIRTUAL_START || address >= START_END)
        {
            return NONE;
        }
        final int found =
            Arrays.binarySearch(keys, 0, keyCount, (address >>> PAGE_SHIFT << SLOT_BITS) | SLOT_MASK);
        final int floor = found >= 0 ? found : -found - 2;
        return floor < 0 ? NONE : (int)keys[floor] & SLOT_MASK;
    }

    /** Looks at all slots if regions came or went; false if not. */
    boolean refreshIfChanged()
    {
        final long newSequence = directory.changeSequence();    // Before the slots: later changes show the next time.
        if (newSequence == sequence)
        {
            return false;
        }
        sequence = newSequence;
        keyCount = 0;
        for (int slot = 0; slot < slotCount; slot++)
        {
            if (directory.regionGeneration(slot) != 0)
            {
                add(slot, directory.regionStart(slot));
            }
        }
        Arrays.sort(keys, 0, keyCount);
        return true;
    }

    private void add(final int slot, final long start)
    {
        if (start < MemoryAddress.VIRTUAL_START || start >= START_END || start % PAGE_LENGTH != 0)
        {
            return;                                     // Corrupt: a region that nobody can reach.
        }
        if (keyCount == keys.length)
        {
            keys = Arrays.copyOf(keys, keyCount * 2);
        }
        keys[keyCount] = (start >>> PAGE_SHIFT << SLOT_BITS) | slot;
        keyCount++;
    }
}
