// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.SilentQueues;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PairRounds;
import org.grim.tools.pair.PairRounds.Task;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.pair.WarmUp;

/**
 * Peers side by side in time: interleaved rounds of cells, by two processes or by one thread that has both ends. Where
 * silent queues are measured, too, they are polled after each round.
 * <p>Thread: the measuring one.
 */
final class PairMeasurement
{
    private static final int MESSAGE_SIZE_MAX = 65504;
    private static final int PROGRESS_LINES = 12;

    private final String title;
    private final Figures figures;
    private final List<Row> rows;
    private final Times times;
    private final PrintWriter progress;
    private final List<PeerKind> kinds = new ArrayList<>();
    private final Map<Integer, SilentQueues> queues = new LinkedHashMap<>();
    private final long startNs = System.nanoTime();

    /** Notes which of the peers are absent. With a writer for progress it also notes what came, and how. */
    PairMeasurement(
        final String title, final Figures figures, final List<Row> rows, final Times times, final PrintWriter progress)
    {
        this.title = title;
        this.figures = figures;
        this.rows = rows;
        this.times = times;
        this.progress = progress;
        for (final PeerKind kind : PeerKind.values())
        {
            final boolean isWanted = rows.stream().anyMatch(row -> row.has(kind));
            final String absence = isWanted ? PeerPair.absence(kind) : null;
            if (absence != null)
            {
                figures.absent(kind.label(), absence);
            }
            else if (isWanted)
            {
                kinds.add(kind);
            }
        }
    }

    /** The same case for several sizes and peers. */
    record Row(Benchmark benchmark, List<Integer> sizes, boolean isRead, List<PeerKind> kinds)
    {
        private boolean has(final PeerKind kind)
        {
            return kinds.contains(kind) && sizes.stream().anyMatch(size -> kind.takesPart(benchmark, size));
        }
    }

    /** Time of a figure, counted rounds, those of them that have programs of others, and limits of the warm-up. */
    record Times(long cellNs, int rounds, int foreignRounds, long warmUpNs, int warmUpRounds)
    {
    }

    /** Measures, with files in a directory; a figure without a name is a yardstick only. */
    void run(final Path directory, final boolean isAlone, final Function<Task, List<PointKey>> keys)
    {
        final int sizeMax = rows.stream().flatMap(row -> row.sizes().stream()).reduce(MESSAGE_SIZE_MAX, Math::max);
        try (PeerPair pair = isAlone ? PeerPair.startAlone(kinds, sizeMax, directory) :
            PeerPair.start(kinds, sizeMax, directory))
        {
            measure(pair, keys);
        }
    }

    private void measure(final PeerPair pair, final Function<Task, List<PointKey>> keys)
    {
        final PairRounds rounds = new PairRounds(pair, times.cellNs(), times.rounds(), times.foreignRounds());
        try
        {
            for (final Row row : rows)
            {
                row.sizes().forEach(size -> add(row, size, pair, rounds));
            }
            pair.connect();
            describe(pair, rounds.figureCount() + queues.size());
            run(rounds, keys);
            count(pair);
        }
        finally
        {
            CloseHelper.closeAll(queues.values());
        }
    }

    private void add(final Row row, final int size, final PeerPair pair, final PairRounds rounds)
    {
        if (row.benchmark() == Benchmark.POLL)
        {
            queues.put(size, new SilentQueues("shmem", size, pair.path()));
        }
        else
        {
            rounds.add(row.benchmark(), size, row.isRead(), row.kinds().stream().filter(kinds::contains).toList());
        }
    }

    private void run(final PairRounds rounds, final Function<Task, List<PointKey>> keys)
    {
        final WarmUp warmUp = new WarmUp(times.warmUpNs(), times.warmUpRounds());
        rounds.run(warmUp, new PairRounds.Listener()
        {
            @Override
            public void onFigure(final Task task, final double figure, final OptionalDouble yardstick)
            {
                keys.apply(task).forEach(key -> figures.add(key, task.cell().benchmark(), figure, yardstick));
            }

            @Override
            public void onRound(final int round)
            {
                poll(round);
                report(round);
                if (round == 0)
                {
                    figures.note(title + ": " + warmUp);
                }
            }
        });
    }

    private void poll(final int round)
    {
        queues.forEach((count, silent) ->
        {
            final double ns = silent.measure(times.cellNs()) / count;
            if (round >= 0)
            {
                figures.add(new PointKey(title, Benchmark.POLL.label(), PeerKind.GRIM.label(), "ignore", "queues",
                    count), Benchmark.POLL, ns, OptionalDouble.empty());
            }
        });
    }

    private void describe(final PeerPair pair, final int figureCount)
    {
        if (progress != null)
        {
            figures.note(pair.description() + "; bounds checks of Agrona's buffers: " +
                (UnsafeBuffer.SHOULD_BOUNDS_CHECK ? "on" : "off") + ", for all peers; rounds=" + times.rounds() +
                " of " + TimeUnit.NANOSECONDS.toMillis(times.cellNs()) + " ms per figure");
            progress.println("takes about " + TimeUnit.NANOSECONDS.toSeconds(
                figureCount * times.cellNs() * (times.rounds() + times.warmUpRounds()) + times.warmUpNs()) + " s");
        }
    }

    private void report(final int round)
    {
        final int count = round < 0 ? -round : round + 1;
        if (progress != null && (count == 1 || count % Math.max(1, times.rounds() / PROGRESS_LINES) == 0))
        {
            progress.println((round < 0 ? "warm-up " + count + " of " + times.warmUpRounds() :
                "round " + count + " of " + times.rounds()) + " done after " +
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
        }
    }

    private void count(final PeerPair pair)
    {
        if (progress != null)
        {
            final Map<PeerKind, Double> allocated = pair.allocatedLengths();
            pair.deliveredCounts().forEach((kind, count) -> figures.note(kind + (kind.isForeign() ? ": runs=" + count :
                kind.isAlone() ? ": operations=" + count :
                ": delivered=" + count + " messages, all that were sent; allocated=" + String.format(Locale.ROOT,
                "%.3f", allocated.get(kind)) + " bytes per message (median of rates)")));
        }
    }
}
