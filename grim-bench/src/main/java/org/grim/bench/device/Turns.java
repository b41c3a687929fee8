// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.grim.bench.groups.GroupRow;

/**
 * Pairs of operations, measured by turns: in each round each operation runs once for some time.
 * <p>Thread: one.
 */
final class Turns
{
    private static final int WARM_UP_ROUNDS_MIN = 6;
    private static final int WARM_UP_PART = 3;
    private static final int COUNT_COLD = 20;
    private static final int COUNT_MAX = 1_000_000;
    private static final int MEMBERS = 2;

    private Turns()
    {
    }

    /** An operation that can be measured. */
    @FunctionalInterface
    interface Operation
    {
        /** Runs so many times. */
        void run(int count);
    }

    /** An operation, and another one that does the same. */
    record Pair(String name, int length, Operation ours, String beside, Operation other)
    {
    }

    /** Measures pairs. Returns a row for each. */
    static List<GroupRow> measure(final List<Pair> pairs, final int rounds, final long durationNs)
    {
        final Map<Operation, double[]> times = new HashMap<>();
        final Map<Operation, Double> least = new HashMap<>();
        for (int round = -Math.max(WARM_UP_ROUNDS_MIN, rounds / WARM_UP_PART); round < rounds; round++)
        {
            for (final Pair pair : pairs)
            {
                final boolean isFirst = Math.floorMod(round, 2) == 0;
                for (final Operation operation : isFirst ? List.of(pair.ours, pair.other) :
                    List.of(pair.other, pair.ours))
                {
                    final Double leastNs = least.get(operation);
                    final int count = leastNs == null ? COUNT_COLD :
                        (int)Math.max(1, Math.min(COUNT_MAX, durationNs / leastNs));
                    final long startNs = System.nanoTime();
                    operation.run(count);
                    final double timeNs = (System.nanoTime() - startNs) / (double)count;
                    least.merge(operation, timeNs, Math::min);
                    if (round >= 0)
                    {
                        times.computeIfAbsent(operation, any -> new double[rounds])[round] = timeNs;
                    }
                }
            }
        }
        return pairs.stream().map(pair -> GroupRow.of(pair.name, MEMBERS, pair.length, times.get(pair.ours),
            pair.beside, times.get(pair.other))).toList();
    }
}
