// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import org.HdrHistogram.Histogram;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.PairRounds.Task;

/**
 * Figures of one fork of one part, round by round.
 * <p>Thread: one.
 */
final class Figures
{
    private static final double[] PERCENTILES = {0, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 99.999,
        100};

    private final Map<PointKey, Series> series = new LinkedHashMap<>();
    private final List<PercentileCurve> curves = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, String> absent = new LinkedHashMap<>();

    /** Names a task's figure. */
    static PointKey key(final String suite, final Task task, final String peer)
    {
        final Cell cell = task.cell();
        return new PointKey(suite, cell.benchmark().label(), peer, cell.mode(), "size", cell.size());
    }

    /** Adds a figure of one round in the benchmark's unit. */
    void add(final PointKey key, final Benchmark benchmark, final double figure, final OptionalDouble yardstick)
    {
        add(key, benchmark.unit(), direction(benchmark), figure, yardstick);
    }

    static Direction direction(final Benchmark benchmark)
    {
        return benchmark.isTime() ? Direction.LOWER_IS_BETTER : Direction.HIGHER_IS_BETTER;
    }

    /** Adds a figure of one round, lower being better, without a yardstick. */
    void addTime(final PointKey key, final String unit, final double figure)
    {
        add(key, unit, Direction.LOWER_IS_BETTER, figure, OptionalDouble.empty());
    }

    /** Adds a figure of one round; the yardstick is that of the same round. */
    void add(
        final PointKey key, final String unit, final Direction direction, final double figure,
        final OptionalDouble yardstick)
    {
        if (!Double.isFinite(figure) || figure < 0)
        {
            throw new IllegalStateException(key + " has the figure " + figure);
        }
        final Series of = series.computeIfAbsent(key, any -> new Series(unit, direction));
        of.figures.add(figure);
        yardstick.ifPresent(of.yardstick::add);
    }

    void curve(final PointKey key, final Histogram timesNs)
    {
        final List<PercentileCurve.Value> values = new ArrayList<>();
        for (final double percentile : PERCENTILES)
        {
            values.add(new PercentileCurve.Value(percentile, (double)timesNs.getValueAtPercentile(percentile)));
        }
        curves.add(new PercentileCurve(key, "ns", values, timesNs.getTotalCount()));
    }

    void note(final String sentence)
    {
        notes.add(sentence);
    }

    void absent(final String peer, final String reason)
    {
        absent.put(peer, reason);
    }

    /** As a fork of its own, for the first process to read. */
    FigureDirectory directory()
    {
        final List<Point> points = new ArrayList<>();
        series.forEach((key, of) -> points.add(new Point(key, of.unit, of.direction, List.of(of.figures),
            of.yardstick.size() == of.figures.size() ? List.of(of.yardstick) : List.of())));
        return new FigureDirectory(new RunInfo(FigureDirectory.FORMAT, "", "", 0, false, 1, 0, 0, Map.of(), Map.of(),
            absent, List.copyOf(notes)), points, curves);
    }

    private static final class Series
    {
        private final String unit;
        private final Direction direction;
        private final List<Double> figures = new ArrayList<>();
        private final List<Double> yardstick = new ArrayList<>();

        Series(final String unit, final Direction direction)
        {
            this.unit = unit;
            this.direction = direction;
        }
    }
}
