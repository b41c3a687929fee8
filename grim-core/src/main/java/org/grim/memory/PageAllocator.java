// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which pages of a node's memory are free: the first hole that fits first; neighbours merge, but no hole goes across
 * arenas.
 * <p>Thread: one at a time.
 */
final class PageAllocator
{
    /** There is no such hole. */
    static final int NONE = -1;

    private final TreeMap<Integer, Integer> holes = new TreeMap<>();            // first page -> pages
    private final TreeMap<Integer, Integer> arenas = new TreeMap<>();           // first page -> pages
    private final Set<Integer> foreign = new HashSet<>();                       // first pages
    private int freeCount;

    /** Adds an arena, whose pages are all free. */
    void addArena(final int firstPage, final int pageCount)
    {
        arenas.put(firstPage, pageCount);
        free(firstPage, pageCount);
    }

    /** Adds pages of one region, which are never free. */
    void addForeign(final int firstPage)
    {
        foreign.add(firstPage);
    }

    /** Takes pages in a row; says which is the first, or {@link #NONE}. */
    int tryTake(final int pageCount)
    {
        final Iterator<Map.Entry<Integer, Integer>> iterator = holes.entrySet().iterator();
        while (iterator.hasNext())
        {
            final Map.Entry<Integer, Integer> hole = iterator.next();
            final int first = hole.getKey();
            final int count = hole.getValue();
            if (count >= pageCount)
            {
                iterator.remove();
                if (count > pageCount)
                {
                    holes.put(first + pageCount, count - pageCount);
                }
                freeCount -= pageCount;
                return first;
            }
        }
        return NONE;
    }

    /** Gives pages back; those of foreign memory go with it. */
    void free(final int firstPage, final int pageCount)
    {
        if (foreign.remove(firstPage))
        {
            return;
        }
        freeCount += pageCount;
        int start = firstPage;
        int end = firstPage + pageCount;
        final Map.Entry<Integer, Integer> below = holes.lowerEntry(firstPage);
        if (below != null && below.getKey() + below.getValue() == firstPage && !arenas.containsKey(firstPage))
        {
            start = below.getKey();
        }
        if (!arenas.containsKey(end))
        {
            final Integer above = holes.remove(end);
            end += above == null ? 0 : above;
        }
        holes.put(start, end - start);
    }

    int freeCount()
    {
        return freeCount;
    }

    /** Pages of the largest hole. */
    int largestCount()
    {
        return holes.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
