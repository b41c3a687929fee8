// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.grim.myrinet.injection.Mechanism;
import org.grim.myrinet.injection.PlanFile;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Tag("long")
@Timeout(240)
final class TuneProcessIT
{
    private static final List<String> KEYS = List.of("command", "machine", "board", "lanaiModel", "ringNs", "rounds",
        "file", "plot", "rows", "choices");

    @TempDir
    private Path directory;

    @Test
    void shouldWriteJsonPlanAndPlot() throws Exception
    {
        final Path file = directory.resolve("plan.conf");
        final Path plot = directory.resolve("plan.html");
        try (GrimProcess grim = GrimProcess.run(directory, "tune", "--seconds", "5", "--json", "--file",
            file.toString(), "--plot", plot.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());

            final JsonNode report = new ObjectMapper().readTree(grim.output());
            assertEquals(Set.copyOf(KEYS), Set.copyOf(names(report)));
            assertEquals(12, report.get("choices").size());
            report.get("rows").forEach(row -> assertTrue(row.get("ns").asDouble() > 0, row::toString));
            for (final Mechanism mechanism : Mechanism.values())
            {
                assertTrue(grim.error().contains(mechanism.label()), grim.error());
                assertTrue(report.get("rows").findValuesAsText("mechanism").contains(mechanism.label()),
                    mechanism.label());
            }
            assertTrue(grim.error().contains("plan: " + file), grim.error());
        }
        assertEquals(12, PlanFile.read(file).entries().size());
        final String text = Files.readString(file);
        assertTrue(text.contains("# Measured 20") && text.contains("# machine: ") && text.contains("LANai 9"), text);
        assertTrue(Files.readString(plot).contains("word-stores"), "a plot");
    }

    @Test
    void shouldRefuseBeforeItMeasures() throws Exception
    {
        final Path plot = directory.resolve("none").resolve("plan.html");
        try (GrimProcess grim = GrimProcess.run(directory, "tune", "--plot", plot.toString()))
        {
            assertEquals(2, grim.exitCode());

            assertTrue(grim.error().startsWith("grim: --plot=" + plot + " cannot be written"), grim.error());
            assertFalse(Files.exists(Path.of("grim-injection.conf")));
        }
    }

    private static List<String> names(final JsonNode node)
    {
        final List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
