// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.tools.report.Table;

/**
 * Points as text and as rows of JSON: a table for each suite, benchmark, mode and place on the curve, so that peers
 * stand below each other. Ratios are ours divided by theirs; which one is ours says {@link #ours}. No state.
 */
public final class PointTables
{
    private static final int SIGNIFICANT_DIGITS = 4;
    private static final String OURS = "grim";

    private PointTables()
    {
    }

    /** For people. */
    public static String text(final List<Point> points)
    {
        final StringBuilder text = new StringBuilder();
        tables(points).forEach((title, rows) ->
        {
            final Table table = new Table(title, "median", "min", "max", "noise %", "forks", "grim/peer");
            for (final Point point : rows)
            {
                final Double ratio = ratio(rows, point);
                table.row(point.key().peer(), number(point.median()), number(point.min()), number(point.max()),
                    number(point.forks().size() < 2 ? 0 : point.spread() * 100), point.forks().size(),
                    ratio == null ? "-" : number(ratio));
            }
            text.append(table).append(System.lineSeparator());
        });
        return text.toString();
    }

    /** For programs. */
    public static List<ComparisonRow> rows(final List<Point> points)
    {
        final Map<String, List<Point>> tables = tables(points);
        return points.stream().map(point ->
        {
            final PointKey key = point.key();
            final Double ratio = ratio(tables.get(title(point)), point);
            return new ComparisonRow(key.benchmark(), key.peer(), (int)key.x(), key.mode(), point.unit(),
                rounded(point.median()), rounded(point.min()), rounded(point.max()),
                point.forks().stream().mapToInt(List::size).sum(), ratio == null ? null : rounded(ratio));
        }).toList();
    }

    private static Map<String, List<Point>> tables(final List<Point> points)
    {
        final Map<String, List<Point>> tables = new LinkedHashMap<>();
        points.forEach(point -> tables.computeIfAbsent(title(point), any -> new ArrayList<>()).add(point));
        return tables;
    }

    private static String title(final Point point)
    {
        final PointKey key = point.key();
        final Number x = whole(key.x());
        final String place = "size".equals(key.xName()) ? x + " B" : "queues".equals(key.xName()) ? x + " queues" :
            key.xName() + "=" + x;
        return key.suite() + " " + key.benchmark() + " " + place + (key.mode().equals("-") ? "" : " " + key.mode()) +
            " [" + point.unit() + "]";
    }

    private static Double ratio(final List<Point> table, final Point point)
    {
        final String peer = ours(table.stream().map(other -> other.key().peer()).toList());
        final Point ours = table.stream().filter(other -> other.key().peer().equals(peer)).findFirst().orElse(null);
        return ours == null || point.median() == 0 ? null : ratio(ours, point);
    }

    /** Whether a peer is GRIM, over whichever transport. */
    static boolean isOurs(final String peer)
    {
        return peer.startsWith(OURS);
    }

    /**
     * Returns which peer is GRIM as others are compared with it: over shared memory if it is there, and over the null
     * transport, which stays within one process, only if there is no other; null if none is GRIM.
     */
    static String ours(final Collection<String> peers)
    {
        return peers.stream().filter(PointTables::isOurs).min(Comparator.comparingInt(
            peer -> peer.equals(OURS) ? 0 : peer.equals("grim-shmem") ? 1 : peer.equals("grim-null") ? 3 : 2))
            .orElse(null);
    }

    /**
     * Returns the median over rounds of the first figures divided by the second: a disturbance that is longer than a
     * round cancels out. Where the rounds are not the same it divides the medians.
     */
    public static double ratio(final Point ours, final Point point)
    {
        final double[] first = figures(ours);
        final double[] second = figures(point);
        if (first.length != second.length)
        {
            return ours.median() / point.median();
        }
        final double[] ratios = new double[first.length];
        Arrays.setAll(ratios, round -> first[round] / second[round]);
        return Point.median(ratios);
    }

    private static double[] figures(final Point point)
    {
        return point.forks().stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray();
    }

    /** Rounds to the digits that tables and JSON have. */
    public static double rounded(final double value)
    {
        final double scale = Math.pow(10, SIGNIFICANT_DIGITS - Math.ceil(Math.log10(value)));
        return value == 0 ? 0 : Math.round(value * scale) / scale;
    }

    private static Number number(final double value)
    {
        return whole(rounded(value));
    }

    private static Number whole(final double value)
    {
        return value == Math.rint(value) ? (Number)(long)value : (Number)value;
    }
}
