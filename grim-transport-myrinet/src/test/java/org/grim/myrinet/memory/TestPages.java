// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.util.Arrays;
import java.util.TreeMap;

import org.grim.transport.PinnedArena;
import org.grim.transport.RegisteredPages;

/**
 * Registers regions in an arena, as a node's memory does: virtual addresses rise, a page between two regions is
 * nobody's, and pages are used again when the arena has forgotten them, the lowest first.
 */
public final class TestPages implements RegisteredPages
{
    /** Bytes of a page. */
    public static final int PAGE = 4096;

    private static final long VIRTUAL_START = 1L << 40;

    private final PinnedArena arena;
    private final TreeMap<Long, Region> regions = new TreeMap<>();
    private final boolean[] isUsed;
    private long virtualEnd = VIRTUAL_START;
    private long generation;

    /**
     * Nothing registered yet.
     *
     * @param arena that takes the regions.
     */
    public TestPages(final PinnedArena arena)
    {
        this.arena = arena;
        isUsed = new boolean[arena.memory().capacity() / PAGE];
    }

    /**
     * A region.
     *
     * @param virtualAddress  of its first byte.
     * @param physicalAddress as peers use it.
     * @param offset          in the arena.
     * @param length          bytes.
     * @param rights          of peers.
     */
    public record Region(long virtualAddress, long physicalAddress, int offset, int length, int rights)
    {
        int pageCount()
        {
            return (length + PAGE - 1) / PAGE;
        }
    }

    /**
     * Registers, zeroed.
     *
     * @param length bytes.
     * @param rights bits.
     * @return the region.
     */
    public synchronized Region register(final int length, final int rights)
    {
        final int pageCount = (length + PAGE - 1) / PAGE;
        int first = 0;
        int free = 0;
        while (free < pageCount)
        {
            if (first + free == isUsed.length)
            {
                throw new IllegalStateException("no room for " + length + " bytes");
            }
            if (isUsed[first + free])
            {
                first += free + 1;
                free = 0;
            }
            else
            {
                free++;
            }
        }
        Arrays.fill(isUsed, first, first + pageCount, true);
        arena.memory().setMemory(first * PAGE, pageCount * PAGE, (byte)0);
        final Region region =
            new Region(virtualEnd, (++generation << 39) | ((long)first * PAGE), first * PAGE, length, rights);
        virtualEnd += (pageCount + 1L) * PAGE;
        arena.onRegistered(region.virtualAddress(), region.offset(), length, rights);
        regions.put(region.virtualAddress(), region);
        return region;
    }

    /**
     * Frees; the pages may not be used again before {@link #reuse}.
     *
     * @param region to free.
     */
    public synchronized void free(final Region region)
    {
        regions.remove(region.virtualAddress());
        arena.onFreeing(region.virtualAddress(), region.offset(), region.length());
    }

    /**
     * Gives freed pages out again, if they were forgotten.
     *
     * @param region that was freed.
     * @return whether they were.
     */
    public synchronized boolean reuse(final Region region)
    {
        if (!arena.hasForgotten())
        {
            return false;
        }
        Arrays.fill(isUsed, region.offset() / PAGE, region.offset() / PAGE + region.pageCount(), false);
        return true;
    }

    @Override
    public synchronized long find(final long virtualPageAddress)
    {
        final var below = regions.floorEntry(virtualPageAddress);
        if (below == null)
        {
            return NONE;
        }
        final Region region = below.getValue();
        final long within = virtualPageAddress - region.virtualAddress();
        return within >= (long)region.pageCount() * PAGE ? NONE : region.offset() + within | region.rights();
    }
}
