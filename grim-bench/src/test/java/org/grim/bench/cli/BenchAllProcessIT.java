// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.bench.all.SectionRun;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Tag("long")
@Timeout(240)
final class BenchAllProcessIT
{
    private static final Set<String> PEERS = Set.of("grim-shmem", "grim-null", "raw", "copy-flag", "ring", "aeron-ipc",
        "aeron-ipc-default", "one-to-one", "tcp", "uds", "aeron-udp", "jctools");
    private static final Set<String> OTHER_PROGRAMS = Set.of("ucx", "open-mpi");

    private static final long TIMEOUT_MS = 30_000;

    @TempDir
    private Path directory;

    @Test
    void shouldKeepEveryFigureOfEverySection() throws Exception
    {
        final Path files = directory.resolve("files");
        final Path json = directory.resolve("figures");
        try (GrimProcess grim = GrimProcess.run(directory, "bench", "all", "--tiny", "--forks", "1", "--sections",
            "messages,load,cost", "--directory", files.toString(), "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().contains("3 steps"), grim.output());
            assertEquals(3, grim.error().lines().filter(line -> line.startsWith("step ")).count(), grim.error());
        }

        final FigureDirectory run = FigureDirectory.read(json);

        assertEquals(Set.of("messages", "load", "cost"), names(run, null));
        final Set<String> peers = names(run, "messages");
        assertTrue(peers.containsAll(PEERS), peers::toString);
        // Whoever is not there is absent for a reason.
        OTHER_PROGRAMS.forEach(peer ->
            assertEquals(!peers.contains(peer), run.info().absent().containsKey(peer), peer));
        assertEquals(Set.of("grim-shmem", "aeron-ipc", "grim-myrinet"), names(run, "load"));
        assertEquals(Set.of("grim-null", "grim-shmem"), names(run, "cost"));
        for (final Point point : run.points())
        {
            assertTrue(Double.isFinite(point.median()) && point.median() > 0, point::toString);
            assertEquals(1, point.forks().size(), point::toString);
        }
        assertCurves(run);
        assertTrue(run.info().versions().get("aeron").matches("\\d+\\.\\d+\\.\\d+"), run.info()::toString);
        assertTrue(run.info().isQuick());
        GrimProcess.assertNothingLeft(files);
    }

    @Test
    void shouldLeaveNothingWhenTerminated() throws Exception
    {
        final Path files = directory.resolve("files");
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

    private static void assertCurves(final FigureDirectory run)
    {
        // Three peers, two loads each.
        assertEquals(6, run.curves().size());
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

    /** Suites, or the peers of one. */
    private static Set<String> names(final FigureDirectory run, final String suite)
    {
        return run.points().stream().map(Point::key).filter(key -> suite == null || key.suite().equals(suite))
            .map(key -> suite == null ? key.suite() : key.peer()).collect(Collectors.toSet());
    }
}
