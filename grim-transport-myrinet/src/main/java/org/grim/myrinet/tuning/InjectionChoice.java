// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;

import org.grim.myrinet.injection.InjectionPlan;
import org.grim.myrinet.injection.Mechanism;
import org.grim.myrinet.injection.SizeClasses;

/**
 * Makes a plan from measurements. A simpler mechanism wins unless another is better by 5 %: so the plan does not change
 * with the noise, nor cost more than that. Any thread; no state: the same figures give the same plan.
 */
public final class InjectionChoice
{
    private static final double TOLERANCE = 1.05;
    private static final double SEGMENT_COST_MAX = TOLERANCE - 1;
    private static final int SEGMENT_LENGTH_MIN = 1024;

    private InjectionChoice()
    {
    }

    /**
     * Chooses for each size class.
     *
     * @param measurements of all classes.
     * @return the plan.
     * @throws NoSuchElementException if a class was not measured.
     */
    public static InjectionPlan choose(final Measurements measurements)
    {
        final List<InjectionPlan.Entry> entries = new ArrayList<>();
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final int size = SizeClasses.size(i);
            final List<Measurements.Row> rows = measurements.of(size);
            final Measurements.Row anywhere =
                simplestGood(rows, row -> row.candidate().mechanism() != Mechanism.ZERO_COPY);
            final Measurements.Row registered =
                simplestGood(rows, row -> row.equals(anywhere) || row.candidate().mechanism() == Mechanism.ZERO_COPY);
            entries.add(new InjectionPlan.Entry(size, anywhere.candidate().mechanism(),
                anywhere.candidate().burstLength(), registered.candidate().mechanism(),
                segmentLength(anywhere, measurements.ringNs())));
        }
        return new InjectionPlan(entries);
    }

    /** The first one that no other beats by more than the tolerance. */
    private static Measurements.Row simplestGood(
        final List<Measurements.Row> rows, final Predicate<Measurements.Row> isAllowed)
    {
        final double bestNs =
            rows.stream().filter(isAllowed).mapToDouble(Measurements.Row::ns).min().orElse(Double.MAX_VALUE);
        return rows.stream().filter(isAllowed).filter(row -> row.ns() <= bestNs * TOLERANCE).findFirst().orElseThrow(
            () -> new NoSuchElementException("a size class was not measured"));
    }

    /**
     * The shortest segment whose publishing costs at most 5 % of its own injection: the board begins to send as early
     * as is cheap. Half the payload is the longest that overlaps with anything.
     */
    private static int segmentLength(final Measurements.Row row, final double ringNs)
    {
        for (int segmentLength = SEGMENT_LENGTH_MIN; segmentLength <= row.size() / 2; segmentLength *= 2)
        {
            if (ringNs <= row.ns() * segmentLength / row.size() * SEGMENT_COST_MAX)
            {
                return segmentLength;
            }
        }
        return InjectionPlan.WHOLE;
    }
}
