// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** JSON of a comparison with others, and what every row of it must be like. */
final class ComparisonRows
{
    private static final List<String> FIELDS = List.of("benchmark", "peer", "size", "mode", "unit", "median", "min",
        "max", "rounds", "ratioToGrim");

    private ComparisonRows()
    {
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
