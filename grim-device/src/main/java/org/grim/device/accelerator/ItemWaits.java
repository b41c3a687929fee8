// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds out what the first items of channels wait for, when a request asks. Keeps nothing.
 * <p>Thread: the runner's.
 */
final class ItemWaits
{
    private static final long UNKNOWN_MS = -1;

    private final FrameDirectory directory;
    private final FunctionFaults faults;
    private final PageFrames frames;
    private final List<ItemWait> waits = new ArrayList<>();
    private final List<ItemWait.Behind> others = new ArrayList<>();

    ItemWaits(final FrameDirectory directory, final FunctionFaults faults, final PageFrames frames)
    {
        this.directory = directory;
        this.faults = faults;
        this.frames = frames;
    }

    /** Enters a channel. */
    void add(
        final int channel, final Collection<StreamItem> items, final boolean isRunning, final long nowNs)
    {
        StreamItem head = null;
        for (final StreamItem item : items)
        {
            final int index = index(item);
            if (head == null)
            {
                head = item;
                waits.add(wait(channel, item, index, items.size(), isRunning, nowNs));
            }
            else if (index >= 0)
            {
                final ItemWait.Behind behind =
                    new ItemWait.Behind(channel, directory.owner(index), directory.stream(index));
                if (!others.contains(behind))
                {
                    others.add(behind);
                }
            }
        }
    }

    /** Returns the entry of an item; of one that is to leave, the entry that it comes from. */
    private int index(final StreamItem item)
    {
        if (!item.isReady)
        {
            return directory.index(item.a0, item.kernel.id().number());
        }
        for (int i = 0; i < ItemFormat.ENTRY_COUNT; i++)
        {
            if (directory.state(i) != FrameDirectory.FREE && directory.nextEndpoint(i) == item.nextEndpoint &&
                directory.nextHandler(i) == item.nextHandler &&
                ItemFormat.slot(directory.nextA0(i)) == ItemFormat.slot(item.a0))
            {
                return i;
            }
        }
        return -1;
    }

    private ItemWait wait(
        final int channel, final StreamItem item, final int index, final int count, final boolean isRunning,
        final long nowNs)
    {
        final ImageSlot slot = item.kernel.slot();
        ItemWait.Kind kind = ItemWait.Kind.TURN;
        String detail = "it runs soon";
        long sinceMs = UNKNOWN_MS;
        if (item.isReady)
        {
            kind = ItemWait.Kind.NEXT;
            detail = "the next stage has no room";
        }
        else if (isRunning)
        {
            kind = ItemWait.Kind.KERNEL;
            detail = "the kernel runs";
        }
        else if (index >= 0 && !slot.isLoaded() && slot.failure() == null)
        {
            kind = ItemWait.Kind.IMAGE;
            detail = faults.describe(slot);
            sinceMs = TimeUnit.NANOSECONDS.toMillis(Math.max(0, nowNs - faults.sinceNs()));
        }
        else if (item.need.isWaiting || (item.need.isHeld && !frames.isPresent(item.need)))
        {
            kind = ItemWait.Kind.PAGE;
            detail = item.need.isWaiting ? "its pages wait for frames: frames=" + frames.frameCount() + ", pinned=" +
                frames.pinnedCount() : "its pages are being loaded";
        }
        return new ItemWait(channel, index < 0 ? 0 : directory.owner(index), index < 0 ? 0 : directory.stream(index),
            item.sequence, item.kernel.name(), count, kind, item.isReady ? item.nextEndpoint : 0, sinceMs, detail);
    }

    /** Returns the answer. */
    String text()
    {
        return ItemWait.text(waits, others);
    }
}
