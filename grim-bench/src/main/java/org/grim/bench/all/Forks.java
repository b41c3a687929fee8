// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.tools.process.SecondJvm;

/**
 * All forks: their figures side by side; of curves, at each percentile the median of the forks'.
 * <p>Thread: one.
 */
final class Forks
{
    private static final long TIMEOUT_MS = TimeUnit.MINUTES.toMillis(20);
    private static final Comparator<PointKey> ORDER = Comparator.comparing(PointKey::suite)
        .thenComparing(PointKey::benchmark).thenComparing(PointKey::mode).thenComparing(PointKey::peer)
        .thenComparingDouble(PointKey::x);

    private final Map<PointKey, List<Point>> points = new LinkedHashMap<>();
    private final Map<PointKey, List<PercentileCurve>> curves = new LinkedHashMap<>();
    private final Map<String, String> absent = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** Runs a task in a process of its own, and adds what it found. */
    FigureDirectory run(final int fork, final ForkTask task) throws IOException
    {
        try (SecondJvm process = SecondJvm.start(task.title(), task))
        {
            process.awaitEnd(TIMEOUT_MS);
        }
        final FigureDirectory figures = FigureDirectory.read(task.output());
        add(fork, figures);
        return figures;
    }

    void add(final int fork, final FigureDirectory figures)
    {
        figures.points().forEach(point -> points.computeIfAbsent(point.key(), any -> new ArrayList<>()).add(point));
        figures.curves().forEach(curve -> curves.computeIfAbsent(curve.key(), any -> new ArrayList<>()).add(curve));
        absent.putAll(figures.info().absent());
        figures.info().notes().forEach(note -> notes.add("fork " + (fork + 1) + ": " + note));
    }

    void note(final String sentence)
    {
        notes.add(sentence);
    }

    Map<String, String> absent()
    {
        return absent;
    }

    List<String> notes()
    {
        return notes;
    }

    /** Ordered by suite, benchmark, mode, peer and x, whatever came first. */
    List<Point> points()
    {
        return points.values().stream().map(Forks::merge).sorted(Comparator.comparing(Point::key, ORDER)).toList();
    }

    List<PercentileCurve> curves()
    {
        return curves.values().stream().map(Forks::mergeCurves)
            .sorted(Comparator.comparing(PercentileCurve::key, ORDER)).toList();
    }

    private static Point merge(final List<Point> ofForks)
    {
        final Point first = ofForks.get(0);
        final List<List<Double>> figures = new ArrayList<>();
        final List<List<Double>> yardstick = new ArrayList<>();
        ofForks.forEach(point ->
        {
            figures.addAll(point.forks());
            yardstick.addAll(point.yardstick());
        });
        return new Point(first.key(), first.unit(), first.direction(), figures,
            yardstick.size() == figures.size() ? yardstick : List.of());
    }

    private static PercentileCurve mergeCurves(final List<PercentileCurve> ofForks)
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
}
