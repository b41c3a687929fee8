// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;
import java.util.Set;

import org.grim.bench.all.Comparison;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Tag("process")
@Tag("long")
@Timeout(240)
final class BenchNetworkProcessIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureEveryPeerWithoutGarbageAndLeaveNothing() throws Exception
    {
        final JsonNode rows = ComparisonRows.measure(directory, "network", "grim-aeron", "--peers",
            "grim-aeron,aeron-udp,tcp");

        if (Comparison.isComparable())
        {
            // latency at both sizes, rate at 32, bandwidth at 65504; each twice.
            assertEquals(4 * 2 * 3, rows.size());
            assertEquals(Set.of("grim-aeron", "aeron-udp", "tcp"), ComparisonRows.texts(rows, "peer"));
            assertEquals(Set.of("latency", "rate", "bandwidth"), ComparisonRows.texts(rows, "benchmark"));
            rows.forEach(row -> ComparisonRows.assertRow(row, ComparisonRows.ROUND_COUNT));
        }
    }
}
