// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.control;

import org.grim.ni.board.SendEngine;
import org.grim.ni.deadline.Timed;

/**
 * Where answers and announcements wait while the outgoing link is busy. They have precedence over data: of those that
 * wait, {@value #ROW_LIMIT} leave before data has a turn, for under a flood of messages that it must refuse an NI would
 * otherwise send nothing else. No data passes an announcement, whose receiver would drop it. Taking one's place never
 * fails: each receive triple and each peer stands in the queue at most once, so its bound is the number of receive
 * triples plus the number of peers, and it takes no memory of its own.
 * <p>Thread: the board's stepper.
 */
public final class ControlQueue
{
    private static final int ROW_LIMIT = 8;

    private final SendEngine engine;
    private final ControlWriter writer;
    private Entry first;
    private Entry last;
    private int depth;
    private int rowCount;               // Sent since data had a turn.
    private int urgentCount;            // Of those that wait.

    /**
     * An empty queue.
     *
     * @param engine that takes what leaves.
     * @param writer that writes it.
     */
    public ControlQueue(final SendEngine engine, final ControlWriter writer)
    {
        this.engine = engine;
        this.writer = writer;
    }

    /**
     * Sends what waits, as long as the link takes it.
     *
     * @param limit most messages to send.
     * @return how many were sent.
     */
    public int flush(final int limit)
    {
        int count = 0;
        while (hasPrecedence() && count < limit && engine.isIdle())
        {
            final Entry entry = first;
            remove(entry);
            if (entry.isOwing())
            {
                final int length = entry.write(writer);
                engine.begin(entry.destinationNi(), length);
                engine.feed(writer.buffer(), 0, length);
                count++;
                rowCount++;
                if (entry.isOwing())
                {
                    add(entry);
                }
            }
        }
        return count;
    }

    /** {@return whether something waits, and comes before data; false if data may leave} */
    public boolean hasPrecedence()
    {
        return first != null && (rowCount < ROW_LIMIT || urgentCount > 0);
    }

    /**
     * Data has its turn, whether or not there is any. Returns 1 if something waits that the next {@link #flush} can
     * send, otherwise 0.
     */
    public int endRow()
    {
        rowCount = 0;
        return first == null ? 0 : 1;
    }

    /** {@return whether no control message is pending; true if none is} */
    public boolean isEmpty()
    {
        return first == null;
    }

    /** {@return what waits; receive triples and peers that owe something} */
    public int depth()
    {
        return depth;
    }

    /**
     * Adds a pending control message behind all others, because a peer must be answered in the order in which it sent.
     */
    public void add(final Entry entry)
    {
        if (entry.isQueued)
        {
            remove(entry);
        }
        entry.isQueued = true;
        depth++;
        urgentCount += entry.isUrgent() ? 1 : 0;
        entry.preceding = last;
        if (last == null)
        {
            first = entry;
        }
        else
        {
            last.following = entry;
        }
        last = entry;
    }

    /** Removes a pending control message. */
    public void discard(final Entry entry)
    {
        if (entry.isQueued)
        {
            remove(entry);
        }
    }

    /** Marks an entry as pending whose place does not matter, or which already has one. */
    public void addIfAbsent(final Entry entry)
    {
        if (!entry.isQueued)
        {
            add(entry);
        }
    }

    /**
     * Sends an announcement to an NI that is no peer yet, if the link is idle. Returns false if the link is busy, or
     * something waits for it.
     */
    public boolean tryAnnounce(final int destinationNi, final int destinationAddress, final long ownEpoch)
    {
        if (first != null || !engine.isIdle())
        {
            return false;
        }
        final int length = writer.announce(destinationAddress, ownEpoch, 0, false, 0, 0);
        engine.begin(destinationNi, length);
        engine.feed(writer.buffer(), 0, length);
        return true;
    }

    private void remove(final Entry entry)
    {
        if (entry.preceding == null)
        {
            first = entry.following;
        }
        else
        {
            entry.preceding.following = entry.following;
        }
        if (entry.following == null)
        {
            last = entry.preceding;
        }
        else
        {
            entry.following.preceding = entry.preceding;
        }
        entry.following = null;
        entry.preceding = null;
        entry.isQueued = false;
        depth--;
        urgentCount -= entry.isUrgent() ? 1 : 0;
        assert urgentCount >= 0 && urgentCount <= depth && (depth == 0) == (first == null) : depth;
    }

    /** Something that can owe control messages. */
    public abstract static class Entry extends Timed
    {
        private Entry following;
        private Entry preceding;
        private boolean isQueued;

        /** Owes nothing. */
        protected Entry()
        {
            // The fields' values.
        }

        /** {@return whether there is a control message to write; false if none is pending} */
        protected abstract boolean isOwing();

        /** {@return whether no data may leave before it; always the same} */
        protected abstract boolean isUrgent();

        /** {@return where what it owes goes; NI number} */
        protected abstract int destinationNi();

        /** Writes the next pending control message and removes it. Returns its length. */
        protected abstract int write(ControlWriter writer);
    }
}
