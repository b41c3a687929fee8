// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.grim.GrimException;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.RunInfo;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Tables of a run as the part of a page of Markdown between two marks: a head with commit, date, machine and JVM, then
 * a table for each benchmark and mode. Its first row has the figures of GRIM, the others GRIM's divided by the peer's.
 */
public final class FigurePage
{
    /** Line of the page before the tables. */
    public static final String START = "<!-- figures: ./grim report DIR --page FILE writes the lines up to the end -->";

    /** Line of the page behind the tables. */
    public static final String END = "<!-- end of figures -->";

    private static final MathContext DIGITS = new MathContext(3);
    private static final double KILO = 1e3;
    private static final double MEGA = 1e6;
    private static final double UNIT_CHANGE = 1e4;

    private FigurePage()
    {
    }

    /**
     * Replaces the tables of a page.
     *
     * @throws GrimException if the page does not have the two marks, each once.
     */
    public static String replaced(final String page, final FigureDirectory run)
    {
        final int start = page.indexOf(START);
        final int end = page.indexOf(END);
        if (start < 0 || end < start || page.lastIndexOf(START) != start || page.lastIndexOf(END) != end)
        {
            throw new GrimException(BAD_DATA, "the page does not have these two lines, each once: " + START + " " +
                END);
        }
        return page.substring(0, start) + START + "\n\n" + tables(run) + "\n" + page.substring(end);
    }

    private static String tables(final FigureDirectory run)
    {
        final StringBuilder text = new StringBuilder(head(run.info()));
        final Map<String, Map<String, List<Point>>> suites = new LinkedHashMap<>();
        run.points().forEach(point -> suites
            .computeIfAbsent(point.key().suite(), any -> new LinkedHashMap<>())
            .computeIfAbsent(title(point), any -> new ArrayList<>()).add(point));
        suites.forEach((suite, tables) ->
        {
            text.append("\n### ").append(suite).append("\n\n").append(RunPage.description(suite)).append('\n');
            tables.forEach((title, points) -> text.append('\n').append(table(title, points)));
        });
        return text.toString();
    }

    private static String head(final RunInfo info)
    {
        final Map<String, String> versions = new TreeMap<>(info.versions());
        versions.remove("JVM flags");
        return "| run | |\n| --- | --- |\n" +
            line(List.of("commit", info.commit())) +
            line(List.of("date", info.started() + ", " + info.seconds() + " s, " + (info.isQuick() ? "quick, " : "") +
                "forks: " + info.forkCount())) +
            line(List.of("machine", joined(info.machine()))) +
            line(List.of("JVM and peers", joined(versions))) +
            line(List.of("cores for polling threads", info.cores() + " for " + info.pollers() +
                (info.isComparable() ? "" : ": not comparable"))) +
            (info.absent().isEmpty() ? "" : line(List.of("absent", joined(info.absent()))));
    }

    private static String joined(final Map<String, String> facts)
    {
        return new TreeMap<>(facts).entrySet().stream().map(fact -> fact.getKey() + " " + fact.getValue())
            .collect(Collectors.joining("; "));
    }

    /** Peers as rows, places of the curve as columns; the first row, and a peer without GRIM beside it, have a unit. */
    private static String table(final String title, final List<Point> points)
    {
        final Map<Double, String> places = new TreeMap<>();
        final Map<String, Map<Double, Point>> peers = new LinkedHashMap<>();
        for (final Point point : points)
        {
            places.put(point.key().x(), place(point));
            peers.computeIfAbsent(point.key().peer(), any -> new LinkedHashMap<>()).put(point.key().x(), point);
        }
        final String ours = Objects.requireNonNullElse(
            PointTables.ours(peers.keySet()), points.get(0).key().peer());
        final Map<Double, Point> figures = peers.remove(ours);
        final List<String> head = new ArrayList<>(List.of(title));
        head.addAll(places.values());
        final StringBuilder text = new StringBuilder(line(head)).append("| --- ".repeat(head.size())).append("|\n");
        text.append(line(row("**" + ours + "**", places, figures, Map.of())));
        peers.forEach((peer, itsFigures) -> text.append(line(row(peer, places, itsFigures, figures))));
        return text.append(noise(places, figures)).toString();
    }

    private static List<String> row(
        final String peer, final Map<Double, String> places, final Map<Double, Point> figures,
        final Map<Double, Point> ours)
    {
        final List<String> cells = new ArrayList<>(List.of(peer));
        for (final Double x : places.keySet())
        {
            final Point point = figures.get(x);
            cells.add(point == null ? "" : !ours.containsKey(x) || point.median() == 0 ?
                figure(point.median(), point.unit()) : digits(PointTables.ratio(ours.get(x), point)));
        }
        return cells;
    }

    private static String noise(final Map<Double, String> places, final Map<Double, Point> ours)
    {
        final List<String> cells = new ArrayList<>(List.of("spread of GRIM's forks"));
        for (final Double x : places.keySet())
        {
            final boolean isKnown = ours.containsKey(x) && Double.isFinite(ours.get(x).spread());
            cells.add(isKnown ? RunPage.percent(ours.get(x).spread()) : "");
        }
        return cells.stream().skip(1).allMatch(String::isEmpty) ? "" : line(cells);
    }

    private static String title(final Point point)
    {
        return point.key().benchmark() + ("-".equals(point.key().mode()) ? "" : ", " + point.key().mode());
    }

    private static String place(final Point point)
    {
        final String place = RunPage.place(point.key().xName(), point.key().x());
        return switch (point.key().xName())
        {
            case "size" -> place + (place.endsWith("i") ? "B" : " B");
            case "load" -> place;
            default -> place + " " + point.key().xName();
        };
    }

    private static String figure(final double value, final String unit)
    {
        if ("ns".equals(unit) && value >= UNIT_CHANGE)
        {
            return value >= UNIT_CHANGE * KILO ? digits(value / MEGA) + " ms" : digits(value / KILO) + " us";
        }
        if ("msg/s".equals(unit) && value >= UNIT_CHANGE)
        {
            return value >= MEGA ? digits(value / MEGA) + " M/s" : digits(value / KILO) + " k/s";
        }
        return digits(value) + " " + unit;
    }

    private static String digits(final double value)
    {
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    private static String line(final List<String> cells)
    {
        return cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
