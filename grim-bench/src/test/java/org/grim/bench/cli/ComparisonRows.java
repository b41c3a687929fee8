// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.tools.cli.GrimProcess;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** JSON of a comparison with others, and what every row of it must be like. */
final class ComparisonRows
{
    private static final List<String> FIELDS = List.of("benchmark", "peer", "size", "mode", "unit", "median", "min",
        "max", "rounds", "ratioToGrim");

    /** Counted rounds of {@link #measure}. */
    static final int ROUND_COUNT = 6;

    /** One object for each message is 16. Beside other work few messages share what is allocated by time. */
    private static final double ALLOCATED_MAX = 16;

    private ComparisonRows()
    {
    }

    /** Runs a comparison in forks; with no garbage for a message of a peer, and nothing left. {@return its rows} */
    static JsonNode measure(
        final Path directory, final String name, final String peer, final String... options) throws Exception
    {
        final Path files = directory.resolve("f");
        final Path json = directory.resolve(name + ".json");
        final List<String> arguments = new ArrayList<>(List.of("bench", name, "--directory", files.toString(),
            "--quick", "--rounds", Integer.toString(ROUND_COUNT), "--round-ms", "10", "--sizes", "32,65504", "--json",
            json.toString()));
        arguments.addAll(List.of(options));
        try (GrimProcess grim = GrimProcess.run(directory, arguments.toArray(String[]::new)))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            final Matcher delivered = Pattern.compile("(?m)^fork 1: " + Pattern.quote(peer) +
                ": delivered=(\\d+) messages.*allocated=(\\S+) bytes per message").matcher(grim.output());
            assertTrue(delivered.find() && Long.parseLong(delivered.group(1)) > 0, grim.output());
            assertTrue(Double.parseDouble(delivered.group(2)) < ALLOCATED_MAX, grim.output());
        }
        GrimProcess.assertNothingLeft(files);
        return read(json);
    }

    static JsonNode read(final Path json) throws IOException
    {
        final JsonNode rows = new ObjectMapper().readTree(json.toFile());
        assertTrue(rows.isArray());
        return rows;
    }

    static Set<String> texts(final JsonNode rows, final String field)
    {
        final Set<String> texts = new TreeSet<>();
        rows.forEach(row -> texts.add(row.get(field).asText()));
        return texts;
    }

    static void assertRow(final JsonNode row, final int rounds)
    {
        final List<String> names = new ArrayList<>();
        row.fieldNames().forEachRemaining(names::add);
        assertEquals(FIELDS, names);
        assertEquals(rounds, row.get("rounds").asInt());
        assertTrue(row.get("min").asDouble() > 0, row::toString);
        assertTrue(row.get("min").asDouble() <= row.get("median").asDouble(), row::toString);
        assertTrue(row.get("median").asDouble() <= row.get("max").asDouble(), row::toString);
        assertTrue(row.get("ratioToGrim").asDouble() > 0, row::toString);
    }
}
