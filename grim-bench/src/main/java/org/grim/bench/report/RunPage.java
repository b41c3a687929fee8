// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.apache.commons.math3.stat.StatUtils;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;

/** The page of one run: its circumstances, then a plot for each benchmark, mode and unit. Thread: one. */
public final class RunPage
{
    private static final int KIBI = 1024;
    private static final double HUNDRED = 100;
    /** Place of the mode among the names of a plot, if it is one of them. */
    private static final int MODE_INDEX = 4;
    private static final Map<String, String> SUITES = Map.of(
        "messages", "Two processes, each polling on a core of its own. Latency is half of the median round trip; " +
            "rate and bandwidth are of a stream one way under back pressure.",
        "memory", "One side reads or writes the other's registered memory; large messages are cut and put together.",
        "board", "The same messages through two boards, with the two kinds of arrival queues.",
        "load", "Messages are offered at fixed times; latency counts from the planned time of a message, so that " +
            "waiting is included (no coordinated omission).",
        "poll", "One poll of queues that stay empty.",
        "channels", "The same work with more logical channels.",
        "cost", "Sending and polling in one thread: the software's own share, with little noise.",
        "cpu", "Processor time and allocation of a node that is idle, and of one with little load.");

    private final Page page;
    private final FigureDirectory run;

    private RunPage(final FigureDirectory run)
    {
        this.run = run;
        page = new Page("GRIM benchmarks: commit " + run.info().commit() + " on " +
            run.info().machine().getOrDefault("CPU", "an unknown processor") + ", " + run.info().cores() + " cores");
    }

    /** Makes the page. Returns a whole HTML file. */
    public static String of(final FigureDirectory run)
    {
        return new RunPage(run).page().html();
    }

    private Page page()
    {
        addRemarks(run.info());
        final Map<String, Page.Section> sections = new LinkedHashMap<>();
        plots(run.points()).forEach((names, points) ->
            section(sections, points.get(0).key().suite()).plots().add(plot(points)));
        percentilePlots().forEach((names, curves) ->
            section(sections, curves.get(0).key().suite()).plots().add(percentilePlot(curves)));
        addSummary();
        page.sections().addAll(sections.values());
        addCircumstances(run.info());
        page.footer().add("Median: of the forks' medians. A fork is a fresh pair of processes; only forks are " +
            "independent of each other. Spread: greatest less least median of a fork, as a share of the median. Min " +
            "and max are of single rounds.");
        return page;
    }

    /** GRIM in each plot against each of the others, in one figure: what a reader wants to know first. */
    private void addSummary()
    {
        final Map<List<String>, Map<String, Double>> rows = new LinkedHashMap<>();
        final Set<String> peers = new LinkedHashSet<>();
        plots(run.points()).forEach((names, points) ->
        {
            final Map<String, List<Point>> byPeer = points.stream().collect(
                Collectors.groupingBy(point -> point.key().peer(), LinkedHashMap::new, Collectors.toList()));
            final String ours = PointTables.ours(byPeer.keySet());
            byPeer.forEach((peer, theirs) ->
            {
                final double times =
                    ours == null || PointTables.isOurs(peer) ? Double.NaN : times(byPeer.get(ours), theirs);
                if (Double.isFinite(times))
                {
                    peers.add(peer);
                    rows.computeIfAbsent(List.of(String.join(", ", names.subList(0, 2)) + (names.size() <= MODE_INDEX ||
                        "-".equals(names.get(MODE_INDEX)) ? "" : ", " + names.get(MODE_INDEX)), ours),
                        any -> new LinkedHashMap<>()).put(peer, times);
                }
            });
        });
        if (rows.isEmpty())
        {
            return;
        }
        final List<String> headings = new ArrayList<>(List.of("benchmark", "of GRIM"));
        headings.addAll(peers);
        final Page.Section section = new Page.Section("summary", "GRIM is so many times better than each peer: the " +
            "geometric mean over all places of a plot. 2 is half the time or twice the rate; below 1 the peer is " +
            "better.");
        section.tables().add(new Page.Table("GRIM and each peer", headings, rows.entrySet().stream().map(row ->
        {
            final List<Object> cells = new ArrayList<>(row.getKey());
            peers.forEach(peer -> cells.add(row.getValue().containsKey(peer) ?
                (Object)(Math.round(row.getValue().get(peer) * HUNDRED) / HUNDRED) : "-"));
            return cells;
        }).toList()));
        page.sections().add(section);
    }

