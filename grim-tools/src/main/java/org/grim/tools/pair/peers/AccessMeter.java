// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.process.BoundedSpin;

/**
 * Times operations on memory elsewhere, all of them alike and one after the other. The clock is read around many small
 * ones: it takes as long as one of them.
 * <p>Thread: the measuring one. Allocates nothing while it measures.
 */
public final class AccessMeter
{
    private static final long BATCH_NS_MAX = 10_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int BATCH_COUNT_MAX = 64;
    private static final int BATCH_LENGTH = 1 << 17;

    private final Histogram batches = new Histogram(BATCH_NS_MAX, SIGNIFICANT_DIGITS);
    private long operationCount;

    /**
     * Measures.
     *
     * @param access     to the memory.
     * @param source     of what is put.
     * @param cell       what.
     * @param durationNs how long.
     * @param spin       for the waits.
     * @return ns per operation, or bytes per ns.
     */
    public double measure(
        final MemoryAccess access, final DirectBuffer source, final Cell cell, final long durationNs,
        final BoundedSpin spin)
    {
        batches.reset();
        operationCount = 0;
        final int length = cell.size();
        final int count = Math.max(1, Math.min(BATCH_COUNT_MAX, BATCH_LENGTH / length));
        final boolean isGet =
            cell.benchmark() == Benchmark.GET_LATENCY || cell.benchmark() == Benchmark.GET_BANDWIDTH;
        final long beginNs = System.nanoTime();
        long startNs = beginNs;
        do
        {
            if (isGet)
            {
                get(access, length, count, spin);
            }
            else
            {
                put(access, source, length, count, spin);
            }
            operationCount += count;
            final long nowNs = System.nanoTime();
            batches.recordValue(Math.min(nowNs - startNs, BATCH_NS_MAX));
            startNs = nowNs;
        }
        while (startNs - beginNs < durationNs);
        return cell.benchmark() == Benchmark.GET_LATENCY ? batches.getValueAtPercentile(50) / (double)count :
            operationCount * (double)length / (startNs - beginNs);
    }

    /** {@return operations of the last measurement} */
    public long operationCount()
    {
        return operationCount;
    }

    /**
     * Writes some times.
     *
     * @param access to the memory.
     * @param source of the bytes.
     * @param length bytes of each.
     * @param count  how often.
     * @param spin   for the waits.
     */
    public static void put(
        final MemoryAccess access, final DirectBuffer source, final int length, final int count,
        final BoundedSpin spin)
    {
        for (int i = 0; i < count; i++)
        {
            while (!access.tryPut(source, length))
            {
                access.step();
                spin.spin();
            }
        }
        spin.reset();
    }

    /** Reads some times, each until all bytes are there. */
    public static void get(
        final MemoryAccess access, final int length, final int count, final BoundedSpin spin)
    {
        for (int i = 0; i < count; i++)
        {
            while (!access.tryGet(length))
            {
                access.step();
                spin.spin();
            }
            while (!access.isGot())
            {
                access.step();
                spin.spin();
            }
        }
        spin.reset();
    }
}
