// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.Arrays;
import java.util.List;

/**
 * One line on a plot.
 *
 * @param name   who.
 * @param places in ascending order of x; at least one.
 */
record Curve(String name, List<Place> places)
{
    /**
     * One point, and the figures that it stands for.
     *
     * @param x      value.
     * @param y      value.
     * @param spread figures of single forks, shown as faint dots; may be empty.
     */
    record Place(double x, double y, List<Double> spread)
    {
        Place
        {
            spread = List.copyOf(spread);
        }
    }

    Curve
    {
        places = List.copyOf(places);
    }

    double[] xs()
    {
        return places.stream().mapToDouble(Place::x).toArray();
    }

    double[] ys()
    {
        return places.stream().mapToDouble(Place::y).toArray();
    }

    /** All figures that must have room on the plot. */
    double[] allYs()
    {
        final double[] spread =
            places.stream().flatMap(place -> place.spread().stream()).mapToDouble(Double::doubleValue).toArray();
        final double[] all = Arrays.copyOf(ys(), places.size() + spread.length);
        System.arraycopy(spread, 0, all, places.size(), spread.length);
        return all;
    }
}
