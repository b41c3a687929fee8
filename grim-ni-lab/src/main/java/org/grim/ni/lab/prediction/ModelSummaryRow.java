// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.prediction;

import org.grim.ni.model.Estimate;
import org.grim.ni.model.ModelParameters;
import org.grim.ni.model.Summary;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Figures of a system with their uncertainty; its components are the JSON.
 *
 * @param summary          always true: tells it from rows of one size.
 * @param host             {@code p3-550} or {@code p4-1700}.
 * @param ni               {@code lanai4} or {@code lanai9}.
 * @param mode             {@code AM}, {@code RM-V} or {@code RM-P}.
 * @param notification     {@code pointer} or {@code tail-flag}.
 * @param size             of the smallest message.
 * @param latencyUs        of the smallest message, half of a round trip.
 * @param latencyLowUs     its low end.
 * @param latencyHighUs    its high end.
 * @param bandwidthMBs     the best over all sizes, 10^6 bytes per second.
 * @param bandwidthLowMBs  its low end.
 * @param bandwidthHighMBs its high end.
 * @param halfSize         where half of the best is reached, bytes.
 * @param halfSizeLow      its low end.
 * @param halfSizeHigh     its high end.
 */
@JsonPropertyOrder({"summary", "host", "ni", "mode", "notification", "size", "latencyUs", "latencyLowUs",
    "latencyHighUs", "bandwidthMBs", "bandwidthLowMBs", "bandwidthHighMBs", "halfSize", "halfSizeLow", "halfSizeHigh"})
public record ModelSummaryRow(boolean summary, String host, String ni, String mode, String notification, int size,
    double latencyUs, double latencyLowUs, double latencyHighUs, double bandwidthMBs, double bandwidthLowMBs,
    double bandwidthHighMBs, double halfSize, double halfSizeLow, double halfSizeHigh)
{
    static ModelSummaryRow of(final Summary summary, final int size)
    {
        final ModelParameters system = summary.parameters();
        final Estimate latency = summary.latencyUs();
        final Estimate bandwidth = summary.bandwidthMBs();
        final Estimate half = summary.halfSize();
        return new ModelSummaryRow(true, system.host().label(), system.ni().label(), system.mode().label(),
            system.notification().label(), size, rounded(latency.value()), rounded(latency.low()),
            rounded(latency.high()), rounded(bandwidth.value()), rounded(bandwidth.low()), rounded(bandwidth.high()),
            Math.rint(half.value()), Math.rint(half.low()), Math.rint(half.high()));
    }

    static double rounded(final double value)
    {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