    /** Geometric mean over the places that both have; above 1 if the first ones are better. */
    private static double times(final List<Point> ours, final List<Point> theirs)
    {
        final double[] logarithms = theirs.stream().flatMap(their -> ours.stream().filter(our ->
            our.key().x() == their.key().x() && our.key().mode().equals(their.key().mode())).limit(1).map(our ->
            Math.log(their.direction() == Direction.LOWER_IS_BETTER ? their.median() / our.median() :
            our.median() / their.median()))).mapToDouble(Double::doubleValue).toArray();
        return logarithms.length == 0 ? Double.NaN : Math.exp(StatUtils.mean(logarithms));
    }

    private static Page.Section section(final Map<String, Page.Section> sections, final String suite)
    {
        return sections.computeIfAbsent(suite, name -> new Page.Section(name, description(name)));
    }

    /** Returns a sentence about a suite; empty of one that nobody described. */
    static String description(final String suite)
    {
        return SUITES.getOrDefault(suite, "");
    }

    private void addRemarks(final RunInfo info)
    {
        remark("plain", "Commit " + info.commit() + ", " + info.started() + ", took " + info.seconds() + " s: " +
            run.points().size() + " points, forks: " + info.forkCount() + ".");
        final String threads = info.cores() + " cores for " + info.pollers() + " polling threads";
        final String load = info.machine().get(RunInfo.LOAD);
        final String loadText = load == null ? "" : ", load average at start " + load;
        remark(info.isComparable() ? "good" : "bad", info.isComparable() ? "Comparable: " + threads + loadText + "." :
            "Not comparable: " + threads + loadText + (info.hasBusyMachine() ?
            "; the machine was busy with other work." : "; figures show the scheduler as well."));
        if (info.isQuick())
        {
            remark("fair", "Quick run: fewer forks and rounds than a full one.");
        }
        info.absent().forEach((peer, reason) -> remark("fair", "Absent: " + peer + " (" + reason + ")."));
        final double[] spreads =
            run.points().stream().mapToDouble(Point::spread).filter(Double::isFinite).toArray();
        remark("plain", spreads.length == 0 ? "Noise: unknown with one fork." :
            "Noise: the forks' spread is " + percent(StatUtils.percentile(spreads, 50)) + " in the median, " +
            percent(StatUtils.max(spreads)) + " at most.");
    }

    private void remark(final String kind, final String text)
    {
        page.remarks().add(new Page.Remark(kind, text));
    }

    private void addCircumstances(final RunInfo info)
    {
        final Page.Section section = new Page.Section("circumstances", "");
        section.tables().add(table("Machine", info.machine()));
        section.tables().add(table("Versions", info.versions()));
        section.tables().add(new Page.Table("Notes", List.of(), info.notes().stream().map(List::<Object>of).toList()));
        page.sections().add(section);
    }

    private static Page.Table table(final String title, final Map<String, String> values)
    {
        return new Page.Table(title, List.of(), values.entrySet().stream()
            .map(entry -> List.<Object>of(entry.getKey(), entry.getValue())).toList());
    }

    /** Points of one plot each: the modes of one peer alone stand on one plot. */
    private static Map<List<String>, List<Point>> plots(final List<Point> points)
    {
        final Map<List<String>, Set<String>> peers = points.stream().collect(Collectors.groupingBy(RunPage::benchmark,
            Collectors.mapping(point -> point.key().peer(), Collectors.toSet())));
        final Map<List<String>, List<Point>> plots = new LinkedHashMap<>();
        for (final Point point : points)
        {
            final List<String> names = new ArrayList<>(benchmark(point));
            if (peers.get(benchmark(point)).size() > 1)
            {
                names.add(point.key().mode());
            }
            plots.computeIfAbsent(names, any -> new ArrayList<>()).add(point);
        }
        return plots;
    }

    private static List<String> benchmark(final Point point)
    {
        return List.of(point.key().suite(), point.key().benchmark(), point.unit(), point.key().xName());
    }

    private static Page.Plot plot(final List<Point> points)
    {
        final Point first = points.get(0);
        final boolean hasModes = points.stream().map(point -> point.key().mode()).distinct().count() > 1;
        final String title = title(first.key(), hasModes) + " [" + first.unit() + "]";
        final Map<String, Map<Double, Point>> byName = new LinkedHashMap<>();
        points.forEach(point -> byName.computeIfAbsent(point.key().peer() +
            (hasModes ? ", " + point.key().mode() : ""), name -> new LinkedHashMap<>()).put(point.key().x(), point));
        final Set<Double> xs = points.stream().map(point -> point.key().x())
            .collect(Collectors.toCollection(TreeSet::new));
        final Set<String> ours = new LinkedHashSet<>();
        byName.keySet().stream().filter(PointTables::isOurs).forEach(ours::add);
        final Set<String> names = new LinkedHashSet<>(ours);
        names.addAll(byName.keySet());
        final List<Page.Curve> curves = names.stream().map(name -> curve(name, xs, byName.get(name))).toList();
        final List<List<Object>> rows = new ArrayList<>();
        for (final Double x : xs)
        {
            names.stream().filter(name -> byName.get(name).containsKey(x)).forEach(name ->
                rows.add(row(name, byName.get(name).get(x), ours.isEmpty() ? null :
                    byName.get(ours.iterator().next()).get(x))));
        }
        return Page.Plot.of(title, better(first) + (first.forks().size() < 2 ? "" :
            " Error bars: least to greatest median of a fork."), first.key().xName(),
            xs.stream().map(x -> place(first.key().xName(), x)).toList(), first.unit(), curves,
            new Page.Table(points.size() + " points", List.of(first.key().xName(), "peer", "median", "min", "max",
            "forks", "rounds", "spread", "grim/peer"), rows));
    }

