// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Each benchmark, tiny, so that it cannot rot. */
final class BenchmarkTest
{
    @Test
    void shouldPollSilentQueues() throws RunnerException
    {
        assertEquals(4, new Runner(tiny(PollBenchmark.class).param("queues", "2", "64").build()).run().size());
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

    private static OptionsBuilder tiny(final Class<?> benchmark)
    {
        final OptionsBuilder options = new OptionsBuilder();
        options.include(benchmark.getName()).forks(0).warmupIterations(0).measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10)).verbosity(VerboseMode.SILENT).shouldFailOnError(true);
        return options;
    }
}
