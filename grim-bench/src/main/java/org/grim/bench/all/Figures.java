// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

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
 * Figures of one fork of one part, round by round; or of all forks side by side.
 * <p>Thread: one.
 */
final class Figures
{
    private static final double[] PERCENTILES = {0, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 99.999,
        100};
    private static final Comparator<PointKey> ORDER = Comparator.comparing(PointKey::suite)
        .thenComparing(PointKey::benchmark).thenComparing(PointKey::mode).thenComparing(PointKey::peer)
        .thenComparing(PointKey::xName).thenComparingDouble(PointKey::x);

    private final Map<PointKey, Series> series = new TreeMap<>(ORDER);
    private final Map<PointKey, List<PercentileCurve>> curves = new TreeMap<>(ORDER);
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
        Series.last(of.forks).add(figure);
        yardstick.ifPresent(ns -> Series.last(of.yardstick).add(ns));
    }

    /** Adds what another fork found. */
    void add(final int fork, final FigureDirectory other)
    {
        other.points().forEach(point ->
        {
            final Series of =
                series.computeIfAbsent(point.key(), any -> new Series(point.unit(), point.direction()));
            of.forks.addAll(point.forks());
            of.yardstick.addAll(point.yardstick());
        });
        other.curves().forEach(curve -> curves.computeIfAbsent(curve.key(), any -> new ArrayList<>()).add(curve));
        absent.putAll(other.info().absent());
        other.info().notes().forEach(note -> notes.add("fork " + (fork + 1) + ": " + note));
    }

    void curve(final PointKey key, final Histogram timesNs)
    {
        final List<PercentileCurve.Value> values = new ArrayList<>();
        for (final double percentile : PERCENTILES)
        {
            values.add(new PercentileCurve.Value(percentile, (double)timesNs.getValueAtPercentile(percentile)));
        }
        curves.put(key, List.of(new PercentileCurve(key, "ns", values, timesNs.getTotalCount())));
    }

    void note(final String sentence)
    {
        notes.add(sentence);
    }

    void absent(final String peer, final String reason)
    {
        absent.put(peer, reason);
    }

    Map<String, String> absent()
    {
        return absent;
    }

    List<String> notes()
    {
        return notes;
    }

    /** {@return all figures, ordered by suite, benchmark, mode, peer and x} */
    List<Point> points()
    {
        return series.entrySet().stream().map(each -> each.getValue().point(each.getKey())).toList();
    }

    /** {@return the curves in the same order, at each percentile the median of the forks' values} */
    List<PercentileCurve> curves()
    {
        return curves.values().stream().map(Figures::merge).toList();
    }

    /** As a fork of its own, for the first process to read. */
    FigureDirectory directory()
    {
        return new FigureDirectory(new RunInfo(FigureDirectory.FORMAT, "", "", 0, false, 1, 0, 0, Map.of(), Map.of(),
            absent, List.copyOf(notes)), points(), curves());
    }

    private static PercentileCurve merge(final List<PercentileCurve> ofForks)
    {
        final PercentileCurve first = ofForks.get(0);
        final List<PercentileCurve.Value> values = new ArrayList<>();
        for (int i = 0; i < first.values().size(); i++)
        {
            final int index = i;
            values.add(new PercentileCurve.Value(first.values().get(i).percentile(),
                Point.median(ofForks.stream().mapToDouble(curve -> curve.values().get(index).value()).toArray())));
        }
        return new PercentileCurve(first.key(), first.unit(), values,
            ofForks.stream().mapToLong(PercentileCurve::count).sum());
    }

    private static final class Series
    {
        private final String unit;
        private final Direction direction;
        private final List<List<Double>> forks = new ArrayList<>();
        private final List<List<Double>> yardstick = new ArrayList<>();

        Series(final String unit, final Direction direction)
        {
            this.unit = unit;
            this.direction = direction;
        }

        /** The fork that is measured. */
        private static List<Double> last(final List<List<Double>> rounds)
        {
            if (rounds.isEmpty())
            {
                rounds.add(new ArrayList<>());
            }
            return rounds.get(rounds.size() - 1);
        }

        /** A yardstick counts where every round has one. */
        private Point point(final PointKey key)
        {
            final boolean isWhole =
                yardstick.stream().map(List::size).toList().equals(forks.stream().map(List::size).toList());
            return new Point(key, unit, direction, forks, isWhole ? yardstick : List.of());
        }
    }
}
