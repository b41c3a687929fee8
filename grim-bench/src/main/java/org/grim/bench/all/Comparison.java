// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.bench.compare.Machine;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.SilentQueues;
import org.grim.bench.report.ComparisonRow;
import org.grim.bench.report.PointTables;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PairRounds;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.pair.WarmUp;
import org.grim.tools.process.PrivateDirectory;

/**
 * {@code bench shmem}, {@code memory}, {@code network} and {@code sockets}: rounds in which every peer is measured once
 * at every cell, in turn, so that the peers of a cell stand side by side in time. Of sockets also programs that wait:
 * see {@link ProgramRounds}.
 * <p>Thread: the measuring one.
 */
public final class Comparison
{
    private static final int PROGRESS_LINES = 12;
    private static final int WARM_UP_ROUNDS_MIN = 2;
    private static final int ROUNDS_PER_WARM_UP = 3;

    private final Options options;
    private final PrintWriter notes;
    private final PrintWriter progress;
    private final Figures figures = new Figures();
    private final Map<Integer, SilentQueues> queues = new TreeMap<>();

    /**
     * Makes a measurement.
     *
     * @param options  what to measure.
     * @param notes    gets the circumstances.
     * @param progress gets a line per round.
     */
    public Comparison(final Options options, final PrintWriter notes, final PrintWriter progress)
    {
        this.options = options;
        this.notes = notes;
        this.progress = progress;
    }

    /**
     * What the user wants measured.
     *
     * @param suite      that names the rows.
     * @param forks      fresh processes of {@link Suite#NETWORK} and {@link Suite#SOCKETS}, and of each mode of
     *                   {@link Benchmark#COST}.
     * @param rounds     counted rounds.
     * @param roundMs    length of a cell.
     * @param benchmarks to run.
     * @param peers      to run.
     * @param sizes      payload bytes, of those that the benchmarks have; null for all.
     * @param directory  where files are made; null for shared memory.
     */
    public record Options(
        Suite suite, int forks, int rounds, int roundMs, Set<Benchmark> benchmarks, Set<PeerKind> peers,
        Set<Integer> sizes, Path directory)
    {
        /** Rounds before those that count: compiled code is quick only after some seconds. */
        int warmUpRounds()
        {
            return Math.max(WARM_UP_ROUNDS_MIN, rounds / ROUNDS_PER_WARM_UP);
        }

        private boolean isPolled()
        {
            return benchmarks.contains(Benchmark.POLL) && peers.contains(PeerKind.GRIM);
        }

        List<PointKey> keysOf(final PairRounds.Task task)
        {
            return List.of(Figures.key(suite.toString(), task, task.kind().label()));
        }

        List<PeerKind> peersOf(final Set<Benchmark> some)
        {
            return peers.stream().filter(kind -> some.stream().anyMatch(benchmark -> sizesOf(benchmark).stream()
                .anyMatch(size -> kind.takesPart(benchmark, size)))).sorted().toList();
        }

        List<Integer> sizesOf(final Set<Benchmark> some)
        {
            return some.stream().flatMap(benchmark -> sizesOf(benchmark).stream()).distinct().sorted().toList();
        }

        private boolean hasRows(final Predicate<Benchmark> kind)
        {
            return benchmarks.stream().anyMatch(benchmark -> kind.test(benchmark) && !sizesOf(benchmark).isEmpty());
        }

        private List<Integer> pairSizesOf(final Benchmark benchmark)
        {
            return benchmark.isOfPair() ? sizesOf(benchmark) : List.of();
        }

        List<Integer> sizesOf(final Benchmark benchmark)
        {
            return !benchmarks.contains(benchmark) || benchmark == Benchmark.POLL ? List.of() :
                benchmark.sizes().stream().filter(size -> sizes == null || sizes.contains(size)).toList();
        }
    }

    /**
     * Returns whether figures of two processes that do not wait can be compared with others. False if both share a
     * core: they take turns, and the figures say how fast they do.
     */
    public static boolean isComparable()
    {
        return PeerPair.CORE_COUNT >= PeerPair.POLLER_COUNT;
    }

