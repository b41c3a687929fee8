// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import java.util.Arrays;
import java.util.BitSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TrafficTest
{
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 16, 97, 256})
    void shouldSendToEveryOtherNiOnceInARoundOfPermutations(final int niCount)
    {
        final Traffic traffic = new Traffic(options(niCount, TrafficPattern.ALL_TO_ALL, 100));
        final BitSet met = new BitSet();

        for (int ordinal = 0; ordinal < niCount - 1; ordinal++)
        {
            final BitSet targets = new BitSet();
            for (int ni = 0; ni < niCount; ni++)
            {
                final int target = traffic.target(ni, ordinal);
                assertNotEquals(ni, target);
                targets.set(target);
            }
            assertEquals(niCount, targets.cardinality(), "ordinal " + ordinal);
            met.set(traffic.target(0, ordinal));
        }

        assertEquals(niCount - 1, met.cardinality());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7, 12, 16, 64})
    void shouldSendToFourNeighboursOrTwo(final int niCount)
    {
        final Traffic traffic = new Traffic(options(niCount, TrafficPattern.NEAREST_NEIGHBOUR, 100));
        final int[] arrivedCounts = new int[niCount];

        for (int ni = 0; ni < niCount; ni++)
        {
            final BitSet targets = new BitSet();
            for (int ordinal = 0; ordinal < 8; ordinal++)
            {
                final int target = traffic.target(ni, ordinal);
                targets.set(target);
                arrivedCounts[target]++;
                assertNotEquals(ni, target);
            }
            assertTrue(targets.cardinality() <= 4, () -> targets + " of " + niCount);
        }

        assertTrue(Arrays.stream(arrivedCounts).allMatch(count -> count == 8), () -> Arrays.toString(arrivedCounts));
    }

    @Test
    void shouldSendItsShareToTheHotSpot()
    {
        final Traffic traffic = new Traffic(options(64, TrafficPattern.HOT_SPOT, 30));
        int hotCount = 0;

        for (int ordinal = 0; ordinal < 10_000; ordinal++)
        {
            hotCount += traffic.target(5, ordinal) == 0 ? 1 : 0;
            assertNotEquals(0, traffic.target(0, ordinal));
        }

        assertEquals(0.3 + 0.7 / 63, hotCount / 10_000.0, 0.02);
    }

    private static ScaleOptions options(final int niCount, final TrafficPattern pattern, final int hotPercent)
    {
        return new ScaleOptions(niCount, pattern, ScaleWire.MODERN, 64, 1, hotPercent, 0, 3, false);
    }
}
