// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

import org.grim.bench.report.HopReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import com.sun.management.ThreadMXBean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each benchmark, tiny, so that it cannot rot. */
final class BenchmarkTest
{
    private static final int MESSAGE_COUNT = 200_000;

    @Test
    void shouldPollSilentQueues() throws RunnerException
    {
        assertEquals(8, new Runner(tiny(PollBenchmark.class).param("queues", "2", "64").build()).run().size());
    }

    @Test
    void shouldSendAndPoll() throws RunnerException
    {
        assertEquals(8, new Runner(tiny(SendPollBenchmark.class).param("size", "32", "256").build()).run().size());
    }

    @Test
    void shouldRunTheFirmware() throws RunnerException
    {
        assertEquals(6, new Runner(tiny(FirmwareBenchmark.class).param("channels", "1", "256").build()).run().size());
    }

    @Test
    void shouldSendThroughBoards() throws RunnerException
    {
        assertEquals(2, new Runner(tiny(MyrinetBenchmark.class).param("size", "0", "32").build()).run().size());
    }

    @Test
    void shouldWriteAndReadMemory() throws RunnerException
    {
        assertEquals(12, new Runner(tiny(MemoryBenchmark.class).build()).run().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "shmem"})
    void shouldAllocateNothingPerMemoryOperation(final String transport)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (NearAndFarMemory memory = new NearAndFarMemory(transport, 64))
        {
            pass(memory);
            final long before = threads.getCurrentThreadAllocatedBytes();
            pass(memory);
            final long allocatedLength = threads.getCurrentThreadAllocatedBytes() - before;

            // By time, not by operation, housekeeping allocates a little. No object is under 16 bytes.
            assertTrue(allocatedLength < MESSAGE_COUNT, () -> "allocated=" + allocatedLength);
        }
    }

    @Test
    void shouldMeasureEveryStageOfAMessage()
    {
        final HopReport report = new HopStages(TimeUnit.MILLISECONDS.toNanos(400)).run();

        assertEquals(8, report.rows().size());
        for (final HopReport.Row row : report.rows())
        {
            assertTrue(row.messages() > 0, row::toString);
        }
    }

    @Test
    void shouldAllocateNothingPerMessageThroughBoards()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (TwoNodes nodes = new TwoNodes(32))
        {
            pass(nodes);
            final long before = threads.getCurrentThreadAllocatedBytes();
            final long countBefore = nodes.receive();
            pass(nodes);
            final long allocatedLength = threads.getCurrentThreadAllocatedBytes() - before;
            final long messageCount = nodes.receive() - countBefore;

            // By time, not by message, housekeeping allocates a little. No object is under 16 bytes.
            assertTrue(messageCount >= MESSAGE_COUNT && allocatedLength < messageCount,
                () -> "allocated=" + allocatedLength + " bytes for messages=" + messageCount);
        }
    }

    private static void pass(final NearAndFarMemory memory)
    {
        for (int i = 0; i < MESSAGE_COUNT; i++)
        {
            assertEquals(memory.word() + 1, memory.writeVirtual());
            assertEquals(memory.word() + 1, memory.writePhysical());
            assertTrue(memory.read());
        }
    }

    private static void pass(final TwoNodes nodes)
    {
        for (int i = 0; i < MESSAGE_COUNT; i++)
        {
            nodes.send();
            nodes.receive();
            nodes.settle();
        }
    }

    private static OptionsBuilder tiny(final Class<?> benchmark)
    {
        final OptionsBuilder options = new OptionsBuilder();
        options.include(benchmark.getName()).forks(0).warmupIterations(0).measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10)).verbosity(VerboseMode.SILENT).shouldFailOnError(true);
        return options;
    }
}
