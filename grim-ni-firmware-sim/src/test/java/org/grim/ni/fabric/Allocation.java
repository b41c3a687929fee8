// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.lang.management.ManagementFactory;

/** Bytes that this thread allocates, by the JVM's own counter. */
final class Allocation
{
    private static final int RUN_COUNT = 8;
    private static final com.sun.management.ThreadMXBean THREADS =
        (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();

    private Allocation()
    {
    }

    /**
     * What the work takes in the best of some runs: once in a while the JVM allocates on its own account when it links
     * or compiles. What costs something per packet costs it in every run.
     */
    static long of(final Runnable work)
    {
        work.run();
        final long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < RUN_COUNT && least != 0; i++)
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
