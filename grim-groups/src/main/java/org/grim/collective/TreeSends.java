// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Buffers;

/**
 * Multicasts of this node to one group that its tree's root has not taken yet: copies, in order, sent in fragments as
 * there is room, and once more by the next tree if the root refused them.
 * <p>Thread: the host endpoint's owner. Allocates when a tree is new, and never else.
 * <p>Bounds: {@value #CAPACITY} bytes.
 */
final class TreeSends
{
    static final int CAPACITY = 1 << 18;

    /** No index. */
    static final int NO_ROOM = -1;

    private static final int LENGTH_LENGTH = Integer.BYTES;
    private static final int ORDERED = 1 << 30;

    private final MutableDirectBuffer copies = Buffers.wrap(new byte[CAPACITY]);
    private TreeTraffic traffic;            // Null while no tree is open.
    private MutableDirectBuffer frame;
    private int fragmentLengthMax;
    private int head;                       // First message that the root has not taken whole.
    private int takenLength;                // Of that.
    private int next;                       // Message that is being sent.
    private int sentLength;                 // Of that.
    private int tail;
    private long takenCount;                // Fragments of this tree.

    /** Begins to send by a tree. Messages that the one before did not take go first. */
    void open(final TreeTraffic newTraffic, final int newFragmentLengthMax)
    {
        traffic = newTraffic;
        fragmentLengthMax = newFragmentLengthMax;
        if (frame == null || frame.capacity() < TreeTraffic.WORDS_LENGTH + fragmentLengthMax)
        {
            frame = TreeTraffic.newFrame(fragmentLengthMax);
        }
        takenLength = 0;
        next = head;
        sentLength = 0;
        takenCount = 0;
    }

    /** Room for a message behind its prefix; index of the prefix, or {@link #NO_ROOM}. */
    int tryClaim(final int length, final boolean isOrdered)
    {
        final int needed = LENGTH_LENGTH + Multicasts.PREFIX_LENGTH + length;
        if (CAPACITY - (tail - head) < needed)
        {
            return NO_ROOM;
        }
        if (tail + needed > CAPACITY)
        {
            compact();
        }
        copies.putInt(tail, (Multicasts.PREFIX_LENGTH + length) | (isOrdered ? ORDERED : 0));
        return tail + LENGTH_LENGTH;
    }

    /** Where it is written to. */
    MutableDirectBuffer copies()
    {
        return copies;
    }

    /** It is written. */
    void publish(final int length)
    {
        tail += LENGTH_LENGTH + Multicasts.PREFIX_LENGTH + length;
        assert head < tail && tail <= CAPACITY : tail;
    }

    /** Sends what there is room for, and looks what the root took. Between epochs only what was begun is ended. */
    int step(final boolean isOpen)
    {
        if (traffic == null)
        {
            return 0;
        }
        settle();
        int count = 0;
        while (next < tail && (isOpen || sentLength > 0) && trySendFragment())
        {
            count++;
        }
        return count;
    }

    /** Returns whether the outcome of all sends by the tree is known. Refused messages are sent again. */
    boolean trySettle()
    {
        if (traffic == null)
        {
            return true;
        }
        step(false);
        final long openCount = traffic.openCount();
        final long refusedCount = traffic.refusedCount();
        final boolean isGone = traffic.isRootGone();
        if ((sentLength > 0 && refusedCount == 0 && !isGone) || (openCount > 0 && !isGone))
        {
            return false;
        }
        take(traffic.sentCount() - refusedCount - takenCount);      // Messages that died with the root are lost.
        traffic = null;
        return true;
    }

    /** Nothing is left to be sent, or without an outcome. */
    boolean isEmpty()
    {
        return head == tail;
    }

    /** Messages that are left. */
    int count()
    {
        int count = 0;
        for (int index = head; index < tail; index += LENGTH_LENGTH + length(index))
        {
            count++;
        }
        return count;
    }

    /** Hands what is left to those who send straight. */
    int drainTo(final Multicasts multicasts, final Roster roster)
    {
        int count = 0;
        while (head < tail && multicasts.sendFrame(roster, copies, head + LENGTH_LENGTH, length(head),
            (copies.getInt(head) & ORDERED) != 0).isAccepted())
        {
            head += LENGTH_LENGTH + length(head);
            count++;
        }
        return count;
    }

    private int length(final int index)
    {
        return copies.getInt(index) & ~ORDERED;
    }

    private void compact()
    {
        copies.putBytes(0, copies, head, tail - head);
        next -= head;
        tail -= head;
        head = 0;
    }

    private boolean trySendFragment()
    {
        final int length = length(next);
        final int fragmentLength = Math.min(fragmentLengthMax, length - sentLength);
        frame.putBytes(TreeTraffic.WORDS_LENGTH, copies, next + LENGTH_LENGTH + sentLength, fragmentLength);
        if (!traffic.trySend(frame, fragmentLength, length, sentLength))
        {
            return false;
        }
        sentLength += fragmentLength;
        assert next < tail && sentLength <= length : sentLength;
        if (sentLength == length)
        {
            next += LENGTH_LENGTH + length;
            sentLength = 0;
        }
        return true;
    }

    private void settle()
    {
        final long openCount = traffic.openCount();
        final long refusedCount = traffic.refusedCount();
        if (refusedCount == 0 && !traffic.isRootGone())
        {
            take(traffic.sentCount() - openCount - takenCount);
        }
    }

    /** The root has taken so many fragments more. */
    private void take(final long count)
    {
        for (long i = 0; i < count && head < tail; i++)
        {
            final int length = length(head);
            takenLength += Math.min(fragmentLengthMax, length - takenLength);
            takenCount++;
            if (takenLength == length)
            {
                head += LENGTH_LENGTH + length;
                takenLength = 0;
            }
        }
        if (head == tail)
        {
            head = 0;
            next = 0;
            tail = 0;
        }
    }
}
