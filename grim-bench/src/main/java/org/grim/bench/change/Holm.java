// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.change;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Holm's correction for many tests at once (S. Holm, Scandinavian Journal of Statistics 6, 1979): the probability that
 * any true "no change" is called a change stays below the level, however the tests depend on each other. No state.
 */
final class Holm
{
    private Holm()
    {
    }

    /** Probabilities to compare with the level of the whole family, in the order of those given. */
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
