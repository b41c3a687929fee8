// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.grim.bench.all.Comparison;
import org.grim.bench.programs.ProgramSide;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Tag("long")
@Timeout(240)
final class BenchSocketsProcessIT
{
    @TempDir
    private Path directory;
    private Path files;

    @BeforeEach
    void nameFiles()
    {
        files = directory.resolve("f");
    }

    @Test
    void shouldMeasureEveryPeerWithoutGarbageAndLeaveNothing() throws Exception
    {
        if (!Comparison.isComparable())
        {
            return;
        }

        final JsonNode rows = ComparisonRows.measure(directory, "sockets", "grim-sockets");

        // Latency at both sizes, rate at 32, bandwidth at 65504, each twice; select five times, blocking and connect,
        // of these each with p50 and p99.
        assertEquals((4 * 2 + 7 * 3) * 2, rows.size());
        assertEquals(Set.of("grim-sockets", "tcp"), ComparisonRows.texts(rows, "peer"));
        assertEquals(Set.of("latency", "rate", "bandwidth", "select", "select-p50", "select-p99", "blocking",
            "blocking-p50", "blocking-p99", "connect", "connect-p50", "connect-p99"),
            ComparisonRows.texts(rows, "benchmark"));
        assertEquals(Set.of("ignore", "read", "-", "connections=1 selectors=1", "connections=8 selectors=1",
            "connections=8 selectors=4", "connections=64 selectors=1", "connections=64 selectors=4"),
            ComparisonRows.texts(rows, "mode"));
        rows.forEach(row -> ComparisonRows.assertRow(row, ComparisonRows.ROUND_COUNT));
    }

    @Test
    void shouldCompareWhatWaitsAndLeaveOutTheRestWhenThereIsOneCore() throws Exception
    {
        final Path json = directory.resolve("sockets.json");

        try (GrimProcess grim = start("-XX:ActiveProcessorCount=1", 2, "--benchmarks", "latency,select,transfer",
            "--sizes", "2048,60000000", "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().contains("left out, as both processes never wait: latency; cores=1"),
                grim.output());
        }

        final JsonNode rows = ComparisonRows.read(json);
        assertEquals((5 * 3 + 1) * 2, rows.size());
        assertEquals(Set.of("select", "select-p50", "select-p99", "transfer"),
            ComparisonRows.texts(rows, "benchmark"));
        rows.forEach(row -> ComparisonRows.assertRow(row, 2));
        GrimProcess.assertNothingLeft(files);
    }

    @Test
    void shouldSayWhichProcessEndedWhenOneIsKilled() throws Exception
    {
        try (GrimProcess grim = start("-XX:ActiveProcessorCount=2", 1000, "--benchmarks", "blocking", "--sizes",
            "2048"))
        {
            grim.child(ProgramSide.Task.class, "\"isServer\":true,").destroyForcibly();

            assertEquals(1, grim.exitCode(), grim.output());
            assertTrue(grim.error().matches("(?s).*grim: fork \\(process \\d+\\) ended with code 1: " +
                "(tcp|grim-sockets) server \\(process \\d+\\) ended with code 137.*"), grim.error());
        }
        GrimProcess.assertNothingLeft(files);
    }

    private GrimProcess start(final String flag, final int rounds, final String... options) throws Exception
    {
        final List<String> command = GrimProcess.java();
        command.addAll(List.of(flag, "-jar", System.getProperty("build.jar"), "bench", "sockets", "--directory",
            files.toString(), "--quick", "--rounds", Integer.toString(rounds), "--round-ms", "2"));
        command.addAll(List.of(options));
        return GrimProcess.start(directory, new ProcessBuilder(command));
    }
}
