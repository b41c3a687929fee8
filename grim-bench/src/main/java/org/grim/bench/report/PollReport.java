// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;

import org.grim.tools.report.Table;

import com.fasterxml.jackson.annotation.JsonProperty;
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
     * Figures of one kind of queues.
     *
     * @param words     that are polled: the queues', and the attach word of each inbox.
     * @param ns        one poll.
     * @param nsPerWord the same, per word.
     */
    public record Cell(int words, double ns, double nsPerWord)
    {
    }

    /**
     * Figures of one count of silent queues.
     *
     * @param queues         silent queues, of each kind.
     * @param nul            the null transport, which JSON names so.
     * @param shmem          shared memory.
     * @param myrinet        channels of a board, with tail flags.
     * @param all            all three together.
     * @param shmemToNull    ratio per word.
     * @param myrinetToNull  ratio per word.
     * @param allToNull      ratio per word.
     */
    public record Row(
        int queues, @JsonProperty("null") Cell nul, Cell shmem, Cell myrinet, Cell all, double shmemToNull,
        double myrinetToNull, double allToNull)
    {
    }

    /**
     * Divides.
     *
     * @param words that are polled.
     * @param ns    one poll.
     * @return the figures.
     */
    public static Cell cell(final int words, final double ns)
    {
        return new Cell(words, rounded(ns), rounded(ns / words));
    }

    /**
     * Divides.
     *
     * @param queues silent queues, of each kind.
     * @param cells  null transport, shared memory, boards, all three together.
     * @return the row.
     */
    public static Row row(final int queues, final List<Cell> cells)
    {
        final Cell nul = cells.get(0);
        return new Row(queues, nul, cells.get(1), cells.get(2), cells.get(3), ratio(cells.get(1), nul),
            ratio(cells.get(2), nul), ratio(cells.get(3), nul));
    }

    /**
     * For people.
     *
     * @return a table.
     */
    public Table table()
    {
        final Table table = new Table("queues", "null [ns/poll]", "shmem", "myrinet", "all three", "null [ns/word]",
            "shmem", "myrinet", "all three", "shmem/null", "myrinet/null", "all/null");
        rows.forEach(row -> table.row(row.queues(), row.nul().ns(), row.shmem().ns(), row.myrinet().ns(),
            row.all().ns(), row.nul().nsPerWord(), row.shmem().nsPerWord(), row.myrinet().nsPerWord(),
            row.all().nsPerWord(), row.shmemToNull(), row.myrinetToNull(), row.allToNull()));
        return table;
    }

    private static double ratio(final Cell cell, final Cell to)
    {
        return rounded(cell.ns() / cell.words() / (to.ns() / to.words()));
    }

    private static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }
}
