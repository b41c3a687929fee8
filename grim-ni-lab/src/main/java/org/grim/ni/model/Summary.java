// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a system with their uncertainty, and what they hang on. Immutable.
 *
 * @param parameters    of the system.
 * @param latencyUs     of the smallest message.
 * @param bandwidthMBs  at best, over all sizes.
 * @param halfSize      where half of that is reached, bytes.
 * @param sensitivities of the assumptions in doubt, in their order.
 */
public record Summary(ModelParameters parameters, Range latencyUs, Range bandwidthMBs, Range halfSize,
    List<Sensitivity> sensitivities)
{
    /**
     * Figures at the two ends of one assumption, with all others central.
     *
     * @param assumption that is changed.
     * @param range      that it is changed over.
     * @param low        at its low end.
     * @param high       at its high end.
     */
    public record Sensitivity(Assumption assumption, Range range, Figures low, Figures high)
    {
    }

    /**
     * The estimated figure.
     *
     * @param latencyUs    of the smallest message.
     * @param bandwidthMBs at best, over all sizes.
     * @param halfSize     where half of that is reached, bytes.
     */
    public record Figures(double latencyUs, double bandwidthMBs, double halfSize)
    {
        private static Figures of(final ModelParameters parameters, final Assumptions assumptions)
        {
            final EndToEndModel model = new EndToEndModel(parameters, assumptions);
            final Curve curve = new Curve(model);
            return new Figures(model.latencyUs(EndToEndModel.SIZE_MIN), curve.best(), curve.halfSize());
        }
    }

    /** Runs the model with the central assumptions, and at both ends of each. */
    public static Summary of(final ModelParameters parameters)
    {
        final Assumptions central = Assumptions.central(parameters);
        final Figures figures = Figures.of(parameters, central);
        final List<Sensitivity> sensitivities = new ArrayList<>();
        for (final Assumption assumption : Assumption.values())
        {
            final Range range = assumption.range(parameters);
            if (range.isOpen() && !assumption.isOfTrees())
            {
                final Figures low = range.low() == range.central() ? figures :
                    Figures.of(parameters, central.with(assumption, range.low()));
                final Figures high = range.high() == range.central() ? figures :
                    Figures.of(parameters, central.with(assumption, range.high()));
                sensitivities.add(new Sensitivity(assumption, range, low, high));
            }
        }
        return new Summary(parameters, around(figures, sensitivities, Figures::latencyUs),
            around(figures, sensitivities, Figures::bandwidthMBs), around(figures, sensitivities, Figures::halfSize),
            List.copyOf(sensitivities));
    }

    private static Range around(
        final Figures figures, final List<Sensitivity> sensitivities, final ToDoubleFunction<Figures> figure)
    {
        return Range.around(figure.applyAsDouble(figures), sensitivities.stream().map(row ->
            new double[]{figure.applyAsDouble(row.low), figure.applyAsDouble(row.high)}).toList());
    }
}
