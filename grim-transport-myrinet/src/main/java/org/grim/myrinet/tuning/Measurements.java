// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.tuning;

import java.util.List;
import java.util.Objects;

import org.grim.myrinet.injection.SizeClasses;

/**
 * Results of the tuner on one board. Any thread; immutable.
 *
 * @param rows   one per size class and candidate: by ascending size, the simplest candidate first.
 * @param ringNs what publishing one more segment costs: a ring of the doorbell.
 * @param rounds how many samples each median is taken from.
 */
public record Measurements(List<Row> rows, double ringNs, int rounds)
{
    /**
     * Keeps them.
     *
     * @param rows   one per size class and candidate.
     * @param ringNs a ring of the doorbell.
     * @param rounds samples of each median.
     */
    public Measurements
    {
        rows = List.copyOf(rows);
    }

    /**
     * One figure.
     *
     * @param size      of the class.
     * @param candidate that was measured.
     * @param ns        median of one injection of the class's longest payload.
     */
    public record Row(int size, Candidate candidate, double ns)
    {
        /**
         * Keeps them.
         *
         * @param size      of the class.
         * @param candidate that was measured.
         * @param ns        median.
         */
        public Row
        {
            Objects.requireNonNull(candidate, "candidate");
            if (!(ns > 0) || Double.isInfinite(ns))
            {
                throw new IllegalArgumentException("ns=" + ns + " of " + candidate.label() + " is no time");
            }
        }

        /** {@return the same as speed; 10^6 bytes per second} */
        public double megabytesPerSecond()
        {
            return SizeClasses.payloadLengthMax(SizeClasses.index(size)) * 1000.0 / ns;
        }
    }

    /** The figures of one size class. Returns the simplest candidate first. */
    public List<Row> of(final int size)
    {
        return rows.stream().filter(row -> row.size() == size).toList();
    }
}
