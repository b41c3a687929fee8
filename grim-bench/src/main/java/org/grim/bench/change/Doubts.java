// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.change;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

import org.grim.bench.figures.RunInfo;

/** Why a comparison of two runs may say something else than it seems to. No state. */
final class Doubts
{
    private Doubts()
    {
    }

    static List<String> of(final RunInfo before, final RunInfo after, final List<RowChange> rows)
    {
        final List<String> doubts = new ArrayList<>();
        if (!before.isComparable() || !after.isComparable())
        {
            doubts.add("polling threads shared cores in " + (before.isComparable() ? "B" :
                after.isComparable() ? "A" : "both runs") + ": such figures are not comparable");
        }
        addDifference(doubts, "cores", before.cores(), after.cores());
        addDifference(doubts, "polling threads", before.pollers(), after.pollers());
        addDifference(doubts, "forks", before.forkCount(), after.forkCount());
        addDifference(doubts, "quick run", before.isQuick() ? "yes" : "no", after.isQuick() ? "yes" : "no");
        addDifferences(doubts, "machine, ", before.machine(), after.machine());
        addDifferences(doubts, "version of ", before.versions(), after.versions());
        final long others = rows.stream().filter(RowChange::isChanged)
            .filter(row -> !row.key().peer().startsWith("grim")).count();
        if (others > 0)
        {
            doubts.add(others + " rows of others than GRIM changed, too: the machine, or its software, is another");
        }
        return doubts;
    }

    private static void addDifferences(
        final List<String> doubts, final String kind, final Map<String, String> before, final Map<String, String> after)
    {
        final TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.forEach(name -> addDifference(doubts, kind + name, before.get(name), after.get(name)));
    }

    private static void addDifference(
        final List<String> doubts, final String name, final Object before, final Object after)
    {
        if (!Objects.equals(before, after))
        {
            doubts.add(name + " differs: A " + said(before) + ", B " + said(after));
        }
    }

    private static Object said(final Object value)
    {
        return value == null ? "not told" : value;
    }
}
