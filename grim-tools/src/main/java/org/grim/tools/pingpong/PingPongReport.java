// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pingpong;

import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    /** Payload bytes from which on payloads are verified in cells of their own, outside of the timed ones. */
    public static final int UNTIMED_SIZE_MIN = 2048;

    /**
     * Figures of one payload size.
     *
     * @param size              payload bytes.
     * @param oneWayNs          half of the round trips; for reads, of the reads.
     * @param messagesPerSecond of the stream; writes or reads where no messages were sent.
     * @param rawOneWayNs       half of the raw pass's median round trip; null where it was not measured, as above a
     *                          line.
     * @param ratioToRaw        median over adjacent rounds; null where the raw pass was not measured.
     * @param copyFlagOneWayNs  half of the median round trip of a copy and a flag; null where it was not measured, as
     *                          up to a line.
     * @param ratioToCopyFlag   median over adjacent rounds; null where copy and flag were not measured.
     * @param shmemOneWayNs     half of shared memory's median round trip; null where it was not measured.
     * @param ratioToShmem      median over adjacent rounds; null where shared memory was not measured.
     * @param verified          payloads that were compared; all were right.
     */
    public record Row(
        int size, OneWayNs oneWayNs, long messagesPerSecond, Double rawOneWayNs, Double ratioToRaw,
        Double copyFlagOneWayNs, Double ratioToCopyFlag, Double shmemOneWayNs, Double ratioToShmem, long verified)
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
        final List<Map<String, Object>> cells = Json.rows(rows);
        cells.forEach(row ->
        {
            final boolean isRaw = row.get("rawOneWayNs") != null;
            final boolean isCopy = row.get("copyFlagOneWayNs") != null;
            row.put("limit", isRaw ? "raw" : isCopy ? "copy + flag" : null);
            row.put("limitOneWayNs", row.get(isRaw ? "rawOneWayNs" : "copyFlagOneWayNs"));
            row.put("ratioToLimit", row.get(isRaw ? "ratioToRaw" : "ratioToCopyFlag"));
        });
        return Table.of(cells, "size [B]=size", "one-way min [ns]=oneWayNs.min", "p50=oneWayNs.p50",
            "p99=oneWayNs.p99", "p99.9=oneWayNs.p999", "messages/s=messagesPerSecond", "limit",
            "p50 [ns]=limitOneWayNs", "ratio=ratioToLimit", "shmem p50 [ns]=shmemOneWayNs", "ratio=ratioToShmem",
            "verified") + footer();
    }

    private String footer()
    {
        final boolean isAlone = "null".equals(transport);
        return String.format(Locale.ROOT, (isAlone ? "" :
            "limit: raw, the pass of one cache line, up to 64 B; above, one copy and a flag; ratio: p50 to it%n") +
            "verified: payloads compared by CRC32C, none was wrong" +
            ("am".equals(mode) ? "%n" : "; of streams, which repeat one place, what is left there%n") +
            (isAlone || "read".equals(mode) ? "" : "from %d B on in untimed parts of each round: " +
                "timed ones count payloads and do not look at bytes, as their limit does not%n"), UNTIMED_SIZE_MIN);
    }
}
