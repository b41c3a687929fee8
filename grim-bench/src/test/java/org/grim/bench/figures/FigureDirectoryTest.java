// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.GrimException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class FigureDirectoryTest
{
    private static final PointKey KEY = new PointKey("messages", "latency", "grim-shmem", "ignore", "size", 32);

    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatItWrote() throws IOException
    {
        final FigureDirectory run = run(FigureDirectory.FORMAT);

        run.write(directory.resolve("new"));

        assertEquals(run, FigureDirectory.read(directory.resolve("new")));
    }

    @Test
    void shouldSayWhichFileIsMissing() throws IOException
    {
        run(FigureDirectory.FORMAT).write(directory);
        Files.delete(directory.resolve(FigureDirectory.POINTS_FILE));

        final GrimException thrown = assertThrows(GrimException.class, () -> FigureDirectory.read(directory));

        assertTrue(thrown.getMessage().contains(FigureDirectory.POINTS_FILE), thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[", "null", "[{}]", "[1]", "{\"forks\": 3}",
        "[{\"key\":{\"suite\":\"a\",\"benchmark\":\"b\",\"peer\":\"c\",\"mode\":\"-\",\"xName\":\"size\",\"x\":-1}}]"})
    void shouldSayWhichFileIsBroken(final String text) throws IOException
    {
        run(FigureDirectory.FORMAT).write(directory);
        Files.writeString(directory.resolve(FigureDirectory.POINTS_FILE), text);

        final GrimException thrown = assertThrows(GrimException.class, () -> FigureDirectory.read(directory));

        assertTrue(thrown.getMessage().contains(FigureDirectory.POINTS_FILE), thrown.getMessage());
    }

    @Test
    void shouldRefuseAnotherFormat() throws IOException
    {
        run(FigureDirectory.FORMAT + 1).write(directory);

        final GrimException thrown = assertThrows(GrimException.class, () -> FigureDirectory.read(directory));

        assertTrue(thrown.getMessage().contains("format=2"), thrown.getMessage());
    }

    @Test
    void shouldTakeMediansByForkAndFreeThemOfTheMachine()
    {
        final Point point = new Point(KEY, "ns", Direction.LOWER_IS_BETTER,
            List.of(List.of(100.0, 200.0, 900.0), List.of(300.0, 310.0)),
            List.of(List.of(50.0, 100.0, 450.0), List.of(100.0, 100.0)));

        assertArrayEquals(new double[]{200, 305}, point.forkMedians());
        assertEquals(252.5, point.median());
        assertArrayEquals(new double[]{2, 3.05}, point.forkRatios(), 1e-9);
        assertEquals(100, point.min());
        assertEquals(900, point.max());
    }

    @Test
    void shouldRefusePointsWithoutFiguresOrWithAYardstickOfAnotherShape()
    {
        final Direction direction = Direction.LOWER_IS_BETTER;
        final List<List<Double>> two = List.of(List.of(1.0, 2.0));

        assertThrows(IllegalArgumentException.class, () -> new Point(KEY, "ns", direction, List.of(), List.of()));
        assertThrows(IllegalArgumentException.class,
            () -> new Point(KEY, "ns", direction, List.of(List.of()), List.of()));
        assertThrows(IllegalArgumentException.class,
            () -> new Point(KEY, "ns", direction, two, List.of(List.of(1.0))));
    }

    @Test
    void shouldCallARunComparableOnlyWithACoreForEachPoller()
    {
        assertTrue(run(1).info().isComparable());
        assertFalse(new RunInfo(1, "c", "t", 1, true, 1, 1, 2, Map.of(), Map.of(), Map.of(), List.of())
            .isComparable());
    }

    private static FigureDirectory run(final int format)
    {
        final RunInfo info = new RunInfo(format, "abc", "2026-01-01T00:00:00Z", 12, true, 2, 2, 2,
            Map.of("CPU", "one"), Map.of("JVM", "17"), Map.of("ucx", "not installed"), List.of("a note"));
        return new FigureDirectory(info,
            List.of(new Point(KEY, "ns", Direction.LOWER_IS_BETTER, List.of(List.of(1.5, 2.5)), List.of())),
            List.of(new PercentileCurve(KEY, "ns", List.of(new PercentileCurve.Value(50, 1.0)), 10)));
    }
}
