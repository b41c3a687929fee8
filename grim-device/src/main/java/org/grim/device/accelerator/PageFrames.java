// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayDeque;
import java.util.Deque;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;

/**
 * Frames of a device, and the pages in them. An item gets frames for all its pages or for none, and items without
 * frames get them in turn: so each page fault ends. A page is replaced by CLOCK: clean ones first, and none that is
 * held or pinned. Has no clock and no thread.
 * <p>Thread: the runner's.
 * <p>Bounds: owners pin at most {@code frameCount} - {@value PageNeed#PAGE_COUNT_MAX} pages.
 */
class PageFrames
{
    private static final int MOVE_LIMIT = 4;
    private static final int DIRTY_SHARE = 4;

    private final PageMemory memory;
    private final Frame[] frames;
    private final Deque<Integer> free = new ArrayDeque<>();
    private final Deque<Integer> moving = new ArrayDeque<>();
    private final Deque<PageNeed> waiting = new ArrayDeque<>();
    private final Deque<PageNeed> loads = new ArrayDeque<>();       // Of pinned pages.
    private int hand;
    private int cleanerHand;
    private boolean isCleaning;
    private int dirtyCount;
    private int pinnedCount;
    private long faultCount;
    private long evictionCount;
    private long storeCount;
    private long cleanCount;

    /** Pages of a frame. */
    private static final class Frame
    {
        private Page page;
        private Page next;              // Waits until the other one has left.
    }

    PageFrames(final int frameCount, final PageMemory memory)
    {
        this.memory = memory;
        frames = new Frame[frameCount];
        for (int i = 0; i < frameCount; i++)
        {
            frames[i] = new Frame();
            free.add(i);
        }
    }

    PageMemory memory()
    {
        return memory;
    }

    int frameCount()
    {
        return frames.length;
    }

    /** Refuses bytes outside of a page. */
    void requireRange(final int offset, final int length)
    {
        final int pageLength = memory.pageLength();
        if (offset < 0 || length < 0 || (long)offset + length > pageLength)
        {
            throw new IllegalArgumentException(
                "offset=" + offset + " and length=" + length + " are outside of page=" + pageLength);
        }
    }

    /** Says whether a need holds its pages, and all of them still have their owner. */
    boolean isHeld(final PageNeed need)
    {
        return need.isHeld && isCurrent(need);
    }

    boolean isCurrent(final PageNeed need)
    {
        for (int i = 0; i < PageNeed.PAGE_COUNT_MAX; i++)
        {
            if (need.page(i) != null && need.page(i).isFreed)
            {
                return false;
            }
        }
        return true;
    }

    /** Holds all pages of a need in frames, or none. Returns whether all are there: then {@link #release} ends it. */
    boolean isReady(final PageNeed need)
    {
        if (!need.isHeld && !isTaken(need))
        {
            return false;
        }
        return isPresent(need);
    }

    /** Says whether all pages of a need are in their frames. */
    boolean isPresent(final PageNeed need)
    {
        for (int i = 0; i < PageNeed.PAGE_COUNT_MAX; i++)
        {
            if (need.page(i) != null && !isUsable(need.page(i)))
            {
                return false;
            }
        }
        return true;
    }

    /** Says whether a kernel may read and write a page where it is. */
    boolean isUsable(final Page page)
    {
        return page.state == Page.State.PRESENT;
    }

    private boolean isTaken(final PageNeed need)
    {
        int missing = 0;
        int held = 0;                   // Frames with pages of this need, which nobody holds yet.
        boolean isAllPresent = true;
        boolean isAnyLeaving = false;
        for (int i = 0; i < PageNeed.PAGE_COUNT_MAX; i++)
        {
            if (need.isFirst(i))
            {
                final Page page = need.page(i);
                missing += page.state == Page.State.ABSENT ? 1 : 0;
                held += mayEvict(page) ? 1 : 0;
                isAllPresent &= isUsable(page);
                isAnyLeaving |= page.state == Page.State.EVICTING;
            }
        }
        final boolean isPossible = isAllPresent ||
            (isTurn(need) && !isAnyLeaving && hasRoom(missing, available() - held));
        if (!isPossible)
        {
            await(need);
            return false;
        }
        leaveQueue(need);
        faultCount += isAllPresent ? 0 : 1;
        hold(need);
        return true;
    }

    private void await(final PageNeed need)
    {
        if (!need.isWaiting)
        {
            need.isWaiting = true;
            waiting.add(need);
        }
    }

    private void leaveQueue(final PageNeed need)
    {
        if (need.isWaiting)
        {
            need.isWaiting = false;
            waiting.remove(need);
        }
    }

    /** Says whether a need may have frames now: those that have waited longer come first. */
    boolean isTurn(final PageNeed need)
    {
        return waiting.isEmpty() || waiting.peek() == need;
    }

