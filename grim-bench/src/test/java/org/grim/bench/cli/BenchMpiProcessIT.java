// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
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
@Timeout(240)
final class BenchMpiProcessIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureWhatIsThereNameTheRestAndLeaveNothing() throws Exception
    {
        final Path files = directory.resolve("f");
        final Path json = directory.resolve("mpi.json");
        final Set<String> peers = new HashSet<>(List.of("grim", "open-mpi-java", "open-mpi", "mpj-express"));

        try (GrimProcess grim = GrimProcess.run(directory, "bench", "mpi", "--directory", files.toString(),
            "--rounds", "2", "--round-ms", "2", "--mpj-home", directory.toString(), "--json", json.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().contains("left out: mpj-express: "), grim.output());
            peers.removeIf(peer -> grim.output().contains("left out: " + peer + ":"));
        }

        final JsonNode rows = ComparisonRows.read(json);
        assertEquals(peers, ComparisonRows.texts(rows, "beside"));
        assertTrue(ComparisonRows.texts(rows, "operation").containsAll(
            List.of("latency", "rate", "allReduce", "broadcast", "allToAll")), rows::toString);
        rows.forEach(row -> assertTrue(row.get("grimNs").asDouble() > 0 && row.get("otherNs").asDouble() > 0 &&
            row.get("ratio").asDouble() > 0, row::toString));
        GrimProcess.assertNothingLeft(files);
    }
}
