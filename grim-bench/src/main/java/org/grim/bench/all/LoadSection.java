// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.pair.Side.Offer;
import org.grim.tools.pair.Side.OfferedLoad;
import org.grim.tools.pair.WarmUp;

/**
 * Latency under load: messages at fixed times, at shares of the highest rate that the same fork saw, each echoed, and
 * timed from the moment when it was to be sent.
 * <p>Thread: the measuring one.
 */
final class LoadSection
{
    private static final String SUITE = "load";
    private static final String LOAD = "load";
    private static final String MODE = "open-loop";
    private static final int SIZE = 32;
    private static final double[] PERCENTILES = {50, 99, 99.9};
    private static final int RATE_ROUNDS = 3;

    private final Part part;
    private final PeerPair pair;
    private final List<PeerKind> kinds;
    private final long maximumNs;
    private final Map<PeerKind, Double> greatest = new EnumMap<>(PeerKind.class);

    private LoadSection(final Part part, final PeerPair pair, final List<PeerKind> kinds)
    {
        this.part = part;
        this.pair = pair;
        this.kinds = kinds;
        maximumNs = TimeUnit.MILLISECONDS.toNanos(part.effort().choose(10, 150, 300));
    }

    static void run(final Part part)
    {
        final List<PeerKind> kinds =
            part.name().equals("host") ? List.of(PeerKind.GRIM, PeerKind.AERON_IPC) : List.of(PeerKind.GRIM_MYRINET);
        try (PeerPair pair = PeerPair.start(kinds, SIZE, part.directory()))
        {
            pair.connect();
            final LoadSection section = new LoadSection(part, pair, kinds);
            section.warmUp();
            section.findMaximum();
            section.measure();
        }
    }

    private void warmUp()
    {
        final boolean isBoard = !part.name().equals("host");
        final long limitNs = part.effort().warmUpNs(isBoard) / (isBoard ? 2 : 4);
        final WarmUp warmUp = new WarmUp(limitNs, 1);
        final Map<PeerKind, Double> previous = new EnumMap<>(PeerKind.class);
        while (!warmUp.isOver())
        {
            double change = 0;
            for (final PeerKind kind : kinds)
            {
                final double rate = offer(kind, Offer.MAXIMUM, maximumNs).perSecond();
                final Double before = previous.put(kind, rate);
                change = Math.max(change, before == null ? Double.MAX_VALUE : Math.abs(rate - before) / rate);
            }
            warmUp.add(change);
        }
        part.figures().note("load, part " + part.name() + ": " + warmUp);
    }

    private void findMaximum()
    {
        final Map<PeerKind, double[]> rates = new EnumMap<>(PeerKind.class);
        for (int round = 0; round < RATE_ROUNDS; round++)
        {
            for (final PeerKind kind : kinds)
            {
                final double rate = offer(kind, Offer.MAXIMUM, maximumNs).perSecond();
                rates.computeIfAbsent(kind, any -> new double[RATE_ROUNDS])[round] = rate;
                part.figures().add(new PointKey(SUITE, "greatest-rate", PairSection.nameOf(kind), "closed-loop",
                    LOAD, 1), "msg/s", Direction.HIGHER_IS_BETTER, rate, OptionalDouble.empty());
            }
        }
        rates.forEach((kind, of) -> greatest.put(kind, Point.median(of)));
    }

    private void measure()
    {
        final Effort effort = part.effort();
        final long durationNs = TimeUnit.MILLISECONDS.toNanos(effort.choose(20, 250, 1_000));
        for (final double share : effort.choose(List.of(0.1, 0.5), List.of(0.1, 0.5, 0.7, 0.8, 0.9),
            List.of(0.1, 0.3, 0.5, 0.7, 0.8, 0.9)))
        {
            final Map<PeerKind, Histogram> all = new EnumMap<>(PeerKind.class);
            for (int round = 0; round < effort.choose(1, 3, 4); round++)
            {
                for (final PeerKind kind : kinds)
                {
                    final OfferedLoad load = offer(kind, greatest.get(kind) * share, durationNs);
                    add(kind, share, load);
                    all.merge(kind, load.times(), LoadSection::sum);
                }
            }
            all.forEach((kind, times) -> part.figures().curve(keyOf("latency", kind, share), times));
        }
    }

    private void add(final PeerKind kind, final double share, final OfferedLoad load)
    {
        for (final double percentile : PERCENTILES)
        {
            final String name = percentile == Math.rint(percentile) ? "p" + (int)percentile : "p" + percentile;
            part.figures().addTime(keyOf(name, kind, share), "ns",
                (double)load.times().getValueAtPercentile(percentile));
        }
        if (!load.isKept())
        {
            part.figures().note("load: " + PairSection.nameOf(kind) + " did not keep the schedule at load=" +
                share + ": late=" + Math.round(load.lateShare() * 1000) / 10.0 +
                " % of the messages by more than 10 us");
        }
    }

    private static Histogram sum(final Histogram sum, final Histogram more)
    {
        sum.add(more);
        return sum;
    }

    private OfferedLoad offer(final PeerKind kind, final double perSecond, final long durationNs)
    {
        return pair.offer(kind, new Offer(SIZE, perSecond, durationNs));
    }

    private static PointKey keyOf(final String benchmark, final PeerKind kind, final double share)
    {
        return new PointKey(SUITE, benchmark, PairSection.nameOf(kind), MODE, LOAD, share);
    }
}
