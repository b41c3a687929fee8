// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.util.Arrays;

import org.HdrHistogram.Histogram;
import org.grim.bench.report.PingPongRow;

/**
 * What was measured at one payload size: rounds of GRIM's ping-pong, each beside a round of the raw pass, so that noise
 * of the machine meets both. The ratio is the median over these pairs.
 */
final class SizeMeasurement
{
    private static final long ROUND_TRIP_NS_MAX = 10_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int ROUND_COUNT_MAX = 1_000;

    private final Histogram grimAll = newHistogram();
    private final Histogram rawAll = newHistogram();
    private final Histogram grimRound = newHistogram();
    private final Histogram rawRound = newHistogram();
    private final double[] ratios = new double[ROUND_COUNT_MAX];
    private int roundCount;

    /** For the round that comes. */
    Histogram grimRound()
    {
        return grimRound;
    }

    /** For the round that comes. */
    Histogram rawRound()
    {
        return rawRound;
    }

    /** Ends a pair of rounds; returns GRIM's p50 of it, one way, in ns. */
    double endRound()
    {
        final double grimNs = oneWayNs(grimRound, 50);
        if (rawRound.getTotalCount() > 0 && roundCount < ROUND_COUNT_MAX)
        {
            ratios[roundCount] = grimNs / oneWayNs(rawRound, 50);
            roundCount++;
        }
        grimAll.add(grimRound);
        rawAll.add(rawRound);
        grimRound.reset();
        rawRound.reset();
        return grimNs;
    }

    /** Forgets everything: what came before was warm-up. */
    void reset()
    {
        grimAll.reset();
        rawAll.reset();
        roundCount = 0;
    }

    PingPongRow row(final int size, final double messagesPerSecond, final long verified)
    {
        final boolean hasRaw = rawAll.getTotalCount() > 0;
        return new PingPongRow(size,
            new PingPongRow.OneWayNs(grimAll.getMinValue() / 2.0, oneWayNs(grimAll, 50), oneWayNs(grimAll, 99),
                oneWayNs(grimAll, 99.9)),
            Math.round(messagesPerSecond), hasRaw ? oneWayNs(rawAll, 50) : null, hasRaw ? medianRatio() : null,
            verified);
    }

    private double medianRatio()
    {
        final double[] sorted = Arrays.copyOf(ratios, roundCount);
        Arrays.sort(sorted);
        final double median = (sorted[(roundCount - 1) / 2] + sorted[roundCount / 2]) / 2;
        return Math.round(median * 1000) / 1000.0;
    }

    private static double oneWayNs(final Histogram roundTrips, final double percentile)
    {
        return roundTrips.getValueAtPercentile(percentile) / 2.0;
    }

    private static Histogram newHistogram()
    {
        return new Histogram(ROUND_TRIP_NS_MAX, SIGNIFICANT_DIGITS);
    }
}
