// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TuneReportTest
{
    private static final TuneReport REPORT = new TuneReport("tune", "a machine", "a board", 9, 20.5, 9, "plan.conf",
        "plan.png", List.of(
            new TuneReport.Row(32, "word-stores", 0, 10, 3200),
            new TuneReport.Row(32, "bulk-copy", 0, 20, 1600),
            new TuneReport.Row(32, "zero-copy", 0, 320, 100),
            new TuneReport.Row(64, "word-stores", 0, 10, 6400),
            new TuneReport.Row(64, "bulk-copy", 0, 20, 3200),
            new TuneReport.Row(64, "word-stores", 32, 9, 7111),
            new TuneReport.Row(64, "bulk-copy", 32, 8, 8000),
            new TuneReport.Row(64, "bulk-copy", 16, 7.9, 8101),
            new TuneReport.Row(64, "zero-copy", 0, 4, 16_000)),
        List.of(
            new TuneReport.Choice(32, "word-stores", 0, "word-stores", 0),
            new TuneReport.Choice(64, "bulk-copy", 32, "zero-copy", 1024)));

    @Test
    void shouldMarkWhatIsChosen()
    {
        final List<String> lines = REPORT.text().lines().toList();

        assertEquals("size  word-stores  bulk-copy  zero-copy  paced            segment", lines.get(0));
        assertEquals("  32    3200*        1600        100                      whole", lines.get(1));
        assertEquals("  64    6400         3200      16000*      8000*/32 bulk  1024", lines.get(2));
        assertEquals("one ring of the doorbell: 20.5 ns; medians of 9 rounds; a board", lines.get(4));
        assertEquals(5, lines.size());
    }

    @Test
    void shouldShowTheBestBurstWhereNoneIsChosen()
    {
        final TuneReport report = new TuneReport("tune", "a machine", "a board", 9, 1, 9, "plan.conf", "plan.png",
            REPORT.rows(), List.of(new TuneReport.Choice(64, "word-stores", 0, "word-stores", 0)));

        assertEquals(8101, report.row(64, "paced").orElseThrow().megabytesPerSecond());
        assertTrue(report.row(32, "paced").isEmpty());
        assertTrue(report.isChosen(report.row(64, "word-stores").orElseThrow()));
    }
}
