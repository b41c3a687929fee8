// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.bench.all.PairMeasurement.Row;
import org.grim.bench.all.PairMeasurement.Times;
import org.grim.bench.figures.PointKey;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PairRounds.Task;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One fork of a comparison. Of {@code cost} all peers send to themselves in the measuring thread. Programs come first,
 * before the measuring thread is pinned.
 *
 * @param of        the comparison, with the benchmarks of this fork.
 * @param isChecked whether Agrona's buffers check bounds.
 * @param output    directory for the figures.
 */
public record ComparisonFork(Comparison of, boolean isChecked, Path output) implements ForkTask
{
    private static final int WARM_UP_ROUNDS_MIN = 2;
    private static final int ROUNDS_PER_WARM_UP = 3;
    /** Compiled code stands after some two seconds; the rest is for a machine with other work. */
    private static final long COST_WARM_UP_MS_MAX = 4_000;
    private static final long COST_WARM_UP_MS_PER_ROUND = 200;

    @Override
    public String title()
    {
        return "fork";
    }

    /** Rounds are as many and as long as users ask for; all waits of a figure are bounded. */
    @Override
    public long timeoutMs()
    {
        return TimeUnit.DAYS.toMillis(1);
    }

    @Override
    public void fill(final Figures figures) throws IOException
    {
        final PrintWriter progress = new PrintWriter(System.err, true, UTF_8);
        final String suite = of.suite().toString();
        final long roundNs = TimeUnit.MILLISECONDS.toNanos(of.roundMs());
        // Compiled code is quick only after some seconds.
        final int warmUpRounds = Math.max(WARM_UP_ROUNDS_MIN, of.rounds() / ROUNDS_PER_WARM_UP);
        final List<Row> cost = of.rows(Benchmark.COST::equals);
        if (!cost.isEmpty())
        {
            final long warmUpMs = Math.min(COST_WARM_UP_MS_MAX, of.rounds() * COST_WARM_UP_MS_PER_ROUND);
            new PairMeasurement(suite, figures, cost, new Times(roundNs, of.rounds(), 0,
                TimeUnit.MILLISECONDS.toNanos(warmUpMs), WARM_UP_ROUNDS_MIN), null)
                .run(of.directory(), true, this::keys);
        }
        final List<Row> programs = of.rows(Benchmark::isOfPrograms);
        if (!programs.isEmpty())
        {
            new ProgramRounds(of, programs, warmUpRounds, figures, progress).run();
        }
        final List<Row> pair = of.rows(benchmark -> benchmark.isOfPair() || benchmark == Benchmark.POLL);
        if (of.suite() == Suite.SOCKETS && !Comparison.isComparable() && !pair.isEmpty())
        {
            figures.note("left out, as both processes never wait: " + pair.stream().map(Row::benchmark).distinct()
                .map(Benchmark::label).collect(Collectors.joining(", ")) + "; " + Comparison.cores());
        }
        else if (!pair.isEmpty())
        {
            new PairMeasurement(suite, figures, pair, new Times(roundNs, of.rounds(),
                of.suite().foreignRounds(of.rounds()), 0, warmUpRounds), progress)
                .run(of.directory(), false, this::keys);
        }
    }

    private List<PointKey> keys(final Task task)
    {
        return List.of(Figures.key(of.suite().toString(), task, task.kind().label()));
    }
}
