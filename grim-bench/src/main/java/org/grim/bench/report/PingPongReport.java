// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;

import org.grim.tools.report.Table;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Result of the command {@code pingpong}; its components are the JSON.
 *
 * @param command   always {@code pingpong}.
 * @param transport name of the transport.
 * @param board     who ran the boards' firmware; null where the transport has none.
 * @param mode      am, rm-v, rm-p or read.
 * @param rows      one per size.
 */
@JsonPropertyOrder({"command", "transport", "board", "mode", "rows"})
public record PingPongReport(String command, String transport, String board, String mode, List<PingPongRow> rows)
{
    /**
     * Makes the report.
     *
     * @param transport name of the transport.
     * @param board     who ran the boards' firmware; null where the transport has none.
     * @param mode      am, rm-v, rm-p or read.
     * @param rows      one per size.
     */
    public PingPongReport(
        final String transport, final String board, final String mode, final List<PingPongRow> rows)
    {
        this("pingpong", transport, board, mode, List.copyOf(rows));
    }

    /**
     * For people.
     *
     * @return a table.
     */
    public Table table()
    {
        final Table table = new Table("size [B]", "one-way min [ns]", "p50", "p99", "p99.9", "messages/s",
            "raw p50 [ns]", "ratio", "shmem p50 [ns]", "ratio", "verified");
        for (final PingPongRow row : rows)
        {
            final PingPongRow.OneWayNs ns = row.oneWayNs();
            table.row(row.size(), ns.min(), ns.p50(), ns.p99(), ns.p999(), row.messagesPerSecond(),
                orDash(row.rawOneWayNs()), orDash(row.ratioToRaw()), orDash(row.shmemOneWayNs()),
                orDash(row.ratioToShmem()), row.verified());
        }
        return table;
    }

    private static Object orDash(final Double value)
    {
        return value == null ? "-" : value;
    }
}
