// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.apache.commons.math3.stat.StatUtils;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.PeerPair;
import org.grim.bench.report.PingPongReport;
import org.grim.bench.report.PingPongRow;
import org.grim.tools.boards.BoardKind;

/**
 * Divides the time: warm-up of all sizes until the figures stand still or a part of the time is gone, then for each
 * size adjacent rounds (raw pass, shared memory beside boards, GRIM), then a stream.
 * <p>Thread: one, the measuring one.
 */
public final class PingPong
{
    private static final double WARM_UP_SHARE = 0.2;
    private static final double WARM_UP_TOLERANCE = 0.03;
    private static final int WARM_UP_PASSES_MIN = 4;
    private static final long WARM_UP_ROUND_NS_MIN = 10_000_000;
    private static final double STREAM_SHARE = 0.25;
    private static final double RAW_SHARE = 0.4;
    private static final double REFERENCE_SHARE = 0.5;
    private static final int ROUND_COUNT = 10;
    private static final long TIME_NS_MAX = 10_000_000_000L;
    private static final String REFERENCE_TRANSPORT = "shmem";

    private final String transport;
    private final BoardKind board;
    private final Mode mode;
    private final PeerKind kind;
    private final PeerKind reference;
    private final boolean isAlone;
    private PeerPair pair;

    /**
     * Makes a measurement.
     *
     * @param transport shmem, myrinet or null.
     * @param board     who runs the boards' firmware; null where the transport has none.
     * @param mode      what goes there and back.
     */
    public PingPong(final String transport, final BoardKind board, final Mode mode)
    {
        this.transport = transport;
        this.board = board;
        this.mode = mode;
        kind = mode.peer(transport);
        reference = board == null ? null : mode.peer(REFERENCE_TRANSPORT);
        isAlone = "null".equals(transport);
    }

    /**
     * Measures.
     *
     * @param sizes     payload bytes, in the order of the rows.
     * @param seconds   for the whole run.
     * @param directory of the files; null for the usual place.
     * @param arguments for the second process.
     * @param notes     gets a line on how it was measured.
     * @return what was measured.
     */
    public PingPongReport run(
        final int[] sizes, final int seconds, final Path directory, final PeerPair.Arguments arguments,
        final PrintWriter notes)
    {
        final List<PeerKind> kinds = new ArrayList<>();
        if (!isAlone)
        {
            kinds.add(PeerKind.RAW);
        }
        if (reference != null)
        {
            kinds.add(reference);
        }
        kinds.add(kind);
        int sizeMax = PeerKind.RAW_SIZE_MAX;
        for (final int size : sizes)
        {
            sizeMax = Math.max(sizeMax, size);
        }
        try (PeerPair opened = PeerPair.startForEchoes(kinds, sizeMax, directory, board, arguments))
        {
            pair = opened;
            note(notes);
            pair.connect();
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            warmUp(sizes, (long)(TimeUnit.SECONDS.toNanos(seconds) * WARM_UP_SHARE));
            final List<PingPongRow> rows = new ArrayList<>();
            for (int i = 0; i < sizes.length; i++)
            {
                // What the warm-up left over goes to the measurement.
                rows.add(row(sizes[i], Math.max(0, endNs - System.nanoTime()) / (sizes.length - i)));
            }
            return new PingPongReport(transport, board == null ? null : board.toString(), mode.toString(), rows);
        }
    }

    /** Medians of one round, one way, in ns; 0 for what is not measured. */
    private record Round(double rawNs, double referenceNs, double ns)
    {
    }

