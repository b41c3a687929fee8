// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.tune;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;

import org.grim.bench.report.TuneReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TunePlotTest
{
    private static final byte[] PNG_HEADER = {(byte)0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int COLOUR_MASK = 0xFFFFFF;

    @TempDir
    private Path directory;

    @Test
    void shouldDrawALineForEachMechanism() throws IOException
    {
        final Path file = directory.resolve("plot.png");

        TunePlot.write(report(), file);

        assertArrayEquals(PNG_HEADER, Arrays.copyOf(Files.readAllBytes(file), PNG_HEADER.length));
        final BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(1200, image.getWidth());
        final Set<Integer> colours = new HashSet<>();
        for (int x = 0; x < image.getWidth(); x++)
        {
            for (int y = 0; y < image.getHeight(); y++)
            {
                colours.add(image.getRGB(x, y) & COLOUR_MASK);
            }
        }
        assertTrue(colours.containsAll(Set.of(0x000000, 0x0072B2, 0x56B4E9, 0xFFD666)), "a line is missing");
    }

    @Test
    void shouldSayWhereItCannotWrite()
    {
        final Path file = directory.resolve("none").resolve("plot.png");

        assertThrows(NoSuchFileException.class, () -> TunePlot.write(report(), file));
    }

    private static TuneReport report()
    {
        final List<TuneReport.Row> rows = new ArrayList<>();
        final List<TuneReport.Choice> choices = new ArrayList<>();
        for (int size = 32; size <= 65_536; size *= 2)
        {
            rows.add(new TuneReport.Row(size, "word-stores", 0, size, 1000));
            rows.add(new TuneReport.Row(size, "bulk-copy", 0, 50 + size * 0.1, size * 1000.0 / (50 + size * 0.1)));
            rows.add(new TuneReport.Row(size, "zero-copy", 0, 500 + size * 0.1, size * 1000.0 / (500 + size * 0.1)));
            choices.add(new TuneReport.Choice(size, size < 64 ? "word-stores" : "bulk-copy", 0, "zero-copy", 0));
        }
        return new TuneReport("a machine", "a board", 9, 20, 9, "plan.conf", "plot.png", rows, choices);
    }
}
