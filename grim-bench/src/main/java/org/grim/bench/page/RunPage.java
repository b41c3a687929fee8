// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;

/** The page of one run: what it is, plots by suite, figures and noise below each. Thread: one. */
public final class RunPage
{
    private final FigureDirectory run;
    private final PanelHtml panels;
    private final Html html = new Html();
    private int plotCount;

    private RunPage(final FigureDirectory run)
    {
        this.run = run;
        final Set<String> names = new LinkedHashSet<>();
        Panel.of(run.points()).forEach(panel -> names.addAll(panel.names()));
        run.curves().forEach(curve -> names.add(curve.key().peer()));
        panels = new PanelHtml(new Palette(names));
    }

    /**
     * Writes the page.
     *
     * @param run to show.
     * @return a whole HTML file.
     */
    public static String of(final FigureDirectory run)
    {
        return new RunPage(run).text();
    }

    private String text()
    {
        final Map<String, List<Panel>> suites = new LinkedHashMap<>();
        Panel.of(run.points()).forEach(
            panel -> suites.computeIfAbsent(panel.suite(), name -> new ArrayList<>()).add(panel));
        run.curves().forEach(curve -> suites.computeIfAbsent(curve.key().suite(), name -> new ArrayList<>()));
        final RunInfo info = run.info();
        html.open("header").element("h1", "GRIM benchmarks");
        html.element("p", "Commit " + info.commit() + ", " + info.started() + ", took " + duration(info.seconds()) +
            ": " + run.points().size() + " points, " + info.forkCount() +
            (info.forkCount() == 1 ? " fork." : " forks."), "class", "lead");
        addStanding(info);
        addNoise();
        html.open("nav");
        suites.keySet().forEach(suite -> html.element("a", Wording.suite(suite), "href", "#" + anchor(suites, suite)));
        html.close().close();
        html.open("main");
        addCircumstances(info);
        suites.forEach((suite, list) -> addSuite(suite, anchor(suites, suite), list));
        html.close();
        addReadingAid();
        return Sheet.page("GRIM benchmarks, " + info.commit(), html.toString());
    }

    private void addStanding(final RunInfo info)
    {
        final String threads = info.cores() + " cores for " + info.pollers() + " polling threads";
        if (info.isComparable())
        {
            Sheet.remark(html, "good", "Comparable.", threads + ".");
        }
        else
        {
            Sheet.remark(html, "bad", "Not comparable.",
                threads + ": threads that spin shared cores, and figures show the scheduler as well.");
        }
        if (info.isQuick())
        {
            Sheet.remark(html, "fair", "Quick run.", "For a look: fewer forks and rounds than a full one.");
        }
        if (!info.absent().isEmpty())
        {
            Sheet.remark(html, "fair", "Absent:", info.absent().entrySet().stream()
                .map(absent -> absent.getKey() + " (" + absent.getValue() + ")")
                .collect(Collectors.joining(", ")) + ".");
        }
    }

    private void addNoise()
    {
        final double[] spreads = run.points().stream().mapToDouble(point -> Noise.of(point).spread())
            .filter(Double::isFinite).toArray();
        if (spreads.length == 0)
        {
            Sheet.remark(html, "fair", "Noise:", "each point has one fork, so that its noise is not known.");
            return;
        }
        final Point worst = run.points().stream().filter(point -> Double.isFinite(Noise.of(point).spread()))
            .max(Comparator.comparingDouble(point -> Noise.of(point).spread())).orElseThrow();
        final PointKey key = worst.key();
        Sheet.remark(html, "plain", "Noise:", "forks lie " + Numbers.percent(Point.median(spreads)) +
            " apart in the middle, " + Numbers.percent(Arrays.stream(spreads).max().orElseThrow()) + " at worst (" +
            key.peer() + ", " + Wording.title(key.suite(), key.benchmark(), key.mode()) + ", " +
            Wording.x(key.xName(), key.x()) + ").");
    }

    private void addCircumstances(final RunInfo info)
    {
        html.open("section", "class", "circumstances");
        addMap("Machine", info.machine());
        addMap("Versions", info.versions());
        html.close();
        if (!info.notes().isEmpty())
        {
            html.open("details", "class", "notes").element("summary", "Notes of the run: " + info.notes().size());
            Sheet.list(html, info.notes());
            html.close();
        }
    }

    private void addMap(final String title, final Map<String, String> values)
    {
        if (!values.isEmpty())
        {
            html.open("div").element("h3", title).open("table", "class", "names");
            values.forEach((name, value) -> html.row(name, String.valueOf(value)));
            html.close().close();
        }
    }

    private void addSuite(final String suite, final String anchor, final List<Panel> list)
    {
        html.open("section", "id", anchor).element("h2", Wording.suite(suite));
        if (!Wording.suiteText(suite).isEmpty())
        {
            html.element("p", Wording.suiteText(suite), "class", "about");
        }
        html.open("div", "class", "panels");
        for (final Panel panel : list)
        {
            plotCount++;
            panels.add(html, panel, plotCount);
        }
        addCurves(suite);
        html.close().close();
    }

    /** One plot per place that peers were measured at, so that each peer keeps its colour. */
    private void addCurves(final String suite)
    {
        final Map<List<Object>, List<PercentileCurve>> groups = new LinkedHashMap<>();
        for (final PercentileCurve curve : run.curves())
        {
            final PointKey key = curve.key();
            if (key.suite().equals(suite))
            {
                groups.computeIfAbsent(List.of(key.benchmark(), key.mode(), key.xName(), key.x(), curve.unit()),
                    name -> new ArrayList<>()).add(curve);
            }
        }
        for (final List<PercentileCurve> curves : groups.values())
        {
            plotCount++;
            final PointKey key = curves.get(0).key();
            final String title = Wording.title(key.suite(), key.benchmark(), key.mode()) + " at " + key.xName() + " " +
                Wording.x(key.xName(), key.x());
            final List<Curve> lines = PercentileLine.of(curves);
            html.open("figure", "class", "panel").element("figcaption", title + ", by percentile");
            panels.addPlot(html, new Plot(title, new Axis("percentile", Axis.Kind.PERCENTILE),
                Wording.figure(key.benchmark(), curves.get(0).unit()), curves.get(0).unit(), lines),
                "Lower is better. That share of the messages took no longer.", plotCount);
            PercentileLine.addTable(html, curves);
            html.close();
        }
    }

    private void addReadingAid()
    {
        html.open("footer").element("p",
            "Median: of the forks' medians. A fork is a fresh pair of processes; only forks are independent of " +
            "each other. Spread: greatest less least median of a fork, as a share of the median. Deviation: " +
            "median distance of a round from the median of all rounds, as a share of that. Least and greatest " +
            "are of single rounds.").close();
    }

    private static String anchor(final Map<String, List<Panel>> suites, final String suite)
    {
        return "suite-" + List.copyOf(suites.keySet()).indexOf(suite);
    }

    private static String duration(final long seconds)
    {
        final Duration duration = Duration.ofSeconds(seconds);
        return duration.toMinutes() > 0 ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s" :
            seconds + " s";
    }
}