    private void warmUp(final int[] sizes, final long durationNs)
    {
        final long startNs = System.nanoTime();
        final long roundNs =
            Math.max(WARM_UP_ROUND_NS_MIN, durationNs / (sizes.length * (long)WARM_UP_PASSES_MIN * 4));
        double previousNs = Double.MAX_VALUE;
        double changeShare = Double.MAX_VALUE;
        for (int pass = 0; (pass < WARM_UP_PASSES_MIN || changeShare > WARM_UP_TOLERANCE) &&
            System.nanoTime() - startNs < durationNs; pass++)
        {
            double sumNs = 0;
            for (final int size : sizes)
            {
                sumNs += round(size, roundNs).ns();
                perSecond(size, roundNs);
            }
            changeShare = Math.abs(sumNs - previousNs) / sumNs;
            previousNs = sumNs;
        }
    }

    private PingPongRow row(final int size, final long durationNs)
    {
        final long streamNs = (long)(durationNs * STREAM_SHARE);
        final long roundNs = (durationNs - streamNs) / (ROUND_COUNT + 1);
        round(size, roundNs);          // Not counted: the caches still hold the size before.
        final long verifiedBefore = pair.deliveredCounts().get(kind);
        final Histogram times = new Histogram(TIME_NS_MAX, 3);
        final double[] rawNs = new double[ROUND_COUNT];
        final double[] referenceNs = new double[ROUND_COUNT];
        final double[] rawRatios = new double[ROUND_COUNT];
        final double[] referenceRatios = new double[ROUND_COUNT];
        for (int i = 0; i < ROUND_COUNT; i++)
        {
            final Round round = round(size, roundNs);
            times.add(pair.times(kind));
            rawNs[i] = round.rawNs();
            referenceNs[i] = round.referenceNs();
            rawRatios[i] = round.ns() / round.rawNs();
            referenceRatios[i] = round.ns() / round.referenceNs();
        }
        final double perSecond = perSecond(size, streamNs);
        final double ways = isAlone ? 1 : mode.waysPerTime();
        return new PingPongRow(size, new PingPongRow.OneWayNs(times.getMinValue() / ways,
            times.getValueAtPercentile(50) / ways, times.getValueAtPercentile(99) / ways,
            times.getValueAtPercentile(99.9) / ways), Math.round(perSecond),
            isAlone ? null : median(rawNs), isAlone ? null : median(rawRatios),
            reference == null ? null : median(referenceNs), reference == null ? null : median(referenceRatios),
            pair.deliveredCounts().get(kind) - verifiedBefore);
    }

    private Round round(final int size, final long durationNs)
    {
        long grimNs = durationNs;
        double rawNs = 0;
        double referenceNs = 0;
        if (!isAlone)
        {
            final long partNs = (long)(grimNs * RAW_SHARE);
            grimNs -= partNs;
            rawNs = pair.measure(PeerKind.RAW, new Cell(Benchmark.LATENCY, size, false), partNs);
        }
        if (reference != null)
        {
            final long partNs = (long)(grimNs * REFERENCE_SHARE);
            grimNs -= partNs;
            referenceNs = pair.measure(reference, Cell.verified(mode.latency(), size), partNs);
        }
        return new Round(rawNs, referenceNs, pair.measure(kind, Cell.verified(mode.latency(), size), grimNs));
    }

    private double perSecond(final int size, final long durationNs)
    {
        final double figure = pair.measure(kind, Cell.verified(mode.stream(), size), durationNs);
        return mode.stream() == Benchmark.RATE ? figure : figure * 1e9 / size;
    }

    private void note(final PrintWriter notes)
    {
        final int pollerCount = isAlone ? 1 : board == null ? PeerPair.POLLER_COUNT : board.pollerCount();
        notes.println(pair.description() + "; cores=" + PeerPair.CORE_COUNT + "; JVM=" +
            System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        if (PeerPair.CORE_COUNT < pollerCount)
        {
            notes.println("warning: cores=" + PeerPair.CORE_COUNT + " pollers=" + pollerCount +
                ": they take turns, and the figures are not comparable with others");
        }
        notes.flush();
    }

    private static double median(final double[] values)
    {
        return Math.round(StatUtils.percentile(values, 50) * 1000) / 1000.0;
    }
}
