// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PointKey;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * One row of two runs. Changes are relative to the first run: 0.2 is 20 % more. Statistics are null where the row is
 * not judged. Its components are the JSON.
 *
 * @param key        what was measured.
 * @param unit       of the medians.
 * @param direction  which figures are the better ones.
 * @param forksA     independent figures of the first run.
 * @param forksB     of the second.
 * @param medianA    of the first run.
 * @param medianB    of the second.
 * @param plain      change of the medians; null where the first is 0.
 * @param change     change freed of what the machine itself did, where a yardstick was measured beside it.
 * @param low        lower end of the interval that covers the true change with 95 %, for this row alone.
 * @param high       upper end.
 * @param p          probability of such a change where there is none, for this row alone.
 * @param corrected  the same for the whole comparison.
 * @param detectable smallest change that would have been noticed in four of five comparisons; about.
 * @param verdict    in a word.
 * @param reason     why the row is not judged; else null.
 */
@JsonAutoDetect(isGetterVisibility = Visibility.NONE)
@JsonPropertyOrder({"key", "unit", "direction", "forksA", "forksB", "medianA", "medianB", "plain", "change", "low",
    "high", "p", "corrected", "detectable", "verdict", "reason"})
record RowChange(
    PointKey key, String unit, Direction direction, int forksA, int forksB, double medianA, double medianB,
    Double plain, Double change, Double low, Double high, Double p, Double corrected, Double detectable,
    Verdict verdict, String reason)
{
    static final List<String> HEADINGS = List.of("benchmark", "peer", "mode", "at", "A", "B", "unit", "B to A",
        "freed of the machine", "95 % interval", "corrected p", "verdict", "noticeable");

    /** Whether something is claimed of the row, for the worse or the better. */
    boolean isChanged()
    {
        return verdict == Verdict.WORSE || verdict == Verdict.BETTER;
    }

    /** Cells of a table with {@link #HEADINGS}. */
    List<Object> cells()
    {
        final List<Object> cells = new ArrayList<>(cells(key));
        cells.addAll(List.of(medianA, medianB, unit, percent(plain)));
        cells.addAll(change == null ? List.of(reason, "", "", verdict.label(), "") :
            List.of(percent(change), percent(low) + " to " + percent(high), corrected, verdict.label(),
            percent(detectable)));
        return cells;
    }

    /** The first cells, of a row that only one of the runs has. */
    static List<Object> cells(final PointKey key)
    {
        return List.of(key.benchmark(), key.peer(), key.mode(),
            key.xName() + " " + RunPage.place(key.xName(), key.x()));
    }

    private static String percent(final Double share)
    {
        return share == null ? "-" : String.format(Locale.ROOT, "%+.1f %%", share * 100);
    }
}
