// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.grim.bench.compare.Machine;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.grim.bench.report.ComparisonRow;
import org.grim.bench.report.PointTables;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.PrivateDirectory;

/**
 * {@code bench shmem}, {@code memory}, {@code network}, {@code sockets} and {@code cost}: peers in interleaved rounds,
 * in forks, which are {@link ComparisonFork}s.
 *
 * @param suite      that names the rows.
 * @param forks      fresh processes, where the suite has several; of {@link Benchmark#COST} with bounds checks, and as
 *                   many without.
 * @param rounds     counted rounds.
 * @param roundMs    length of a cell.
 * @param benchmarks to run.
 * @param peers      to run.
 * @param sizes      payload bytes, of those that the benchmarks have; null for all.
 * @param directory  where files are made; null for shared memory.
 */
public record Comparison(
    Suite suite, int forks, int rounds, int roundMs, Set<Benchmark> benchmarks, Set<PeerKind> peers,
    Set<Integer> sizes, Path directory)
{
    /**
     * Returns whether figures of two processes that do not wait can be compared with others. False if both share a
     * core: they take turns, and the figures say how fast they do.
     */
    public static boolean isComparable()
    {
        return PeerPair.CORE_COUNT >= PeerPair.POLLER_COUNT;
    }

    /** {@return the number of cores and that of threads that poll, for a sentence} */
    public static String cores()
    {
        return "cores=" + PeerPair.CORE_COUNT + " < pollers=" + PeerPair.POLLER_COUNT;
    }

    /** Measures. */
    public List<Point> run(final PrintWriter notes, final PrintWriter progress)
    {
        notes.println(Machine.describe(PeerPair.CORE_COUNT));
        notes.flush();
        final Figures all = new Figures();
        final Set<Benchmark> others = EnumSet.noneOf(Benchmark.class);
        benchmarks.stream().filter(benchmark -> benchmark != Benchmark.COST).forEach(others::add);
        try (PrivateDirectory own = PrivateDirectory.create("grim-forks-", directory))
        {
            for (int fork = 0; !others.isEmpty() && fork < (suite.isForked() ? forks : 1); fork++)
            {
                run(all, fork, others, false, own.path());
                progress.println("fork " + (fork + 1) + " of " + (suite.isForked() ? forks : 1) + " done");
                progress.flush();
            }
            for (int fork = 0; !rows(Benchmark.COST::equals).isEmpty() && fork < forks; fork++)
            {
                for (final boolean isChecked : new boolean[] {true, false})
                {
                    progress.println("cost: fork " + (fork + 1) + " of " + forks + " done: " + PointTables.rows(
                        run(all, fork, Set.of(Benchmark.COST), isChecked, own.path()).points()).stream()
                        .map(Comparison::describe).collect(Collectors.joining(", ")));
                    progress.flush();
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("figures of a fork cannot be read: " + ex.getMessage(), ex);
        }
        all.notes().forEach(notes::println);
        all.absent().forEach((peer, reason) -> notes.println(peer + ": absent: " + reason));
        return all.points();
    }

    private FigureDirectory run(
        final Figures all, final int fork, final Set<Benchmark> some, final boolean isChecked, final Path files)
        throws IOException
    {
        final FigureDirectory figures = new ComparisonFork(
            new Comparison(suite, 1, rounds, roundMs, some, peers, sizes, files), isChecked,
            files.resolve(fork + "-" + some.contains(Benchmark.COST) + "-" + isChecked)).runElsewhere();
        all.add(fork, figures);
        return figures;
    }

    private static String describe(final ComparisonRow row)
    {
        return row.peer() + " " + row.size() + " B " + row.mode() + " " + row.median() + " ns" +
            (row.ratioToGrim() == null || row.ratioToGrim() == 1 ? "" : " (grim/peer " + row.ratioToGrim() + ")");
    }

    /** Cells of some of the benchmarks, with peers; sizes of a poll are counts of queues, which nobody chooses. */
    List<PairMeasurement.Row> rows(final Predicate<Benchmark> some)
    {
        final List<PeerKind> kinds = peers.stream().sorted().toList();
        final List<PairMeasurement.Row> rows = new ArrayList<>();
        benchmarks.stream().filter(some).sorted().forEach(benchmark ->
        {
            final List<Integer> of = benchmark.sizes().stream()
                .filter(size -> sizes == null || sizes.contains(size) || benchmark == Benchmark.POLL).toList();
            for (final boolean isRead : new boolean[] {false, true})
            {
                if (!of.isEmpty() && (!isRead || benchmark.hasReadMode()) &&
                    (benchmark != Benchmark.POLL || peers.contains(PeerKind.GRIM)))
                {
                    rows.add(new PairMeasurement.Row(benchmark, of, isRead, kinds));
                }
            }
        });
        return rows;
    }
}
