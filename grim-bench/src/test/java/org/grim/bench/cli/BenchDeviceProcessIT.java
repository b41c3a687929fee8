// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;
import java.util.Set;

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
@Timeout(600)
final class BenchDeviceProcessIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureDevicesBesideOthersAndLeaveNothing() throws Exception
    {
        assertEquals(Set.of("bridge, request", "request, device in its own", "request, device in the process",
            "store, read", "store, read in parts", "store, write", "store, write in parts", "frame, 640x480",
            "frame, 1920x1080", "frames of 640x480, 30 per second: CPU", "frames of 1920x1080, 30 per second: CPU"),
            ComparisonRows.texts(measure("device"), "operation"));
    }

    @Test
    void shouldMeasureStagesBesideRelaysAndLeaveNothing() throws Exception
    {
        assertEquals(Set.of("forward, window=1", "forward, window=32", "function fault without loading",
            "two stages of one device, window=1", "graph of two stages, 640x480", "page fault, clean",
            "page fault, dirty"),
            ComparisonRows.texts(measure("stream"), "operation"));
    }

    private JsonNode measure(final String name) throws Exception
    {
        final Path files = directory.resolve("f");
        final Path json = directory.resolve("rows.json");
        try (GrimProcess grim = GrimProcess.run(directory, "bench", name, "--directory", files.toString(), "--rounds",
            "2", "--round-ms", "2", "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), () -> grim.error() + grim.output());
        }
        final JsonNode rows = ComparisonRows.read(json);
        rows.forEach(row -> assertTrue(row.get("grimNs").asDouble() > 0 && row.get("otherNs").asDouble() > 0 &&
            row.get("ratio").asDouble() > 0, row::toString));
        GrimProcess.assertNothingLeft(files);
        return rows;
    }
}
