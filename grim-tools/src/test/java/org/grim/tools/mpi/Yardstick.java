// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.buffer.Uninterrupted;

/** A thread that sleeps a millisecond again and again: how late it wakes says how late others get a processor. */
final class Yardstick implements AutoCloseable
{
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<long[]> delays = new ArrayList<>();      // Time of a late end, by how much; guards itself.
    private final Thread thread = new Thread(this::measure, "yardstick");
    private volatile boolean isToEnd;

    Yardstick()
    {
        thread.setDaemon(true);
        thread.start();
    }

    private void measure()
    {
        while (!isToEnd)
        {
            final long beginNs = System.nanoTime();
            Uninterrupted.park(SLEEP_NS);
            final long endNs = System.nanoTime();
            if (endNs - beginNs > 2 * SLEEP_NS)
            {
                synchronized (delays)
                {
                    delays.add(new long[] {endNs, endNs - beginNs - SLEEP_NS});
                }
            }
        }
    }

    /** Sum of delays between two times of {@link System#nanoTime()}. */
    long delayNs(final long fromNs, final long toNs)
    {
        synchronized (delays)
        {
            return delays.stream().filter(each -> each[0] - fromNs > 0 && each[0] - each[1] - toNs < 0)
                .mapToLong(each -> each[1]).sum();
        }
    }

    @Override
    public void close()
    {
        isToEnd = true;
    }
}
