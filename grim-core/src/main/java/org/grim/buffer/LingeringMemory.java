// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.nio.MappedByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Memory of this process that was let go and that only the collector may unmap: views of it can be anywhere (decision
 * 20). A process that allocates little collects seldom, so it is made to collect once per {@value #LENGTH_MAX} bytes,
 * and whenever a file system has no room for new memory.
 * <p>Thread: any. Where the JVM's options keep it from collecting when asked, the memory waits for the next collection,
 * and errors for lack of room say so.
 */
final class LingeringMemory
{
    static final long LENGTH_MAX = 256 << 20;

    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicLong LENGTH = new AtomicLong();          // Since the last collection that was asked for.
    private static final AtomicLong MAPPED_LENGTH = new AtomicLong();
    private static final List<String> HINDRANCES =
        List.of("-XX:+DisableExplicitGC", "-XX:+UseEpsilonGC");

    private LingeringMemory()
    {
    }

    /** {@return the option of this JVM that keeps it from collecting when asked, if there is one} */
    static Optional<String> hindrance()
    {
        final List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return HINDRANCES.stream().filter(options::contains).findFirst();
    }

    /** Notes released memory, which stays mapped for as long as it can be reached. */
    static void add(final MappedByteBuffer memory)
    {
        final long length = memory.capacity();
        MAPPED_LENGTH.addAndGet(length);
        CLEANER.register(memory, () -> MAPPED_LENGTH.addAndGet(-length));
        if (LENGTH.addAndGet(length) > LENGTH_MAX)
        {
            collect();
        }
    }

    /** Collects if anything can linger, and waits, for a bounded time, until there is room. */
    static boolean makeRoom(final BooleanSupplier hasRoom)
    {
        if (MAPPED_LENGTH.get() == 0)
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

    /** Describes the room that this process itself still takes, and why, as a part of a sentence; empty if none. */
    static String advice()
    {
        final long length = MAPPED_LENGTH.get();
        if (length == 0)
        {
            return "";
        }
        return "; this process itself holds " + length + " bytes of files that it let go, until the JVM's next " +
            "garbage collection" + hindrance().map(option ->
            ", which " + option + " prevents: start the JVM without it").orElse(
            " that finds no view of them");
    }

    private static void collect()
    {
        LENGTH.set(0);
        System.gc();
    }
}
