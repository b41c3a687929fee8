// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

/**
 * Range of a value. Immutable.
 *
 * @param low     the least that can be argued for.
 * @param central what the model takes.
 * @param high    the most that can be argued for.
 */
public record Range(double low, double central, double high)
{
    public Range
    {
        if (!(low <= central && central <= high))
        {
            throw new IllegalArgumentException("low=" + low + ", central=" + central + ", high=" + high);
        }
    }

    /**
     * A figure with its uncertainty: the root of the summed squares of what each assumption, with its low end and its
     * high end, takes from it or adds. Takes the assumptions to be independent of each other.
     */
    static Range around(final double value, final List<double[]> ends)
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
        return new Range(Math.max(0, value - Math.sqrt(below)), value, value + Math.sqrt(above));
    }

    /** A value without doubt. */
    static Range exactly(final double value)
    {
        return new Range(value, value, value);
    }

    /** Whether there is any doubt. */
    public boolean isOpen()
    {
        return low != high;
    }
}
