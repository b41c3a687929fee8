// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

import org.grim.EndpointId;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;

/**
 * Address spaces of owners: each owner, in each incarnation of its node, has pages of its own, so that it cannot name
 * those of another. The number of a page has the page (low 16 bits) and the owner's space. Each space but 0 has a log,
 * for checkpoints.
 * <p>Thread: the runner's.
 * <p>Bounds: a space has pages 0 to {@code quota} - 1, an owner {@code quota} pages and {@value #SPACE_COUNT_MAX}
 * spaces; all owners together {@code pageCountMax} pages.
 */
class PageSpaces
{
    private static final int SPACE_COUNT_MAX = ItemFormat.ENTRY_COUNT;
    private static final int SPACE_SHIFT = 16;
    private static final int PAGE_MASK = 0xFFFF;

    private final PageFrames frames;
    private final int quota;
    private final int pageCountMax;
    private final Map<Key, Space> spaces = new HashMap<>();
    private int pageCount;
    private int lastCheckpoint;
    private long checkpointCount;

    /** Names a space of an owner. */
    private record Key(long owner, int space)
    {
    }

    /** Pages of a space, by number in the space. */
    private record Space(int owner, int incarnation, Map<Integer, Page> pages, PageLog log)
    {
    }

    PageSpaces(final PageFrames frames, final int quota, final int pageCountMax)
    {
        this.frames = frames;
        this.quota = quota;
        this.pageCountMax = pageCountMax;
    }

    /** Composes the number of a page. */
    static int number(final int space, final int page)
    {
        return (space << SPACE_SHIFT) | page;
    }

    private static int page(final int number)
    {
        return number & PAGE_MASK;
    }

    private static int space(final int number)
    {
        return number >>> SPACE_SHIFT;
    }

    /** Names the spaces of an owner. */
    long key(final int owner, final int incarnation)
    {
        return ((long)owner << Integer.SIZE) | (incarnation & 0xFFFF_FFFFL);
    }

    private Key key(final int owner, final int incarnation, final int space)
    {
        return new Key(key(owner, incarnation), space);
    }

    /** Returns a page, which is made of zeros if it is new. */
    Page page(final int owner, final int incarnation, final int number)
    {
        final Page known = find(owner, incarnation, number);
        if (known != null)
        {
            return known;
        }
        if (pageCount >= pageCountMax)
        {
            throw new DeviceException(DeviceCode.NO_ROOM, "device has no room for another page: pages=" + pageCountMax);
        }
        requireQuota(owner, incarnation);
        final Space space = space(owner, incarnation, space(number));
        pageCount++;
        final Page page = new Page(page(number), space.log);
        space.pages.put(page.number, page);
        return page;
    }

    /** Refuses a page beyond those that an owner may have in all its spaces. */
    void requireQuota(final int owner, final int incarnation)
    {
        final long ownersCount = spaces.entrySet().stream()
            .filter(each -> each.getKey().owner == key(owner, incarnation))
            .mapToLong(each -> each.getValue().pages.size()).sum();
        if (ownersCount >= quota)
        {
            throw new DeviceException(DeviceCode.NO_ROOM, "owner has no room for another page: page-quota=" + quota);
        }
    }

    private Space space(final int owner, final int incarnation, final int space)
    {
        final Key key = key(owner, incarnation, space);
        if (!spaces.containsKey(key) &&
            spaces.keySet().stream().filter(each -> each.owner == key.owner).count() >= SPACE_COUNT_MAX)
        {
            throw new DeviceException(
                DeviceCode.NO_ROOM, "owner has no room for another space: spaces=" + SPACE_COUNT_MAX);
        }
        return spaces.computeIfAbsent(
            key, each -> new Space(owner, incarnation, new HashMap<>(), space == 0 ? null : newLog(frames)));
    }

    PageLog newLog(final PageFrames framesOfLog)
    {
        return new PageLog(framesOfLog);
    }

    /** Returns a page; null if it is zeros, and nothing keeps it. */
    Page find(final int owner, final int incarnation, final int number)
    {
        requireNumber(page(number));
        final Space space = spaces.get(key(owner, incarnation, space(number)));
        return space == null ? null : space.pages.get(page(number));
    }

    void requireNumber(final int number)
    {
        if (number < 0 || number >= quota)
        {
            throw new IllegalArgumentException("page=" + number + " is outside of the owner's pages: page-quota=" +
                quota);
        }
    }