    private static Page.Curve curve(final String name, final Set<Double> xs, final Map<Double, Point> points)
    {
        final List<Double> ys = new ArrayList<>();
        final List<List<Double>> spread = new ArrayList<>();
        for (final Double x : xs)
        {
            final Point point = points.get(x);
            ys.add(point == null ? null : Double.valueOf(point.median()));
            spread.add(point == null || point.forks().size() < 2 ? List.of() :
                Arrays.stream(point.forkMedians()).boxed().toList());
        }
        return new Page.Curve(name, ys, spread);
    }

    private static List<Object> row(final String name, final Point point, final Point ours)
    {
        return List.of(place(point.key().xName(), point.key().x()), name, point.median(), point.min(), point.max(),
            point.forks().size(), point.forks().stream().mapToInt(List::size).sum(), percent(point.spread()),
            ours == null || point.median() == 0 ? "-" : (Object)(ours.median() / point.median()));
    }

    private Map<List<Object>, List<PercentileCurve>> percentilePlots()
    {
        return run.curves().stream().collect(Collectors.groupingBy(curve -> List.of(curve.key().suite(),
            curve.key().benchmark(), curve.key().mode(), curve.key().x()), LinkedHashMap::new, Collectors.toList()));
    }

    private static Page.Plot percentilePlot(final List<PercentileCurve> curves)
    {
        final PointKey key = curves.get(0).key();
        final Set<Double> percentiles = curves.stream().flatMap(curve -> curve.values().stream())
            .map(PercentileCurve.Value::percentile).collect(Collectors.toCollection(TreeSet::new));
        final List<String> headings = new ArrayList<>(List.of("peer", "times"));
        percentiles.forEach(percentile -> headings.add(number(percentile) + " %"));
        final List<List<Object>> rows = new ArrayList<>();
        final List<Page.Curve> lines = new ArrayList<>();
        for (final PercentileCurve curve : curves)
        {
            final Map<Double, Double> values = new LinkedHashMap<>();
            curve.values().forEach(value -> values.put(value.percentile(), value.value()));
            lines.add(new Page.Curve(curve.key().peer(), percentiles.stream().map(values::get).toList(), List.of()));
            final List<Object> row = new ArrayList<>(List.of(curve.key().peer(), curve.count()));
            percentiles.forEach(
                percentile -> row.add(values.containsKey(percentile) ? values.get(percentile) : (Object)"-"));
            rows.add(row);
        }
        return Page.Plot.of(title(key, false) + " at " + key.xName() + " " + place(key.xName(), key.x()) +
            ", by percentile [" + curves.get(0).unit() + "]", "Lower is better.", "percentile",
            percentiles.stream().map(percentile -> number(percentile) + " %").toList(), curves.get(0).unit(), lines,
            new Page.Table(curves.size() + " distributions", headings, rows));
    }

    private static String title(final PointKey key, final boolean isOfAllModes)
    {
        return key.benchmark() + (isOfAllModes || "-".equals(key.mode()) ? "" : ", " + key.mode());
    }

    private static String better(final Point point)
    {
        return point.direction() == Direction.LOWER_IS_BETTER ? "Lower is better." : "Higher is better.";
    }

    /** Sizes by powers of 1024 where they are such, shares in percent. */
    static String place(final String xName, final double x)
    {
        if ("load".equals(xName))
        {
            return percent(x);
        }
        final boolean isKibi = "size".equals(xName) && x >= KIBI && x % KIBI == 0;
        return isKibi ? x % (KIBI * KIBI) == 0 ? number(x / KIBI / KIBI) + " Mi" : number(x / KIBI) + " Ki" : number(x);
    }

    static String percent(final double share)
    {
        return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", share * 100) : "-";
    }

    private static String number(final double value)
    {
        return value == Math.rint(value) ? Long.toString((long)value) : Double.toString(value);
    }
}
