// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.util.List;
import java.util.Objects;

import org.apache.commons.math3.stat.StatUtils;

/**
 * All figures of one key. A fork is a fresh pair of processes: figures of one fork share its pages, its compiled code
 * and its moment, so that only the forks are independent of each other.
 *
 * @param key       what was measured.
 * @param unit      of the figures, such as {@code ns}, {@code msg/s}, {@code GB/s}, {@code %}, {@code B/op}.
 * @param direction which figures are the better ones.
 * @param forks     per fork, the figure of each counted round; at least one fork, at least one round in each.
 * @param yardstick per fork and round, what the machine itself took in the same round (a raw pass, a plain copy); of
 *                  the shape of {@code forks}, or empty where nothing was measured beside it.
 */
public record Point(
    PointKey key, String unit, Direction direction, List<List<Double>> forks, List<List<Double>> yardstick)
{
    private static final double MIDDLE = 50;

    /** Takes copies and checks: figures are finite, yardsticks above 0. */
    public Point
    {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(direction, "direction");
        forks = forks.stream().map(List::copyOf).toList();
        yardstick = yardstick.stream().map(List::copyOf).toList();
        require(!forks.isEmpty() && forks.stream().noneMatch(List::isEmpty), key, "has a fork without figures");
        require(areFinite(forks, -Double.MAX_VALUE), key, "has a figure that is not finite");
        require(yardstick.isEmpty() || sizes(yardstick).equals(sizes(forks)), key,
            "has a yardstick of another shape than its figures");
        require(areFinite(yardstick, Double.MIN_VALUE), key, "has a yardstick that is not above 0");
    }

    /** {@return the figure that a table shows; median of the forks' medians} */
    public double median()
    {
        return median(forkMedians());
    }

    /** {@return independent figures: the median of each fork} */
    public double[] forkMedians()
    {
        return forks.stream().mapToDouble(fork -> median(toArray(fork))).toArray();
    }

    /** Independent figures, freed of what the whole machine did meanwhile. */
    public double[] forkRatios()
    {
        if (yardstick.isEmpty())
        {
            return forkMedians();
        }
        final double[] ratios = new double[forks.size()];
        for (int fork = 0; fork < ratios.length; fork++)
        {
            final double[] ofRounds = toArray(forks.get(fork));
            for (int round = 0; round < ofRounds.length; round++)
            {
                ofRounds[round] /= yardstick.get(fork).get(round);
            }
            ratios[fork] = median(ofRounds);
        }
        return ratios;
    }

    /** {@return least figure of all rounds; in the unit} */
    public double min()
    {
        return forks.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /** {@return greatest figure of all rounds; in the unit} */
    public double max()
    {
        return forks.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /**
     * {@return noise between forks; greatest less least median of a fork, as a share of the median; NaN of one fork}
     */
    public double spread()
    {
        final double[] medians = forkMedians();
        final double range = StatUtils.max(medians) - StatUtils.min(medians);
        return medians.length < 2 ? Double.NaN : range == 0 ? 0 : range / Math.abs(median());
    }

    /** Median. */
    public static double median(final double[] values)
    {
        return StatUtils.percentile(values, MIDDLE);
    }

    private static boolean areFinite(final List<List<Double>> figures, final double least)
    {
        return figures.stream().flatMap(List::stream).allMatch(figure -> Double.isFinite(figure) && figure >= least);
    }

    private static void require(final boolean isSo, final PointKey key, final String what)
    {
        if (!isSo)
        {
            throw new IllegalArgumentException(key + " " + what);
        }
    }

    private static double[] toArray(final List<Double> values)
    {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<Integer> sizes(final List<List<Double>> lists)
    {
        return lists.stream().map(List::size).toList();
    }
}
