// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.Arrays;
import java.util.Comparator;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Welch's test of two means whose variances may differ (B. L. Welch, Biometrika 34, 1947), on logarithms: figures of
 * time and speed spread by factors, and the difference of logarithms is a relative change. Immutable.
 *
 * @param difference    mean logarithm of the second less that of the first.
 * @param standardError of the difference.
 * @param freedom       degrees of freedom by Welch and Satterthwaite.
 */
record Welch(double difference, double standardError, double freedom)
{
    /** Figures that agree to the last digit are of one grain, not without noise: 0.2 % at least. */
    static final double SPREAD_MIN = 0.002;

    private static final int SIDES = 2;

    /** Compares; both sides have at least two figures, all above 0. */
    static Welch of(final double[] first, final double[] second)
    {
        final double[] a = logarithms(first);
        final double[] b = logarithms(second);
        final double partA = variance(a) / a.length;
        final double partB = variance(b) / b.length;
        final double sum = partA + partB;
        final double freedom = sum * sum / (partA * partA / (a.length - 1) + partB * partB / (b.length - 1));
        return new Welch(StatUtils.mean(b) - StatUtils.mean(a), Math.sqrt(sum), freedom);
    }

    /** Probability of such a difference, or a greater one in either direction, where there is none. */
    double p()
    {
        return Math.min(1, SIDES * distribution().cumulativeProbability(-Math.abs(difference) / standardError));
    }

    /** Half of the interval that covers the true difference with a probability of 1 - {@code level}. */
    double halfWidth(final double level)
    {
        return distribution().inverseCumulativeProbability(1 - level / SIDES) * standardError;
    }

    /** The difference that a test of a level would have noticed with a probability; an approximation. */
    double detectable(final double level, final double power)
    {
        return halfWidth(level) + distribution().inverseCumulativeProbability(power) * standardError;
    }

    private TDistribution distribution()
    {
        return new TDistribution(null, freedom);
    }

    private static double[] logarithms(final double[] figures)
    {
        return Arrays.stream(figures).map(Math::log).toArray();
    }

    private static double variance(final double[] logarithms)
    {
        return Math.max(StatUtils.variance(logarithms), SPREAD_MIN * SPREAD_MIN);
    }

    /**
     * Holm's correction for many tests at once (S. Holm, Scandinavian Journal of Statistics 6, 1979): the probability
     * that any true "no change" is called a change stays below the level, however the tests depend on each other.
     * Returns probabilities to compare with the level of the whole family, in the order of those given.
     */
    static double[] corrected(final double[] ps)
    {
        final Integer[] order = new Integer[ps.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> ps[i]));
        final double[] corrected = new double[ps.length];
        double greatest = 0;
        for (int rank = 0; rank < order.length; rank++)
        {
            greatest = Math.max(greatest, Math.min(1, (ps.length - rank) * ps[order[rank]]));
            corrected[order[rank]] = greatest;
        }
        return corrected;
    }
}
