// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.grim.tools.pingpong.PingPongReport;
import org.grim.tools.report.Json;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ReportTest
{
    private static final PingPongReport.OneWayNs NS = new PingPongReport.OneWayNs(80, 95.5, 120, 300);

    @Test
    void shouldWritePingPongAsPromised() throws IOException
    {
        final PingPongReport report = new PingPongReport("pingpong", "myrinet", "duty-cycle", "rm-p",
            List.of(new PingPongReport.Row(32, NS, 1_000_000, 70.0, 1.364, null, null, 80.0, 3.5, 12_345)));

        final JsonNode json = new ObjectMapper().readTree(Json.text(report));

        assertEquals(List.of("command", "transport", "board", "mode", "rows"), names(json));
        assertEquals("pingpong", json.get("command").asText());
        assertEquals("myrinet", json.get("transport").asText());
        assertEquals("duty-cycle", json.get("board").asText());
        assertEquals("rm-p", json.get("mode").asText());
        final JsonNode row = json.get("rows").get(0);
        assertEquals(List.of("size", "oneWayNs", "messagesPerSecond", "rawOneWayNs", "ratioToRaw",
            "copyFlagOneWayNs", "ratioToCopyFlag", "shmemOneWayNs", "ratioToShmem", "verified"), names(row));
        assertEquals(3.5, row.get("ratioToShmem").asDouble());
        assertEquals(List.of("min", "p50", "p99", "p999"), names(row.get("oneWayNs")));
        assertEquals(95.5, row.get("oneWayNs").get("p50").asDouble());
        assertEquals(12_345, row.get("verified").asLong());
    }

    @Test
    void shouldWriteNullWhereNothingWasMeasured() throws IOException
    {
        final PingPongReport report = new PingPongReport("pingpong", "null", null, "am",
            List.of(new PingPongReport.Row(32, NS, 1, null, null, null, null, null, null, 1)));

        final JsonNode row = new ObjectMapper().readTree(Json.text(report)).get("rows").get(0);

        assertTrue(row.get("rawOneWayNs").isNull());
        assertTrue(row.get("ratioToRaw").isNull());
        assertTrue(report.table().toString().contains("-"));
    }

    @Test
    void shouldSayWhatEachSizeIsComparedWith()
    {
        final String table = new PingPongReport("pingpong", "shmem", null, "am",
            List.of(new PingPongReport.Row(64, NS, 1, 70.0, 1.364, null, null, null, null, 1),
                new PingPongReport.Row(65, NS, 1, null, null, 85.5, 1.25, null, null, 1))).table();

        final List<String> lines = table.lines().toList();
        assertTrue(lines.get(1).matches(" *64 .* raw +70.0 +1.364 .*"), table);
        assertTrue(lines.get(2).matches(" *65 .* copy \\+ flag +85.5 +1.25 .*"), table);
        assertTrue(table.contains("raw, the pass of one cache line, up to 64 B; above, one copy and a flag"), table);
        assertTrue(table.contains("from 2048 B on in untimed parts of each round"), table);
    }

    private static List<String> names(final JsonNode node)
    {
        final List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