    /** {@return why figures cannot be compared} */
    public static String refusal()
    {
        return "not comparable: cores=" + PeerPair.CORE_COUNT + " < pollers=" + PeerPair.POLLER_COUNT +
            "; JSON has no rows";
    }

    /**
     * Measures.
     *
     * @return what was measured, in the order of the report.
     */
    public List<Point> run()
    {
        notes.println(Machine.describe(PeerPair.CORE_COUNT));
        if (options.suite().isForked())
        {
            return runForks(options.benchmarks(), false);
        }
        if (options.isPolled() || options.benchmarks().stream().anyMatch(Benchmark::isOfPair))
        {
            runPair();
        }
        final List<Point> points = new ArrayList<>(figures.directory().points());
        if (!options.peersOf(Set.of(Benchmark.COST)).isEmpty())
        {
            notes.println("cost: forks=" + options.forks() + " with bounds checks and as many without, rounds=" +
                options.rounds() + " of " + options.roundMs() + " ms per figure");
            notes.flush();
            points.addAll(runForks(Set.of(Benchmark.COST), true, false));
        }
        return points;
    }

    /**
     * Measures one fork, in this process: programs first, before the measuring thread is pinned.
     *
     * @param options  of the comparison.
     * @param progress gets a line now and then.
     * @param output   directory for the figures.
     * @throws IOException if they cannot be written.
     */
    public static void measure(final Options options, final PrintWriter progress, final Path output) throws IOException
    {
        final StringWriter notes = new StringWriter();
        final Comparison comparison = new Comparison(options, new PrintWriter(notes), progress);
        if (options.hasRows(Benchmark::isOfPrograms))
        {
            new ProgramRounds(options, comparison.notes, progress).run(comparison.figures);
        }
        if (options.hasRows(Benchmark::isOfPair))
        {
            if (options.suite() == Suite.SOCKETS && !isComparable())
            {
                comparison.notes.println("left out, as both processes never wait: " + options.benchmarks().stream()
                    .filter(Benchmark::isOfPair).sorted().map(Benchmark::label).collect(Collectors.joining(", ")) +
                    "; cores=" + PeerPair.CORE_COUNT + " < pollers=" + PeerPair.POLLER_COUNT);
            }
            else
            {
                comparison.runPair();
            }
        }
        notes.toString().lines().forEach(comparison.figures::note);
        comparison.figures.directory().write(output);
    }

