// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import org.agrona.CloseHelper;
import org.grim.bench.programs.ProgramPair;
import org.grim.bench.programs.ProgramRow;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.process.Pinning;
import org.grim.tools.process.PrivateDirectory;

/**
 * Programs that wait: a pair of processes for each peer, and for each row rounds in which the pairs have their turns,
 * another one first in each round. No process is pinned; all may use the CPUs that this one may.
 * <p>Thread: one.
 */
final class ProgramRounds
{
    /** A round of programs takes so many times longer: an exchange that waits takes longer than one that spins. */
    private static final int ROUND_FACTOR = 5;

    /** Exchanges of a pair after which its code is compiled, and how long a slow row may take for that. */
    private static final long WARM_UP_COUNT = 80_000;
    private static final long WARM_UP_NS_MAX = TimeUnit.SECONDS.toNanos(20);

    private static final String TIME_UNIT = "ns";

    private final Comparison of;
    private final int warmUpRounds;
    private final Figures figures;
    private final PrintWriter progress;
    private final List<PeerKind> kinds;
    private final List<ProgramRow> rows;
    private final long roundMs;

    ProgramRounds(
        final Comparison of, final List<PairMeasurement.Row> programs, final int warmUpRounds, final Figures figures,
        final PrintWriter progress)
    {
        this.of = of;
        this.warmUpRounds = warmUpRounds;
        this.figures = figures;
        this.progress = progress;
        kinds = of.peers().stream().sorted().toList();
        rows = programs.stream().flatMap(row -> row.sizes().stream().flatMap(size ->
            ProgramRow.of(row.benchmark(), size).stream())).toList();
        roundMs = (long)of.roundMs() * ROUND_FACTOR;
    }

    /** Measures all rows. */
    void run() throws IOException
    {
        final List<ProgramPair> pairs = new ArrayList<>();
        try (PrivateDirectory directory = PrivateDirectory.create("grim-programs-", of.directory()))
        {
            try
            {
                Files.write(ProgramPair.file(directory.path()), new byte[rows.stream()
                    .filter(row -> row.benchmark() == Benchmark.TRANSFER).mapToInt(ProgramRow::size).max().orElse(0)]);
                kinds.forEach(kind -> pairs.add(ProgramPair.start(kind, directory.path())));
                pairs.forEach(ProgramPair::awaitReady);
                figures.note("programs: rounds=" + of.rounds() + " of " + roundMs + " ms per figure, after " +
                    WARM_UP_COUNT + " exchanges to warm up, or " + TimeUnit.NANOSECONDS.toSeconds(WARM_UP_NS_MAX) +
                    " s; not pinned, all processes may use CPUs " + Pinning.allowedCpus());
                for (int i = 0; i < rows.size(); i++)
                {
                    measure(rows.get(i), pairs);
                    progress.println("programs: row " + (i + 1) + " of " + rows.size() + " done: " + rows.get(i));
                }
            }
            finally
            {
                CloseHelper.closeAll(pairs);
            }
        }
    }

    private void measure(final ProgramRow row, final List<ProgramPair> pairs)
    {
        final String suite = of.suite().toString();
        pairs.forEach(pair -> pair.begin(row));
        warmUp(pairs);
        for (int round = 0; round < of.rounds(); round++)
        {
            for (int turn = 0; turn < pairs.size(); turn++)
            {
                final int index = Math.floorMod(round + turn, pairs.size());
                final ProgramPair.Round taken = pairs.get(index).round(roundMs);
                final String peer = kinds.get(index).label();
                figures.add(row.key(suite, peer, ""), row.benchmark(), taken.figure(), OptionalDouble.empty());
                if (row.isTimed())
                {
                    figures.addTime(row.key(suite, peer, "-p50"), TIME_UNIT, taken.medianNs());
                    figures.addTime(row.key(suite, peer, "-p99"), TIME_UNIT, taken.tailNs());
                }
            }
        }
        pairs.forEach(ProgramPair::end);
    }

    /** All pairs have their turns until each has had its exchanges, or the time is over. */
    private void warmUp(final List<ProgramPair> pairs)
    {
        final long startNs = System.nanoTime();
        final long[] counts = new long[pairs.size()];
        int round = 0;
        while (round < warmUpRounds ||
            (LongStream.of(counts).min().orElseThrow() < WARM_UP_COUNT && System.nanoTime() - startNs < WARM_UP_NS_MAX))
        {
            for (int i = 0; i < pairs.size(); i++)
            {
                counts[i] += pairs.get(i).round(roundMs).count();
            }
            round++;
        }
    }
}
