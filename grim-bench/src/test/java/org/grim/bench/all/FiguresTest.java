// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;
import java.util.OptionalDouble;

import org.HdrHistogram.Histogram;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.tools.pair.Benchmark;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class FiguresTest
{
    private static final PointKey KEY = new PointKey("messages", "latency", "grim-shmem", "ignore", "size", 32);
    private static final PointKey OTHER = new PointKey("cpu", "share", "grim-null", "idle", "load", 0);

    @Test
    void shouldSetForksSideBySide()
    {
        final Figures forks = new Figures();
        forks.add(0, fork(100, 120).directory());
        forks.add(1, fork(200, 240).directory());

        final List<Point> points = forks.points();

        assertEquals(List.of(OTHER, KEY), points.stream().map(Point::key).toList());
        assertEquals(List.of(List.of(100.0, 110.0), List.of(200.0, 210.0)), points.get(1).forks());
        assertEquals(List.of(List.of(120.0, 120.0), List.of(240.0, 240.0)), points.get(1).yardstick());
        assertEquals(List.of(), points.get(0).yardstick());
        assertEquals(List.of("fork 1: warm", "fork 2: warm"), forks.notes());
        assertEquals("not installed", forks.absent().get("ucx"));
    }

    @Test
    void shouldHaveNoYardstickWhereAForkLacksIt()
    {
        final Figures without = new Figures();
        without.addTime(KEY, "ns", 5);
        final Figures forks = new Figures();
        forks.add(0, fork(100, 120).directory());
        forks.add(1, without.directory());

        final Point point = forks.points().get(1);

        assertEquals(List.of(), point.yardstick());
        assertEquals(2, point.forks().size());
    }

    @Test
    void shouldTakeMedianOfCurves()
    {
        final Figures forks = new Figures();
        for (int fork = 0; fork < 3; fork++)
        {
            final Histogram times = new Histogram(3);
            for (int i = 1; i <= 100; i++)
            {
                times.recordValue(i * (fork + 1L));
            }
            final Figures figures = new Figures();
            figures.curve(KEY, times);
            forks.add(fork, figures.directory());
        }

        final PercentileCurve curve = forks.curves().get(0);

        assertEquals(300, curve.count());
        assertEquals(new PercentileCurve.Value(0, 2), curve.values().get(0));
        assertEquals(100, curve.values().stream().filter(value -> value.percentile() == 50).findFirst().orElseThrow()
            .value());
    }

    @Test
    void shouldRefuseWhatIsNoFigure()
    {
        final Figures figures = new Figures();

        assertThrows(IllegalStateException.class, () -> figures.addTime(KEY, "ns", Double.NaN));
        assertThrows(IllegalStateException.class, () -> figures.addTime(KEY, "ns", Double.POSITIVE_INFINITY));
        assertThrows(IllegalStateException.class, () -> figures.addTime(KEY, "ns", -1));
    }

    private static Figures fork(final double figure, final double yardstick)
    {
        final Figures figures = new Figures();
        figures.add(KEY, "ns", Direction.LOWER_IS_BETTER, figure, OptionalDouble.of(yardstick));
        figures.add(KEY, "ns", Direction.LOWER_IS_BETTER, figure + 10, OptionalDouble.of(yardstick));
        figures.addTime(OTHER, "%", 1);
        figures.note("warm");
        figures.absent("ucx", "not installed");
        return figures;
    }

    @Test
    void shouldKnowWhichFiguresAreBetter()
    {
        assertEquals(Direction.LOWER_IS_BETTER, Figures.direction(Benchmark.GET_LATENCY));
        assertEquals(Direction.HIGHER_IS_BETTER, Figures.direction(Benchmark.LARGE_MESSAGE));
    }
}
