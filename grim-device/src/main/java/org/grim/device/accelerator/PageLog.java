// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Changes of one space of pages since its owner has had them, and the pages of one checkpoint, as they were when it
 * began: a page that is written meanwhile is copied before. Has no clock and no thread.
 * <p>Thread: the runner's.
 * <p>Bounds: at most one copy of each page of the space.
 */
class PageLog
{
    private final PageFrames frames;
    private final BitSet changed = new BitSet();
    private final BitSet cut = new BitSet();                        // Pages of the checkpoint.
    private final Map<Integer, UnsafeBuffer> copies = new HashMap<>();
    private int stream;
    private int entryCount;
    private int sequence;
    private long itemCount;
    private int baseNumber;                 // Checkpoint that the owner has.
    private int cutNumber;                  // Checkpoint that it fetches; 0 if there is none.
    private int cutSequence;
    private long cutItemCount;
    private long copyCount;

    PageLog(final PageFrames frames)
    {
        this.frames = frames;
    }

    /** Says whether an entry of a connection may use the space: one connection has it at a time. */
    boolean isFreeFor(final int newStream)
    {
        return entryCount == 0 || stream == newStream;
    }

    /** Notes that an entry uses the space. Another connection counts its items from the beginning. */
    void enter(final int newStream)
    {
        assert isFreeFor(newStream);
        if (stream != newStream)
        {
            sequence = 0;
            itemCount = 0;
        }
        stream = newStream;
        entryCount++;
    }

    void leave()
    {
        entryCount--;
        assert entryCount >= 0;
    }

    /** Returns entries that use the space. */
    int entryCount()
    {
        return entryCount;
    }

    /** Notes that an item's turn has been, with or without a run. */
    void passed(final int newSequence)
    {
        sequence = newSequence - sequence > 0 ? newSequence : sequence;
    }

    /** Notes that a kernel has run. */
    void ran()
    {
        itemCount++;
    }

    /** Notes that a page is about to be written or freed. */
    void changing(final Page page)
    {
        changed.set(page.number);
        if (isOfCheckpoint(page) && !copies.containsKey(page.number))
        {
            copies.put(page.number, frames.copy(page));
            copyCount++;
        }
    }

    /** Says whether a page has to be copied before it is written, if it was not copied yet. */
    boolean isOfCheckpoint(final Page page)
    {
        return cut.get(page.number);
    }

    /**
     * Begins a checkpoint: the pages that have changed since the one that the owner has, or all.
     *
     * @param ownersNumber number of the last checkpoint that the owner has; 0 if it has none.
     * @param pages        of the space, by number.
     * @param number       of the new one.
     * @return whether it has all pages: those that it does not name are zeros.
     */
    boolean begin(final int ownersNumber, final Map<Integer, Page> pages, final int number)
    {
        end(ownersNumber);
        final boolean isWhole = !isKnown(ownersNumber);
        if (isWhole)
        {
            changed.clear();
            pages.keySet().forEach(changed::set);
        }
        cut.or(changed);
        changed.clear();
        cutNumber = number;
        cutSequence = sequence;
        cutItemCount = itemCount;
        return isWhole;
    }

    /** Says whether the changes are those since a checkpoint that the owner has. */
    boolean isKnown(final int ownersNumber)
    {
        return ownersNumber != 0 && ownersNumber == baseNumber;
    }

    /** Ends the checkpoint under way. If the owner does not have it all, its pages count as changed. */
    void end(final int ownersNumber)
    {
        if (cutNumber != 0 && cutNumber == ownersNumber)
        {
            baseNumber = cutNumber;
        }
        else
        {
            keepChanges(cut);
        }
        cutNumber = 0;
        cut.clear();
        copies.clear();
    }

    /** Keeps the pages of a checkpoint that was given up. */
    void keepChanges(final BitSet pages)
    {
        changed.or(pages);
    }

    /**
     * Reads a page of the checkpoint.
     *
     * @param number of the page.
     * @param page   that the space has now; null if it has none.
     * @param offset first byte.
     * @param target gets as many bytes as it has.
     * @return false if the page is being copied: try again.
     * @throws IllegalArgumentException if the checkpoint under way does not have the page.
     */
    boolean read(final int number, final Page page, final int offset, final MutableDirectBuffer target)
    {
        if (!cut.get(number))
        {
            throw new IllegalArgumentException("page=" + number + " is in no checkpoint that is under way");
        }
        final UnsafeBuffer copy = copies.get(number);
        if (copy != null)
        {
            target.putBytes(0, copy, offset, target.capacity());
            return true;
        }
        return page == null || frames.read(page, offset, target, target.capacity());
    }

    /** Begins again with the state of a checkpoint: its owner writes the pages. */
    void restored(final int newStream, final int newSequence, final long newItemCount, final int number)
    {
        stream = newStream;
        sequence = newSequence;
        itemCount = newItemCount;
        changed.clear();
        cut.clear();
        copies.clear();
        cutNumber = 0;
        baseNumber = number;
    }

    /** Notes that a page is as the owner has it. */
    void isOwners(final Page page)
    {
        changed.clear(page.number);
    }

    /** Returns the number of the checkpoint under way; 0 if there is none. */
    int cutNumber()
    {
        return cutNumber;
    }

    List<Integer> cutPages()
    {
        return cut.stream().boxed().toList();
    }

    /** Returns the last item whose turn had been when the checkpoint began: no later one has changed its pages. */
    int cutSequence()
    {
        return cutSequence;
    }

    /** Returns runs of kernels before the checkpoint. */
    long cutItemCount()
    {
        return cutItemCount;
    }

    /** Returns pages that had to be copied, as they were written during a checkpoint. */
    long copyCount()
    {
        return copyCount;
    }
}
