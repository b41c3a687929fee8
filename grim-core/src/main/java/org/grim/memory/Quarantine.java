// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.grim.queue.QueueOwner;
import org.grim.transport.Membership;
import org.grim.transport.PinnedArena;

/**
 * Pages that were freed while operations were going on that may still write them. They are let go when each of these
 * operations has ended, or the process that it was of; and when the transport has forgotten them.
 * <p>Thread: one at a time. It takes back what dead initiators held, too.
 */
final class Quarantine
{
    private final MemoryDirectory directory;
    private final Membership membership;
    private final PinnedArena pinned;               // null if there is none
    private final List<Entry> entries = new ArrayList<>();
    private int pageCount;

    /** Pages of one region, and the initiators that were at work when it was freed. */
    private static final class Entry
    {
        private final int firstPage;
        private final int pageCount;
        private int[] initiators;
        private long[] counters;
        private long[] owners;
        private int initiatorCount;
        private boolean isForgotten;

        Entry(final int firstPage, final int pageCount, final boolean isForgotten)
        {
            this.firstPage = firstPage;
            this.pageCount = pageCount;
            this.isForgotten = isForgotten;
            initiators = new int[2];
            counters = new long[2];
            owners = new long[2];
        }

        void note(final int initiator, final long counter, final long owner)
        {
            if (initiatorCount == initiators.length)
            {
                initiators = Arrays.copyOf(initiators, initiatorCount * 2);
                counters = Arrays.copyOf(counters, initiatorCount * 2);
                owners = Arrays.copyOf(owners, initiatorCount * 2);
            }
            initiators[initiatorCount] = initiator;
            counters[initiatorCount] = counter;
            owners[initiatorCount] = owner;
            initiatorCount++;
        }

        void forget(final int index)
        {
            initiatorCount--;
            initiators[index] = initiators[initiatorCount];
            counters[index] = counters[initiatorCount];
            owners[index] = owners[initiatorCount];
        }
    }

    Quarantine(final MemoryDirectory directory, final Membership membership, final PinnedArena pinned)
    {
        this.directory = directory;
        this.membership = membership;
        this.pinned = pinned;
    }

    /** Takes pages whose tags and slot say since a full fence that they are nobody's. */
    void add(final int firstPage, final int count)
    {
        final Entry entry = new Entry(firstPage, count, pinned == null);
        for (int i = 0; i < directory.layout().initiatorCountMax(); i++)
        {
            // Partner: beginOperation(). An initiator whose counter is even here sees the tags of now when it looks.
            final long counter = directory.initiatorCounter(i);
            final long owner = (counter & 1) == 0 ? 0 : directory.initiatorOwner(i);
            if (owner != 0)
            {
                entry.note(i, counter, owner);
            }
        }
        entries.add(entry);
        pageCount += count;
    }

    /** Gives back the pages that nobody can write any more. */
    void drainTo(final PageAllocator pages)
    {
        final boolean isForgotten = pinned != null && !entries.isEmpty() && pinned.hasForgotten();
        for (int i = entries.size() - 1; i >= 0; i--)
        {
            final Entry entry = entries.get(i);
            entry.isForgotten |= isForgotten;
            if (hasEnded(entry) && entry.isForgotten)
            {
                entries.remove(i);
                pageCount -= entry.pageCount;
                pages.free(entry.firstPage, entry.pageCount);
            }
        }
    }

    /**
     * Frees the initiators of nodes that are gone. Their counters become even: what they were writing ended with them.
     * Returns the count.
     */
    int freeDeadInitiators()
    {
        int count = 0;
        for (int i = 0; i < directory.layout().initiatorCountMax(); i++)
        {
            final long owner = directory.initiatorOwner(i);
            if (owner != 0 && QueueOwner.isValid(owner, membership.nodeCountMax()) && isGone(owner))
            {
                final long counter = directory.initiatorCounter(i);
                directory.endOperation(i, counter + (counter & 1));
                directory.freeInitiator(i);
                count++;
            }
        }
        return count;
    }

    int pageCount()
    {
        return pageCount;
    }

    private boolean hasEnded(final Entry entry)
    {
        for (int i = entry.initiatorCount - 1; i >= 0; i--)
        {
            final int initiator = entry.initiators[i];
            final long owner = entry.owners[i];
            // Partner: endOperation(), after the last store of the operation.
            if (directory.initiatorCounter(initiator) != entry.counters[i] ||
                directory.initiatorOwner(initiator) != owner || isDead(owner))
            {
                entry.forget(i);
            }
        }
        return entry.initiatorCount == 0;
    }

    /** Asks the kernel. A word that names nobody is of nobody who writes. */
    private boolean isDead(final long owner)
    {
        return !QueueOwner.isValid(owner, membership.nodeCountMax()) || isGone(owner) ||
            (membership.convictIfDead(QueueOwner.node(owner)) && isGone(owner));
    }

    private boolean isGone(final long owner)
    {
        final int node = QueueOwner.node(owner);
        return !membership.isPresent(node) ||
            membership.incarnationOf(membership.status(node)) != QueueOwner.incarnation(owner);
    }
}
