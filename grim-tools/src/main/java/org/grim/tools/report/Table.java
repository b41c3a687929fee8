// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A table of text. Numbers stand right, words left.
 * <p>Thread: one.
 */
public final class Table
{
    private static final String GAP = "  ";

    private final List<String> headings;
    private final List<List<Object>> rows = new ArrayList<>();

    /**
     * Begins a table.
     *
     * @param headings one per column.
     */
    public Table(final String... headings)
    {
        this.headings = List.of(headings);
    }

    /**
     * The table of some rows.
     *
     * @param rows    cells by name; one that is missing or negative is a dash.
     * @param columns names of the cells to show, each perhaps after a heading and {@code =}; a dot leads into a map.
     * @return lines; nothing if there are no rows.
     */
    public static String of(final List<? extends Map<String, ?>> rows, final String... columns)
    {
        if (rows.isEmpty())
        {
            return "";
        }
        final Table table = new Table(Stream.of(columns).map(column -> column.split("=", 2)[0]).toArray(String[]::new));
        for (final Map<String, ?> row : rows)
        {
            table.row(Stream.of(columns).map(column -> cell(row, column.substring(column.indexOf('=') + 1)))
                .toArray());
        }
        return table.toString();
    }

    private static Object cell(final Map<String, ?> row, final String name)
    {
        final int dot = name.indexOf('.');
        if (dot >= 0 && row.get(name.substring(0, dot)) instanceof final Map<?, ?> inner)
        {
            final Map<String, Object> cells = new HashMap<>();
            inner.forEach((key, value) -> cells.put(key.toString(), value));
            return cell(cells, name.substring(dot + 1));
        }
        final Object value = row.get(name);
        return value == null || (value instanceof final Number number && number.longValue() < 0) ? "-" : value;
    }

    /**
     * Adds a row.
     *
     * @param cells one per column.
     * @throws IllegalArgumentException if there are more or fewer.
     */
    public void row(final Object... cells)
    {
        if (cells.length != headings.size())
        {
            throw new IllegalArgumentException("cells=" + cells.length + ", columns=" + headings.size());
        }
        rows.add(List.of(cells));
    }

    /** The table, each line with its end. */
    @Override
    public String toString()
    {
        final int[] widths = new int[headings.size()];
        final boolean[] isNumeric = new boolean[widths.length];
        for (int column = 0; column < widths.length; column++)
        {
            widths[column] = headings.get(column).length();
            for (final List<Object> row : rows)
            {
                widths[column] = Math.max(widths[column], text(row.get(column)).length());
                isNumeric[column] |= row.get(column) instanceof Number;
            }
        }
        final StringBuilder text = new StringBuilder();
        append(text, headings, widths, isNumeric);
        for (final List<Object> row : rows)
        {
            append(text, row, widths, isNumeric);
        }
        return text.toString();
    }

    /** Java writes floating-point numbers from ten millions on with an exponent. */
    private static String text(final Object cell)
    {
        return cell instanceof final Double number && Double.isFinite(number) ?
            BigDecimal.valueOf(number).toPlainString() : cell.toString();
    }

    private static void append(
        final StringBuilder text, final List<?> cells, final int[] widths, final boolean[] isNumeric)
    {
        final StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++)
        {
            final String cell = text(cells.get(column));
            final String padding = " ".repeat(widths[column] - cell.length());
            line.append(column == 0 ? "" : GAP).append(isNumeric[column] ? padding + cell : cell + padding);
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
}
