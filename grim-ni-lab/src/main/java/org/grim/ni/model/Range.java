// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/**
 * What a value may be. Immutable.
 *
 * @param low     the least that can be argued for.
 * @param central what the model takes.
 * @param high    the most that can be argued for.
 */
public record Range(double low, double central, double high)
{
    /**
     * Checks the order.
     *
     * @param low     at most central.
     * @param central between.
     * @param high    at least central.
     */
    public Range
    {
        if (!(low <= central && central <= high))
        {
            throw new IllegalArgumentException("low=" + low + ", central=" + central + ", high=" + high);
        }
    }

    /** A value without doubt. */
    static Range exactly(final double value)
    {
        return new Range(value, value, value);
    }

    /**
     * Whether there is any doubt.
     *
     * @return false if low and high are the same.
     */
    public boolean isOpen()
    {
        return low != high;
    }
}
