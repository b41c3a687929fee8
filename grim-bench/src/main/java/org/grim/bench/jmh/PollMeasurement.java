// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.grim.bench.report.PollReport;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link PollBenchmark} and sets the transports side by side. */
public final class PollMeasurement
{
    private static final int[] QUEUE_COUNTS = {1, 2, 4, 8, 16, 64};

    private PollMeasurement()
    {
    }

    /**
     * Measures.
     *
     * @param isQuick one short fork per figure, for a look; else as the benchmark says.
     * @param forks   JVMs per figure, 0 for this one; ignored unless quick.
     * @return the figures.
     * @throws RunnerException if JMH fails.
     */
    public static PollReport run(final boolean isQuick, final int forks) throws RunnerException
    {
        final ChainedOptionsBuilder options = new OptionsBuilder().include(PollBenchmark.class.getName() + "\\.poll$")
            .verbosity(VerboseMode.SILENT).shouldFailOnError(true);
        if (isQuick)
        {
            options.forks(forks).warmupIterations(2).warmupTime(TimeValue.milliseconds(100)).measurementIterations(3)
                .measurementTime(TimeValue.milliseconds(100));
        }
        final Collection<RunResult> results = new Runner(options.build()).run();
        final List<PollReport.Row> rows = new ArrayList<>();
        for (final int queueCount : QUEUE_COUNTS)
        {
            rows.add(PollReport.row(queueCount, cell(results, queueCount, "null"), cell(results, queueCount, "shmem"),
                cell(results, queueCount, "myrinet"), cell(results, queueCount, PollBenchmark.ALL)));
        }
        return new PollReport(rows);
    }

    private static PollReport.Cell cell(
        final Collection<RunResult> results, final int queueCount, final String transport)
    {
        return PollReport.cell(PollBenchmark.wordCount(transport, queueCount), score(results, queueCount, transport));
    }

    private static double score(final Collection<RunResult> results, final int queueCount, final String transport)
    {
        return results.stream().filter(result -> result.getParams().getParam("transport").equals(transport) &&
            result.getParams().getParam("queues").equals(Integer.toString(queueCount))).findFirst().orElseThrow()
            .getPrimaryResult().getScore();
    }
}
