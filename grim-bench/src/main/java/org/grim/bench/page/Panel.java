// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;

/**
 * What belongs on one plot: the same benchmark in the same way and unit, whoever was measured; or of one peer, each way
 * of it. Immutable.
 *
 * @param suite     part of the harness.
 * @param benchmark what was measured.
 * @param mode      of it; empty where there is a curve for each mode of the only peer.
 * @param unit      of the figures.
 * @param xName     what the curves go over.
 * @param points    at least one.
 */
record Panel(String suite, String benchmark, String mode, String unit, String xName, List<Point> points)
{
    private static final List<String> OURS = List.of("grim-shmem", "grim-rm-p", "grim-rm-v", "grim");

    Panel
    {
        points = List.copyOf(points);
    }

    /** Of all points, suites in the order of interest, the rest in the order of the run. */
    static List<Panel> of(final List<Point> points)
    {
        final Map<List<String>, List<Point>> groups = new LinkedHashMap<>();
        for (final Point point : points)
        {
            final PointKey key = point.key();
            groups.computeIfAbsent(List.of(key.suite(), key.benchmark(), point.unit(), key.xName()),
                name -> new ArrayList<>()).add(point);
        }
        return groups.values().stream().flatMap(Panel::panels)
            .sorted(Comparator.comparingInt((Panel panel) -> Wording.suiteRank(panel.suite()))
                .thenComparingInt(panel -> Wording.benchmarkRank(panel.benchmark()))).toList();
    }

    private static Stream<Panel> panels(final List<Point> points)
    {
        final Map<String, List<Point>> modes = points.stream()
            .collect(Collectors.groupingBy(point -> point.key().mode(), LinkedHashMap::new, Collectors.toList()));
        final boolean isOfOnePeer = points.stream().map(point -> point.key().peer()).distinct().count() == 1;
        return isOfOnePeer && modes.size() > 1 ? Stream.of(panel(points, "")) :
            modes.entrySet().stream().map(mode -> panel(mode.getValue(), mode.getKey()));
    }

    private static Panel panel(final List<Point> points, final String mode)
    {
        final PointKey key = points.get(0).key();
        return new Panel(key.suite(), key.benchmark(), mode, points.get(0).unit(), key.xName(),
            points.stream().sorted(Comparator.comparingDouble(point -> point.key().x())).toList());
    }

    String title()
    {
        return Wording.title(suite, benchmark, mode);
    }

    Direction direction()
    {
        return points.get(0).direction();
    }

    /** Whether there is more than one place on the horizontal axis. */
    boolean hasCurves()
    {
        return points.stream().mapToDouble(point -> point.key().x()).distinct().count() > 1;
    }

    Plot plot()
    {
        final double[] xs = points.stream().mapToDouble(point -> point.key().x()).toArray();
        return new Plot(title(), Axis.of(xName, xs), Wording.figure(benchmark, unit), unit,
            names().stream().map(this::curve).toList());
    }

    /** Of the curves: this library first, in the order of the run. */
    Set<String> names()
    {
        final Set<String> names = new LinkedHashSet<>();
        points.stream().map(this::name).filter(Palette::isOurs).forEach(names::add);
        points.forEach(point -> names.add(name(point)));
        return names;
    }

    /** Of the curve that a point is on. */
    String name(final Point point)
    {
        return mode.isEmpty() && !point.key().mode().isEmpty() ? point.key().peer() + ", " + point.key().mode() :
            point.key().peer();
    }

    /** Whom the others are compared with; empty where this library was not measured. */
    String ours()
    {
        final Set<String> names = names();
        return OURS.stream().filter(names::contains).findFirst()
            .orElseGet(() -> names.stream().filter(Palette::isOurs).findFirst().orElse(""));
    }

    /** The figure of this library at a place, divided by that of a point there. */
    OptionalDouble ratio(final Point point)
    {
        final String ours = ours();
        return points.stream().filter(other -> name(other).equals(ours) && other.key().x() == point.key().x())
            .mapToDouble(other -> other.median() / point.median()).filter(Double::isFinite).findFirst();
    }

    private Curve curve(final String name)
    {
        return new Curve(name, points.stream().filter(point -> name(point).equals(name))
            .map(point -> new Curve.Place(point.key().x(), point.median(), spread(point))).toList());
    }

    private static List<Double> spread(final Point point)
    {
        final double[] medians = point.forkMedians();
        return medians.length < 2 ? List.of() : Arrays.stream(medians).boxed().toList();
    }
}
