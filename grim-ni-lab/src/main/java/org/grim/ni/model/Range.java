// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

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

    /**
     * A figure of a system with its uncertainty: runs it with the central assumptions, and at both ends of each.
     *
     * @param parameters of the system.
     * @param figure     of some assumptions.
     */
    static Range of(final ModelParameters parameters, final ToDoubleFunction<Assumptions> figure)
    {
        final Assumptions central = Assumptions.central(parameters);
        final List<double[]> ends = Stream.of(Assumption.values())
            .filter(assumption -> assumption.range(parameters).isOpen()).map(assumption ->
            {
                final Range range = assumption.range(parameters);
                return new double[]{figure.applyAsDouble(central.with(assumption, range.low)),
                    figure.applyAsDouble(central.with(assumption, range.high))};
            }).toList();
        return around(figure.applyAsDouble(central), ends);
    }

    /** Adds another range: the sum of the low ends, of the central values, of the high ends. */
    Range plus(final Range other)
    {
        return new Range(low + other.low, central + other.central, high + other.high);
    }

    /** Multiplies by a factor of 0 or more. */
    Range times(final double factor)
    {
        return new Range(low * factor, central * factor, high * factor);
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
