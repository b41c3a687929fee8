// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.grim.bench.all.Comparison;
import org.grim.tools.cli.GrimProcess;
import org.grim.tools.pair.PairServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Timeout(240)
final class BenchShmemProcessIT
{
    private static final long TIMEOUT_MS = 120_000;
    private static final Pattern DELIVERED = Pattern.compile("(?m)^fork 1: grim: delivered=(\\d+) messages");

    @TempDir
    private Path directory;
    private Path files;

    @BeforeEach
    void nameFiles()
    {
        files = directory.resolve("f");
    }

    @Test
    void shouldHandItsArgumentsToJmh() throws Exception
    {
        try (GrimProcess grim = GrimProcess.run(directory, "jmh", "-l", "SendPoll"))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().contains("SendPollBenchmark.sendPoll"), grim.output());
        }
    }

    @Test
    void shouldMeasureEveryPeerAndLeaveNothing() throws Exception
    {
        final Path json = directory.resolve("bench.json");

        try (GrimProcess grim = start("--quick", "--rounds", "2", "--round-ms", "2", "--sizes", "8,65504", "--json",
            json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            final Matcher delivered = DELIVERED.matcher(grim.output());
            assertTrue(delivered.find() && Long.parseLong(delivered.group(1)) > 0, grim.output());
            assertEquals(!Comparison.isComparable(), grim.output().contains("not comparable"), grim.output());
        }

        final JsonNode rows = ComparisonRows.read(json);
        if (Comparison.isComparable())
        {
            // latency: 8 peers at 8 bytes, 7 at 65504; rate: 6; bandwidth: 7; each twice. poll: 3.
            assertEquals((8 + 7 + 6 + 7) * 2 + 3, rows.size());
            assertEquals(Set.of("grim", "raw", "copy-flag", "ring", "aeron-ipc", "aeron-ipc-default", "one-to-one",
                "tcp", "uds"), ComparisonRows.texts(rows, "peer"));
            rows.forEach(BenchShmemProcessIT::assertRow);
        }
        GrimProcess.assertNothingLeft(files);
    }

    /** Both peers in one process, once with bounds checks and once without. */
    @Test
    void shouldMeasureTheCostOfOneThread() throws Exception
    {
        final Path json = directory.resolve("cost.json");

        try (GrimProcess grim = start("--benchmarks", "cost", "--quick", "--rounds", "2", "--round-ms", "2", "--sizes",
            "32", "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(2, grim.error().lines().filter(line -> line.startsWith("cost: fork 1 of 1")).count(),
                grim.error());
        }

        final JsonNode rows = ComparisonRows.read(json);
        if (Comparison.isComparable())
        {
            assertEquals(4, rows.size());
            assertEquals(Set.of("grim", "aeron-ipc"), ComparisonRows.texts(rows, "peer"));
            assertEquals(Set.of("checks-on", "checks-off"), ComparisonRows.texts(rows, "mode"));
            assertEquals(Set.of("cost"), ComparisonRows.texts(rows, "benchmark"));
            rows.forEach(BenchShmemProcessIT::assertRow);
        }
        GrimProcess.assertNothingLeft(files);
    }

    @Test
    void shouldNameThePeerThatFailedWhenSecondJvmIsKilled() throws Exception
    {
        try (GrimProcess grim = start("--peers", "one-to-one,aeron-ipc", "--rounds", "900", "--round-ms", "5"))
        {
            awaitSecondJvm(grim).destroyForcibly();

            assertEquals(1, grim.exitCode());
            final List<String> sentences =
                grim.error().lines().filter(line -> line.startsWith("grim: ")).toList();
            assertEquals(1, sentences.size(), grim.error());
            assertTrue(sentences.get(0).matches("grim: fork \\(process \\d+\\) ended with code 1: " +
                "peer=(one-to-one|aeron-ipc) failed at benchmark=.*second .*"),
                grim.error());
        }
        GrimProcess.assertNothingLeft(files);
    }

    @Test
    void shouldLeaveNothingWhenTerminated() throws Exception
    {
        try (GrimProcess grim = start("--peers", "grim,uds,aeron-ipc-default", "--rounds", "900", "--round-ms", "5"))
        {
            final ProcessHandle second = awaitSecondJvm(grim);
            grim.process().destroy();

            grim.exitCode();
            second.onExit().get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        GrimProcess.assertNothingLeft(files);
    }

    private GrimProcess start(final String... options) throws IOException
    {
        return GrimProcess.run(directory, Stream.concat(Stream.of("bench", "shmem", "--directory", files.toString()),
            Stream.of(options)).toArray(String[]::new));
    }

    /** Once the measurement runs: the first progress has been reported. */
    private static ProcessHandle awaitSecondJvm(final GrimProcess grim) throws Exception
    {
        grim.await("a measurement", () -> grim.error().contains("warm-up 1 of"));
        return grim.child(PairServer.class.getName());
    }

    private static void assertRow(final JsonNode row)
    {
        ComparisonRows.assertRow(row, 2);
        assertTrue(!row.get("peer").asText().equals("grim") || row.get("ratioToGrim").asDouble() == 1, row::toString);
    }
}
