// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.util.Arrays;

import org.HdrHistogram.Histogram;
import org.grim.bench.report.PingPongRow;

/**
 * What was measured at one payload size: rounds of GRIM's ping-pong, each beside a round of the raw pass and perhaps
 * one of a reference, so that noise of the machine meets all. A ratio is the median over adjacent rounds.
 */
final class SizeMeasurement
{
    private static final long ROUND_TRIP_NS_MAX = 10_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int ROUND_COUNT_MAX = 1_000;

    private final Histogram grimAll = newHistogram();
    private final Histogram rawAll = newHistogram();
    private final Histogram referenceAll = newHistogram();
    private final Histogram grimRound = newHistogram();
    private final Histogram rawRound = newHistogram();
    private final Histogram referenceRound = newHistogram();
    private final double[] ratios = new double[ROUND_COUNT_MAX];
    private final double[] referenceRatios = new double[ROUND_COUNT_MAX];
    private final double waysPerTime;
    private int roundCount;

    /**
     * Nothing measured yet.
     *
     * @param waysPerTime one-way times in one time of GRIM's: 2 where round trips are taken. The raw pass has 2.
     */
    SizeMeasurement(final int waysPerTime)
    {
        this.waysPerTime = waysPerTime;
    }

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

    /** For the round that comes. */
    Histogram referenceRound()
    {
        return referenceRound;
    }

    /** Ends a pair of rounds; returns GRIM's p50 of it, one way, in ns. */
    double endRound()
    {
        final double grimNs = wayNs(grimRound, 50);
        if (rawRound.getTotalCount() > 0 && roundCount < ROUND_COUNT_MAX)
        {
            ratios[roundCount] = grimNs / rawNs(rawRound);
            referenceRatios[roundCount] =
                referenceRound.getTotalCount() > 0 ? grimNs / wayNs(referenceRound, 50) : 0;
            roundCount++;
        }
        grimAll.add(grimRound);
        rawAll.add(rawRound);
        referenceAll.add(referenceRound);
        grimRound.reset();
        rawRound.reset();
        referenceRound.reset();
        return grimNs;
    }

    /** Forgets everything: what came before was warm-up. */
    void reset()
    {
        grimAll.reset();
        rawAll.reset();
        referenceAll.reset();
        roundCount = 0;
    }

    PingPongRow row(final int size, final double messagesPerSecond, final long verified)
    {
        final boolean hasRaw = rawAll.getTotalCount() > 0;
        final boolean hasReference = referenceAll.getTotalCount() > 0;
        return new PingPongRow(size,
            new PingPongRow.OneWayNs(grimAll.getMinValue() / waysPerTime, wayNs(grimAll, 50), wayNs(grimAll, 99),
                wayNs(grimAll, 99.9)),
            Math.round(messagesPerSecond), hasRaw ? rawNs(rawAll) : null, hasRaw ? median(ratios) : null,
            hasReference ? wayNs(referenceAll, 50) : null, hasReference ? median(referenceRatios) : null, verified);
    }

    private double median(final double[] values)
    {
        final double[] sorted = Arrays.copyOf(values, roundCount);
        Arrays.sort(sorted);
        final double median = (sorted[(roundCount - 1) / 2] + sorted[roundCount / 2]) / 2;
        return Math.round(median * 1000) / 1000.0;
    }

    private double wayNs(final Histogram times, final double percentile)
    {
        return times.getValueAtPercentile(percentile) / waysPerTime;
    }

    private static double rawNs(final Histogram roundTrips)
    {
        return roundTrips.getValueAtPercentile(50) / 2.0;
    }

    private static Histogram newHistogram()
    {
        return new Histogram(ROUND_TRIP_NS_MAX, SIGNIFICANT_DIGITS);
    }
}
