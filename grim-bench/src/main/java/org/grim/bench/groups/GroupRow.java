// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

import java.util.Arrays;

import org.apache.commons.math3.stat.StatUtils;
import org.grim.bench.report.PointTables;

/**
 * Times of one operation of a group in ns, medians of the rounds, and quartiles of the ratio in adjacent rounds: below
 * 1 GRIM's takes less. It stands beside another peer's operation of the same name, or beside one send of GRIM. Its
 * components are the JSON.
 */
public record GroupRow(
    String operation, int members, int length, double grimNs, String beside, double otherNs, double ratio,
    double ratioQuartile, double ratioQuartile3, int rounds)
{
    /** Makes a row of the times in each round. */
    public static GroupRow of(
        final String operation, final int members, final int length, final double[] grim, final String beside,
        final double[] other)
    {
        final double[] ratios = new double[grim.length];
        Arrays.setAll(ratios, round -> grim[round] / other[round]);
        return new GroupRow(operation, members, length, quantile(grim, 2), beside, quantile(other, 2),
            quantile(ratios, 2), quantile(ratios, 1), quantile(ratios, 3), grim.length);
    }

    private static double quantile(final double[] values, final int quarter)
    {
        return PointTables.rounded(StatUtils.percentile(values, quarter * 25.0));
    }
}
