// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.grim.bench.report.ComparisonRow;
import org.grim.bench.report.PointTables;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.PairRounds;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.pair.WarmUp;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

/**
 * The benchmark {@code cost}. A fork is a fresh process, in whose measuring thread all peers send to themselves, in
 * interleaved rounds. Whether Agrona's buffers check bounds holds for a whole process, so forks with and without checks
 * take turns.
 * <p>Thread: the one that measures, or waits for forks.
 */
public final class CostForks
{
    /** Compiled code stands after some two seconds; the rest is for a machine with other work. */
    private static final long WARM_UP_MS_MAX = 4_000;
    private static final long WARM_UP_MS_PER_ROUND = 200;
    private static final long FORK_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(20);

    private CostForks()
    {
    }

    /** Runs all forks, one after the other; returns the figures of all. */
    static List<Point> run(final Comparison.Options options, final PrintWriter progress)
    {
        final Forks forks = new Forks();
        try (PrivateDirectory directory = PrivateDirectory.create("grim-cost-", options.directory()))
        {
            for (int fork = 0; fork < options.forks(); fork++)
            {
                for (final boolean isChecked : new boolean[] {true, false})
                {
                    final FigureDirectory figures =
                        fork(options, Set.of(Benchmark.COST), isChecked, directory.path(), fork + "-" + isChecked);
                    forks.add(fork, figures);
                    progress.println("cost: fork " + (fork + 1) + " of " + options.forks() + " done: " +
                        PointTables.rows(figures.points()).stream().map(CostForks::describe)
                            .collect(Collectors.joining(", ")));
                    progress.flush();
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("figures of a fork cannot be read: " + ex.getMessage(), ex);
        }
        return forks.points();
    }

    /** Runs a fork: its figures stand in a directory of a name meanwhile. */
    static FigureDirectory fork(
        final Comparison.Options options, final Set<Benchmark> benchmarks, final boolean isChecked,
        final Path directory, final String name) throws IOException
    {
        final Path output = directory.resolve(name);
        try (SecondJvm process = SecondJvm.start("fork", new Fork(new Comparison.Options(options.suite(), 1,
            options.rounds(), options.roundMs(), benchmarks, Set.copyOf(options.peersOf(benchmarks)),
            Set.copyOf(options.sizesOf(benchmarks)), directory), isChecked, output)))
        {
            process.awaitEnd(FORK_TIMEOUT_MS);
        }
        return FigureDirectory.read(output);
    }

    private static String describe(final ComparisonRow row)
    {
        return row.peer() + " " + row.size() + " B " + row.mode() + " " + row.median() + " ns" +
            (row.ratioToGrim() == null || row.ratioToGrim() == 1 ? "" : " (grim/peer " + row.ratioToGrim() + ")");
    }

    /**
     * One fork of a comparison, in a process of its own.
     *
     * @param options   of the fork.
     * @param isChecked whether Agrona's buffers check bounds.
     * @param output    directory for the figures.
     */
    public record Fork(Comparison.Options options, boolean isChecked, Path output) implements ChildTask
    {
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
                measure(options, output);
            }
            else
            {
                Comparison.measure(options, new PrintWriter(System.err, true), output);
            }
        }
    }

    private static void measure(final Comparison.Options options, final Path output) throws IOException
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
            rounds.run(new WarmUp(TimeUnit.MILLISECONDS.toNanos(warmUpMs), 2),
                figures.listener(options::keysOf));
        }
        figures.directory().write(output);
    }
}
