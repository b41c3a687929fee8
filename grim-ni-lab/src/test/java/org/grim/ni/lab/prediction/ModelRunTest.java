// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.prediction;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;

import org.grim.ni.model.Assumption;
import org.grim.ni.model.EndToEndModel;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.grim.tools.report.Json;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ModelRunTest
{
    private static final int COLOUR_MASK = 0xFFFFFF;
    private static final int MODE_COUNT = 4;
    private static final int TOLD_COUNT = 2;
    private static final int MULTICAST_COUNT = 5 * 7;

    private static List<ModelResult> results;

    @TempDir
    private Path directory;

    @BeforeAll
    static void run()
    {
        results = ModelRun.run(List.of(HostTiming.P4_1700), List.of(LanaiModel.LANAI_9));
    }

    @Test
    void shouldWriteARowPerSizeAndASummaryPerMode() throws IOException
    {
        final JsonNode json = new ObjectMapper().readTree(Json.text(ModelResult.json(results)));

        assertTrue(json.isArray());
        final Set<String> keys = new HashSet<>();
        int summaryCount = 0;
        int otherCount = 0;
        for (final JsonNode row : json)
        {
            assertEquals("p4-1700", row.get("host").asText());
            assertEquals("lanai9", row.get("ni").asText());
            if (row.has("other") || row.has("multicast"))
            {
                otherCount++;
                continue;
            }
            final double latencyUs = row.get("latencyUs").asDouble();
            final double bandwidthMBs = row.get("bandwidthMBs").asDouble();
            if (row.has("summary"))
            {
                summaryCount++;
                assertTrue(row.get("latencyLowUs").asDouble() < latencyUs &&
                    latencyUs < row.get("latencyHighUs").asDouble(), row::toString);
                assertTrue(row.get("bandwidthLowMBs").asDouble() < bandwidthMBs &&
                    bandwidthMBs <= row.get("bandwidthHighMBs").asDouble(), row::toString);
                assertEquals(row.get("mode").asText().startsWith("RM") ? "tail-flag" : "pointer",
                    row.get("notification").asText());
            }
            else
            {
                assertTrue(latencyUs > 0 && bandwidthMBs > 0, row::toString);
                assertEquals(7, row.size());
                keys.add(row.get("mode").asText() + row.get("notification").asText() + row.get("size").asInt());
            }
        }
        assertEquals(MODE_COUNT, summaryCount);
        assertEquals(MODE_COUNT * TOLD_COUNT * EndToEndModel.SIZES.size(), keys.size());
        assertEquals(MODE_COUNT + MULTICAST_COUNT, otherCount);
        assertEquals(keys.size() + summaryCount + otherCount, json.size());
    }

    @Test
    void shouldTellPeopleEverythingInTables()
    {
        final String text = ModelText.of(results);

        for (final String part : List.of("half of it at [B]", "p4-1700, lanai9: latency [us]", "2097152",
            "seen by the host", "whole, cut-through at both", "fragments of 64 KiB, cut-through at receiver",
            "queue pointer against tail flag", "number of logical channels", "outstanding", "counter-write"))
        {
            assertTrue(text.contains(part), part);
        }
        assertFalse(text.contains("NaN"), text);
    }

    /** The page of the model must not tell what the model no longer says. */
    @Test
    void shouldSayWhatItsPageSays() throws IOException
    {
        final String page = Files.readString(page());

        for (final Assumption assumption : Assumption.values())
        {
            assertTrue(page.contains("| `" + assumption.label() + "` | "), assumption::label);
            assertTrue(page.contains(assumption.source()), assumption::source);
        }
        final List<String> lines = ModelText.of(results).lines().filter(line -> line.startsWith("p4-1700  lanai9  "))
            .map(line -> "| " + line.trim().replaceAll(" {2,}", " | ") + " |").toList();
        assertEquals(MODE_COUNT * TOLD_COUNT, lines.size());
        lines.forEach(line -> assertTrue(page.contains(line), line));
    }

    @Test
    void shouldDrawALineForEachSeries() throws IOException
    {
        final List<Path> files = ModelPlot.write(results, directory);

        assertEquals(5, files.size());
        for (final Path file : files)
        {
            final BufferedImage image = ImageIO.read(file.toFile());
            final int[] pixels =
                image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
            final Set<Integer> colours =
                Arrays.stream(pixels).map(pixel -> pixel & COLOUR_MASK).boxed().collect(Collectors.toSet());
            assertTrue(colours.contains(0x000000), file + " has no line");
        }
        try (var left = Files.list(directory))
        {
            assertEquals(files.size(), left.count());
        }
    }

    private static Path page()
    {
        final Path page = Path.of("grim-ni-lab", "docs", "model.md");
        return Files.exists(page) ? page : Path.of("..").resolve(page);
    }
}
