// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.bench.all.Comparison;
import org.grim.tools.cli.GrimProcess;
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
    private static final Pattern DELIVERED =
        Pattern.compile("(?m)^fork 1: grim-sockets: delivered=(\\d+) messages.*allocated=(\\S+) bytes per message");
    /** One object for each message is 16. On a busy machine each ring of a sleeper has few messages. */
    private static final double ALLOCATED_MAX = 16;

    @TempDir
    private Path directory;

    @Test
    void shouldMeasureEveryPeerWithoutGarbageAndLeaveNothing() throws Exception
    {
        final Path files = directory.resolve("f");
        final Path json = directory.resolve("sockets.json");

        try (GrimProcess grim = GrimProcess.run(directory, "bench", "sockets", "--directory", files.toString(),
            "--quick", "--rounds", "6", "--round-ms", "10", "--sizes", "32,65504", "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            final Matcher delivered = DELIVERED.matcher(grim.output());
            assertTrue(delivered.find() && Long.parseLong(delivered.group(1)) > 0, grim.output());
            assertTrue(Double.parseDouble(delivered.group(2)) < ALLOCATED_MAX, grim.output());
        }

        final JsonNode rows = ComparisonRows.read(json);
        if (Comparison.isComparable())
        {
            // latency at both sizes, rate at 32, bandwidth at 65504, each twice; select-latency at both sizes.
            assertEquals((4 * 2 + 2) * 2, rows.size());
            assertEquals(Set.of("grim-sockets", "tcp"), ComparisonRows.texts(rows, "peer"));
            assertEquals(Set.of("latency", "select-latency", "rate", "bandwidth"),
                ComparisonRows.texts(rows, "benchmark"));
            rows.forEach(row -> ComparisonRows.assertRow(row, 6));
        }
        GrimProcess.assertNothingLeft(files);
    }
}
