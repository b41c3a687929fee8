// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.bench.all.PairMeasurement.Row;
import org.grim.bench.all.PairMeasurement.Times;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.SilentQueues;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PairRounds.Task;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One fork of a comparison. Of {@code cost} all peers send to themselves in the measuring thread. Programs come first,
 * before the measuring thread is pinned.
 */
public record ComparisonFork(Comparison of, boolean isChecked, Path output) implements ForkTask
{
    private static final int PROGRESS_LINES = 12;
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

    @Override
    public void fill(final Figures figures) throws IOException
    {
        final PrintWriter progress = new PrintWriter(System.err, true, UTF_8);
        final String suite = of.suite().toString();
        final long roundNs = TimeUnit.MILLISECONDS.toNanos(of.roundMs());
        final List<Row> cost = of.rows(Benchmark.COST::equals);
        if (!cost.isEmpty())
        {
            final long warmUpMs = Math.min(COST_WARM_UP_MS_MAX, of.rounds() * COST_WARM_UP_MS_PER_ROUND);
            new PairMeasurement(suite, figures, cost, new Times(roundNs, of.rounds(), 0,
                TimeUnit.MILLISECONDS.toNanos(warmUpMs), WARM_UP_ROUNDS_MIN)).run(of.directory(), true, this::keys);
        }
        final List<Row> programs = of.rows(Benchmark::isOfPrograms);
        if (!programs.isEmpty())
        {
            new ProgramRounds(of, programs, warmUpRounds(), figures, progress).run();
        }
        final List<Row> pair = of.rows(Benchmark::isOfPair);
        if (of.suite() == Suite.SOCKETS && !Comparison.isComparable() && !pair.isEmpty())
        {
            figures.note("left out, as both processes never wait: " + pair.stream().map(Row::benchmark).distinct()
                .map(Benchmark::label).collect(Collectors.joining(", ")) + "; " + Comparison.cores());
        }
        else if (!pair.isEmpty() || isPolled())
        {
            new PairMeasurement(suite, figures, pair, new Times(roundNs, of.rounds(),
                of.suite().foreignRounds(of.rounds()), 0, warmUpRounds())).run(
                of.directory(), false, new PairedRounds(this, figures, progress));
        }
    }

    private List<PointKey> keys(final Task task)
    {
        return List.of(Figures.key(of.suite().toString(), task, task.kind().label()));
    }

    /** Rounds before those that count: compiled code is quick only after some seconds. */
    private int warmUpRounds()
    {
        return Math.max(WARM_UP_ROUNDS_MIN, of.rounds() / ROUNDS_PER_WARM_UP);
    }

    private boolean isPolled()
    {
        return of.benchmarks().contains(Benchmark.POLL) && of.peers().contains(PeerKind.GRIM);
    }

    /** The rounds of two processes, with a poll of silent queues at the end of each. */
    private static final class PairedRounds implements PairMeasurement.Rounds
    {
        private final Map<Integer, SilentQueues> queues = new LinkedHashMap<>();
        private final long startNs = System.nanoTime();
        private final ComparisonFork fork;
        private final Figures figures;
        private final PrintWriter progress;

        PairedRounds(final ComparisonFork fork, final Figures figures, final PrintWriter progress)
        {
            this.fork = fork;
            this.figures = figures;
            this.progress = progress;
        }

        @Override
        public List<PointKey> keys(final Task task)
        {
            return fork.keys(task);
        }

        @Override
        public void onStart(final PeerPair pair, final int figureCount)
        {
            if (fork.isPolled())
            {
                Benchmark.POLL.sizes().forEach(
                    count -> queues.put(count, new SilentQueues("shmem", count, pair.path())));
            }
            final int rounds = fork.of.rounds();
            final long expectedMs =
                (long)(figureCount + queues.size()) * fork.of.roundMs() * (rounds + fork.warmUpRounds());
            figures.note(pair.description() + "; bounds checks of Agrona's buffers: " +
                (UnsafeBuffer.SHOULD_BOUNDS_CHECK ? "on" : "off") + ", for all peers; rounds=" + rounds + " of " +
                fork.of.roundMs() + " ms per figure, after " + fork.warmUpRounds() + " to warm up");
            progress.println("takes about " + TimeUnit.MILLISECONDS.toSeconds(expectedMs) + " s");
        }

        @Override
        public void onRound(final int round)
        {
            queues.forEach((count, silent) ->
            {
                final double ns = silent.measure(TimeUnit.MILLISECONDS.toNanos(fork.of.roundMs())) / count;
                if (round >= 0)
                {
                    figures.addTime(new PointKey(fork.of.suite().toString(), Benchmark.POLL.label(),
                        PeerKind.GRIM.label(), "ignore", "queues", count), Benchmark.POLL.unit(), ns);
                }
            });
            final int count = round < 0 ? -round : round + 1;
            if (count == 1 || count % Math.max(1, fork.of.rounds() / PROGRESS_LINES) == 0)
            {
                progress.println((round < 0 ? "warm-up " + count + " of " + fork.warmUpRounds() :
                    "round " + count + " of " + fork.of.rounds()) + " done after " +
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
            }
        }

        @Override
        public void onEnd(final PeerPair pair)
        {
            final Map<PeerKind, Double> allocated = pair.allocatedLengths();
            pair.deliveredCounts().forEach((kind, count) -> figures.note(kind + (kind.isForeign() ? ": runs=" + count :
                kind.isAlone() ? ": operations=" + count :
                ": delivered=" + count + " messages, all that were sent; allocated=" + String.format(Locale.ROOT,
                "%.3f", allocated.get(kind)) + " bytes per message (median of rates)")));
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(queues.values());
        }
    }
}
