// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Result of the command {@code poll}; its components are the JSON.
 *
 * @param command always {@code poll}.
 * @param rows    one per count of silent queues.
 */
@JsonPropertyOrder({"command", "rows"})
public record PollReport(String command, List<Row> rows)
{
    /**
     * Makes the report.
     *
     * @param rows one per count of silent queues.
     */
    public PollReport(final List<Row> rows)
    {
        this("poll", List.copyOf(rows));
    }

    /**
     * Figures of one count of silent queues.
     *
     * @param queues            silent queues.
     * @param words             that are polled: the queues', and the inbox's attach word.
     * @param nullNs            one poll, null transport.
     * @param shmemNs           one poll, shared memory.
     * @param nullNsPerWord     the same, per word.
     * @param shmemNsPerWord    the same, per word.
     * @param shmemToNull       ratio of both.
     */
    public record Row(
        int queues, int words, double nullNs, double shmemNs, double nullNsPerWord, double shmemNsPerWord,
        double shmemToNull)
    {
    }

    /**
     * Divides.
     *
     * @param queues  silent queues.
     * @param words   that are polled.
     * @param nullNs  one poll, null transport.
     * @param shmemNs one poll, shared memory.
     * @return the row.
     */
    public static Row row(final int queues, final int words, final double nullNs, final double shmemNs)
    {
        return new Row(queues, words, rounded(nullNs), rounded(shmemNs), rounded(nullNs / words),
            rounded(shmemNs / words), rounded(shmemNs / nullNs));
    }

    /**
     * For people.
     *
     * @return a table.
     */
    public Table table()
    {
        final Table table = new Table("queues", "words", "null [ns/poll]", "shmem [ns/poll]", "null [ns/word]",
            "shmem [ns/word]", "shmem/null");
        rows.forEach(row -> table.row(row.queues(), row.words(), row.nullNs(), row.shmemNs(), row.nullNsPerWord(),
            row.shmemNsPerWord(), row.shmemToNull()));
        return table;
    }

    private static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }
}
