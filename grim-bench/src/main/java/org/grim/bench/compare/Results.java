// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.grim.bench.figures.Point;
import org.grim.bench.report.ComparisonRow;

/**
 * Figures of all rounds, and what they come to.
 * <p>Thread: one.
 */
final class Results
{
    private static final int SIGNIFICANT_DIGITS = 4;

    private final int rounds;
    private final Map<Cell, Map<PeerKind, double[]>> figures = new LinkedHashMap<>();

    Results(final int rounds)
    {
        this.rounds = rounds;
    }

    void add(final Cell cell, final PeerKind kind, final int round, final double figure)
    {
        figures.computeIfAbsent(cell, any -> new EnumMap<>(PeerKind.class))
            .computeIfAbsent(kind, any -> new double[rounds])[round] = figure;
    }

    /** Rows for programs: of messages the raw pass only at the size that it passes. */
    List<ComparisonRow> rows()
    {
        return tableRows().stream()
            .filter(row -> !row.peer().equals(PeerKind.RAW.label()) || row.size() == PeerKind.RAW_SIZE ||
                !row.benchmark().equals(Benchmark.LATENCY.label())).toList();
    }

    /** Rows for people: the raw pass beside every size that it is compared with. */
    List<ComparisonRow> tableRows()
    {
        final List<ComparisonRow> rows = new ArrayList<>();
        figures.forEach((cell, peers) -> peers.forEach((kind, values) -> rows.add(row(cell, kind, values))));
        return rows;
    }

    private ComparisonRow row(final Cell cell, final PeerKind kind, final double[] values)
    {
        final double[] grim = figures.get(cell).get(cell.benchmark().ours());
        return new ComparisonRow(cell.benchmark().label(), kind.label(), cell.size(), cell.mode(),
            cell.benchmark().unit(), rounded(Point.median(values)), rounded(Arrays.stream(values).min().orElseThrow()),
            rounded(Arrays.stream(values).max().orElseThrow()), values.length,
            grim == null ? null : rounded(medianRatio(grim, values)));
    }

    /** Of measurements of the same round only: what disturbs the machine for longer than that cancels out. */
    static double medianRatio(final double[] ours, final double[] theirs)
    {
        final double[] ratios = new double[ours.length];
        Arrays.setAll(ratios, round -> ours[round] / theirs[round]);
        return Point.median(ratios);
    }

    private static double rounded(final double value)
    {
        final double scale = Math.pow(10, SIGNIFICANT_DIGITS - Math.ceil(Math.log10(value)));
        return value == 0 ? 0 : Math.round(value * scale) / scale;
    }
}
