// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.bench.nodes.SilentQueues;
import org.grim.bench.report.ComparisonReport;
import org.grim.bench.ucx.UcxPerftest;

/**
 * The first process: rounds in which every peer is measured once at every cell, in turn, so that the peers of a cell
 * stand side by side in time. Who begins changes from round to round.
 * <p>Thread: the measuring one.
 */
public final class Comparison
{
    private static final int PROGRESS_LINES = 12;

    private final Path ucx;
    private final boolean isUcxAbsent;
    private final ComparisonOptions options;
    private final PrintWriter notes;
    private final PrintWriter progress;
    private final long durationNs;
    private final Results results;
    private final Map<Integer, SilentQueues> queues = new TreeMap<>();

    /**
     * Makes a measurement.
     *
     * @param options  what to measure.
     * @param notes    gets the circumstances.
     * @param progress gets a line per round.
     */
    public Comparison(final ComparisonOptions options, final PrintWriter notes, final PrintWriter progress)
    {
        ucx = UcxPerftest.find(System.getenv("PATH"));
        isUcxAbsent = ucx == null && options.peers().contains(PeerKind.UCX);
        this.options = isUcxAbsent ? options.without(PeerKind.UCX) : options;
        this.notes = notes;
        this.progress = progress;
        durationNs = TimeUnit.MILLISECONDS.toNanos(options.roundMs());
        results = new Results(options.rounds());
    }

    /**
     * Tells whether figures can be compared with others.
     *
     * @return false if both processes share a core: they take turns, and the figures say how fast they do.
     */
    public static boolean isComparable()
    {
        return PeerPair.CORE_COUNT >= PeerPair.POLLER_COUNT;
    }

    /**
     * Why figures cannot be compared.
     *
     * @return a sentence.
     */
    public static String refusal()
    {
        return "not comparable: cores=" + PeerPair.CORE_COUNT + " < pollers=" + PeerPair.POLLER_COUNT +
            "; JSON has no rows";
    }

    /**
     * Measures.
     *
     * @param arguments for the second process, which calls {@link ComparisonServer#serve}.
     * @return what was measured.
     */
    public ComparisonReport run(final PeerPair.Arguments arguments)
    {
        final List<PeerKind> kinds = options.peers().stream().sorted().toList();
        final Map<PeerKind, Long> deliveredCounts;
        try (PeerPair pair = PeerPair.start(kinds, options.sizeMax(), options.directory(), ucx, arguments))
        {
            note(pair);
            pair.connect();
            rounds(pair);
            deliveredCounts = pair.deliveredCounts();
        }
        deliveredCounts.forEach((kind, count) -> notes.println(kind + (kind.isAlone() ? ": operations=" + count :
            ": delivered=" + count + " messages, all that were sent")));
        return new ComparisonReport(results.rows(), results.tableRows());
    }

    private void rounds(final PeerPair pair)
    {
        try
        {
            if (options.isPolled())
            {
                Benchmark.POLL.sizes().forEach(count -> queues.put(count, new SilentQueues("shmem", count, pair.path())));
            }
            final long startNs = System.nanoTime();
            final int stride = Math.max(1, options.rounds() / PROGRESS_LINES);
            final int warmUpRounds = options.warmUpRounds();
            for (int round = -warmUpRounds; round < options.rounds(); round++)
            {
                round(round, pair);
                final int count = round < 0 ? round + warmUpRounds + 1 : round + 1;
                if (count == 1 || count % stride == 0)
                {
                    progress.println((round < 0 ? "warm-up " + count + " of " + warmUpRounds :
                        "round " + count + " of " + options.rounds()) + " done after " +
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
                    progress.flush();
                }
            }
        }
        finally
        {
            queues.values().forEach(SilentQueues::close);
        }
    }

    private void round(final int round, final PeerPair pair)
    {
        for (final Cell cell : options.cells())
        {
            final List<PeerKind> kinds = options.peersOf(cell);
            for (int i = 0; i < kinds.size(); i++)
            {
                final PeerKind kind = kinds.get((i + round + options.warmUpRounds()) % kinds.size());
                final double figure = pair.measure(kind, cell, durationNs);
                if (round >= 0)
                {
                    results.add(cell, kind, round, figure);
                }
            }
        }
        queues.forEach((count, silent) ->
        {
            final double figure = silent.measure(durationNs) / count;
            if (round >= 0)
            {
                results.add(new Cell(Benchmark.POLL, count, false), PeerKind.GRIM, round, figure);
            }
        });
    }

    private void note(final PeerPair pair)
    {
        notes.println(Machine.describe(PeerPair.CORE_COUNT));
        notes.println(pair.description() + "; bounds checks of Agrona's buffers: " +
            (UnsafeBuffer.SHOULD_BOUNDS_CHECK ? "on" : "off") + ", for all peers");
        final long seconds = TimeUnit.MILLISECONDS.toSeconds(options.expectedMs());
        if (isUcxAbsent)
        {
            notes.println(PeerKind.UCX + ": absent: no ucx_perftest on the path (Debian has it in ucx-utils)");
        }
        notes.println("rounds=" + options.rounds() + " of " + options.roundMs() + " ms per figure, after " +
            options.warmUpRounds() + " to warm up; takes about " + seconds + " s");
        notes.flush();
    }
}
