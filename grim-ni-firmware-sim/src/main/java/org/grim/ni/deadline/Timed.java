// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.deadline;

/** Something with a deadline in a {@link DeadlineHeap}. Thread: the board's stepper. */
public class Timed
{
    static final int NOT_QUEUED = -1;

    long deadlineNs;
    int heapIndex = NOT_QUEUED;

    /** Something without a deadline. */
    public Timed()
    {
        // The fields' values.
    }

    /** {@return its deadline, or the last that it had; time in nanoseconds} */
    public final long deadlineNs()
    {
        return deadlineNs;
    }

    /**
     * Keeps a time that nothing happens at; not while it {@link #isScheduled()}.
     *
     * @param newDeadlineNs time in nanoseconds.
     */
    public final void deadlineNs(final long newDeadlineNs)
    {
        deadlineNs = newDeadlineNs;
    }

    /** {@return whether it stands in a heap; true until its deadline is polled or cancelled} */
    public final boolean isScheduled()
    {
        return heapIndex != NOT_QUEUED;
    }
}
