// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.grim.bench.figures.Point;
import org.grim.tools.report.Table;

/** Points as text: a table for each suite, benchmark and mode. Any thread; no state. */
public final class PointTables
{
    private static final int SIGNIFICANT_DIGITS = 4;

    private PointTables()
    {
    }

    /**
     * For people.
     *
     * @param points in the order of the tables.
     * @return the tables, an empty line after each.
     */
    public static String text(final List<Point> points)
    {
        final Map<String, Table> tables = new LinkedHashMap<>();
        for (final Point point : points)
        {
            final String title = point.key().suite() + " " + point.key().benchmark() +
                (point.key().mode().equals("-") ? "" : " " + point.key().mode()) + " [" + point.unit() + "]";
            tables.computeIfAbsent(title, any -> new Table(title, point.key().xName(), "median", "min", "max",
                "noise %", "forks")).row(point.key().peer(), whole(point.key().x()), number(point.median()),
                number(point.min()), number(point.max()),
                number(point.forks().size() < 2 ? 0 : point.spread() * 100), point.forks().size());
        }
        final StringBuilder text = new StringBuilder();
        tables.values().forEach(table -> text.append(table).append(System.lineSeparator()));
        return text.toString();
    }

    private static Number number(final double value)
    {
        if (value == 0)
        {
            return 0L;
        }
        final double scale = Math.pow(10, SIGNIFICANT_DIGITS - Math.ceil(Math.log10(value)));
        final double rounded = Math.round(value * scale) / scale;
        return whole(rounded);
    }

    private static Number whole(final double value)
    {
        return value == Math.rint(value) ? (Number)(long)value : (Number)value;
    }
}
