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
 * those of another.
 * <p>Thread: the runner's.
 * <p>Bounds: an owner has pages 0 to {@code quota} - 1; all owners together {@code pageCountMax}.
 */
class PageSpaces
{
    private final PageFrames frames;
    private final int quota;
    private final int pageCountMax;
    private final Map<Long, Space> spaces = new HashMap<>();
    private int pageCount;

    /** Pages of an owner, by number. */
    private record Space(int owner, int incarnation, Map<Integer, Page> pages)
    {
    }

    PageSpaces(final PageFrames frames, final int quota, final int pageCountMax)
    {
        this.frames = frames;
        this.quota = quota;
        this.pageCountMax = pageCountMax;
    }

    /** Names an address space. */
    long key(final int owner, final int incarnation)
    {
        return ((long)owner << Integer.SIZE) | (incarnation & 0xFFFF_FFFFL);
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
        pageCount++;
        final Page page = new Page(number);
        spaces.computeIfAbsent(key(owner, incarnation), key -> new Space(owner, incarnation, new HashMap<>()))
            .pages.put(number, page);
        return page;
    }

    /** Returns a page; null if it is zeros, and nothing keeps it. */
    Page find(final int owner, final int incarnation, final int number)
    {
        requireNumber(number);
        final Space space = spaces.get(key(owner, incarnation));
        return space == null ? null : space.pages.get(number);
    }

    void requireNumber(final int number)
    {
        if (number < 0 || number >= quota)
        {
            throw new IllegalArgumentException("page=" + number + " is outside of the owner's pages: page-quota=" +
                quota);
        }
    }

    /** Frees a page: it is zeros again. */
    void free(final int owner, final int incarnation, final int number)
    {
        final Page page = find(owner, incarnation, number);
        if (page != null)
        {
            final Space space = spaces.get(key(owner, incarnation));
            space.pages.remove(number);
            free(page);
            if (space.pages.isEmpty())
            {
                spaces.remove(key(owner, incarnation));
            }
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

    int ownerCount()
    {
        return spaces.size();
    }
}
