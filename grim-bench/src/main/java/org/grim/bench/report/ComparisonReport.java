// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;
import java.util.Objects;

import org.grim.tools.report.Table;

/**
 * Result of the command {@code bench shmem}.
 *
 * @param rows      for programs.
 * @param tableRows for people, ordered by benchmark, size and mode.
 */
public record ComparisonReport(List<ComparisonRow> rows, List<ComparisonRow> tableRows)
{
    /**
     * Takes copies.
     *
     * @param rows      for programs.
     * @param tableRows for people.
     */
    public ComparisonReport(final List<ComparisonRow> rows, final List<ComparisonRow> tableRows)
    {
        this.rows = List.copyOf(rows);
        this.tableRows = List.copyOf(tableRows);
    }

    /**
     * For people.
     *
     * @return one table per benchmark, size and mode.
     */
    public String text()
    {
        final StringBuilder text = new StringBuilder();
        int first = 0;
        while (first < tableRows.size())
        {
            final ComparisonRow head = tableRows.get(first);
            final Table table = new Table(heading(head), "median", "min", "max", "grim/peer");
            int next = first;
            while (next < tableRows.size() && heading(tableRows.get(next)).equals(heading(head)))
            {
                final ComparisonRow row = tableRows.get(next);
                table.row(row.peer(), number(row.median()), number(row.min()), number(row.max()),
                    row.ratioToGrim() == null ? "-" : number(row.ratioToGrim()));
                next++;
            }
            text.append(table).append(System.lineSeparator());
            first = next;
        }
        return text.toString();
    }

    private static String heading(final ComparisonRow row)
    {
        final String what = row.benchmark().equals("poll") ? row.size() + " queues" : row.size() + " B " + row.mode();
        return row.benchmark() + " " + what + " [" + row.unit() + "]";
    }

    /** Messages per second without digits that say nothing. */
    private static Number number(final double value)
    {
        return Objects.equals(value, Math.rint(value)) ? (Number)(long)value : (Number)value;
    }
}
