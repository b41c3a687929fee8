// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

/**
 * A figure of the model with its uncertainty. Immutable.
 *
 * @param value with the central assumptions.
 * @param low   value less the root of the summed squares of what each assumption takes from it.
 * @param high  value and the same of what each adds.
 */
public record Estimate(double value, double low, double high)
{
    /** Takes the assumptions to be independent of each other. */
    static Estimate of(final double value, final List<double[]> ends)
    {
        double below = 0;
        double above = 0;
        for (final double[] pair : ends)
        {
            final double fall = Math.max(0, value - Math.min(pair[0], pair[1]));
            final double rise = Math.max(0, Math.max(pair[0], pair[1]) - value);
            below += fall * fall;
            above += rise * rise;
        }
        return new Estimate(value, Math.max(0, value - Math.sqrt(below)), value + Math.sqrt(above));
    }
}
