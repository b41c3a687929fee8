// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Each benchmark that JMH has in its list, tiny, so that it cannot rot; with other parameters than in
 * {@link BenchmarkAllocationTest}.
 */
final class BenchmarkTest
{
    /** Results of each benchmark: as many as the parameters below make. A new one fails until it stands here. */
    private static final Map<String, Integer> RESULT_COUNTS = Map.ofEntries(
        Map.entry("AtomicBenchmark.fetchAdd", 3),
        Map.entry("AtomicBenchmark.ownFetchAdd", 3),
        Map.entry("AtomicBenchmark.read", 3),
        Map.entry("FirmwareBenchmark.idle", 1),
        Map.entry("FirmwareBenchmark.message", 1),
        Map.entry("HeaderBenchmark.readHeader", 1),
        Map.entry("HeaderBenchmark.readOperation", 1),
        Map.entry("HeaderBenchmark.readWords", 1),
        Map.entry("HeaderBenchmark.writeHeader", 1),
        Map.entry("HeaderBenchmark.writeOperation", 1),
        Map.entry("OverflowBenchmark.fromHandler", 1),
        Map.entry("QueueBenchmark.claimAbort", 2),
        Map.entry("QueueBenchmark.claimPublishPoll", 2),
        Map.entry("QueueBenchmark.sendPoll", 2),
        Map.entry("SendPollBenchmark.claimPublishPoll", 6),
        Map.entry("SendPollBenchmark.sendPoll", 6));

    private static final String PACKAGE = BenchmarkTest.class.getPackageName() + ".";

    @Test
    void shouldRunEveryBenchmark() throws RunnerException
    {
        final Map<String, Integer> counts = new TreeMap<>();

        final Collection<RunResult> results = new Runner(new OptionsBuilder().include(PACKAGE).forks(0)
            .warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(10))
            .verbosity(VerboseMode.SILENT).shouldFailOnError(true).param("size", "256").param("channels", "256")
            .build()).run();
        for (final RunResult result : results)
        {
            assertTrue(result.getPrimaryResult().getScore() > 0, () -> result.getParams().id());
            counts.merge(result.getParams().getBenchmark().substring(PACKAGE.length()), 1, Integer::sum);
        }
        assertEquals(new TreeMap<>(RESULT_COUNTS), counts);
    }

    @Test
    void shouldMeasureEveryStageOfAMessage()
    {
        final List<HopStages.Row> rows = new HopStages(TimeUnit.MILLISECONDS.toNanos(400)).run();

        assertEquals(8, rows.size());
        for (final HopStages.Row row : rows)
        {
            assertTrue(row.messages() > 0, row::toString);
        }
    }
}
