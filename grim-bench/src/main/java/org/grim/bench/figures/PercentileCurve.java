// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.util.List;
import java.util.Objects;

/** A distribution of times, for a curve of percentiles. */
public record PercentileCurve(PointKey key, String unit, List<Value> values, long count)
{
    private static final double PERCENTILE_MAX = 100;

    /** One place on the curve. */
    public record Value(double percentile, double value)
    {
    }

    /** Takes a copy and checks: there is at least one value. */
    public PercentileCurve
    {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(unit, "unit");
        values = List.copyOf(values);
        if (values.isEmpty() || !values.stream().allMatch(PercentileCurve::isSound))
        {
            throw new IllegalArgumentException(
                key + " has no values, one that is not finite, or a percentile outside 0 to 100");
        }
    }

    private static boolean isSound(final Value value)
    {
        return Double.isFinite(value.value()) && value.percentile() >= 0 && value.percentile() <= PERCENTILE_MAX;
    }
}
