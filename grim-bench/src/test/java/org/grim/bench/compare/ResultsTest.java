// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.util.List;

import org.grim.bench.report.ComparisonReport;
import org.grim.bench.report.ComparisonRow;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ResultsTest
{
    private static final Cell CELL = new Cell(Benchmark.LATENCY, 32, false);
    private static final Cell RAW_CELL = new Cell(Benchmark.LATENCY, 8, false);

    @Test
    void shouldDivideFiguresOfTheSameRound()
    {
        final Results results = new Results(3);
        final double[] ours = {100, 400, 90};
        final double[] theirs = {200, 800, 90};
        add(results, CELL, PeerKind.GRIM, ours);
        add(results, CELL, PeerKind.AERON_IPC, theirs);

        final ComparisonRow row = results.rows().get(1);

        assertEquals(new ComparisonRow("latency", "aeron-ipc", 32, "ignore", "ns", 200, 90, 800, 3, 0.5), row);
    }

    @Test
    void shouldHaveNoRatioWithoutGrim()
    {
        final Results results = new Results(1);
        add(results, CELL, PeerKind.TCP, 5);

        assertNull(results.rows().get(0).ratioToGrim());
        assertTrue(new ComparisonReport(results.rows(), results.tableRows()).text()
            .contains("latency 32 B ignore [ns]"));
    }

    @Test
    void shouldShowRawPassBesideOtherSizesOnlyToPeople()
    {
        final Results results = new Results(1);
        add(results, RAW_CELL, PeerKind.RAW, 5);
        add(results, CELL, PeerKind.RAW, 6);

        assertEquals(2, results.tableRows().size());
        assertEquals(1, results.rows().size());
        assertEquals(8, results.rows().get(0).size());
    }

    @Test
    void shouldCompareMemoryWithTheQuickestWayToIt()
    {
        final Results results = new Results(1);
        final Cell put = new Cell(Benchmark.PUT_LATENCY, 2048, false);
        final Cell get = new Cell(Benchmark.GET_LATENCY, 2048, false);
        add(results, put, PeerKind.RAW, 100);
        add(results, put, PeerKind.GRIM_RM_P, 120);
        add(results, put, PeerKind.GRIM_RM_V, 125);
        add(results, get, PeerKind.GRIM_RM_V, 80);
        add(results, get, PeerKind.UCX, 40);

        final List<ComparisonRow> rows = results.rows();

        assertEquals(new ComparisonRow("put-latency", "raw", 2048, "ignore", "ns", 100, 100, 100, 1, 1.2), rows.get(0));
        assertEquals(0.96, rows.get(2).ratioToGrim());
        assertEquals(new ComparisonRow("get-latency", "ucx", 2048, "ignore", "ns", 40, 40, 40, 1, 2.0), rows.get(4));
    }

    private static void add(final Results results, final Cell cell, final PeerKind kind, final double... figures)
    {
        for (int round = 0; round < figures.length; round++)
        {
            results.add(cell, kind, round, figures[round]);
        }
    }
}
