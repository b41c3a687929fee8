// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;

import org.grim.tools.report.Table;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Result of the command {@code bench hops}; its components are the JSON.
 *
 * @param command always {@code hops}.
 * @param size    payload bytes.
 * @param rows    one per stage.
 */
@JsonPropertyOrder({"command", "size", "rows"})
public record HopReport(String command, int size, List<Row> rows)
{
    /**
     * Makes the report.
     *
     * @param size payload bytes.
     * @param rows one per stage.
     */
    public HopReport(final int size, final List<Row> rows)
    {
        this("hops", size, List.copyOf(rows));
    }

    /**
     * Figures of one stage.
     *
     * @param part     {@code boards}: alone, in private memory; {@code nodes}: with driver and shared wire.
     * @param stage    what it does.
     * @param p50Ns    median, without the clock's own time.
     * @param p99Ns    99 % are at most this.
     * @param messages that were measured.
     */
    public record Row(String part, String stage, double p50Ns, double p99Ns, long messages)
    {
    }

    /**
     * For people.
     *
     * @return a table.
     */
    public Table table()
    {
        final Table table = new Table("part", "stage", "p50 [ns]", "p99", "messages");
        rows.forEach(row -> table.row(row.part(), row.stage(), row.p50Ns(), row.p99Ns(), row.messages()));
        return table;
    }
}