    /** Runs all forks, one after the other, each with Agrona's bounds checks as named, in turn. */
    private List<Point> runForks(final Set<Benchmark> benchmarks, final boolean... checks)
    {
        final Forks forks = new Forks();
        try (PrivateDirectory directory = PrivateDirectory.create("grim-forks-", options.directory()))
        {
            for (int fork = 0; fork < options.forks(); fork++)
            {
                for (final boolean isChecked : checks)
                {
                    final FigureDirectory figures = ComparisonFork.run(
                        options, benchmarks, isChecked, directory.path(), fork + "-" + isChecked);
                    forks.add(fork, figures);
                    progress.println((benchmarks.contains(Benchmark.COST) ? "cost: " : "") + "fork " + (fork + 1) +
                        " of " + options.forks() + " done" + (benchmarks.contains(Benchmark.COST) ? ": " +
                        PointTables.rows(figures.points()).stream().map(ComparisonFork::describe)
                        .collect(Collectors.joining(", ")) : ""));
                    progress.flush();
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("figures of a fork cannot be read: " + ex.getMessage(), ex);
        }
        forks.notes().forEach(notes::println);
        return forks.points();
    }

    private void runPair()
    {
        final List<PeerKind> kinds =
            options.peers().stream().filter(kind -> PeerPair.absence(kind) == null).sorted().toList();
        int sizeMax = 0;
        for (final Benchmark benchmark : Benchmark.values())
        {
            sizeMax = options.pairSizesOf(benchmark).stream().mapToInt(Integer::intValue).reduce(sizeMax, Math::max);
        }
        final Map<PeerKind, Long> deliveredCounts;
        final Map<PeerKind, Double> allocatedLengths;
        try (PeerPair pair = PeerPair.start(kinds, sizeMax, options.directory()))
        {
            final long roundNs = TimeUnit.MILLISECONDS.toNanos(options.roundMs());
            final PairRounds rounds = new PairRounds(
                pair, roundNs, options.rounds(), options.suite().foreignRounds(options.rounds()));
            addCells(rounds, kinds);
            note(pair, rounds.figureCount());
            pair.connect();
            if (options.isPolled())
            {
                Benchmark.POLL.sizes().forEach(
                    count -> queues.put(count, new SilentQueues("shmem", count, pair.path())));
            }
            measure(rounds);
            deliveredCounts = pair.deliveredCounts();
            allocatedLengths = pair.allocatedLengths();
        }
        deliveredCounts.forEach((kind, count) -> notes.println(kind + (kind.isForeign() ? ": runs=" + count :
            kind.isAlone() ? ": operations=" + count :
            ": delivered=" + count + " messages, all that were sent; allocated=" + String.format(Locale.ROOT, "%.3f",
            allocatedLengths.get(kind)) + " bytes per message (median of rates)")));
    }

    /**
     * Figures for programs: of latencies of messages the raw pass only at the size that it passes.
     *
     * @param points of {@link #run}.
     * @return a row for each.
     */
    public List<ComparisonRow> rows(final List<Point> points)
    {
        return PointTables.rows(points.stream().filter(point -> point.key().x() == PeerKind.RAW_SIZE ||
            !point.key().peer().equals(PeerKind.RAW.label()) ||
            !point.key().benchmark().equals(Benchmark.LATENCY.label())).toList());
    }

    private void measure(final PairRounds rounds)
    {
        final long startNs = System.nanoTime();
        try
        {
            rounds.run(new WarmUp(0, options.warmUpRounds()),
                figures.listener(options::keysOf, round -> afterRound(round, startNs)));
        }
        finally
        {
            CloseHelper.closeAll(queues.values());
        }
    }

    private void addCells(final PairRounds rounds, final List<PeerKind> kinds)
    {
        for (final Benchmark benchmark : Benchmark.values())
        {
            for (final int size : options.pairSizesOf(benchmark))
            {
                rounds.add(benchmark, size, false, kinds);
                if (benchmark.hasReadMode())
                {
                    rounds.add(benchmark, size, true, kinds);
                }
            }
        }
    }

    private void afterRound(final int round, final long startNs)
    {
        queues.forEach((count, silent) ->
        {
            final double ns = silent.measure(TimeUnit.MILLISECONDS.toNanos(options.roundMs())) / count;
            if (round >= 0)
            {
                figures.add(new PointKey(options.suite().toString(), Benchmark.POLL.label(), PeerKind.GRIM.label(),
                    "ignore", "queues", count), Benchmark.POLL.unit(), Direction.LOWER_IS_BETTER, ns,
                    OptionalDouble.empty());
            }
        });
        final int count = round < 0 ? -round : round + 1;
        if (count == 1 || count % Math.max(1, options.rounds() / PROGRESS_LINES) == 0)
        {
            progress.println((round < 0 ? "warm-up " + count + " of " + options.warmUpRounds() :
                "round " + count + " of " + options.rounds()) + " done after " +
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
            progress.flush();
        }
    }

    private void note(final PeerPair pair, final int figureCount)
    {
        notes.println(pair.description() + "; bounds checks of Agrona's buffers: " +
            (UnsafeBuffer.SHOULD_BOUNDS_CHECK ? "on" : "off") + ", for all peers");
        for (final PeerKind kind : options.peers())
        {
            final String absence = PeerPair.absence(kind);
            if (absence != null)
            {
                notes.println(kind + ": absent: " + absence);
            }
        }
        final long expectedMs = (figureCount + (options.isPolled() ? Benchmark.POLL.sizes().size() : 0)) *
            (long)options.roundMs() * (options.rounds() + options.warmUpRounds());
        notes.println("rounds=" + options.rounds() + " of " + options.roundMs() + " ms per figure, after " +
            options.warmUpRounds() + " to warm up; takes about " + TimeUnit.MILLISECONDS.toSeconds(expectedMs) + " s");
        notes.flush();
    }
}
