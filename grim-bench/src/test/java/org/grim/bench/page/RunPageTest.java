// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.ParserConfigurationException;

import org.grim.bench.change.RunChanges;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;
import org.junit.jupiter.api.Test;
import org.xml.sax.SAXException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RunPageTest
{
    private static final Pattern PLOT = Pattern.compile("<div class=\"box\" id=\"plot-[0-9]+\" role=\"img\" " +
        "aria-label=\"([^\"]*)\">(<svg.*?</svg\\s*>)\\s*</div>\\s*<ul class=\"legend\">(.*?)</ul>", Pattern.DOTALL);
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
    private static final Pattern REFERENCE =
        Pattern.compile("(?:src|href|url|@import)\\s*[=(]\\s*[\"']?([^\"')>\\s]*)");
    private static final Pattern TABLE_ROW =
        Pattern.compile("<tr class=\"(?:first|same)\">(.*?)</tr>", Pattern.DOTALL);
    private static final FigureDirectory RUN = MadeUpRun.of(3, 1);
    private static final String PAGE = RunPage.of(RUN);
    private static final String EVIL = "<script>alert('x')</script>&\"";

    @Test
    void shouldDrawEveryCurveWithEachOfItsPoints() throws IOException, SAXException, ParserConfigurationException
    {
        final List<Plot> expected =
            Panel.of(RUN.points()).stream().filter(Panel::hasCurves).map(Panel::plot).toList();
        final Palette palette = palette(RUN);

        final List<FoundPlot> plots = plots(PAGE);

        assertEquals(expected.size() + 3, plots.size());
        for (final Plot plot : expected)
        {
            final FoundPlot found = plots.stream().filter(candidate -> candidate.title().equals(plot.title()) &&
                candidate.legend().equals(legend(plot))).findFirst().orElseThrow();
            plots.remove(found);
            final SvgCurves curves = new SvgCurves(found.svg());
            for (final Curve curve : plot.curves())
            {
                final int rgb = palette.of(curve.name()).rgb();
                assertEquals(curve.places().size(), curves.markers(rgb).size(), plot.title() + ": " + curve.name());
                assertEquals(curve.places().size() - 1, curves.lines(rgb).size(), plot.title() + ": " + curve.name());
            }
        }
        for (final FoundPlot percentiles : plots)
        {
            final SvgCurves curves = new SvgCurves(percentiles.svg());
            for (final String peer : List.of("grim-shmem", "aeron-ipc", "grim-myrinet"))
            {
                // 14 values; the one at 100 % has no place.
                assertEquals(12, curves.lines(palette.of(peer).rgb()).size(), peer);
            }
        }
    }

    @Test
    void shouldShowNoiseOfEachPointAndEverythingAboutTheRun()
    {
        final Matcher rows = TABLE_ROW.matcher(PAGE);
        int count = 0;
        while (rows.find())
        {
            count++;
            assertTrue(rows.group(1).matches("(?s).*>5/35</td>" +
                "<td class=\"number\">[0-9.]+ %</td><td class=\"number\">[0-9.]+ %</td>.*"), rows.group(1));
        }
        assertEquals(RUN.points().size(), count);
        for (final String part : List.of("0123abcd", "A made-up processor, 3.1 GHz", "17.0.17", "Comparable.",
            "ucx (ucx_perftest is not installed)", "Figures of this run are made up.", "7 min 11 s", "Noise:"))
        {
            assertTrue(PAGE.contains(part), part);
        }
    }

    @Test
    void shouldNeedNothingFromElsewhere()
    {
        for (final String page : List.of(PAGE, comparison(RUN, MadeUpRun.of(4, 1.2))))
        {
            final Matcher references = REFERENCE.matcher(page);
            while (references.find())
            {
                assertTrue(references.group(1).startsWith("#"), references.group());
            }
            assertFalse(page.contains("<script"), "a script");
            final Set<String> ids = new HashSet<>();
            final Matcher found = ID.matcher(page);
            while (found.find())
            {
                assertTrue(ids.add(found.group(1)), found.group());
            }
        }
    }

    @Test
    void shouldTakeNothingFromARunForMarkup()
    {
        final PointKey key = new PointKey(EVIL, EVIL + 1, EVIL + 2, EVIL + 3, EVIL + 4, 8);
        final Point point = new Point(key, EVIL, Direction.LOWER_IS_BETTER, List.of(List.of(1.0)), List.of());
        final PointKey next = new PointKey(EVIL, EVIL + 1, EVIL + 2, EVIL + 3, EVIL + 4, 16);
        final Point other = new Point(next, EVIL, Direction.LOWER_IS_BETTER, List.of(List.of(2.0)), List.of());
        final RunInfo info = new RunInfo(FigureDirectory.FORMAT, EVIL, EVIL, 1, true, 1, 1, 2, Map.of(EVIL, EVIL),
            Map.of(EVIL, EVIL), Map.of(EVIL, EVIL), List.of(EVIL));
        final FigureDirectory run = new FigureDirectory(info, List.of(point, other), List.of(
            new PercentileCurve(key, EVIL, List.of(new PercentileCurve.Value(50, 1)), 1)));
        final FigureDirectory empty = new FigureDirectory(info, List.of(), List.of());

        for (final String page : List.of(RunPage.of(run), comparison(run, run), comparison(run, empty)))
        {
            assertFalse(page.contains("<script"), page);
            assertTrue(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;"), page);
        }
    }

    @Test
    void shouldMakeAPageOfNothing()
    {
        final RunInfo info = new RunInfo(FigureDirectory.FORMAT, "abc", "now", 1, true, 1, 1, 2, Map.of(), Map.of(),
            Map.of(), List.of());
        final FigureDirectory empty = new FigureDirectory(info, List.of(), List.of());

        assertTrue(RunPage.of(empty).contains("Not comparable."));
        assertTrue(comparison(empty, empty).contains("0 worse, 0 better"));
    }

    @Test
    void shouldListEachRowOfAComparison()
    {
        final String page = comparison(RUN, MadeUpRun.of(4, 1.2));

        assertEquals(RUN.points().size() - 1 + 2, count(page, "<div class=\"track\""));
        assertEquals(4, count(page, "<tr class=\"worse\">"));
        assertEquals(0, count(page, "<tr class=\"better\">"));
        assertTrue(page.contains("a figure of 0 or less has no ratio"));
    }

    private static String comparison(final FigureDirectory before, final FigureDirectory after)
    {
        return ComparisonPage.of(RunChanges.of(before, after), before.info(), after.info());
    }

    private static Palette palette(final FigureDirectory run)
    {
        final Set<String> names = new HashSet<>();
        Panel.of(run.points()).forEach(panel -> names.addAll(panel.names()));
        return new Palette(names);
    }

    private static List<FoundPlot> plots(final String page)
    {
        final List<FoundPlot> plots = new ArrayList<>();
        final Matcher matcher = PLOT.matcher(page);
        while (matcher.find())
        {
            plots.add(new FoundPlot(matcher.group(1), matcher.group(2),
                matcher.group(3).replaceAll("(?s)<svg.*?</svg>|</?li>", " ").replaceAll("\\s+", " ").strip()));
        }
        return plots;
    }

    private static String legend(final Plot plot)
    {
        return String.join(" ", plot.curves().stream().map(Curve::name).toList());
    }

    private static int count(final String text, final String part)
    {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    /** A plot on a page, and the names below it. */
    private record FoundPlot(String title, String svg, String legend)
    {
    }
}
