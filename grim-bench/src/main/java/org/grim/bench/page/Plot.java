// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What a plot shows. Immutable.
 *
 * @param title  of the plot.
 * @param xAxis  from left to right.
 * @param yTitle what the figures are.
 * @param unit   of the figures.
 * @param curves at least one.
 */
record Plot(String title, Axis xAxis, String yTitle, String unit, List<Curve> curves)
{
    private static final double NARROW_SPAN = 4;

    Plot
    {
        curves = List.copyOf(curves);
    }

    double[] allXs()
    {
        return curves.stream().flatMapToDouble(curve -> Arrays.stream(curve.xs())).toArray();
    }

    /** Least value of x above 0. */
    double leastX()
    {
        return Arrays.stream(allXs()).filter(x -> x > 0).min().orElse(1);
    }

    /** Whether figures stand by powers of ten: not where one is 0, or where all are much the same. */
    boolean isLogarithmic()
    {
        final double least = leastY();
        return least > 0 && greatestY() / least >= NARROW_SPAN;
    }

    double leastY()
    {
        return allYs().min().orElse(0);
    }

    double greatestY()
    {
        return allYs().max().orElse(1);
    }

    private DoubleStream allYs()
    {
        return curves.stream().flatMapToDouble(curve -> Arrays.stream(curve.allYs()));
    }
}
