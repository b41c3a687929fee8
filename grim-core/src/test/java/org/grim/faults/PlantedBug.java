// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A fault that was put into a simulated world, so that its simulation shows that it finds it. Any thread; no state. */
public final class PlantedBug
{
    private static final Logger LOGGER = LoggerFactory.getLogger(PlantedBug.class);
    private static final long SERIES_LENGTH = 1_000_000;

    private PlantedBug()
    {
    }

    /**
     * Says how many seeds it took, of several series; fails if it was not found in one of them.
     *
     * @param bug          its name.
     * @param seriesCount  series of seeds, which have none in common.
     * @param seedCountMax seeds of a series.
     * @param run          runs the world with a seed, and throws an {@link AssertionError} if it finds something.
     */
    public static void find(final String bug, final int seriesCount, final int seedCountMax, final LongConsumer run)
    {
        final long[] counts =
            LongStream.range(0, seriesCount).map(series -> seedsToFind(series, seedCountMax, run)).sorted().toArray();

        assertTrue(counts[seriesCount - 1] < seedCountMax, () -> bug + " was not found: " + Arrays.toString(counts));
        LOGGER.info("planted bug '{}': median seeds={} of {}", bug, counts[seriesCount / 2], Arrays.toString(counts));
    }

    private static long seedsToFind(final long series, final int seedCountMax, final LongConsumer run)
    {
        for (int count = 1; count < seedCountMax; count++)
        {
            try
            {
                run.accept(SERIES_LENGTH * (series + 1) + count);
            }
            catch (final AssertionError ex)
            {
                return count;
            }
        }
        return seedCountMax;
    }
}
