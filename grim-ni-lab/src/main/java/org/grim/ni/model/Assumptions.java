// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.EnumMap;
import java.util.Map;

/** A value for each {@link Assumption}. Immutable. */
public final class Assumptions
{
    private final Map<Assumption, Double> values;

    private Assumptions(final Map<Assumption, Double> values)
    {
        this.values = values;
    }

    /** Values that the model uses. */
    public static Assumptions central(final ModelParameters parameters)
    {
        final Map<Assumption, Double> values = new EnumMap<>(Assumption.class);
        for (final Assumption assumption : Assumption.values())
        {
            values.put(assumption, assumption.range(parameters).central());
        }
        return new Assumptions(values);
    }

    /**
     * Another value for one of them.
     *
     * @param assumption to change.
     * @param value      of it, not negative.
     */
    public Assumptions with(final Assumption assumption, final double value)
    {
        if (!(value >= 0))
        {
            throw new IllegalArgumentException(assumption.label() + "=" + value + " is less than 0");
        }
        final Map<Assumption, Double> changed = new EnumMap<>(values);
        changed.put(assumption, value);
        return new Assumptions(changed);
    }

    /**
     * The value of one.
     *
     * @param assumption asked for.
     * @return in its unit.
     */
    public double of(final Assumption assumption)
    {
        return values.get(assumption);
    }

    boolean is(final Assumption assumption)
    {
        return of(assumption) != 0;
    }
}
