// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/**
 * The yardstick of sections in one thread: the same arithmetic and the same copies each time, in the processor's first
 * cache, so that it takes as long as the processor is slow now.
 * <p>Thread: one. Allocates nothing after construction.
 */
final class FixedWork
{
    private static final int STEP_COUNT = 1_000;
    private static final int COPY_COUNT = 16;
    private static final int COPY_LENGTH = 2_048;
    private static final long MULTIPLIER = 6_364_136_223_846_793_005L;

    private final AtomicBuffer source = Buffers.allocate(COPY_LENGTH);
    private final AtomicBuffer target = Buffers.allocate(COPY_LENGTH);
    private long state = 1;

    /** Does it once; returns how long it took, in ns. */
    long pass()
    {
        final long startNs = System.nanoTime();
        long value = state;
        for (int i = 0; i < STEP_COUNT; i++)
        {
            value = value * MULTIPLIER + 1;
        }
        state = value;
        for (int i = 0; i < COPY_COUNT; i++)
        {
            source.putLong(0, value + i);
            target.putBytes(0, source, 0, COPY_LENGTH);
        }
        state += target.getLong(0);
        return System.nanoTime() - startNs;
    }
}
