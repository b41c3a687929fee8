// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;
import org.grim.tools.report.Table;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Two runs, row by row. Only forks are independent of each other, so they are what is tested. The level of 5 % is
 * that of the whole comparison: each suite has an even share of it, and within a suite Holm's correction holds, so
 * that the few quiet rows of one suite are not drowned in the many of another. A row is called changed if that says
 * so of figures freed of the machine, if they moved by more than {@value #THRESHOLD}, and if the plain ones moved
 * the same direction by half of that: a yardstick that changed alone is no news. Its components are the JSON.
 * Immutable.
 */
@JsonPropertyOrder({"command", "a", "b", "warnings", "rows", "onlyInA", "onlyInB"})
public record RunChanges(
    String command, String a, String b, List<String> warnings, List<RowChange> rows, List<PointKey> onlyInA,
    List<PointKey> onlyInB)
{
    /** Of false alarms in a whole comparison. */
    static final double LEVEL = 0.05;

    /** Smaller changes are not worth a word. */
    static final double THRESHOLD = 0.05;

    /** The limit up to which the smallest noticeable change is shown. */
    static final double POWER = 0.8;

    private static final int FORKS_MIN = 2;
    private static final double CHANGE_MAX = 1e6;

    /** Compares two runs, the earlier one first. */
    public static RunChanges of(final FigureDirectory before, final FigureDirectory after)
    {
        final Map<PointKey, Point> first = new LinkedHashMap<>();
        before.points().forEach(point -> first.put(point.key(), point));
        final List<Pair> pairs = new ArrayList<>();
        final List<PointKey> onlyInB = new ArrayList<>();
        for (final Point point : after.points())
        {
            final Point earlier = first.remove(point.key());
            if (earlier == null)
            {
                onlyInB.add(point.key());
            }
            else
            {
                pairs.add(Pair.of(earlier, point));
            }
        }
        final List<RowChange> rows = judge(pairs);
        return new RunChanges("report", before.info().commit(), after.info().commit(),
            caveats(before.info(), after.info(), rows), rows, List.copyOf(first.keySet()), onlyInB);
    }

    /** The number of rows that have a verdict. */
    public long count(final Verdict verdict)
    {
        return rows.stream().filter(row -> row.verdict() == verdict).count();
    }

    /** Rows of which a change is claimed: the worse ones first, the largest change first. */
    List<RowChange> changed()
    {
        return rows.stream().filter(RowChange::isChanged).sorted(Comparator.comparing(RowChange::verdict)
            .thenComparing(row -> -Math.abs(Math.log1p(row.change())))).toList();
    }

    /** For people. Returns counts, what changed, and caveats. */
    public String text()
    {
        final StringBuilder text = new StringBuilder();
        final List<RowChange> changed = changed();
        if (!changed.isEmpty())
        {
            final Table table = new Table(Stream.concat(Stream.of("suite"), RowChange.HEADINGS.stream())
                .toArray(String[]::new));
            changed.forEach(row -> table.row(Stream.concat(Stream.of(row.key().suite()),
                row.cells().stream().map(RunChanges::rounded)).toArray()));
            text.append(table).append(System.lineSeparator());
        }
        warnings.forEach(warning -> text.append("note: ").append(warning).append(System.lineSeparator()));
        return text.append(a).append(" to ").append(b).append(": ").append(rows.size()).append(" rows, ")
            .append(summary()).append(System.lineSeparator()).toString();
    }

    /** The counts: a sentence without its end. */
    String summary()
    {
        return count(Verdict.WORSE) + " worse, " + count(Verdict.BETTER) + " better, " + count(Verdict.NONE_SHOWN) +
            " without a change shown, " + count(Verdict.NOT_JUDGED) + " not judged; only in A " + onlyInA.size() +
            ", only in B " + onlyInB.size();
    }

    private static List<RowChange> judge(final List<Pair> pairs)
    {
        final Map<String, List<Pair>> families = new LinkedHashMap<>();
        pairs.stream().filter(Pair::isJudged).forEach(
            pair -> families.computeIfAbsent(pair.after().key().suite(), suite -> new ArrayList<>()).add(pair));
        final Map<PointKey, Double> corrected = new HashMap<>();
        for (final List<Pair> family : families.values())
        {
            final double[] ps = Welch.corrected(family.stream().mapToDouble(pair -> pair.test().p()).toArray());
            for (int i = 0; i < ps.length; i++)
            {
                corrected.put(family.get(i).after().key(), Math.min(1, ps[i] * families.size()));
            }
        }
        return pairs.stream().map(pair -> !pair.isJudged() ? pair.unjudged() : pair.judged(
            corrected.get(pair.after().key()),
            LEVEL / families.size() / families.get(pair.after().key().suite()).size())).toList();
    }

    /** Why the comparison may say something else than it seems to. */
    private static List<String> caveats(final RunInfo before, final RunInfo after, final List<RowChange> rows)
    {
        final List<String> caveats = new ArrayList<>();
        if (!before.isComparable() || !after.isComparable())
        {
            caveats.add("polling threads shared cores, or the machine was busy, in " + (before.isComparable() ? "B" :
                after.isComparable() ? "A" : "both runs") + ": such figures are not comparable");
        }
        addDifference(caveats, "cores", before.cores(), after.cores());
        addDifference(caveats, "polling threads", before.pollers(), after.pollers());
        addDifference(caveats, "forks", before.forkCount(), after.forkCount());
        addDifference(caveats, "quick run", before.isQuick() ? "yes" : "no", after.isQuick() ? "yes" : "no");
        addDifferences(caveats, "machine, ", before.machine(), after.machine());
        addDifferences(caveats, "version of ", before.versions(), after.versions());
        final long others = rows.stream().filter(RowChange::isChanged)
            .filter(row -> !row.key().peer().startsWith("grim")).count();
        if (others > 0)
        {
            caveats.add(others + " rows of others than GRIM changed, too: the machine, or its software, is another");
        }
        return caveats;
    }

    private static void addDifferences(
        final List<String> caveats, final String kind, final Map<String, String> before,
        final Map<String, String> after)
    {
        final TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.forEach(name -> addDifference(caveats, kind + name, before.get(name), after.get(name)));
    }

    private static void addDifference(
        final List<String> caveats, final String name, final Object before, final Object after)
    {
        if (!Objects.equals(before, after))
        {
            caveats.add(name + " differs: A " + orUnknown(before) + ", B " + orUnknown(after));
        }
    }

    private static Object orUnknown(final Object value)
    {
        return value == null ? "unknown" : value;
    }

    private static Object rounded(final Object cell)
    {
        return cell instanceof final Double value ? String.format(Locale.ROOT,
            value >= 100 || value == Math.rint(value) ? "%.0f" : "%.4g", value) : cell;
    }

    /** One row before it is judged. */
    private record Pair(Point before, Point after, Welch test, String reason)
    {
        static Pair of(final Point before, final Point after)
        {
            final boolean isFreed = !before.yardstick().isEmpty() && !after.yardstick().isEmpty();
            final double[] first = isFreed ? before.forkRatios() : before.forkMedians();
            final double[] second = isFreed ? after.forkRatios() : after.forkMedians();
            final String reason = reason(before, after, first, second);
            return new Pair(before, after, reason == null ? Welch.of(first, second) : null, reason);
        }

        private static String reason(
            final Point before, final Point after, final double[] first, final double[] second)
        {
            if (!before.unit().equals(after.unit()) || before.direction() != after.direction())
            {
                return "other units: " + before.unit() + ", " + after.unit();
            }
            if (first.length < FORKS_MIN || second.length < FORKS_MIN)
            {
                return "fewer than " + FORKS_MIN + " forks";
            }
            return isPositive(first) && isPositive(second) ? null : "a figure of 0 or less has no ratio";
        }

        private static boolean isPositive(final double[] figures)
        {
            for (final double figure : figures)
            {
                if (!(figure > 0))
                {
                    return false;
                }
            }
            return true;
        }

        boolean isJudged()
        {
            return test != null;
        }

        RowChange unjudged()
        {
            return row(null, null, null, null, null, null, Verdict.NOT_JUDGED);
        }

        RowChange judged(final double corrected, final double levelOfRow)
        {
            final double change = relative(test.difference());
            final double half = test.halfWidth(LEVEL);
            final double detectable = Math.max(THRESHOLD, relative(test.detectable(levelOfRow, POWER)));
            return row(change, relative(test.difference() - half), relative(test.difference() + half), test.p(),
                corrected, detectable, verdict(change, corrected));
        }

        /** Bounded, so that it stays a number. */
        private static double relative(final double difference)
        {
            return Math.min(CHANGE_MAX, Math.expm1(difference));
        }

        private Verdict verdict(final double change, final double corrected)
        {
            final double plain = after.median() / before.median() - 1;
            final boolean isPlain =
                Math.abs(plain) > THRESHOLD / 2 && Math.signum(change) == Math.signum(plain);
            if (corrected >= LEVEL || Math.abs(change) <= THRESHOLD || !isPlain)
            {
                return Verdict.NONE_SHOWN;
            }
            final boolean isMore = change > 0;
            return switch (after.direction())
            {
                case LOWER_IS_BETTER -> isMore ? Verdict.WORSE : Verdict.BETTER;
                case HIGHER_IS_BETTER -> isMore ? Verdict.BETTER : Verdict.WORSE;
            };
        }

        private RowChange row(
            final Double change, final Double low, final Double high, final Double p, final Double corrected,
            final Double detectable, final Verdict verdict)
        {
            final double medianA = before.median();
            final double medianB = after.median();
            return new RowChange(after.key(), after.unit(), after.direction(), before.forks().size(),
                after.forks().size(), medianA, medianB, medianA > 0 ? Double.valueOf(medianB / medianA - 1) : null,
                change, low, high, p, corrected, detectable, verdict, reason);
        }
    }
}
