// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.report.ComparisonRow;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.PairRounds;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.pair.WarmUp;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.process.SecondJvm;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One fork of a comparison, in a process of its own. Of {@code cost} all peers send to themselves in the measuring
 * thread, in interleaved rounds. Whether Agrona's buffers check bounds holds for a whole process.
 * <p>Thread: the measuring one.
 *
 * @param options   of the fork.
 * @param isChecked whether Agrona's buffers check bounds.
 * @param output    directory for the figures.
 */
public record ComparisonFork(Comparison.Options options, boolean isChecked, Path output) implements ChildTask
{
    /** Compiled code stands after some two seconds; the rest is for a machine with other work. */
    private static final long WARM_UP_MS_MAX = 4_000;
    private static final long WARM_UP_MS_PER_ROUND = 200;
    private static final long FORK_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(20);

    /** Runs a fork from the first process: its figures stand in a directory of a name meanwhile. */
    static FigureDirectory run(
        final Comparison.Options options, final Set<Benchmark> benchmarks, final boolean isChecked,
        final Path directory, final String name) throws IOException
    {
        final ComparisonFork fork = new ComparisonFork(new Comparison.Options(options.suite(), 1, options.rounds(),
            options.roundMs(), benchmarks, Set.copyOf(options.peersOf(benchmarks)),
            Set.copyOf(options.sizesOf(benchmarks)), directory), isChecked, directory.resolve(name));
        try (SecondJvm process = SecondJvm.start("fork", fork))
        {
            process.awaitEnd(FORK_TIMEOUT_MS);
        }
        return FigureDirectory.read(fork.output());
    }

    /** For progress. */
    static String describe(final ComparisonRow row)
    {
        return row.peer() + " " + row.size() + " B " + row.mode() + " " + row.median() + " ns" +
            (row.ratioToGrim() == null || row.ratioToGrim() == 1 ? "" : " (grim/peer " + row.ratioToGrim() + ")");
    }

    @Override
    public void run() throws IOException
    {
        if (!isChecked)
        {
            PeerPair.disableBoundsChecks();
        }
        ParentWatch.start();
        if (options.benchmarks().contains(Benchmark.COST))
        {
            measureCost();
        }
        else
        {
            Comparison.measure(options, new PrintWriter(System.err, true, UTF_8), output);
        }
    }

    private void measureCost() throws IOException
    {
        final List<PeerKind> kinds = options.peersOf(Set.of(Benchmark.COST));
        final List<Integer> sizes = options.sizesOf(Set.of(Benchmark.COST));
        final Figures figures = new Figures();
        try (PeerPair pair = PeerPair.startAlone(
            kinds, sizes.stream().mapToInt(Integer::intValue).max().orElseThrow(), options.directory()))
        {
            pair.connect();
            final PairRounds rounds = new PairRounds(
                pair, TimeUnit.MILLISECONDS.toNanos(options.roundMs()), options.rounds(), 0);
            sizes.forEach(size -> rounds.add(new Cell(Benchmark.COST, size, false), kinds.toArray(PeerKind[]::new)));
            final long warmUpMs = Math.min(WARM_UP_MS_MAX, options.rounds() * WARM_UP_MS_PER_ROUND);
            rounds.run(new WarmUp(TimeUnit.MILLISECONDS.toNanos(warmUpMs), 2), figures.listener(options::keysOf));
        }
        figures.directory().write(output);
    }
}
