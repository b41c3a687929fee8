// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.clock;

/**
 * Something that happens at a moment of virtual time. Its owner makes it once and schedules it again and again; it
 * stands in the queue of one {@link VirtualClock} at most once at a time.
 * <p>Thread: the clock's.
 */
public abstract class Event
{
    static final int NOT_QUEUED = -1;

    long timeNs;
    long order;
    int heapIndex = NOT_QUEUED;

    /** An event that is not scheduled. */
    protected Event()
    {
    }

    /** An event that does something. */
    public static Event of(final Runnable action)
    {
        return new Event()
        {
            @Override
            protected void run()
            {
                action.run();
            }
        };
    }

    /** Runs the event. It has left the queue and may be scheduled again from here. */
    protected abstract void run();

    /** {@return whether it stands in the queue; false before it is scheduled, while it runs and afterwards} */
    public final boolean isScheduled()
    {
        return heapIndex != NOT_QUEUED;
    }

    /**
     * {@return when it will happen, or for an event out of the queue, when it last was to; nanoseconds of virtual time}
     */
    public final long timeNs()
    {
        return timeNs;
    }

    /** Earlier first; of the same moment, the one that was scheduled first. */
    final boolean isBefore(final Event other)
    {
        return timeNs < other.timeNs || (timeNs == other.timeNs && order < other.order);
    }
}
