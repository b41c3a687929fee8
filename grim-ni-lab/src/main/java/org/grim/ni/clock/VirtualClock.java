// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.clock;

import java.util.Arrays;

import org.grim.ni.board.BoardTimer;

/**
 * Virtual time: the moment of the event that runs, and the queue of those to come. Events of the same moment run in the
 * order in which they were scheduled, so that a run depends on nothing but what was scheduled.
 * <p>Thread: one, which also runs the events.
 * <p>Owns: its heap of references, never the events.
 * <p>Bounds: the heap doubles when full, up to the most events that ever waited; nothing else allocates.
 */
public final class VirtualClock implements BoardTimer
{
    /** Value of {@link #nextTimeNs()} when no event is scheduled. */
    public static final long NEVER_NS = Long.MAX_VALUE;

    private static final int CAPACITY = 1024;

    private Event[] heap = new Event[CAPACITY];
    private int count;
    private long nowNs;
    private long nextOrder;

    /** Time begins at 0, with nothing to come. */
    public VirtualClock()
    {
    }

    @Override
    public long nowNs()
    {
        return nowNs;
    }

    /**
     * Lets an event happen once.
     *
     * @param event  that is not scheduled.
     * @param timeNs when; now at the earliest.
     */
    public void schedule(final Event event, final long timeNs)
    {
        if (event.heapIndex != Event.NOT_QUEUED)
        {
            throw new IllegalStateException("event is already scheduled for " + event.timeNs + " ns");
        }
        requireFuture(timeNs);
        if (count == heap.length)
        {
            heap = Arrays.copyOf(heap, count * 2);
        }
        event.timeNs = timeNs;
        event.order = nextOrder++;
        siftUp(event, count++);
    }

    /** Lets an action happen once, now at the earliest; makes an event for it. */
    public void at(final long timeNs, final Runnable action)
    {
        schedule(Event.of(action), timeNs);
    }

    /** Lets an action happen once, some time from now. */
    public void after(final long delayNs, final Runnable action)
    {
        at(nowNs + delayNs, action);
    }

    /**
     * Takes an event out of the queue, if it is there.
     *
     * @param event that shall not happen.
     * @return whether it was scheduled.
     */
    public boolean cancel(final Event event)
    {
        if (event.heapIndex == Event.NOT_QUEUED)
        {
            return false;
        }
        remove(event);
        return true;
    }

    /**
     * Moves an event to another moment, or schedules it if it is not. Among the events of that moment it comes last.
     *
     * @param event  to move.
     * @param timeNs when it shall happen; now at the earliest.
     */
    public void reschedule(final Event event, final long timeNs)
    {
        if (event.heapIndex == Event.NOT_QUEUED)
        {
            schedule(event, timeNs);
            return;
        }
        requireFuture(timeNs);
        event.timeNs = timeNs;
        event.order = nextOrder++;
        sift(event, event.heapIndex);
    }

    /** Runs the next event, at its moment; false if there is none; time stands still then. */
    public boolean runNext()
    {
        if (count == 0)
        {
            return false;
        }
        final Event event = heap[0];
        remove(event);
        nowNs = event.timeNs;
        event.run();
        return true;
    }

    /** Runs events until nothing is left to happen. */
    public void runAll()
    {
        while (count > 0)
        {
            runNext();
        }
    }

    /**
     * Runs all events up to a moment, and moves time there.
     *
     * @param timeNs the moment, included.
     */
    public long runUntil(final long timeNs)
    {
        long runCount = 0;
        while (nextTimeNs() <= timeNs && runNext())
        {
            runCount++;
        }
        nowNs = Math.max(nowNs, timeNs);
        return runCount;
    }

    /** {@return when the next event happens: its moment, or {@link #NEVER_NS}} */
    public long nextTimeNs()
    {
        return count == 0 ? NEVER_NS : heap[0].timeNs;
    }

    /** {@return events that wait; 0 or more} */
    public int scheduledCount()
    {
        return count;
    }

    private void requireFuture(final long timeNs)
    {
        if (timeNs < nowNs)
        {
            throw new IllegalArgumentException("event at " + timeNs + " ns is in the past: now=" + nowNs + " ns");
        }
    }

    private void remove(final Event event)
    {
        final int index = event.heapIndex;
        final Event last = heap[--count];
        heap[count] = null;
        event.heapIndex = Event.NOT_QUEUED;
        if (last != event)
        {
            sift(last, index);
        }
    }

    private void sift(final Event event, final int index)
    {
        if (index > 0 && event.isBefore(heap[(index - 1) >>> 1]))
        {
            siftUp(event, index);
        }
        else
        {
            siftDown(event, index);
        }
    }

    private void siftUp(final Event event, final int start)
    {
        int index = start;
        while (index > 0)
        {
            final int parent = (index - 1) >>> 1;
            if (!event.isBefore(heap[parent]))
            {
                break;
            }
            put(heap[parent], index);
            index = parent;
        }
        put(event, index);
    }

    private void siftDown(final Event event, final int start)
    {
        int index = start;
        for (int child = 2 * index + 1; child < count; child = 2 * index + 1)
        {
            if (child + 1 < count && heap[child + 1].isBefore(heap[child]))
            {
                child++;
            }
            if (!heap[child].isBefore(event))
            {
                break;
            }
            put(heap[child], index);
            index = child;
        }
        put(event, index);
    }

    private void put(final Event event, final int index)
    {
        heap[index] = event;
        event.heapIndex = index;
    }
}
