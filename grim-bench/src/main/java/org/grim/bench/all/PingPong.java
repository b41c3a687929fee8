// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.HdrHistogram.Histogram;
import org.grim.bench.all.PairRounds.Task;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.PeerPair;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.report.PingPongReport;
import org.grim.bench.report.PointTables;
import org.grim.tools.boards.BoardKind;

/**
 * The command {@code pingpong}: interleaved rounds in which each size has a raw pass, shared memory beside boards,
 * GRIM one at a time, and GRIM as a stream; every payload is verified.
 * <p>Thread: one, the measuring one.
 */
public final class PingPong
{
    private static final double WARM_UP_SHARE = 0.2;
    private static final int ROUND_COUNT = 10;
    private static final long TIME_NS_MAX = 10_000_000_000L;
    private static final String SUITE = "pingpong";

    private final String transport;
    private final BoardKind board;
    private final PingPongMode mode;
    private final PeerKind kind;
    private final PeerKind reference;
    private final boolean isAlone;
    private final Figures figures = new Figures();
    private final Map<Integer, Histogram> times = new HashMap<>();
    private final Map<Integer, Long> verifiedCounts = new HashMap<>();

    /**
     * Makes a measurement.
     *
     * @param transport shmem, myrinet or null.
     * @param board     who runs the boards' firmware; null where the transport has none.
     * @param mode      what goes there and back.
     */
    public PingPong(final String transport, final BoardKind board, final PingPongMode mode)
    {
        this.transport = transport;
        this.board = board;
        this.mode = mode;
        kind = mode.peer(transport);
        reference = board == null ? null : mode.peer("shmem");
        isAlone = "null".equals(transport);
    }

    /**
     * Measures, once.
     *
     * @param sizes     payload bytes, in the order of the rows.
     * @param seconds   for the whole run, about.
     * @param directory of the files; null for the usual place.
     * @param notes     gets a line on how it was measured.
     * @return what was measured.
     */
    public PingPongReport run(
        final int[] sizes, final double seconds, final Path directory, final PrintWriter notes)
    {
        final List<PeerKind> kinds =
            Stream.of(isAlone ? null : PeerKind.RAW, reference, kind).filter(Objects::nonNull).toList();
        final int sizeMax = IntStream.of(sizes).reduce(PeerKind.RAW_SIZE_MAX, Math::max);
        try (PeerPair pair = PeerPair.startForEchoes(kinds, sizeMax, directory, board))
        {
            note(pair, notes);
            pair.connect();
            final long durationNs = (long)(seconds * TimeUnit.SECONDS.toNanos(1));
            final long warmUpNs = (long)(durationNs * WARM_UP_SHARE);
            final PairRounds rounds = new PairRounds(
                pair, (durationNs - warmUpNs) / (ROUND_COUNT * (kinds.size() + 1L) * sizes.length), ROUND_COUNT, 0);
            for (final int size : sizes)
            {
                add(rounds, size);
            }
            rounds.run(new WarmUp(warmUpNs, 1), new Collector(pair), figures, this::afterRound);
        }
        final Map<PointKey, Point> points =
            figures.directory().points().stream().collect(Collectors.toMap(Point::key, point -> point));
        return new PingPongReport(SUITE, transport, board == null ? null : board.toString(), mode.toString(),
            IntStream.of(sizes).mapToObj(size -> row(size, points)).toList());
    }

    private void add(final PairRounds rounds, final int size)
    {
        if (!isAlone)
        {
            rounds.add(rawCell(size), PeerKind.RAW);
        }
        if (reference == null)
        {
            rounds.add(latencyCell(size), kind);
        }
        else
        {
            rounds.add(latencyCell(size), reference, kind);
        }
        rounds.add(streamCell(size), kind);
    }

    private static Cell rawCell(final int size)
    {
        return new Cell(Benchmark.LATENCY, size, false);
    }

    private Cell latencyCell(final int size)
    {
        return Cell.verified(mode.latency(), size);
    }

    private Cell streamCell(final int size)
    {
        return Cell.verified(mode.stream(), size);
    }

    private PingPongReport.Row row(final int size, final Map<PointKey, Point> points)
    {
        final Point own = point(points, kind, latencyCell(size));
        final Point raw = point(points, PeerKind.RAW, rawCell(size));
        final Point shmem = point(points, reference, latencyCell(size));
        final double stream = point(points, kind, streamCell(size)).median();
        final Histogram histogram = times.get(size);
        final double ways = isAlone ? 1 : mode.waysPerTime();
        return new PingPongReport.Row(size, new PingPongReport.OneWayNs(histogram.getMinValue() / ways,
            histogram.getValueAtPercentile(50) / ways, histogram.getValueAtPercentile(99) / ways,
            histogram.getValueAtPercentile(99.9) / ways),
            Math.round(mode.stream() == Benchmark.RATE ? stream : stream * 1e9 / size),
            raw == null ? null : rounded(raw.median()), raw == null ? null : rounded(PointTables.ratio(own, raw)),
            shmem == null ? null : rounded(shmem.median()),
            shmem == null ? null : rounded(PointTables.ratio(own, shmem)), verifiedCounts.get(size));
    }

    /** Null for who was not measured. */
    private static Point point(final Map<PointKey, Point> points, final PeerKind peer, final Cell cell)
    {
        return peer == null ? null : points.get(new Task(peer, cell).key(SUITE, peer.label()));
    }

    /** Only the counted rounds count. */
    private void afterRound(final int round)
    {
        if (round < 0)
        {
            times.clear();
            verifiedCounts.clear();
        }
    }

    private void note(final PeerPair pair, final PrintWriter notes)
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

    private static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }

    /** Keeps single times, and counts what was verified. */
    private final class Collector implements PairRounds.Listener
    {
        private final PeerPair pair;
        private long deliveredCount;

        Collector(final PeerPair pair)
        {
            this.pair = pair;
        }

        @Override
        public List<PointKey> keysOf(final Task task)
        {
            return List.of(task.key(SUITE, task.kind().label()));
        }

        @Override
        public void onMeasured(final Task task)
        {
            if (task.kind() == kind)
            {
                final int size = task.cell().size();
                final long before = deliveredCount;
                deliveredCount = pair.deliveredCounts().get(kind);
                verifiedCounts.merge(size, deliveredCount - before, Long::sum);
                if (task.cell().benchmark() == mode.latency())
                {
                    times.computeIfAbsent(size, any -> new Histogram(TIME_NS_MAX, 3)).add(pair.times(kind));
                }
            }
        }
    }
}
