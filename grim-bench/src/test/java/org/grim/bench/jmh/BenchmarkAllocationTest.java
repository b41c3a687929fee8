// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nothing allocates per operation: JMH's collector profiler ({@code -prof gc}) over every benchmark of the package. */
final class BenchmarkAllocationTest
{
    private static final String PACKAGE = BenchmarkAllocationTest.class.getPackageName() + ".";
    private static final String METRIC = "gc.alloc.rate.norm";

    /**
     * A number of operations, not a time, so that a busy machine changes nothing: what JMH itself and housekeeping
     * allocate in an iteration is then less than a byte for each. No object is under 16 bytes.
     */
    private static final int OPERATION_COUNT_MIN = 20_000;
    private static final double BYTES_PER_OPERATION_MAX = 1;
    /**
     * Code that runs for the first time allocates (links, classes, memory that is kept), and for longer on a busy
     * machine. Code that allocates per operation does so in each iteration and attempt: the least of all counts.
     */
    private static final int ITERATION_COUNT = 3;
    private static final int ATTEMPT_COUNT_MAX = 3;

    @Test
    void shouldAllocateNothingPerOperation() throws RunnerException
    {
        final Map<String, Double> bytesPerOperation = new TreeMap<>();

        for (final BenchmarkListEntry benchmark : benchmarks())
        {
            double least = bytesPerOperation(benchmark);
            for (int attempt = 1; attempt < ATTEMPT_COUNT_MAX && least >= BYTES_PER_OPERATION_MAX; attempt++)
            {
                least = Math.min(least, bytesPerOperation(benchmark));
            }
            bytesPerOperation.put(benchmark.getUsername().substring(PACKAGE.length()), least);
        }

        // A little, which is JMH's own, shows that the profiler sees what is allocated.
        assertTrue(bytesPerOperation.values().stream().allMatch(bytes -> bytes > 0 && bytes < BYTES_PER_OPERATION_MAX),
            bytesPerOperation::toString);
    }

    /** The most of all parameters. */
    private static double bytesPerOperation(final BenchmarkListEntry benchmark) throws RunnerException
    {
        final int operationsPerInvocation = benchmark.getOperationsPerInvocation().orElse(1);
        final int invocationCount = -Math.floorDiv(-OPERATION_COUNT_MIN, operationsPerInvocation);
        final Collection<RunResult> results = new Runner(new OptionsBuilder()
            .include(Pattern.quote(benchmark.getUsername()) + "$")
            .param("size", "32").param("transport", "shmem", "myrinet").param("channels", "8")
            .mode(Mode.SingleShotTime).measurementBatchSize(invocationCount).measurementIterations(ITERATION_COUNT)
            .warmupIterations(0).forks(0).addProfiler(GCProfiler.class).verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true).build()).run();
        return results.stream().mapToDouble(result -> result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .mapToDouble(BenchmarkAllocationTest::bytes).min().orElseThrow() / invocationCount).max().orElseThrow();
    }

    private static double bytes(final IterationResult iteration)
    {
        return iteration.getSecondaryResults().get(METRIC).getScore();
    }

    private static Set<BenchmarkListEntry> benchmarks()
    {
        return BenchmarkList.defaultList().find(
            OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of(PACKAGE), List.of());
    }
}
