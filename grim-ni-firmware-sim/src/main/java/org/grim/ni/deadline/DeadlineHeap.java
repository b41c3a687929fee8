// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.deadline;

import java.util.Arrays;

/**
 * Deadlines in a binary heap whose entries know their place, so that moving or cancelling one costs the logarithm of
 * their count. Grows when there are more triples and peers than ever; allocates nothing otherwise.
 * <p>Thread: the board's stepper.
 */
public final class DeadlineHeap
{
    private static final int CAPACITY = 16;

    private Timed[] entries = new Timed[CAPACITY];
    private int size;

    /** A heap without deadlines. */
    public DeadlineHeap()
    {
        // The fields' values.
    }

    /**
     * Gives something a deadline, or another one.
     *
     * @param timed      in this heap or in none.
     * @param deadlineNs time in nanoseconds.
     */
    public void schedule(final Timed timed, final long deadlineNs)
    {
        timed.deadlineNs = deadlineNs;
        if (timed.heapIndex == Timed.NOT_QUEUED)
        {
            if (size == entries.length)
            {
                entries = Arrays.copyOf(entries, size * 2);
            }
            place(timed, size++);
        }
        settle(timed);
    }

    /**
     * Takes a deadline back.
     *
     * @param timed in this heap or in none.
     */
    public void cancel(final Timed timed)
    {
        final int index = timed.heapIndex;
        if (index == Timed.NOT_QUEUED)
        {
            return;
        }
        assert index < size && entries[index] == timed : index;
        timed.heapIndex = Timed.NOT_QUEUED;
        final Timed last = entries[--size];
        entries[size] = null;
        if (last != timed)
        {
            place(last, index);
            settle(last);
        }
    }

    /**
     * Takes the earliest deadline out if it has passed.
     *
     * @param nowNs time in nanoseconds.
     * @return null if none has passed.
     */
    public Timed pollDue(final long nowNs)
    {
        if (size == 0 || entries[0].deadlineNs - nowNs > 0)
        {
            return null;
        }
        final Timed due = entries[0];
        cancel(due);
        return due;
    }

    /** {@return the earliest deadline; time in nanoseconds, or {@link Long#MAX_VALUE}} */
    public long earliestNs()
    {
        return size == 0 ? Long.MAX_VALUE : entries[0].deadlineNs;
    }

    private void settle(final Timed timed)
    {
        int index = timed.heapIndex;
        while (index > 0 && isEarlier(timed, entries[(index - 1) >> 1]))
        {
            place(entries[(index - 1) >> 1], index);
            index = (index - 1) >> 1;
        }
        for (int child = earlierChild(index); child < size && isEarlier(entries[child], timed);
            child = earlierChild(index))
        {
            place(entries[child], index);
            index = child;
        }
        place(timed, index);
    }

    private int earlierChild(final int index)
    {
        final int left = 2 * index + 1;
        return left + 1 < size && isEarlier(entries[left + 1], entries[left]) ? left + 1 : left;
    }

    private void place(final Timed timed, final int index)
    {
        entries[index] = timed;
        timed.heapIndex = index;
    }

    private static boolean isEarlier(final Timed one, final Timed other)
    {
        return one.deadlineNs - other.deadlineNs < 0;
    }
}
