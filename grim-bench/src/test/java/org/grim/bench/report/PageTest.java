// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PageTest
{
    private static final String BEGIN = "<script type=\"application/json\" id=\"data\">";
    private static final String EVIL = "</script><script>alert('x')</script>&\"";
    private static final FigureDirectory RUN = MadeUpRun.of(3, 1);

    @Test
    void shouldShowEachPointOnOnePlotAndInOneTable() throws IOException
    {
        final JsonNode page = data(RunPage.of(RUN));

        int plots = 0;
        int points = 0;
        int rows = 0;
        for (final JsonNode section : page.get("sections"))
        {
            for (final JsonNode plot : section.get("plots"))
            {
                plots++;
                final boolean isOfPercentiles = plot.get("xTitle").asText().equals("percentile");
                points += isOfPercentiles ? 0 : figureCount(plot);
                rows += isOfPercentiles ? 0 : plot.get("table").get("rows").size();
            }
        }
        assertEquals(plotCount(RUN), plots);
        assertEquals(RUN.points().size(), points);
        assertEquals(RUN.points().size(), rows);
    }

    @Test
    void shouldSayWhatTheRunWas() throws IOException
    {
        final String page = data(RunPage.of(RUN)).toString();

        for (final String part : List.of("0123abcd on A made-up processor, 3.1 GHz, 2 cores", "17.0.17",
            "Comparable: 2 cores", "ucx (ucx_perftest is not installed)",
            "Figures of this run are made up.", "431 s", "Noise:"))
        {
            assertTrue(page.contains(part), part);
        }
    }

    @Test
    void shouldBeginWithGrimAndEachPeer() throws IOException
    {
        final JsonNode summary = data(RunPage.of(RUN)).get("sections").get(0);

        assertEquals("summary", summary.get("title").asText());
        final JsonNode table = summary.get("tables").get(0);
        final List<String> headings = new ArrayList<>();
        table.get("headings").forEach(heading -> headings.add(heading.asText()));
        assertEquals(List.of("benchmark", "of GRIM", "copy-flag", "aeron-ipc"), headings.subList(0, 4));
        for (final JsonNode row : table.get("rows"))
        {
            assertEquals(headings.size(), row.size());
            final String name = row.get(0).asText();
            if (name.startsWith("messages, latency") || name.startsWith("messages, rate"))
            {
                assertTrue(row.get(headings.indexOf("tcp")).asDouble() > 2, row::toString);
                assertTrue(row.get(headings.indexOf("jctools")).asDouble() < 1, row::toString);
            }
        }
        assertTrue(table.get("rows").size() >= 5, table::toString);
    }

    @Test
    void shouldSayThatABusyMachineIsNotComparable() throws IOException
    {
        final RunInfo quiet = RUN.info();
        final RunInfo busy = new RunInfo(quiet.format(), quiet.commit(), quiet.started(), 1, false, 5, 2, 2,
            Map.of(RunInfo.LOAD, "3.21"), quiet.versions(), Map.of(), List.of());
        final RunInfo unknown = new RunInfo(quiet.format(), quiet.commit(), quiet.started(), 1, false, 5, 2, 2,
            Map.of(RunInfo.LOAD, "?"), quiet.versions(), Map.of(), List.of());

        final String page = data(RunPage.of(new FigureDirectory(busy, RUN.points(), RUN.curves()))).toString();

        assertTrue(page.contains("Not comparable: 2 cores for 2 polling threads, load average at start 3.21; the " +
            "machine was busy with other work."), page::toString);
        assertFalse(page.contains("\"Comparable"), "a machine with other work");
        assertTrue(quiet.isComparable() && unknown.isComparable());
    }

    @Test
    void shouldTakeNothingFromARunForMarkup() throws IOException
    {
        final PointKey key = new PointKey(EVIL, EVIL + 1, EVIL + 2, EVIL + 3, EVIL + 4, 8);
        final Point point = new Point(key, EVIL, Direction.LOWER_IS_BETTER, List.of(List.of(1.0)), List.of());
        final RunInfo info = new RunInfo(FigureDirectory.FORMAT, EVIL, EVIL, 1, true, 1, 1, 2, Map.of(EVIL, EVIL),
            Map.of(EVIL, EVIL), Map.of(EVIL, EVIL), List.of(EVIL));
        final FigureDirectory run = new FigureDirectory(info, List.of(point), List.of(
            new PercentileCurve(key, EVIL, List.of(new PercentileCurve.Value(50, 1)), 1)));
        final FigureDirectory empty = new FigureDirectory(info, List.of(), List.of());

        for (final String page : List.of(RunPage.of(run), RunPage.of(empty), comparison(run, run),
            comparison(run, empty)))
        {
            assertFalse(page.contains("alert('x')</script>"), "an end of the data");
            assertTrue(data(page).toString().contains("alert('x')"), "the text itself");
        }
    }

    @Test
    void shouldListEachRowOfAComparison() throws IOException
    {
        final JsonNode page = data(comparison(RUN, MadeUpRun.of(4, 1.2)));

        final JsonNode changed = page.get("sections").get(0).get("tables").get(0).get("rows");
        assertEquals(2, changed.size());
        changed.forEach(row -> assertTrue(row.toString().contains("\"worse\""), row::toString));
        int rows = 0;
        for (final JsonNode section : page.get("sections"))
        {
            rows += section.get("tables").get(0).get("rows").size();
        }
        assertEquals(RUN.points().size() + 2, rows);
        assertTrue(page.toString().contains("a figure of 0 or less has no ratio"));
    }

    @Test
    void shouldDrawALineForEachMechanism() throws IOException
    {
        final List<TuneReport.Row> rows = List.of(new TuneReport.Row(32, "word-stores", 0, 32, 1000),
            new TuneReport.Row(64, "word-stores", 0, 64, 1000), new TuneReport.Row(64, "zero-copy", 0, 500, 128));
        final List<TuneReport.Choice> choices = List.of(
            new TuneReport.Choice(32, "word-stores", 0, "word-stores", 0),
            new TuneReport.Choice(64, "word-stores", 0, "zero-copy", 0));
        final TuneReport report =
            new TuneReport("tune", "a machine", "a board", 9, 20, 9, "plan.conf", "plot.html", rows, choices);

        final JsonNode plot = data(report.page()).get("sections").get(0).get("plots").get(0);

        assertEquals("[\"32\",\"64\"]", plot.get("xs").toString());
        assertEquals("[1000.0,1000.0]", plot.get("curves").get(0).get("ys").toString());
        assertEquals("[null,128.0]", plot.get("curves").get(1).get("ys").toString());
    }

    private static int figureCount(final JsonNode plot)
    {
        int count = 0;
        for (final JsonNode curve : plot.get("curves"))
        {
            assertEquals(plot.get("xs").size(), curve.get("ys").size());
            for (final JsonNode y : curve.get("ys"))
            {
                count += y.isNull() ? 0 : 1;
            }
        }
        return count;
    }

    /** One for each benchmark, mode and unit, and one for each load that has percentiles. */
    static int plotCount(final FigureDirectory run)
    {
        final Set<Object> plots = new HashSet<>();
        for (final Point point : run.points())
        {
            final PointKey key = point.key();
            final boolean isAlone = run.points().stream().filter(other -> other.key().suite().equals(key.suite()) &&
                other.key().benchmark().equals(key.benchmark())).map(other -> other.key().peer()).distinct()
                .count() == 1;
            plots.add(List.of(key.suite(), key.benchmark(), point.unit(), isAlone ? "" : key.mode()));
        }
        run.curves().forEach(curve -> plots.add(curve.key().x()));
        return plots.size();
    }

    private static String comparison(final FigureDirectory before, final FigureDirectory after)
    {
        return ComparisonPage.of(RunChanges.of(before, after), before.info(), after.info());
    }

    private static JsonNode data(final String page) throws IOException
    {
        final int begin = page.indexOf(BEGIN) + BEGIN.length();
        return new ObjectMapper().readTree(page.substring(begin, page.indexOf("</script>", begin)));
    }
}
