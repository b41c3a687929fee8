// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import org.grim.bench.figures.PointKey;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PairRounds;
import org.grim.tools.pair.PairRounds.Task;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.pair.WarmUp;

/**
 * Peers side by side in time: interleaved rounds of cells, by two processes or by one thread that has both ends.
 * <p>Thread: the measuring one.
 */
final class PairMeasurement
{
    private static final int MESSAGE_SIZE_MAX = 65504;

    private final String title;
    private final Figures figures;
    private final List<Row> rows;
    private final Times times;
    private final List<PeerKind> kinds = new ArrayList<>();

    /** Notes which of the peers are absent. */
    PairMeasurement(final String title, final Figures figures, final List<Row> rows, final Times times)
    {
        this.title = title;
        this.figures = figures;
        this.rows = rows;
        this.times = times;
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

    /** Names of figures, and what else happens in a round. */
    interface Rounds extends AutoCloseable
    {
        /** Names of a task's figure; with none the figure is a yardstick only. */
        List<PointKey> keys(Task task);

        /** The pair is there. */
        default void onStart(final PeerPair pair, final int figureCount)
        {
            // Rounds are all that most want.
        }

        /** A round has ended: its number, below 0 before the counted ones. */
        default void onRound(final int round)
        {
            // Figures are all that most want.
        }

        /** All rounds have ended. */
        default void onEnd(final PeerPair pair)
        {
            // Figures are all that most want.
        }

        @Override
        default void close()
        {
            // Most own nothing.
        }
    }

    /** Measures, with files in a directory. */
    void run(final Path directory, final boolean isAlone, final Rounds listener)
    {
        final int sizeMax = rows.stream().flatMap(row -> row.sizes().stream()).reduce(MESSAGE_SIZE_MAX, Math::max);
        try (PeerPair pair = isAlone ? PeerPair.startAlone(kinds, sizeMax, directory) :
            PeerPair.start(kinds, sizeMax, directory); Rounds each = listener)
        {
            final PairRounds rounds = new PairRounds(pair, times.cellNs(), times.rounds(), times.foreignRounds());
            rows.forEach(row -> row.sizes().forEach(size -> rounds.add(row.benchmark(), size, row.isRead(),
                row.kinds().stream().filter(kinds::contains).toList())));
            pair.connect();
            each.onStart(pair, rounds.figureCount());
            final WarmUp warmUp = new WarmUp(times.warmUpNs(), times.warmUpRounds());
            rounds.run(warmUp, new PairRounds.Listener()
            {
                @Override
                public void onFigure(final Task task, final double figure, final OptionalDouble yardstick)
                {
                    each.keys(task).forEach(key -> figures.add(key, task.cell().benchmark(), figure, yardstick));
                }

                @Override
                public void onRound(final int round)
                {
                    if (round == 0)
                    {
                        figures.note(title + ": " + warmUp);
                    }
                    each.onRound(round);
                }
            });
            each.onEnd(pair);
        }
    }
}
