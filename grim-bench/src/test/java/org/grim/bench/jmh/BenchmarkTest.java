// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.grim.bench.report.HopReport;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
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
        Map.entry("DispatchBenchmark.dispatch", 2),
        Map.entry("FirmwareBenchmark.idle", 1),
        Map.entry("FirmwareBenchmark.message", 1),
        Map.entry("FirmwareBenchmark.receive", 1),
        Map.entry("FirmwareBenchmark.send", 1),
        Map.entry("FragmentBenchmark.message", 1),
        Map.entry("HeaderBenchmark.readHeader", 1),
        Map.entry("HeaderBenchmark.readOperation", 1),
        Map.entry("HeaderBenchmark.readWords", 1),
        Map.entry("HeaderBenchmark.writeHeader", 1),
        Map.entry("HeaderBenchmark.writeOperation", 1),
        Map.entry("InjectionBenchmark.inject", 16),
        Map.entry("MemoryBenchmark.read", 2),
        Map.entry("MemoryBenchmark.writePhysical", 2),
        Map.entry("MemoryBenchmark.writeVirtual", 2),
        Map.entry("MyrinetBenchmark.sendPoll", 1),
        Map.entry("OverflowBenchmark.append", 1),
        Map.entry("OverflowBenchmark.appendMove", 1),
        Map.entry("OverflowBenchmark.fromHandler", 1),
        Map.entry("PollBenchmark.poll", 4),
        Map.entry("QueueBenchmark.claimAbort", 2),
        Map.entry("QueueBenchmark.claimPublishPoll", 2),
        Map.entry("QueueBenchmark.poll", 2),
        Map.entry("QueueBenchmark.send", 2),
        Map.entry("QueueBenchmark.sendPoll", 2),
        Map.entry("ScoreboardBenchmark.enterFree", 1),
        Map.entry("ScoreboardBenchmark.rollBack", 1),
        Map.entry("SendPollBenchmark.claimPublishPoll", 2),
        Map.entry("SendPollBenchmark.sendPoll", 2),
        Map.entry("SequenceTableBenchmark.hit", 1),
        Map.entry("SequenceTableBenchmark.insertRemove", 1),
        Map.entry("SequenceTableBenchmark.missPeer", 1),
        Map.entry("TranslationBenchmark.fillWrite", 1),
        Map.entry("TranslationBenchmark.hit", 1),
        Map.entry("TranslationBenchmark.hitStatic", 1),
        Map.entry("TranslationBenchmark.miss", 1),
        Map.entry("TranslationBenchmark.write", 1));

    private static final String PACKAGE = BenchmarkTest.class.getPackageName() + ".";

    @Test
    void shouldRunEveryBenchmark() throws RunnerException
    {
        final Map<String, Integer> counts = new TreeMap<>();

        count(counts, tiny().include(InjectionBenchmark.class.getName()).param("size", "4096", "65504"));
        count(counts, tiny().include(PACKAGE).exclude(InjectionBenchmark.class.getName())
            .exclude(MemoryBenchmark.class.getName()).param("size", "256").param("queues", "64")
            .param("channels", "256").param("inFlight", "127").param("triples", "2048").param("capacity", "1024")
            .param("length", "1048576"));
        count(counts, tiny().include(MemoryBenchmark.class.getName()).param("size", "256"));

        assertEquals(new TreeMap<>(RESULT_COUNTS), counts);
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

    private static void count(final Map<String, Integer> counts, final ChainedOptionsBuilder options)
        throws RunnerException
    {
        final Collection<RunResult> results = new Runner(options.build()).run();
        for (final RunResult result : results)
        {
            assertTrue(result.getPrimaryResult().getScore() > 0, () -> result.getParams().id());
            counts.merge(result.getParams().getBenchmark().substring(PACKAGE.length()), 1, Integer::sum);
        }
    }

    private static ChainedOptionsBuilder tiny()
    {
        return new OptionsBuilder().forks(0).warmupIterations(0).measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10)).verbosity(VerboseMode.SILENT).shouldFailOnError(true);
    }
}
