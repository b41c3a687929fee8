// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;

import org.grim.bench.change.RunChanges;
import org.grim.bench.figures.FigureDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Pages in a browser: every plot shows every curve, in its colour, where the browser says that the plot is. A plot
 * that the test itself empties must be noticed.
 */
@Tag("process")
@Timeout(120)
final class ReportBrowserIT
{
    private static final String EMPTIED = "plot-emptied";
    private static final String POLICY = "<meta http-equiv=\"Content-Security-Policy\"[^>]*>\n";
    /** Of a marker, or of a short bar. */
    private static final int PIXELS_MIN = 8;
    private static final int TOLERANCE = 10;
    private static final int HEIGHT = 10_000;
    private static final List<String> SUITES = List.of("cost", "poll", "load");

    /** Says where each box is and which colours belong to it; the first plot is there once more, without its curves. */
    private static final String SCRIPT = "<script>" +
        "const copy = document.getElementById('plot-1').closest('figure, section').cloneNode(true);" +
        "copy.querySelector('.box').id = '" + EMPTIED + "';" +
        "copy.querySelectorAll('.box svg g, .box tbody, .box tr').forEach(part => part.remove());" +
        "document.body.append(copy);" +
        "const colour = (part, name) => getComputedStyle(part)[name];" +
        "const boxes = [...document.querySelectorAll('.box')].map(box => {" +
        "  const own = box.id == '" + EMPTIED + "' ? document.getElementById('plot-1') : box;" +
        "  const area = box.getBoundingClientRect();" +
        "  const legend = own.closest('figure')?.querySelectorAll('.legend svg') ?? [];" +
        "  const colours = [...legend].map(part => colour(part, 'fill'))" +
        "    .concat([...own.querySelectorAll('.bar, .middle')].map(part => colour(part, 'backgroundColor')));" +
        "  return {id: box.id, x: area.x, y: area.y, width: area.width, height: area.height," +
        "    colours: [...new Set(colours)]};});" +
        "const list = document.createElement('pre'); list.id = 'boxes';" +
        "list.textContent = JSON.stringify({height: document.documentElement.scrollHeight, boxes: boxes});" +
        "document.body.append(list);</script>";

    @TempDir
    private Path directory;

    @Test
    void shouldShowEveryPlotOfARun() throws IOException, InterruptedException
    {
        final FigureDirectory run = MadeUpRun.of(1, 1);

        final List<String> missing = missing(RunPage.of(run), HEIGHT, Panel.of(run.points()).size() + 3);

        assertOnlyTheEmptiedPlotIsEmpty(missing, 13);
    }

    @Test
    void shouldShowEveryTableOfAComparison() throws IOException, InterruptedException
    {
        final FigureDirectory before = part(MadeUpRun.of(1, 1));
        final FigureDirectory after = part(MadeUpRun.of(2, 1.2));

        final String page = ComparisonPage.of(RunChanges.of(before, after), before.info(), after.info());
        final List<String> missing = missing(page, HEIGHT / 4, 1 + SUITES.size());

        assertOnlyTheEmptiedPlotIsEmpty(missing, 1);
    }

    private static void assertOnlyTheEmptiedPlotIsEmpty(final List<String> missing, final int curveCount)
    {
        assertTrue(missing.stream().allMatch(text -> text.startsWith(EMPTIED)), missing::toString);
        assertEquals(curveCount, missing.size(), missing::toString);
    }

    /** Some suites are enough for tables. */
    private static FigureDirectory part(final FigureDirectory run)
    {
        return new FigureDirectory(run.info(),
            run.points().stream().filter(point -> SUITES.contains(point.key().suite())).toList(), List.of());
    }

    /** Box and colour of each curve that cannot be seen. */
    private List<String> missing(final String page, final int height, final int boxCount)
        throws IOException, InterruptedException
    {
        final Optional<Browser> browser = Browser.find();
        assumeTrue(browser.isPresent(), "no chromium, chromium-browser or google-chrome is on the path");
        final Path file = directory.resolve("page.html");
        final Path picture = directory.resolve("page.png");
        Files.writeString(file, page.replaceFirst(POLICY, "").replace("</body>", SCRIPT + "</body>"));

        final String document = browser.orElseThrow().show(file, height, picture, directory);

        final int begin = document.indexOf("<pre id=\"boxes\">") + "<pre id=\"boxes\">".length();
        final JsonNode seen =
            new ObjectMapper().readTree(document.substring(begin, document.indexOf("</pre>", begin)));
        assertTrue(seen.get("height").asInt() <= height, () -> "the page is higher: " + seen.get("height"));
        assertEquals(boxCount + 1, seen.get("boxes").size());
        final BufferedImage image = ImageIO.read(picture.toFile());
        final List<String> missing = new ArrayList<>();
        for (final JsonNode box : seen.get("boxes"))
        {
            assertTrue(box.get("colours").size() > 0, box::toString);
            for (final JsonNode colour : box.get("colours"))
            {
                if (pixels(image, box, colour.asText()) < PIXELS_MIN)
                {
                    missing.add(box.get("id").asText() + ": " + colour.asText());
                }
            }
        }
        return missing;
    }

    private static int pixels(final BufferedImage image, final JsonNode box, final String colour)
    {
        final String[] parts = colour.replaceAll("[^0-9,]", "").split(",", -1);
        final int left = Math.max(0, box.get("x").asInt());
        final int right = Math.min(image.getWidth(), left + box.get("width").asInt());
        final int top = Math.max(0, box.get("y").asInt());
        final int bottom = Math.min(image.getHeight(), top + box.get("height").asInt());
        int count = 0;
        for (int y = top; y < bottom; y++)
        {
            for (int x = left; x < right; x++)
            {
                final int rgb = image.getRGB(x, y);
                final boolean isNear = isNear(rgb >> 16 & 0xFF, parts[0]) && isNear(rgb >> 8 & 0xFF, parts[1]) &&
                    isNear(rgb & 0xFF, parts[2]);
                count += isNear ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean isNear(final int component, final String expected)
    {
        return Math.abs(component - Integer.parseInt(expected)) <= TOLERANCE;
    }
}
