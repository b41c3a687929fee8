// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Interleaved rounds of two processes: each cell's peers one after the other, another one first in each round. Programs
 * of others have nothing to warm up, and take long: they are measured in the first counted rounds only.
 * <p>Thread: the measuring one.
 */
public final class PairRounds
{
    /** The raw pass stands here in every round that has rates. */
    private static final Cell RATE_YARDSTICK = new Cell(Benchmark.LATENCY, PeerKind.RAW_SIZE_MAX, false);
    private static final Set<PeerKind> LIMITS = Set.of(PeerKind.RAW, PeerKind.COPY_FLAG, PeerKind.RING,
        PeerKind.COPY_MEMORY, PeerKind.COPY_MAPPED);

    private final PeerPair pair;
    private final Map<Cell, List<PeerKind>> cells = new LinkedHashMap<>();
    private final long cellNs;
    private final int roundCount;
    private final int foreignRoundCount;

    /**
     * Makes rounds without cells.
     *
     * @param pair              that measures.
     * @param cellNs            time of a figure.
     * @param roundCount        counted rounds.
     * @param foreignRoundCount those of them that have programs of others.
     */
    public PairRounds(final PeerPair pair, final long cellNs, final int roundCount, final int foreignRoundCount)
    {
        this.pair = pair;
        this.cellNs = cellNs;
        this.roundCount = roundCount;
        this.foreignRoundCount = foreignRoundCount;
    }

    /**
     * One peer at one cell, at one place of the round.
     *
     * @param kind of peer.
     * @param cell what it is measured at.
     */
    public record Task(PeerKind kind, Cell cell)
    {
    }

    /** Takes the figures. */
    public interface Listener
    {
        /** A task was measured, in a counted round or before. */
        default void onMeasured(final Task task)
        {
            // Its figure is all that most want.
        }

        /**
         * A figure of a counted round, which has ended.
         *
         * @param task      what was measured.
         * @param figure    in the benchmark's unit.
         * @param yardstick what the machine itself took in the same round, in the same unit; empty if nothing says so.
         */
        void onFigure(Task task, double figure, OptionalDouble yardstick);

        /** A round has ended: its number, below 0 before the counted ones. */
        default void onRound(final int round)
        {
            // Figures are all that most want.
        }
    }

    /** Adds a cell with the peers that take part in it. */
    public void add(final Benchmark benchmark, final int size, final boolean isRead, final List<PeerKind> kinds)
    {
        final Cell cell = new Cell(benchmark, size, isRead);
        cells.put(cell, kinds.stream().filter(kind -> kind.takesPart(benchmark, size)).toList());
    }

    /** Adds a cell with its peers. */
    public void add(final Cell cell, final PeerKind... kinds)
    {
        cells.put(cell, List.of(kinds));
    }

    /** {@return figures of a round; their count} */
    public int figureCount()
    {
        return cells.values().stream().mapToInt(List::size).sum();
    }

    /** Warms up and measures. */
    public void run(final WarmUp warmUp, final Listener listener)
    {
        Map<Task, Double> previous = null;
        while (!warmUp.isOver())
        {
            final Map<Task, Double> next = round(warmUp.count(), false, listener);
            warmUp.add(previous == null ? Double.MAX_VALUE : changeMax(previous, next));
            previous = next;
            listener.onRound(-warmUp.count());
        }
        for (int round = 0; round < roundCount; round++)
        {
            final Map<Task, Double> of = round(warmUp.count() + round, round < foreignRoundCount, listener);
            // In the order of the peers, not in that of this round.
            cells.forEach((cell, kinds) -> kinds.stream().map(kind -> new Task(kind, cell)).filter(of::containsKey)
                .forEach(task -> listener.onFigure(task, of.get(task), yardstick(task, of))));
            listener.onRound(round);
        }
    }

    /** Greatest geometric mean, over a peer's cells, of the change from one round to the next. */
    static double changeMax(final Map<Task, Double> previous, final Map<Task, Double> next)
    {
        final Map<PeerKind, List<Double>> changes = new LinkedHashMap<>();
        next.forEach((task, figure) -> changes.computeIfAbsent(task.kind(), any -> new ArrayList<>())
            .add(Math.log(figure / previous.get(task))));
        return changes.values().stream().mapToDouble(of -> Math.abs(
            Math.expm1(of.stream().mapToDouble(Double::doubleValue).average().orElse(0)))).max().orElse(0);
    }

    /**
     * The time of the machine itself in the same round: the raw pass, or a copy where the copy is most of the work; in
     * the unit of the figure, so that both move alike.
     */
    static OptionalDouble yardstick(final Task task, final Map<Task, Double> round)
    {
        final Cell cell = task.cell();
        return switch (cell.benchmark())
        {
            case LATENCY, PUT_LATENCY ->
                of(round, task, cell.size() <= PeerKind.RAW_SIZE_MAX ? PeerKind.RAW : PeerKind.COPY_FLAG, cell);
            case RATE -> perSecond(round.get(new Task(PeerKind.RAW, RATE_YARDSTICK)));
            case BANDWIDTH -> of(round, task, PeerKind.RING, cell);
            case PUT_BANDWIDTH, GET_LATENCY, GET_BANDWIDTH, LARGE_MESSAGE ->
                of(round, task, PeerKind.COPY_MAPPED, cell);
            case POLL, COST, SELECT, BLOCKING, CONNECT, TRANSFER -> OptionalDouble.empty();
        };
    }

    /** Limits are not measured by themselves. */
    private static OptionalDouble of(
        final Map<Task, Double> round, final Task task, final PeerKind limit, final Cell cell)
    {
        final Double figure = round.get(new Task(limit, cell));
        return figure == null || LIMITS.contains(task.kind()) ? OptionalDouble.empty() : OptionalDouble.of(figure);
    }

    private static OptionalDouble perSecond(final Double ns)
    {
        return ns == null ? OptionalDouble.empty() : OptionalDouble.of(1e9 / ns);
    }

    private Map<Task, Double> round(final int number, final boolean hasForeign, final Listener listener)
    {
        final Map<Task, Double> figures = new LinkedHashMap<>();
        cells.forEach((cell, kinds) ->
        {
            for (int i = 0; i < kinds.size(); i++)
            {
                final PeerKind kind = kinds.get((i + number) % kinds.size());
                if (hasForeign || !kind.isForeign())
                {
                    final Task task = new Task(kind, cell);
                    figures.put(task, pair.measure(kind, cell, cellNs));
                    listener.onMeasured(task);
                }
            }
        });
        return figures;
    }
}
