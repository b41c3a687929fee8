// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The figures of a system with their uncertainty, and what they hang on. Immutable.
 *
 * @param parameters    of the system.
 * @param latencyUs     of the smallest message.
 * @param bandwidthMBs  at best, over all sizes.
 * @param halfSize      where half of that is reached, bytes.
 * @param sensitivities of the assumptions in doubt, in their order.
 */
public record Summary(ModelParameters parameters, Estimate latencyUs, Estimate bandwidthMBs, Estimate halfSize,
    List<Sensitivity> sensitivities)
{
    /**
     * What the figures are at the two ends of one assumption, with all others central.
     *
     * @param assumption   that is changed.
     * @param range        that it is changed over.
     * @param latencyUs    at the low end and at the high end.
     * @param bandwidthMBs at the low end and at the high end.
     * @param halfSize     at the low end and at the high end.
     */
    public record Sensitivity(
        Assumption assumption, Range range, List<Double> latencyUs, List<Double> bandwidthMBs, List<Double> halfSize)
    {
    }

    /** What is estimated. */
    private record Figures(double latencyUs, double bandwidthMBs, double halfSize)
    {
        static Figures of(final ModelParameters parameters, final Assumptions assumptions)
        {
            final EndToEndModel model = new EndToEndModel(parameters, assumptions);
            final Curve curve = new Curve(model);
            return new Figures(model.latencyUs(EndToEndModel.SIZE_MIN), curve.best(), curve.halfSize());
        }
    }

    /**
     * Runs the model with the central assumptions, and at both ends of each.
     *
     * @param parameters of the system.
     * @return the figures.
     */
    public static Summary of(final ModelParameters parameters)
    {
        final Assumptions central = Assumptions.central(parameters);
        final Figures figures = Figures.of(parameters, central);
        final List<Sensitivity> sensitivities = new ArrayList<>();
        for (final Assumption assumption : Assumption.values())
        {
            final Range range = assumption.range(parameters);
            if (range.isOpen())
            {
                final Figures low = range.low() == range.central() ? figures :
                    Figures.of(parameters, central.with(assumption, range.low()));
                final Figures high = range.high() == range.central() ? figures :
                    Figures.of(parameters, central.with(assumption, range.high()));
                sensitivities.add(new Sensitivity(assumption, range, List.of(low.latencyUs, high.latencyUs),
                    List.of(low.bandwidthMBs, high.bandwidthMBs), List.of(low.halfSize, high.halfSize)));
            }
        }
        return new Summary(parameters,
            Estimate.of(figures.latencyUs, sensitivities.stream().map(row -> pair(row.latencyUs)).toList()),
            Estimate.of(figures.bandwidthMBs, sensitivities.stream().map(row -> pair(row.bandwidthMBs)).toList()),
            Estimate.of(figures.halfSize, sensitivities.stream().map(row -> pair(row.halfSize)).toList()),
            List.copyOf(sensitivities));
    }

    private static double[] pair(final List<Double> ends)
    {
        return new double[] {ends.get(0), ends.get(1)};
    }
}
