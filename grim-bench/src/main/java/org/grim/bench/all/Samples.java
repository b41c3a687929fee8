// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.Arrays;

import org.grim.bench.figures.Point;

/**
 * Times of one round, for their median: it does not see the few that were interrupted.
 * <p>Thread: one. Bounds: so many times; later ones are left out. Allocates nothing but when it is asked.
 */
final class Samples
{
    private static final int CAPACITY = 1 << 14;

    private final double[] values = new double[CAPACITY];
    private int count;

    void reset()
    {
        count = 0;
    }

    void add(final double value)
    {
        if (count < CAPACITY)
        {
            values[count] = value;
            count++;
        }
    }

    double median()
    {
        if (count == 0)
        {
            throw new IllegalStateException("nothing was measured");
        }
        return Point.median(Arrays.copyOf(values, count));
    }
}