    /** Says whether all pages that are missing get a frame. */
    boolean hasRoom(final int missing, final int available)
    {
        return missing <= available;
    }

    private int available()
    {
        int count = free.size();
        for (final Frame frame : frames)
        {
            count += frame.page != null && mayEvict(frame.page) ? 1 : 0;
        }
        return count;
    }

    /** Says whether a page may leave its frame, or be cleaned there. */
    boolean mayEvict(final Page page)
    {
        return page.state == Page.State.PRESENT && page.useCount == 0 && !page.isPinned;
    }

    private void hold(final PageNeed need)
    {
        need.isHeld = true;
        for (int i = 0; i < PageNeed.PAGE_COUNT_MAX; i++)
        {
            if (need.page(i) != null)
            {
                need.page(i).useCount++;
            }
        }
        for (int i = 0; i < PageNeed.PAGE_COUNT_MAX; i++)
        {
            if (need.page(i) != null && need.page(i).state == Page.State.ABSENT)
            {
                place(need.page(i));
            }
        }
    }

    private void place(final Page page)
    {
        final int index = free.isEmpty() ? victim() : free.poll();
        final Frame frame = frames[index];
        page.frame = index;
        page.state = Page.State.LOADING;
        moving.add(index);
        if (frame.page == null)
        {
            frame.page = page;
            return;
        }
        evictionCount++;
        if (needsStore(frame.page))
        {
            frame.page.state = Page.State.EVICTING;
            frame.next = page;
        }
        else
        {
            leave(frame.page);
            frame.page = page;
        }
    }

    boolean needsStore(final Page page)
    {
        return page.isDirty;
    }

    private void leave(final Page page)
    {
        page.state = Page.State.ABSENT;
        page.frame = Page.NONE;
    }

    /** Returns a frame by CLOCK: not used since the last round, clean if there is such a one. */
    private int victim()
    {
        int dirty = Page.NONE;
        for (int i = 0; i < 2 * frames.length; i++)
        {
            final int index = hand;
            final Page page = frames[index].page;
            hand = (hand + 1) % frames.length;
            if (page == null || !mayEvict(page))
            {
                continue;
            }
            if (page.isReferenced)
            {
                page.isReferenced = false;
            }
            else if (!page.isDirty)
            {
                return index;
            }
            else if (dirty == Page.NONE)
            {
                dirty = index;
            }
        }
        if (dirty == Page.NONE)
        {
            throw new IllegalStateException("no frame may be taken: frames=" + frames.length);
        }
        return dirty;
    }

    /** Lets a need's pages leave their frames, or ends its wait. */
    void release(final PageNeed need)
    {
        leaveQueue(need);
        for (int i = 0; i < PageNeed.PAGE_COUNT_MAX; i++)
        {
            if (need.isHeld && need.page(i) != null)
            {
                need.page(i).useCount--;
                need.page(i).isReferenced = true;
            }
            need.set(i, null, 0);
        }
        need.isHeld = false;
    }

    /** Notes that a kernel or the owner is about to write to a page in its frame. */
    void written(final Page page)
    {
        page.changing();
        if (!page.isDirty)
        {
            page.isDirty = true;
            dirtyCount++;
        }
    }

    private void stored(final Page page)
    {
        storeCount++;
        if (page.isDirty)
        {
            page.isDirty = false;
            dirtyCount--;
        }
    }

    /** Does one duty cycle: copies pages, and begins to clean one. */
    int step()
    {
        int workCount = clean();
        for (int i = Math.min(moving.size(), MOVE_LIMIT); i > 0; i--)
        {
            final int index = moving.poll();
            if (isMoved(index))
            {
                workCount++;
            }
            else
            {
                moving.add(index);
            }
        }
        for (int i = loads.size(); i > 0; i--)
        {
            final PageNeed need = loads.poll();
            if (isCurrent(need) && !isReady(need))
            {
                loads.add(need);
            }
            else
            {
                release(need);
                workCount++;
            }
        }
        return workCount;
    }

    /** Goes on with the copy of a frame. Returns whether the frame needs no other one. */
    private boolean isMoved(final int index)
    {
        final Frame frame = frames[index];
        final Page page = frame.page;
        return switch (page.state)
        {
            case LOADING ->
            {
                if (!memory.load(page, index))
                {
                    yield false;
                }
                page.state = Page.State.PRESENT;
                vacateIfFreed(index);
                yield true;
            }
            case CLEANING ->
            {
                if (!memory.store(page, index))
                {
                    yield false;
                }
                isCleaning = false;
                cleanCount++;
                stored(page);
                page.state = Page.State.PRESENT;
                vacateIfFreed(index);
                yield true;
            }
            case EVICTING ->
            {
                if (memory.store(page, index))
                {
                    stored(page);
                    leave(page);
                    frame.page = frame.next;
                    frame.next = null;
                }
                yield false;
            }
            case ABSENT, PRESENT -> throw new IllegalStateException("nothing to copy: " + page);
        };
    }

