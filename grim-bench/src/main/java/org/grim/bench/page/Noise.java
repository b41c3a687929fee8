// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.Arrays;
import java.util.List;

import org.grim.bench.figures.Point;

/**
 * How far the figures of one point lie apart.
 *
 * @param forks     fresh pairs of processes.
 * @param rounds    counted, of all forks.
 * @param spread    greatest less least median of a fork, as a share of the median; NaN of one fork.
 * @param deviation median distance of a round from the median of all rounds, as a share of that.
 */
record Noise(int forks, int rounds, double spread, double deviation)
{
    static Noise of(final Point point)
    {
        final double[] medians = point.forkMedians();
        final double[] all =
            point.forks().stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray();
        final double middle = Point.median(all);
        final double[] distances = Arrays.stream(all).map(figure -> Math.abs(figure - middle)).toArray();
        final double spread = Arrays.stream(medians).max().orElseThrow() - Arrays.stream(medians).min().orElseThrow();
        return new Noise(medians.length, all.length, medians.length < 2 ? Double.NaN : share(spread, point.median()),
            share(Point.median(distances), middle));
    }

    /** Nothing of nothing is no noise. */
    private static double share(final double part, final double whole)
    {
        return part == 0 ? 0 : part / Math.abs(whole);
    }
}
