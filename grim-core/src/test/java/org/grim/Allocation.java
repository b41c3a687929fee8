// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.lang.management.ManagementFactory;

/** Bytes that the calling thread allocates, by the JVM's own counter. Thread: the one that asks. */
public final class Allocation
{
    private static final int RUN_COUNT_MAX = 50;

    private static final com.sun.management.ThreadMXBean THREADS =
        (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();

    private Allocation()
    {
    }

    /** Returns the bytes that this thread has allocated so far. */
    public static long ofThisThread()
    {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** As {@link #least(Runnable, Runnable)}, with the work itself to warm up. */
    public static long of(final Runnable work)
    {
        return least(work, work);
    }

    /**
     * Returns the bytes that work allocates beyond the reading of the counter itself, in the best of some runs: the JVM
     * itself allocates while it links and compiles, which takes long on a busy machine. An allocation per message shows
     * in every run.
     *
     * @param warmUp run once before.
     * @param work   that is measured, until a run takes nothing, and not without end.
     * @return bytes.
     */
    public static long least(final Runnable warmUp, final Runnable work)
    {
        warmUp.run();
        final long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < RUN_COUNT_MAX && least != 0; i++)
        {
            final long probeBefore = THREADS.getThreadAllocatedBytes(thread);
            final long probeCost = THREADS.getThreadAllocatedBytes(thread) - probeBefore;
            final long before = THREADS.getThreadAllocatedBytes(thread);
            work.run();
            least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before - probeCost);
        }
        return least;
    }
}
