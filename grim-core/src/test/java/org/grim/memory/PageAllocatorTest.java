// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PageAllocatorTest
{
    private final PageAllocator pages = new PageAllocator();

    @Test
    void shouldTakeTheFirstHoleThatFitsAndMergeNeighbours()
    {
        pages.addArena(0, 10);

        assertEquals(0, pages.tryTake(3));
        assertEquals(3, pages.tryTake(3));
        assertEquals(6, pages.tryTake(4));
        assertEquals(PageAllocator.NONE, pages.tryTake(1));
        pages.free(0, 3);
        pages.free(6, 4);
        assertEquals(PageAllocator.NONE, pages.tryTake(5));
        assertEquals(4, pages.largestCount());
        pages.free(3, 3);
        assertEquals(10, pages.freeCount());
        assertEquals(0, pages.tryTake(10));
    }

    @Test
    void shouldKeepHolesInsideArenas()
    {
        pages.addArena(0, 4);
        pages.addArena(4, 4);

        assertEquals(PageAllocator.NONE, pages.tryTake(5));
        assertEquals(0, pages.tryTake(4));
        assertEquals(4, pages.tryTake(4));
        pages.free(4, 4);
        pages.free(0, 4);
        assertEquals(4, pages.largestCount());
        assertEquals(0, pages.tryTake(4));
        pages.free(0, 4);
        assertEquals(PageAllocator.NONE, pages.tryTake(5));
    }

    @Test
    void shouldNeverGiveAPageToTwo()
    {
        final Random random = new Random(6);
        final BitSet taken = new BitSet();
        final List<int[]> all = new ArrayList<>();
        for (int arena = 0; arena < 4; arena++)
        {
            pages.addArena(arena * 50, 50);
        }
        for (int i = 0; i < 20_000; i++)
        {
            if (random.nextInt(5) < 3)
            {
                take(1 + random.nextInt(12), taken, all);
            }
            else if (!all.isEmpty())
            {
                final int[] some = all.remove(random.nextInt(all.size()));
                taken.clear(some[0], some[0] + some[1]);
                pages.free(some[0], some[1]);
            }
            assertEquals(200 - taken.cardinality(), pages.freeCount());
        }
    }

    private void take(final int count, final BitSet taken, final List<int[]> all)
    {
        final int first = pages.tryTake(count);
        if (first == PageAllocator.NONE)
        {
            assertTrue(pages.largestCount() < count);
            return;
        }
        assertEquals(first / 50, (first + count - 1) / 50);
        for (int page = first; page < first + count; page++)
        {
            assertFalse(taken.get(page));
            taken.set(page);
        }
        all.add(new int[]{first, count});
    }
}
