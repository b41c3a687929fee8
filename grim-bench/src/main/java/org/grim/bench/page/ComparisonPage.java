// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.grim.bench.change.RowChange;
import org.grim.bench.change.RunChanges;
import org.grim.bench.change.Verdict;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;

/** The page of two runs: what changed, every row with its interval, and what could have been seen. Thread: one. */
public final class ComparisonPage
{
    private static final double SCALE = 0.3;
    private static final double PERCENT = 100;

    private final RunChanges changes;
    private final Html html = new Html();
    private int plotCount;

    private ComparisonPage(final RunChanges changes)
    {
        this.changes = changes;
    }

    /**
     * Writes the page.
     *
     * @param changes to show.
     * @param before  circumstances of the first run.
     * @param after   of the second.
     * @return a whole HTML file.
     */
    public static String of(final RunChanges changes, final RunInfo before, final RunInfo after)
    {
        return new ComparisonPage(changes).text(before, after);
    }

    private String text(final RunInfo before, final RunInfo after)
    {
        html.open("header").element("h1", "GRIM benchmarks: what changed");
        html.element("p", "A: " + standing(before), "class", "lead").element("p", "B: " + standing(after), "class",
            "lead");
        final long worse = changes.count(Verdict.WORSE);
        Sheet.remark(html, worse > 0 ? "bad" : "good", worse + " worse, " + changes.count(Verdict.BETTER) + " better,",
            changes.count(Verdict.NONE_SHOWN) + " rows without a change shown, " +
            changes.count(Verdict.NOT_JUDGED) + " not judged.");
        changes.warnings().forEach(warning -> Sheet.remark(html, "fair", "Note:", warning + "."));
        html.close().open("main");
        addChanged();
        final Map<String, List<RowChange>> suites = new LinkedHashMap<>();
        changes.rows().stream().sorted(Comparator.comparingInt(row -> Wording.suiteRank(row.key().suite())))
            .forEach(row -> suites.computeIfAbsent(row.key().suite(), name -> new ArrayList<>()).add(row));
        suites.forEach((suite, rows) ->
        {
            html.open("section").element("h2", Wording.suite(suite));
            addRows(rows.stream().sorted(Comparator
                .comparingInt((RowChange row) -> Wording.benchmarkRank(row.key().benchmark()))
                .thenComparing(row -> row.key().benchmark()).thenComparing(row -> row.key().mode())).toList());
            html.close();
        });
        addLonely("Only in A", changes.onlyInA());
        addLonely("Only in B", changes.onlyInB());
        html.close();
        addReadingAid();
        return Sheet.page("GRIM benchmarks, " + changes.a() + " to " + changes.b(), html.toString());
    }

    private void addChanged()
    {
        html.open("section").element("h2", "Changed rows");
        if (changes.changed().isEmpty())
        {
            html.element("p", "None. The last column of the tables says how large a change would have been noticed.",
                "class", "about");
        }
        else
        {
            addRows(changes.changed());
        }
        html.close();
    }

    private void addRows(final List<RowChange> rows)
    {
        plotCount++;
        html.open("div", "class", "scroll box", "id", "plot-" + plotCount).open("table", "class", "figures changes");
        Sheet.headings(html, "benchmark", "peer", "at", "A", "B", "B to A", "freed of the machine",
            "-30 % \u2026 95 % interval \u2026 +30 %", "corrected p", "verdict", "noticeable");
        rows.forEach(this::addRow);
        html.close().close();
    }

    private void addRow(final RowChange row)
    {
        final PointKey key = row.key();
        html.open("tr", "class", row.isChanged() ? row.verdict().label() : "first");
        html.element("td", Wording.title(key.suite(), key.benchmark(), key.mode())).element("td", key.peer());
        Sheet.number(html, Wording.x(key.xName(), key.x()));
        Sheet.number(html, Numbers.text(row.medianA()));
        Sheet.number(html, Numbers.text(row.medianB()) + " " + row.unit());
        Sheet.number(html, row.plain() == null ? "-" : Numbers.change(row.plain()));
        if (row.change() == null)
        {
            Sheet.number(html, "-");
            html.element("td", row.reason(), "class", "reason").element("td", "").element("td", row.verdict().label())
                .element("td", "").close();
            return;
        }
        Sheet.number(html, Numbers.change(row.change()));
        html.open("td");
        addInterval(row);
        html.close();
        Sheet.number(html, row.corrected() >= 1 ? "1" : String.format(Locale.ROOT, "%.2g", row.corrected()));
        html.element("td", row.verdict().label(), "class", "verdict");
        Sheet.number(html, Numbers.change(row.detectable()).replace("+", "\u00b1"));
        html.close();
    }

    private void addInterval(final RowChange row)
    {
        final double left = place(row.low());
        html.open("div", "class", "track", "title", Numbers.change(row.low()) + " to " + Numbers.change(row.high()));
        html.open("i", "class", "range", "style",
            String.format(Locale.ROOT, "left:%.2f%%;width:%.2f%%", left, Math.max(1, place(row.high()) - left)))
            .close();
        html.open("i", "class", "middle", "style", String.format(Locale.ROOT, "left:%.2f%%", place(row.change())))
            .close();
        html.close();
    }

    private void addLonely(final String title, final List<PointKey> keys)
    {
        if (!keys.isEmpty())
        {
            html.open("section").element("h2", title);
            Sheet.list(html, keys.stream().map(key -> Wording.suite(key.suite()) + ", " +
                Wording.title(key.suite(), key.benchmark(), key.mode()) + ", " + key.peer() + ", " + key.xName() + " " +
                Wording.x(key.xName(), key.x())).toList());
            html.close();
        }
    }

    private void addReadingAid()
    {
        html.open("footer");
        html.element("p",
            "Forks are compared, since rounds of one fork are not independent: Welch's test on logarithms of the " +
            "forks' medians, each divided by what the machine itself took in the same rounds where that was " +
            "measured (\"freed of the machine\"). The level of 5 % is that of the whole page: every suite has an " +
            "even share, within it Holm's correction holds. A row is called changed if its corrected p is below " +
            "0.05, its freed change is above 5 %, and the plain one goes the same way by half of that. The " +
            "interval covers the true change with 95 %, for each row alone. Noticeable: the smallest change that " +
            "four of five such comparisons would have called one; about.");
        html.element("p",
            "Forks of one run share their hour: what happened to the machine between both runs, and to no " +
            "yardstick, looks like a change of the code. Rows of others than GRIM tell of it.").close();
    }

    private static String standing(final RunInfo info)
    {
        return info.commit() + ", " + info.started() + ", " + info.forkCount() + " forks, " + info.cores() + " cores" +
            (info.isQuick() ? ", quick run" : "") + (info.isComparable() ? "" : ", not comparable");
    }

    /** Percent from the left; what lies outside stands at the edge. */
    private static double place(final double change)
    {
        return Math.max(0, Math.min(PERCENT, (change + SCALE) / (2 * SCALE) * PERCENT));
    }
}
