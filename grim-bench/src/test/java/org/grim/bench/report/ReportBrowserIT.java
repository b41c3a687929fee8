// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.imageio.ImageIO;

import org.grim.bench.figures.FigureDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Pages in a browser: every plot is drawn with its curves, every row of a table is there. */
@Tag("process")
@Tag("long")
@Timeout(120)
final class ReportBrowserIT
{
    private static final int HEIGHT = 3_000;
    private static final int COLOURS_MIN = 12;
    private static final String PLOT = "<div class=\"plot\"";

    @TempDir
    private Path directory;

    @Test
    void shouldDrawEveryCurveOfARun() throws IOException, InterruptedException
    {
        final FigureDirectory run = MadeUpRun.of(1, 1);

        final String document = show(RunPage.of(run));

        final String[] plots = document.split(PLOT, -1);
        assertEquals(PageTest.plotCount(run), plots.length - 1);
        for (int i = 1; i < plots.length; i++)
        {
            final String svg = plots[i].substring(0, plots[i].indexOf("</svg>"));
            assertTrue(svg.contains("<path"), svg);
        }
        assertEquals(run.points().size(), rows(document, ">5</td><td class=\"number\">35</td>"));
        assertTrue(document.contains("aeron-ipc-default</text>"), "a legend");
    }

    @Test
    void shouldColourChangedRowsOfAComparison() throws IOException, InterruptedException
    {
        final FigureDirectory before = MadeUpRun.of(1, 1);
        final FigureDirectory after = MadeUpRun.of(2, 1.2);

        final String document =
            show(ComparisonPage.of(RunChanges.of(before, after), before.info(), after.info()));

        assertEquals(4, rows(document, "<tr class=\"worse\">"));
        assertEquals(0, rows(document, "<tr class=\"better\">"));
        assertEquals(before.points().size() + 2, rows(document, ">none shown<") + rows(document, ">worse<") +
            rows(document, ">not judged<"));
    }

    private static int rows(final String document, final String part)
    {
        return document.split(part, -1).length - 1;
    }

    /** Returns the document as its script left it; what is on the screen is more than one colour. */
    private String show(final String page) throws IOException, InterruptedException
    {
        final Optional<Browser> browser = Browser.find();
        assumeTrue(browser.isPresent(), "no chromium, chromium-browser or google-chrome is on the path");
        final Path file = directory.resolve("page.html");
        final Path picture = directory.resolve("page.png");
        Files.writeString(file, page);
        final String document = browser.orElseThrow().show(file, HEIGHT, picture, directory);
        final BufferedImage image = ImageIO.read(picture.toFile());
        final Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y++)
        {
            for (int x = 0; x < image.getWidth(); x++)
            {
                colours.add(image.getRGB(x, y));
            }
        }
        assertTrue(colours.size() >= COLOURS_MIN, () -> "colours=" + colours.size());
        return document.substring(document.indexOf("<h1"));
    }
}
