// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pingpong;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.HdrHistogram.Histogram;
import org.grim.buffer.Buffers;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.HostPlaces;
import org.grim.tools.pair.PairRounds;
import org.grim.tools.pair.PairRounds.Task;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.pair.WarmUp;

/**
 * The command {@code pingpong}: interleaved rounds in which each size has its limit, shared memory beside boards, GRIM
 * one at a time, and GRIM as a stream. The limit is a raw pass up to one cache line, a copy and a flag above. Small
 * payloads are all verified; of larger ones the timed rounds look at no byte, as their limit does not, and every round
 * has untimed cells beside them in which all are verified.
 * <p>Thread: one, the measuring one.
 */
public final class PingPong
{
    private static final double WARM_UP_SHARE = 0.2;
    private static final int ROUND_COUNT = 10;
    private static final int RAW_SIZE_MAX = Buffers.CACHE_LINE_LENGTH;
    private static final long TIME_NS_MAX = 10_000_000_000L;
    private static final String COMMAND = "pingpong";

    private final String transport;
    private final BoardKind board;
    private final HostPlaces hosts;
    private final PingPongMode mode;
    private final PeerKind kind;
    private final PeerKind reference;
    private final boolean isAlone;
    private final Map<Task, List<Double>> figures = new HashMap<>();
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
        this(transport, board, null, mode);
    }

    /**
     * Makes a measurement between two hosts.
     *
     * @param mode  what goes there and back.
     * @param hosts where they are; this process is on the first one.
     */
    public PingPong(final PingPongMode mode, final HostPlaces hosts)
    {
        this("aeron", null, hosts, mode);
    }

    private PingPong(
        final String transport, final BoardKind board, final HostPlaces hosts, final PingPongMode mode)
    {
        this.transport = transport;
        this.board = board;
        this.hosts = hosts;
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
        final Map<Cell, Set<PeerKind>> cells = cells(sizes);
        final List<PeerKind> kinds = cells.values().stream().flatMap(Set::stream).distinct().sorted().toList();
        final int sizeMax = IntStream.of(sizes).reduce(RAW_SIZE_MAX, Math::max);
        try (PeerPair pair = PeerPair.startForEchoes(kinds, sizeMax, directory, board, hosts))
        {
            note(pair, notes);
            pair.connect();
            final long durationNs = (long)(seconds * TimeUnit.SECONDS.toNanos(1));
            final long warmUpNs = (long)(durationNs * WARM_UP_SHARE);
            final long figureCount = cells.values().stream().mapToLong(Set::size).sum();
            final PairRounds rounds =
                new PairRounds(pair, (durationNs - warmUpNs) / (ROUND_COUNT * figureCount), ROUND_COUNT, 0);
            cells.forEach((cell, peers) -> rounds.add(cell, peers.toArray(PeerKind[]::new)));
            rounds.run(new WarmUp(warmUpNs, 1), new Collector(pair));
        }
        return new PingPongReport(COMMAND, transport, board == null ? null : board.toString(), mode.toString(),
            IntStream.of(sizes).mapToObj(this::row).toList());
    }

    /** Cells of a round with their peers; a cell may be limit, latency and verification in one. */
    private Map<Cell, Set<PeerKind>> cells(final int[] sizes)
    {
        final List<PeerKind> latencyPeers = reference == null ? List.of(kind) : List.of(reference, kind);
        final Map<Cell, Set<PeerKind>> cells = new LinkedHashMap<>();
        for (final int size : sizes)
        {
            if (!isAlone)
            {
                add(cells, limitCell(size), List.of(limit(size)));
            }
            add(cells, timedCell(mode.latency(), size), latencyPeers);
            add(cells, timedCell(mode.stream(), size), List.of(kind));
            add(cells, Cell.verified(mode.latency(), size), latencyPeers);
            add(cells, Cell.verified(mode.stream(), size), List.of(kind));
        }
        return cells;
    }

    private static void add(final Map<Cell, Set<PeerKind>> cells, final Cell cell, final List<PeerKind> kinds)
    {
        cells.computeIfAbsent(cell, any -> new LinkedHashSet<>()).addAll(kinds);
    }

    /** The least that passes a payload of a size. */
    private static PeerKind limit(final int size)
    {
        return size <= RAW_SIZE_MAX ? PeerKind.RAW : PeerKind.COPY_FLAG;
    }

    private static Cell limitCell(final int size)
    {
        return new Cell(Benchmark.LATENCY, size, false);
    }

    private Cell timedCell(final Benchmark benchmark, final int size)
    {
        return new Cell(benchmark, size, false, isVerifiedWhereTimed(benchmark, size));
    }

    /**
     * Whether verification does not disturb the clock: little to read; or a peer that stops the clock before it reads,
     * which are a node to itself, reads, and writes of a stream.
     */
    private boolean isVerifiedWhereTimed(final Benchmark benchmark, final int size)
    {
        return isAlone || size < PingPongReport.UNTIMED_SIZE_MIN ||
            !(benchmark.isPingPong() || benchmark == Benchmark.RATE);
    }

    private boolean isTimed(final Cell cell)
    {
        return !cell.isVerified() || isVerifiedWhereTimed(cell.benchmark(), cell.size());
    }

    private PingPongReport.Row row(final int size)
    {
        final Cell latency = timedCell(mode.latency(), size);
        final List<Double> own = figures(kind, latency);
        final List<Double> raw = figures(PeerKind.RAW, limitCell(size));
        final List<Double> copyFlag = figures(PeerKind.COPY_FLAG, limitCell(size));
        final List<Double> shmem = figures(reference, latency);
        final double stream = middle(figures(kind, timedCell(mode.stream(), size)));
        final Histogram histogram = times.get(size);
        final double directions = isAlone ? 1 : mode.directionsPerTime();
        return new PingPongReport.Row(size, new PingPongReport.OneWayNs(histogram.getMinValue() / directions,
            histogram.getValueAtPercentile(50) / directions, histogram.getValueAtPercentile(99) / directions,
            histogram.getValueAtPercentile(99.9) / directions),
            Math.round(mode.stream() == Benchmark.RATE ? stream : stream * 1e9 / size),
            median(raw), ratio(own, raw), median(copyFlag), ratio(own, copyFlag), median(shmem), ratio(own, shmem),
            verifiedCounts.get(size));
    }

    /** Returns the figures of all rounds; null for a peer that was not measured. */
    private List<Double> figures(final PeerKind peer, final Cell cell)
    {
        return figures.get(new Task(peer, cell));
    }

    /** Returns the median over rounds; null of a peer that was not measured. */
    private static Double median(final List<Double> ofRounds)
    {
        return ofRounds == null ? null : rounded(middle(ofRounds));
    }

    private static double middle(final List<Double> ofRounds)
    {
        final double[] sorted = ofRounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Returns the median over rounds of the ratio; null of a peer that was not measured. */
    private static Double ratio(final List<Double> own, final List<Double> other)
    {
        return other == null ? null :
            median(IntStream.range(0, own.size()).mapToObj(round -> own.get(round) / other.get(round)).toList());
    }

    private void note(final PeerPair pair, final PrintWriter notes)
    {
        final int pollerCount = isAlone ? 1 : pair.pollerCount();
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
        public void onFigure(final Task task, final double figure, final OptionalDouble yardstick)
        {
            if (isTimed(task.cell()))
            {
                figures.computeIfAbsent(task, any -> new ArrayList<>()).add(figure);
            }
        }

        /** Only the counted rounds count. */
        @Override
        public void onRound(final int round)
        {
            if (round < 0)
            {
                times.clear();
                verifiedCounts.clear();
            }
        }

        @Override
        public void onMeasured(final Task task)
        {
            if (task.kind() == kind)
            {
                final int size = task.cell().size();
                final long before = deliveredCount;
                deliveredCount = pair.deliveredCounts().get(kind);
                if (task.cell().isVerified())
                {
                    verifiedCounts.merge(size, deliveredCount - before, Long::sum);
                }
                if (task.cell().benchmark() == mode.latency() && isTimed(task.cell()))
                {
                    times.computeIfAbsent(size, any -> new Histogram(TIME_NS_MAX, 3)).add(pair.times(kind));
                }
            }
        }
    }
}
