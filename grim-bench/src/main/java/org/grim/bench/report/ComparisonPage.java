// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;

/** The page of two runs: what changed, and every row with its interval. Any thread; no state. */
public final class ComparisonPage
{
    private ComparisonPage()
    {
    }

    /** Makes the page. */
    public static String of(final RunChanges changes, final RunInfo before, final RunInfo after)
    {
        final Page page = new Page("GRIM benchmarks, " + changes.a() + " to " + changes.b());
        page.remarks().add(new Page.Remark("plain", "A: " + describe(before)));
        page.remarks().add(new Page.Remark("plain", "B: " + describe(after)));
        page.remarks().add(new Page.Remark(changes.count(Verdict.WORSE) > 0 ? "bad" : "good", changes.summary()));
        changes.warnings().forEach(warning -> page.remarks().add(new Page.Remark("fair", "Note: " + warning + ".")));
        page.sections().add(section("Changed rows", changes.changed()));
        final Map<String, List<RowChange>> suites = new LinkedHashMap<>();
        changes.rows().forEach(row -> suites.computeIfAbsent(row.key().suite(), any -> new ArrayList<>()).add(row));
        suites.forEach((suite, rows) -> page.sections().add(section(suite, rows)));
        page.sections().add(lonely("Only in A", changes.onlyInA()));
        page.sections().add(lonely("Only in B", changes.onlyInB()));
        page.footer().add("Welch's test on logarithms of the forks' medians, each divided by what the machine itself " +
            "took in the same rounds where that was measured (\"freed of the machine\"). The level of 5 % is that of " +
            "the whole page: every suite has an even share, and Holm's correction holds within it. A row is changed " +
            "if its corrected p is below 0.05, its freed change is above 5 %, and the plain one has the same " +
            "direction by half of that. Noticeable: the smallest change that four of five such comparisons would " +
            "have shown.");
        return page.html();
    }

    private static Page.Section section(final String title, final List<RowChange> rows)
    {
        final Page.Section section = new Page.Section(title, "");
        section.tables().add(
            new Page.Table(rows.size() + " rows", RowChange.HEADINGS, rows.stream().map(RowChange::cells).toList()));
        return section;
    }

    private static Page.Section lonely(final String title, final List<PointKey> keys)
    {
        final Page.Section section = new Page.Section(title, "");
        section.tables().add(new Page.Table(keys.size() + " rows", RowChange.HEADINGS.subList(0, 4),
            keys.stream().map(RowChange::cells).toList()));
        return section;
    }

    private static String describe(final RunInfo info)
    {
        return info.commit() + ", " + info.started() + ", " + info.forkCount() + " forks, " + info.cores() +
            " cores" + (info.isQuick() ? ", quick run" : "") + (info.isComparable() ? "" : ", not comparable");
    }
}