    private void vacateIfFreed(final int index)
    {
        final Page page = frames[index].page;
        if (page.isFreed)
        {
            dirtyCount -= page.isDirty ? 1 : 0;
            page.isDirty = false;
            leave(page);
            frames[index].page = null;
            free.add(index);
        }
    }

    /** Begins to write a page back if a quarter of the frames is not clean. */
    private int clean()
    {
        if (isCleaning || dirtyCount * DIRTY_SHARE < frames.length)
        {
            return 0;
        }
        for (int i = 0; i < frames.length; i++)
        {
            final int index = cleanerHand;
            final Page page = frames[index].page;
            cleanerHand = (cleanerHand + 1) % frames.length;
            if (page != null && page.isDirty && mayEvict(page))
            {
                isCleaning = true;
                page.state = Page.State.CLEANING;
                moving.add(index);
                return 1;
            }
        }
        return 0;
    }

    /** Keeps a page in a frame, and loads it. */
    void pin(final Page page)
    {
        if (page.isPinned)
        {
            return;
        }
        if (pinnedCount >= pinnedCountMax())
        {
            throw new DeviceException(DeviceCode.NO_ROOM, "all frames that may be are pinned: pinned=" + pinnedCount +
                " of frames=" + frames.length + ", less " + PageNeed.PAGE_COUNT_MAX + " for items");
        }
        page.isPinned = true;
        pinnedCount++;
        final PageNeed need = new PageNeed();
        need.set(PageNeed.C, page, 0);
        loads.add(need);
    }

    /** Returns pages that may be pinned: an item always finds frames for the pages that it needs. */
    int pinnedCountMax()
    {
        return Math.max(0, frames.length - PageNeed.PAGE_COUNT_MAX);
    }

    void unpin(final Page page)
    {
        pinnedCount -= page.isPinned ? 1 : 0;
        page.isPinned = false;
    }

    /** Frees a page; a frame that is being copied is freed behind that. */
    void free(final Page page)
    {
        page.changing();
        unpin(page);
        page.isFreed = true;
        if (page.state == Page.State.PRESENT)
        {
            vacateIfFreed(page.frame);
        }
    }

    /** Writes to a page. Returns false if it is being copied: try again. */
    boolean write(
        final Page page, final int offset, final DirectBuffer source, final int sourceOffset, final int length)
    {
        if (isCopied(page))
        {
            return false;
        }
        if (page.state == Page.State.PRESENT)
        {
            written(page);
        }
        else
        {
            page.changing();
        }
        contents(page).putBytes(offset, source, sourceOffset, length);
        return true;
    }

    /** Reads a page. Returns false if it is being copied: try again. */
    boolean read(final Page page, final int offset, final MutableDirectBuffer target, final int length)
    {
        if (isCopied(page))
        {
            return false;
        }
        target.putBytes(0, contents(page), offset, length);
        return true;
    }

    /** Returns a copy of a page in any state. */
    UnsafeBuffer copy(final Page page)
    {
        final boolean isInFrame = page.state != Page.State.ABSENT && page.state != Page.State.LOADING;
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[memory.pageLength()]);
        if (isInFrame || page.host != null)
        {
            copy.putBytes(0, isInFrame ? memory.frame(page.frame) : page.host, 0, copy.capacity());
        }
        return copy;
    }

    private boolean isCopied(final Page page)
    {
        return page.state != Page.State.PRESENT && page.state != Page.State.ABSENT;
    }

    private MutableDirectBuffer contents(final Page page)
    {
        return page.state == Page.State.PRESENT ? memory.frame(page.frame) : memory.host(page);
    }

    /** Returns frames that have a page, or wait for one. */
    int usedCount()
    {
        return frames.length - free.size();
    }

    int dirtyCount()
    {
        return dirtyCount;
    }

    int pinnedCount()
    {
        return pinnedCount;
    }

    /** Returns items that had to wait for a page. */
    long faultCount()
    {
        return faultCount;
    }

    /** Returns pages that left a frame for another page. */
    long evictionCount()
    {
        return evictionCount;
    }

    /** Returns pages that were written back. */
    long storeCount()
    {
        return storeCount;
    }

    /** Returns pages that the cleaner has written back. */
    long cleanCount()
    {
        return cleanCount;
    }

    /** Returns what is held or under way: 0 when no item needs a page. */
    int openCount()
    {
        int count = moving.size() + waiting.size() + loads.size();
        for (final Frame frame : frames)
        {
            count += frame.page != null && frame.page.useCount > 0 ? 1 : 0;
        }
        return count;
    }
}
