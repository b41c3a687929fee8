// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Memory of this process that was let go and that only the collector may unmap: views of it can be anywhere (decision
 * 20). A process that allocates little collects seldom, so it is made to collect once per {@value #LENGTH_MAX} bytes,
 * and whenever a file system has no room for new memory.
 * <p>Thread: any. With {@code -XX:+DisableExplicitGC} the memory waits for the next collection.
 */
final class LingeringMemory
{
    static final long LENGTH_MAX = 256 << 20;

    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final AtomicLong LENGTH = new AtomicLong();          // Since the last collection that was asked for.

    private LingeringMemory()
    {
    }

    /** Somebody let go of memory. */
    static void add(final long length)
    {
        if (LENGTH.addAndGet(length) > LENGTH_MAX)
        {
            collect();
        }
    }

    /** Collects if anything can linger, and waits, for a bounded time, until there is room. */
    static boolean makeRoom(final BooleanSupplier hasRoom)
    {
        if (LENGTH.get() == 0)
        {
            return false;
        }
        collect();
        final long startNs = System.nanoTime();
        while (!hasRoom.getAsBoolean())
        {
            if (System.nanoTime() - startNs > WAIT_NS)
            {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NS);            // The memory is unmapped by another thread.
        }
        return true;
    }

    private static void collect()
    {
        LENGTH.set(0);
        System.gc();
    }
}
