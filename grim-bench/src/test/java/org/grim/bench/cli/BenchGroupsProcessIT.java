// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;
import java.util.Set;

import org.grim.bench.compare.OpenMpi;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("process")
@Tag("long")
@Timeout(240)
final class BenchGroupsProcessIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureBothSidesAndLeaveNothing() throws Exception
    {
        final String absence = OpenMpi.absence(System.getenv("PATH"));
        assumeTrue(absence == null, absence);
        final Path files = directory.resolve("f");
        final Path json = directory.resolve("groups.json");

        try (GrimProcess grim = GrimProcess.run(directory, "bench", "groups", "--directory", files.toString(),
            "--members", "2,3", "--rounds", "2", "--round-ms", "2", "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
        }

        final JsonNode rows = ComparisonRows.read(json);
        assertEquals(6 * 2, rows.size());
        assertEquals(Set.of("barrier", "allReduce", "broadcast", "multicast", "multicast, polled"),
            ComparisonRows.texts(rows, "operation"));
        rows.forEach(row -> assertTrue(row.get("grimNs").asDouble() > 0 && row.get("otherNs").asDouble() > 0 &&
            row.get("ratio").asDouble() > 0, row::toString));
        GrimProcess.assertNothingLeft(files);
    }
}
