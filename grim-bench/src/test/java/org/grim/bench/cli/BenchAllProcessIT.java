// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.bench.all.SectionRun;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.pages.ExampleCompiler;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Tag("long")
@Timeout(240)
final class BenchAllProcessIT
{
    private static final String FIGURES = "grim-bench/src/test/resources/org/grim/bench/all/figures.txt";
    private static final Set<String> OTHER_PROGRAMS = Set.of("ucx", "open-mpi");

    private static final long TIMEOUT_MS = 120_000;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"messages,memory,board", "poll,channels,load,cost,cpu"})
    void shouldKeepEveryFigureOfEverySection(final String sections) throws Exception
    {
        final List<String> suites = List.of(sections.split(",", -1));
        final Path files = directory.resolve("f");
        final Path json = directory.resolve("figures");
        try (GrimProcess grim = GrimProcess.run(directory, "bench", "all", "--tiny", "--forks", "1", "--sections",
            sections, "--directory", files.toString(), "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().contains(suites.size() + " steps"), grim.output());
            assertEquals(suites.size(), grim.error().lines().filter(line -> line.startsWith("step ")).count(),
                grim.error());
        }

        final FigureDirectory run = FigureDirectory.read(json);

        assertEquals(Files.readAllLines(ExampleCompiler.find(FIGURES)).stream()
            .filter(line -> suites.contains(line.substring(0, line.indexOf(' ')))).toList(),
            run.points().stream().map(Point::key).filter(key -> !OTHER_PROGRAMS.contains(key.peer()))
            .map(key -> key.suite() + " " + key.benchmark() + " " + key.peer() + " " + key.mode() + " " + key.xName() +
            "=" + key.x()).sorted().toList());
        final Set<String> peers = run.points().stream().map(Point::key).filter(key -> key.suite().equals("messages"))
            .map(PointKey::peer).collect(Collectors.toSet());
        // A peer that is not there is absent for a reason.
        OTHER_PROGRAMS.forEach(peer ->
            assertEquals(suites.contains("messages") && !peers.contains(peer),
            run.info().absent().containsKey(peer), peer));
        for (final Point point : run.points())
        {
            assertTrue(point.median() > 0 || (point.median() == 0 && "cpu".equals(point.key().suite())),
                point::toString);
            assertEquals(1, point.forks().size(), point::toString);
        }
        assertCurves(run, suites.contains("load") ? 6 : 0);
        assertTrue(run.info().versions().get("aeron").matches("\\d+\\.\\d+\\.\\d+"), run.info()::toString);
        assertTrue(run.info().isQuick());
        GrimProcess.assertNothingLeft(files);
    }

    @Test
    void shouldLeaveNothingWhenTerminated() throws Exception
    {
        final Path files = directory.resolve("f");
        try (GrimProcess grim = GrimProcess.run(directory, "bench", "all", "--quick", "--sections", "cost",
            "--directory", files.toString()))
        {
            final ProcessHandle part = grim.child(SectionRun.class.getName());
            grim.process().destroy();

            grim.exitCode();
            part.onExit().get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        GrimProcess.assertNothingLeft(files);
    }

    private static void assertCurves(final FigureDirectory run, final int count)
    {
        // Of load: three peers, two loads each.
        assertEquals(count, run.curves().size());
        for (final PercentileCurve curve : run.curves())
        {
            assertTrue(curve.count() > 0, curve::toString);
            double previous = 0;
            for (final PercentileCurve.Value value : curve.values())
            {
                assertTrue(value.value() >= previous, curve::toString);
                previous = value.value();
            }
        }
    }
}
