// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;
import java.util.stream.DoubleStream;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PointTablesTest
{
    @Test
    void shouldDivideFiguresOfTheSameRound()
    {
        final List<Point> points = List.of(
            point("latency", "grim", 32, 100, 400, 90), point("latency", "aeron-ipc", 32, 200, 800, 90));

        assertEquals(new ComparisonRow("latency", "aeron-ipc", 32, "ignore", "ns", 200, 90, 800, 3, 0.5),
            PointTables.rows(points).get(1));
    }

    @Test
    void shouldHaveNoRatioWithoutGrim()
    {
        final List<Point> points = List.of(point("latency", "tcp", 32, 5));

        assertNull(PointTables.rows(points).get(0).ratioToGrim());
        assertTrue(PointTables.text(points).startsWith("shmem latency 32 B ignore [ns]"));
    }

    @Test
    void shouldCompareOtherProcessesWithSharedMemory()
    {
        final List<ComparisonRow> rows = PointTables.rows(List.of(point("latency", "aeron-ipc", 32, 100),
            point("latency", "grim-myrinet", 32, 1000), point("latency", "grim-null", 32, 10),
            point("latency", "grim-shmem", 32, 80)));

        assertEquals(0.8, rows.get(0).ratioToGrim());
        assertEquals(0.08, rows.get(1).ratioToGrim());
        assertEquals("grim-myrinet", PointTables.ours(List.of("grim-null", "tcp", "grim-myrinet")));
        assertEquals("grim-null", PointTables.ours(List.of("grim-null", "tcp")));
        assertNull(PointTables.ours(List.of("tcp")));
    }

    @Test
    void shouldCompareMemoryWithTheQuickestWayToIt()
    {
        final List<ComparisonRow> rows = PointTables.rows(List.of(point("put-latency", "raw", 2048, 100),
            point("put-latency", "grim-rm-p", 2048, 120), point("put-latency", "grim-rm-v", 2048, 125),
            point("get-latency", "grim-rm-v", 2048, 80), point("get-latency", "ucx", 2048, 40)));

        assertEquals(new ComparisonRow("put-latency", "raw", 2048, "ignore", "ns", 100, 100, 100, 1, 1.2), rows.get(0));
        assertEquals(0.96, rows.get(2).ratioToGrim());
        assertEquals(new ComparisonRow("get-latency", "ucx", 2048, "ignore", "ns", 40, 40, 40, 1, 2.0), rows.get(4));
    }

    private static Point point(final String benchmark, final String peer, final int size, final double... figures)
    {
        return new Point(new PointKey("shmem", benchmark, peer, "ignore", "size", size), "ns",
            Direction.LOWER_IS_BETTER, List.of(DoubleStream.of(figures).boxed().toList()), List.of());
    }
}
