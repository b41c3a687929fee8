// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.util.ArrayList;
import java.util.List;

import org.grim.bench.peers.RawPass;
import org.grim.bench.process.BoundedSpin;
import org.grim.bench.report.PingPongRow;

/**
 * Divides the time: warm-up of all sizes until the figures stand still or a part of the time is gone, then for each
 * size adjacent rounds (raw pass, the reference if there is one, GRIM), then a stream.
 * <p>Thread: one, the measuring one.
 */
final class PingPongRun
{
    private static final double WARM_UP_SHARE = 0.2;
    private static final double WARM_UP_TOLERANCE = 0.03;
    private static final int WARM_UP_PASSES_MIN = 4;
    private static final long WARM_UP_ROUND_NS_MIN = 10_000_000;
    private static final double STREAM_SHARE = 0.25;
    private static final double RAW_SHARE = 0.4;
    private static final double REFERENCE_SHARE = 0.5;
    private static final int ROUND_COUNT = 10;

    private final PingClient client;
    private final PingClient reference;
    private final RawPass raw;
    private final BoundedSpin spin;
    private final int waysPerTime;

    /**
     * A run; {@code raw} is null where there is no second process to pass lines to, {@code reference} where there is no
     * other transport to compare with.
     */
    PingPongRun(
        final Mode mode, final PingClient client, final PingClient reference, final RawPass raw,
        final BoundedSpin spin)
    {
        waysPerTime = mode.waysPerTime();
        this.client = client;
        this.reference = reference;
        this.raw = raw;
        this.spin = spin;
    }

    List<PingPongRow> run(final int[] sizes, final long durationNs)
    {
        final long endNs = System.nanoTime() + durationNs;
        warmUp(sizes, (long)(durationNs * WARM_UP_SHARE));
        final List<PingPongRow> rows = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++)
        {
            // What the warm-up left over goes to the measurement.
            rows.add(measure(sizes[i], Math.max(0, endNs - System.nanoTime()) / (sizes.length - i)));
        }
        return rows;
    }

    private void warmUp(final int[] sizes, final long durationNs)
    {
        final long startNs = System.nanoTime();
        final long roundNs =
            Math.max(WARM_UP_ROUND_NS_MIN, durationNs / (sizes.length * (long)WARM_UP_PASSES_MIN * 4));
        double previousNs = Double.MAX_VALUE;
        double changeShare = Double.MAX_VALUE;
        for (int pass = 0; (pass < WARM_UP_PASSES_MIN || changeShare > WARM_UP_TOLERANCE) &&
            System.nanoTime() - startNs < durationNs; pass++)
        {
            double sumNs = 0;
            for (final int size : sizes)
            {
                final SizeMeasurement measurement = new SizeMeasurement(waysPerTime);
                sumNs += round(measurement, size, roundNs);
                client.stream(size, roundNs);
            }
            changeShare = Math.abs(sumNs - previousNs) / sumNs;
            previousNs = sumNs;
        }
        client.takeVerifiedCount();
    }

    private PingPongRow measure(final int size, final long durationNs)
    {
        final SizeMeasurement measurement = new SizeMeasurement(waysPerTime);
        final long streamNs = (long)(durationNs * STREAM_SHARE);
        final long roundNs = (durationNs - streamNs) / (ROUND_COUNT + 1);
        round(measurement, size, roundNs);          // Not counted: the caches still hold the size before.
        measurement.reset();
        for (int i = 0; i < ROUND_COUNT; i++)
        {
            round(measurement, size, roundNs);
        }
        final double messagesPerSecond = client.stream(size, streamNs);
        return measurement.row(size, messagesPerSecond, client.takeVerifiedCount());
    }

    private double round(final SizeMeasurement measurement, final int size, final long durationNs)
    {
        long grimNs = durationNs;
        if (raw != null)
        {
            final long rawNs = (long)(durationNs * RAW_SHARE);
            grimNs -= rawNs;
            client.requestRaw();
            raw.measure(rawNs, measurement.rawRound(), spin);
        }
        if (reference != null)
        {
            final long referenceNs = (long)(grimNs * REFERENCE_SHARE);
            grimNs -= referenceNs;
            client.requestSwitch();
            reference.measure(size, referenceNs, measurement.referenceRound());
            reference.requestSwitch();
        }
        client.measure(size, grimNs, measurement.grimRound());
        return measurement.endRound();
    }
}