    /** Has an entry of a connection use a space. Returns the space's log; null for space 0. */
    PageLog enter(final int owner, final int incarnation, final int space, final int stream)
    {
        if (space == 0)
        {
            return null;
        }
        final PageLog log = space(owner, incarnation, space).log;
        requireFree(log, space, stream);
        log.enter(stream);
        return log;
    }

    private static void requireFree(final PageLog log, final int space, final int stream)
    {
        if (!log.isFreeFor(stream))
        {
            throw new IllegalArgumentException("space=" + space + " is used by another connection of this owner");
        }
    }

    /** Refuses a space that has entries of another connection. */
    void requireFree(final int owner, final int incarnation, final int space, final int stream)
    {
        requireFree(space(owner, incarnation, space).log, space, stream);
    }

    /** Ends the use of a space by an entry. */
    void leave(final int owner, final int incarnation, final int space)
    {
        if (space != 0)
        {
            final Space left = spaces.get(key(owner, incarnation, space));
            if (left != null)               // Otherwise its owner is gone.
            {
                left.log.leave();
                removeIfUnused(owner, incarnation, space);
            }
        }
    }

    private void removeIfUnused(final int owner, final int incarnation, final int space)
    {
        final Space unused = spaces.get(key(owner, incarnation, space));
        if (unused.pages.isEmpty() && (unused.log == null || unused.log.entryCount() == 0))
        {
            spaces.remove(key(owner, incarnation, space));
        }
    }

    /** Frees a page: it is zeros again. */
    void free(final int owner, final int incarnation, final int number)
    {
        final Page page = find(owner, incarnation, number);
        if (page != null)
        {
            spaces.get(key(owner, incarnation, space(number))).pages.remove(page.number);
            free(page);
            removeIfUnused(owner, incarnation, space(number));
        }
    }

    /** Frees all pages of a node that is gone. */
    void freeOwner(final int node, final int incarnation)
    {
        final Iterator<Space> each = spaces.values().iterator();
        while (each.hasNext())
        {
            final Space space = each.next();
            if (EndpointId.ofKey(space.owner).node() == node && space.incarnation <= incarnation)
            {
                space.pages.values().forEach(this::free);
                each.remove();
            }
        }
    }

    private void free(final Page page)
    {
        pageCount--;
        frames.free(page);
    }

    /** Returns the log of a space that is in use or has pages. */
    PageLog log(final int owner, final int incarnation, final int space)
    {
        final Space found = spaces.get(key(owner, incarnation, space));
        if (found == null || found.log == null)
        {
            throw new DeviceException(DeviceCode.NOT_FOUND, "owner has no space=" + space + " with checkpoints here");
        }
        return found.log;
    }

    /** Begins a checkpoint of a space. Returns whether it has all pages. */
    boolean beginCheckpoint(final int owner, final int incarnation, final int space, final int ownersNumber)
    {
        final PageLog log = log(owner, incarnation, space);
        if (log.entryCount() > 1)
        {
            throw new DeviceException(DeviceCode.BUSY,
                "space=" + space + " is used by entries=" + log.entryCount() + ": its path is being changed");
        }
        checkpointCount++;
        lastCheckpoint = lastCheckpoint == Integer.MAX_VALUE ? 1 : lastCheckpoint + 1;
        return log.begin(ownersNumber, spaces.get(key(owner, incarnation, space)).pages, lastCheckpoint);
    }

    /** Frees the pages of a space, which gets the state of a checkpoint. Returns the number of that. */
    int beginRestore(
        final int owner, final int incarnation, final int space, final int stream, final int sequence,
        final long itemCount)
    {
        final Space restored = space(owner, incarnation, space);
        restored.pages.values().forEach(this::free);
        restored.pages.clear();
        lastCheckpoint = lastCheckpoint == Integer.MAX_VALUE ? 1 : lastCheckpoint + 1;
        restored.log.restored(stream, sequence, itemCount, lastCheckpoint);
        return lastCheckpoint;
    }

    int quota()
    {
        return quota;
    }

    int pageCountMax()
    {
        return pageCountMax;
    }

    int pageCount()
    {
        return pageCount;
    }

    /** Returns owners, in each incarnation, that have spaces. */
    int ownerCount()
    {
        return (int)spaces.keySet().stream().mapToLong(Key::owner).distinct().count();
    }

    /** Returns checkpoints that were begun. */
    long checkpointCount()
    {
        return checkpointCount;
    }

    /** Returns pages that were copied as they were written during a checkpoint. */
    long copyCount()
    {
        return spaces.values().stream().filter(space -> space.log != null).mapToLong(space -> space.log.copyCount())
            .sum();
    }
}
