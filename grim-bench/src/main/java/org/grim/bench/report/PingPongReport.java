// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;

import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/**
 * Result of the command {@code pingpong}; its components are the JSON.
 *
 * @param command   always {@code pingpong}.
 * @param transport name of the transport.
 * @param board     who ran the boards' firmware; null where the transport has none.
 * @param mode      am, rm-v, rm-p or read.
 * @param rows      one per size.
 */
public record PingPongReport(String command, String transport, String board, String mode, List<Row> rows)
{
    /**
     * Figures of one payload size.
     *
     * @param size              payload bytes.
     * @param oneWayNs          half of the round trips; for reads, of the reads.
     * @param messagesPerSecond of the stream; writes or reads where no messages were sent.
     * @param rawOneWayNs       half of the raw pass's median round trip; null where it was not measured.
     * @param ratioToRaw        median over adjacent rounds; null where the raw pass was not measured.
     * @param shmemOneWayNs     half of shared memory's median round trip; null where it was not measured.
     * @param ratioToShmem      median over adjacent rounds; null where shared memory was not measured.
     * @param verified          payloads that were compared; all were right.
     */
    public record Row(
        int size, OneWayNs oneWayNs, long messagesPerSecond, Double rawOneWayNs, Double ratioToRaw,
        Double shmemOneWayNs, Double ratioToShmem, long verified)
    {
    }

    /**
     * Distribution of one-way times in ns.
     *
     * @param min  least.
     * @param p50  median.
     * @param p99  99 % are at most this.
     * @param p999 99.9 % are at most this.
     */
    public record OneWayNs(double min, double p50, double p99, double p999)
    {
    }

    /** For people. */
    public String table()
    {
        return Table.of(Json.rows(rows), "size [B]=size", "one-way min [ns]=oneWayNs.min", "p50=oneWayNs.p50",
            "p99=oneWayNs.p99", "p99.9=oneWayNs.p999", "messages/s=messagesPerSecond", "raw p50 [ns]=rawOneWayNs",
            "ratio=ratioToRaw", "shmem p50 [ns]=shmemOneWayNs", "ratio=ratioToShmem", "verified");
    }
}
