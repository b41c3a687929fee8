// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

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
    /**
     * Takes copies and checks.
     *
     * @param key       what was measured.
     * @param unit      of the figures.
     * @param direction which figures are the better ones.
     * @param forks     per fork, the figure of each round.
     * @param yardstick of the same shape, or empty.
     */
    public Point(final PointKey key, final String unit, final Direction direction, final List<List<Double>> forks,
        final List<List<Double>> yardstick)
    {
        this.key = Objects.requireNonNull(key, "key");
        this.unit = Objects.requireNonNull(unit, "unit");
        this.direction = Objects.requireNonNull(direction, "direction");
        this.forks = forks.stream().map(List::copyOf).toList();
        this.yardstick = yardstick.stream().map(List::copyOf).toList();
        if (forks.isEmpty() || forks.stream().anyMatch(List::isEmpty))
        {
            throw new IllegalArgumentException(key + " has a fork without figures: forks=" + forks);
        }
        if (!yardstick.isEmpty() && !sizes(yardstick).equals(sizes(forks)))
        {
            throw new IllegalArgumentException(key + " has a yardstick of another shape: figures per fork=" +
                sizes(forks) + " of the yardstick=" + sizes(yardstick));
        }
    }

    /**
     * The figure that a table shows.
     *
     * @return median of the forks' medians.
     */
    public double median()
    {
        return median(forkMedians());
    }

    /**
     * Independent figures.
     *
     * @return the median of each fork.
     */
    public double[] forkMedians()
    {
        return forks.stream().mapToDouble(fork -> median(toArray(fork))).toArray();
    }

    /**
     * Independent figures, freed of what the whole machine did meanwhile.
     *
     * @return per fork, the median of figure divided by yardstick of the same round; the plain medians without one.
     */
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

    /**
     * Least figure of all rounds.
     *
     * @return in the unit.
     */
    public double min()
    {
        return forks.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /**
     * Greatest figure of all rounds.
     *
     * @return in the unit.
     */
    public double max()
    {
        return forks.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /**
     * Median.
     *
     * @param values at least one; left as they are.
     * @return the middle one, or the mean of both.
     */
    public static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        return (sorted.length & 1) == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
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
