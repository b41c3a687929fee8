// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.util.List;
import java.util.Objects;

/**
 * A distribution of times, for a curve of percentiles.
 *
 * @param key    what was measured.
 * @param unit   of the values.
 * @param values ascending in both.
 * @param count  of the times behind it.
 */
public record PercentileCurve(PointKey key, String unit, List<Value> values, long count)
{
    /**
     * One place on the curve.
     *
     * @param percentile 0 to 100.
     * @param value      that many of the times are not above this.
     */
    public record Value(double percentile, double value)
    {
    }

    /**
     * Takes a copy and checks.
     *
     * @param key    what was measured.
     * @param unit   of the values.
     * @param values at least one.
     * @param count  of the times behind it.
     */
    public PercentileCurve(final PointKey key, final String unit, final List<Value> values, final long count)
    {
        this.key = Objects.requireNonNull(key, "key");
        this.unit = Objects.requireNonNull(unit, "unit");
        this.values = List.copyOf(values);
        this.count = count;
        if (values.isEmpty())
        {
            throw new IllegalArgumentException(key + " has a curve without values");
        }
    }
}
