// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/**
 * Where values stand on a horizontal axis, and what is written below it. Immutable.
 *
 * @param title what the values are.
 * @param kind  how they are spread.
 */
record Axis(String title, Kind kind)
{
    private static final Set<String> DOUBLED = Set.of("size", "queues", "channels");
    private static final double NARROW_SPAN = 16;
    private static final double PERCENT = 100;
    private static final double TOLERANCE = 1e-6;
    private static final double PERCENTILE_MAX = 99.999999;
    private static final double ROOM = 0.4;
    private static final double END_ROOM = 0.7;
    private static final double LINEAR_ROOM = 1.04;

    /** How values are spread. */
    enum Kind
    {
        /** By doublings; 0 stands one doubling left of the least. */
        BINARY,

        /** As they are. */
        LINEAR,

        /** From 0 to 1, shown as percentages. */
        SHARE,

        /** Percentiles: 90, 99, 99.9 at even distances, as HdrHistogram plots them. */
        PERCENTILE
    }

    Axis
    {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(kind, "kind");
    }

    /** The axis for what a curve goes over: by doublings of counts and sizes, and of wide spans. */
    static Axis of(final String xName, final double[] values)
    {
        final double least = Arrays.stream(values).filter(x -> x > 0).min().orElse(1);
        final double greatest = Arrays.stream(values).max().orElse(1);
        if ("load".equals(xName))
        {
            return new Axis(Wording.axis(xName), greatest <= 1 ? Kind.SHARE : Kind.LINEAR);
        }
        final boolean isBinary = DOUBLED.contains(xName) || greatest / least >= NARROW_SPAN;
        return new Axis(Wording.axis(xName), isBinary ? Kind.BINARY : Kind.LINEAR);
    }

    /** Places of values, in the order of the values; {@code least} is the least positive value of the whole plot. */
    double place(final double value, final double least)
    {
        return switch (kind)
        {
            case BINARY -> value > 0 ? log2(value) : zero(least);
            case LINEAR, SHARE -> value;
            case PERCENTILE -> -Math.log10(1 - Math.min(value, PERCENTILE_MAX) / PERCENT);
        };
    }

    /** Where the axis begins, left of the first place. */
    double begin(final double first)
    {
        return kind == Kind.LINEAR || kind == Kind.SHARE ? 0 : Math.floor(first + TOLERANCE) - ROOM;
    }

    /** Where it ends, right of the last place. */
    double end(final double first, final double last)
    {
        return switch (kind)
        {
            case LINEAR -> last > 0 ? last * LINEAR_ROOM : 1;
            case SHARE -> Math.max(last, 1) * LINEAR_ROOM;
            case BINARY, PERCENTILE -> Math.max(last, Math.floor(first + TOLERANCE) + 1) + END_ROOM;
        };
    }

    /** Distance of labels that is aimed at, in places; 0 where the library may choose. */
    double step()
    {
        return kind == Kind.BINARY || kind == Kind.PERCENTILE ? 1 : 0;
    }

    /** What is written at a place; blank between labels. */
    String label(final double place, final double least, final boolean hasZero)
    {
        return switch (kind)
        {
            case LINEAR -> Numbers.text(place);
            case SHARE -> Numbers.text(place * PERCENT) + " %";
            case BINARY -> isWhole(place) ? binaryLabel(place, least, hasZero) : " ";
            case PERCENTILE -> isWhole(place) ? percentileLabel((int)Math.round(place)) : " ";
        };
    }

    private static String binaryLabel(final double place, final double least, final boolean hasZero)
    {
        if (hasZero && place <= zero(least) + TOLERANCE)
        {
            return place < zero(least) - TOLERANCE ? " " : "0";
        }
        return Numbers.binary(Math.pow(2, Math.rint(place)));
    }

    private static String percentileLabel(final int nines)
    {
        if (nines <= 0)
        {
            return nines == 0 ? "0 %" : " ";
        }
        return nines <= 2 ? "9".repeat(nines) + (nines == 1 ? "0 %" : " %") : "99." + "9".repeat(nines - 2) + " %";
    }

    /** A whole place left of the least value. */
    private static double zero(final double least)
    {
        return Math.floor(log2(least)) - 1;
    }

    private static boolean isWhole(final double place)
    {
        return Math.abs(place - Math.rint(place)) < TOLERANCE;
    }

    private static double log2(final double value)
    {
        return Math.log(value) / Math.log(2);
    }
}
