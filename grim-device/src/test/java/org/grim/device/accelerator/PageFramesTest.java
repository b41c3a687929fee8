// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.nio.ByteOrder;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.device.DeviceException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Replacement of pages in a few frames; each guard is left out once. */
final class PageFramesTest
{
    private static final int PAGE_LENGTH = 64;
    private static final int STEPS = 20;

    private static PageFrames frames(final int count)
    {
        return new PageFrames(count, new HeapPages(count, PAGE_LENGTH));
    }

    private static PageNeed need(final Page... pages)
    {
        final PageNeed need = new PageNeed();
        for (int i = 0; i < pages.length; i++)
        {
            need.set(i, pages[i], 0);
        }
        return need;
    }

    private static Page[] pages(final int count)
    {
        final Page[] pages = new Page[count];
        for (int i = 0; i < count; i++)
        {
            pages[i] = new Page(i);
        }
        return pages;
    }

    private static boolean isReadySoon(final PageFrames frames, final PageNeed need)
    {
        for (int i = 0; i < STEPS && !frames.isReady(need); i++)
        {
            frames.step();
        }
        return frames.isReady(need);
    }

    /** Uses a page once, and writes to it if so wished. */
    private static void use(final PageFrames frames, final Page page, final boolean isWritten)
    {
        final PageNeed need = need(page);
        assertTrue(isReadySoon(frames, need), page::toString);
        if (isWritten)
        {
            frames.written(page);
        }
        frames.release(need);
    }

    @Test
    void shouldReplaceCleanPagesFirst()
    {
        final PageFrames frames = frames(8);
        final Page[] pages = pages(9);
        use(frames, pages[0], true);
        for (int i = 1; i < 8; i++)
        {
            use(frames, pages[i], false);
        }

        use(frames, pages[8], false);

        assertEquals(Page.State.PRESENT, pages[0].state);
        assertEquals(Page.State.ABSENT, pages[1].state);
        assertEquals(0, frames.storeCount());
        assertEquals(1, frames.evictionCount());
    }

    @Test
    void shouldGiveAPageThatIsUsedASecondChance()
    {
        final PageFrames frames = frames(4);
        final Page[] pages = pages(6);
        for (int i = 0; i < 4; i++)
        {
            use(frames, pages[i], false);
        }
        use(frames, pages[4], false);
        use(frames, pages[1], false);

        use(frames, pages[5], false);

        assertEquals(Page.State.ABSENT, pages[0].state);
        assertEquals(Page.State.PRESENT, pages[1].state);
        assertEquals(Page.State.ABSENT, pages[2].state);
    }

    @Test
    void shouldCleanWhenAQuarterOfTheFramesIsNotClean()
    {
        final PageFrames frames = frames(8);
        final Page[] pages = pages(3);
        use(frames, pages[0], true);
        for (int i = 0; i < STEPS; i++)
        {
            frames.step();
        }
        assertEquals(0, frames.cleanCount());

        use(frames, pages[1], true);
        for (int i = 0; i < STEPS; i++)
        {
            frames.step();
        }

        assertEquals(1, frames.cleanCount());
        assertEquals(1, frames.dirtyCount());
        assertEquals(Page.State.PRESENT, pages[0].state);
    }

    @Test
    void shouldKeepPagesThatAnItemHolds()
    {
        assertTrue(isHeldWhileOthersComeAndGo(frames(2)));
        assertFalse(isHeldWhileOthersComeAndGo(PlantedBug.HELD_EVICTED.frames(2, new HeapPages(2, PAGE_LENGTH))));
    }

    private static boolean isHeldWhileOthersComeAndGo(final PageFrames frames)
    {
        final Page[] pages = pages(4);
        final PageNeed holder = need(pages[0]);
        assertTrue(isReadySoon(frames, holder));
        for (int i = 1; i < 4; i++)
        {
            use(frames, pages[i], false);
        }
        return frames.isReady(holder);
    }

    @Test
    void shouldHoldAllPagesOrNone()
    {
        assertTrue(isEachServed(frames(2)));
        assertFalse(isEachServed(PlantedBug.SOME_PAGES.frames(2, new HeapPages(2, PAGE_LENGTH))));
    }

    /** Two items come one after the other, each time when one more frame is free. */
    private static boolean isEachServed(final PageFrames frames)
    {
        final Page[] pages = pages(6);
        final PageNeed[] holders = {need(pages[0]), need(pages[1])};
        final PageNeed[] items = {need(pages[2], pages[3]), need(pages[4], pages[5])};
        assertTrue(isReadySoon(frames, holders[0]) && isReadySoon(frames, holders[1]));
        for (int i = 0; i < 2; i++)
        {
            frames.release(holders[i]);
            frames.isReady(items[i]);
            frames.step();
        }
        for (final PageNeed item : items)
        {
            if (!isReadySoon(frames, item))
            {
                return false;
            }
            frames.release(item);
        }
        return true;
    }

    @Test
    void shouldGiveFramesInTurn()
    {
        assertTrue(isServedBesideSmallOnes(frames(2)));
        assertFalse(isServedBesideSmallOnes(new PageFrames(2, new HeapPages(2, PAGE_LENGTH))
        {
            @Override
            boolean isTurn(final PageNeed need)
            {
                return true;
            }
        }));
    }

    /** Of two items with a page each there is always one that has its frame. */
    private static boolean isServedBesideSmallOnes(final PageFrames frames)
    {
        final PageNeed large = need(pages(2));
        final Page[] pages = pages(4);
        final PageNeed[] small = new PageNeed[2];
        small[0] = need(pages[0]);
        assertTrue(isReadySoon(frames, small[0]));
        for (int i = 1; i < STEPS; i++)
        {
            if (frames.isReady(large))
            {
                return true;
            }
            small[i % 2] = small[i % 2] != null && small[i % 2].isWaiting ? small[i % 2] : need(pages[i % 4]);
            frames.isReady(small[i % 2]);
            frames.step();
            if (small[(i + 1) % 2] != null && small[(i + 1) % 2].isHeld)
            {
                frames.release(small[(i + 1) % 2]);
                small[(i + 1) % 2] = null;
            }
            frames.step();
        }
        return false;
    }

    @Test
    void shouldRefusePinsThatItemsWouldWaitFor()
    {
        final PageFrames frames = frames(5);
        final Page[] pages = pages(6);
        frames.pin(pages[0]);
        frames.pin(pages[1]);
        frames.pin(pages[1]);

        final DeviceException refusal = assertThrows(DeviceException.class, () -> frames.pin(pages[2]));
        assertTrue(refusal.getMessage().contains("pinned=2 of frames=5"), refusal.getMessage());
        assertTrue(isReadySoon(frames, need(pages[3], pages[4], pages[5])));
        assertTrue(isReadySoon(frames, need(pages[0])));

        frames.unpin(pages[0]);
        frames.pin(pages[2]);
        assertEquals(2, frames.pinnedCount());
    }

    @Test
    void shouldWriteBackWhatTheOwnerHasWritten()
    {
        final PageFrames frames = frames(1);
        final Page[] pages = pages(2);
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[] {1, 2, 3});
        use(frames, pages[0], false);
        assertTrue(frames.write(pages[0], 7, bytes, 0, 3));

        use(frames, pages[1], false);
        assertTrue(frames.write(pages[0], 8, bytes, 0, 1));
        use(frames, pages[0], false);

        final UnsafeBuffer found = new UnsafeBuffer(new byte[4]);
        assertTrue(frames.read(pages[0], 7, found, 4));
        assertEquals(0x0003_0101, found.getInt(0, ByteOrder.LITTLE_ENDIAN));
    }
}
