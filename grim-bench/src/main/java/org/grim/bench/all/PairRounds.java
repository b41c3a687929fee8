// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.PeerPair;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PointKey;

/**
 * Interleaved rounds of two processes: each cell's peers one after the other, another one first in each round. Rounds
 * count once the figures stand still: when a third of the time to warm up is over, and twice no peer's have moved by
 * more than a few percent, on the geometric mean over its cells, from one round to the next; or when that time is over.
 * <p>Thread: the measuring one.
 */
final class PairRounds
{
    private static final double TOLERANCE = 0.03;
    private static final int STILL_ROUNDS = 2;
    private static final int MIN_DIVISOR = 3;
    /** The raw pass stands here in every round that has rates. */
    private static final Cell RATE_YARDSTICK = new Cell(Benchmark.LATENCY, PeerKind.RAW_SIZE_MAX, false);
    private static final Set<PeerKind> LIMITS = Set.of(PeerKind.RAW, PeerKind.COPY_FLAG, PeerKind.RING,
        PeerKind.COPY_MEMORY, PeerKind.COPY_MAPPED);

    private final PeerPair pair;
    private final Map<Cell, List<PeerKind>> cells = new LinkedHashMap<>();
    private final Effort effort;

    PairRounds(final PeerPair pair, final Effort effort)
    {
        this.pair = pair;
        this.effort = effort;
    }

    /** One peer at one cell, at one place of the round. */
    record Task(PeerKind kind, Cell cell)
    {
    }

    /** Names what a task measures. */
    interface Naming
    {
        /** None keeps the figure as a yardstick only. */
        List<PointKey> keysOf(Task task);
    }

    void add(final Benchmark benchmark, final int size, final boolean isRead, final List<PeerKind> kinds)
    {
        final Cell cell = new Cell(benchmark, size, isRead);
        cells.put(cell, kinds.stream().filter(kind -> kind.takesPart(benchmark, size)).toList());
    }

    /** Warms up and measures; says in a note how the warm-up ended. */
    void run(final String name, final long warmUpNs, final Naming naming, final Figures figures)
    {
        final long startNs = System.nanoTime();
        Map<Task, Double> previous = round(0);
        int count = 1;
        int stillCount = 0;
        double change = Double.MAX_VALUE;
        long tookNs = System.nanoTime() - startNs;
        while ((stillCount < STILL_ROUNDS || tookNs < warmUpNs / MIN_DIVISOR) && tookNs < warmUpNs)
        {
            final Map<Task, Double> next = round(count);
            change = greatestChange(previous, next);
            stillCount = change <= TOLERANCE ? stillCount + 1 : 0;
            previous = next;
            count++;
            tookNs = System.nanoTime() - startNs;
        }
        figures.note(name + ": warm-up of " + count + " rounds, " + tookNs / 1_000_000_000 +
            " s: " + (stillCount >= STILL_ROUNDS ? "figures stood still" : "time was over, last change=" +
            (change == Double.MAX_VALUE ? "unknown" : Math.round(change * 1000) / 10.0 + " %")));
        for (int round = 0; round < effort.rounds(); round++)
        {
            final Map<Task, Double> of = round(count + round);
            of.forEach((task, figure) -> naming.keysOf(task).forEach(key -> figures.add(key,
                task.cell().benchmark().unit(), direction(task.cell().benchmark()), figure, yardstick(task, of))));
        }
    }

    /** Greatest geometric mean, over a peer's cells, of the change from one round to the next. */
    static double greatestChange(final Map<Task, Double> previous, final Map<Task, Double> next)
    {
        final Map<PeerKind, List<Double>> changes = new LinkedHashMap<>();
        next.forEach((task, figure) -> changes.computeIfAbsent(task.kind(), any -> new ArrayList<>())
            .add(Math.log(figure / previous.get(task))));
        return changes.values().stream().mapToDouble(of -> Math.abs(
            Math.expm1(of.stream().mapToDouble(Double::doubleValue).average().orElse(0)))).max().orElse(0);
    }

    /**
     * What the machine itself took in the same round: the raw pass, or a copy where the copy is most of the work; in
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
            case POLL -> OptionalDouble.empty();
        };
    }

    static Direction direction(final Benchmark benchmark)
    {
        return switch (benchmark)
        {
            case LATENCY, PUT_LATENCY, GET_LATENCY, POLL -> Direction.LOWER_IS_BETTER;
            case RATE, BANDWIDTH, PUT_BANDWIDTH, GET_BANDWIDTH, LARGE_MESSAGE -> Direction.HIGHER_IS_BETTER;
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

    private Map<Task, Double> round(final int number)
    {
        final Map<Task, Double> figures = new LinkedHashMap<>();
        cells.forEach((cell, kinds) ->
        {
            for (int i = 0; i < kinds.size(); i++)
            {
                final PeerKind kind = kinds.get((i + number) % kinds.size());
                figures.put(new Task(kind, cell), pair.measure(kind, cell, effort.cellNs()));
            }
        });
        return figures;
    }
}
