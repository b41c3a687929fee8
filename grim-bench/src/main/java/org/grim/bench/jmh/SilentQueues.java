// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.nio.file.Path;

/**
 * {@link PollBenchmark} without JMH, for a short look between other measurements.
 * <p>Thread: one. Owns: the queues.
 */
public final class SilentQueues implements AutoCloseable
{
    private static final int BURST = 4096;

    private final PollBenchmark benchmark = new PollBenchmark();
    private final int queueCount;
    private long workCount;

    /**
     * Makes the queues, in shared memory.
     *
     * @param queueCount how many.
     * @param base       directory to make the file in.
     */
    public SilentQueues(final int queueCount, final Path base)
    {
        this("shmem", queueCount, base);
    }

    /**
     * Makes the queues of a transport.
     *
     * @param transport  {@code null}, {@code shmem}, {@code myrinet}, or {@code all} three.
     * @param queueCount how many, of each.
     * @param base       directory to make the files in.
     */
    public SilentQueues(final String transport, final int queueCount, final Path base)
    {
        benchmark.base = base;
        this.queueCount = queueCount;
        benchmark.queues = queueCount;
        benchmark.transport = transport;
        benchmark.setUp();
    }

    /**
     * Polls.
     *
     * @param durationNs how long.
     * @return ns per queue and poll; the poll's own cost is shared by the queues.
     */
    public double measure(final long durationNs)
    {
        long pollCount = 0;
        final long startNs = System.nanoTime();
        long nowNs;
        do
        {
            burst();
            pollCount += BURST;
            nowNs = System.nanoTime();
        }
        while (nowNs - startNs < durationNs);
        if (workCount != 0)
        {
            throw new IllegalStateException("silent queues spoke: messages=" + workCount);
        }
        return (double)(nowNs - startNs) / pollCount / queueCount;
    }

    @Override
    public void close()
    {
        benchmark.tearDown();
    }

    private void burst()
    {
        for (int i = 0; i < BURST; i++)
        {
            workCount += benchmark.poll();
        }
    }
}
