// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Kernels, function faults, pages, page faults and deaths of owners as one state machine: no item is lost, doubled, out
 * of order or run by a wrong kernel; each kernel sees what a naive model of memory says, so no page of another owner;
 * each fault ends, and all is given back.
 */
final class AcceleratorSimulationTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AcceleratorSimulationTest.class);
    private static final int PLANTED_SEEDS_MAX = 2_000;

    @Test
    void shouldAgreeWithTheModel()
    {
        run(0, 300);
    }

    @Test
    @Tag("long")
    void shouldAgreeWithTheModelForManySeeds()
    {
        run(1_000, 10_000);
    }

    private static void run(final int first, final int count)
    {
        final AcceleratorWorld.Totals totals = new AcceleratorWorld.Totals();
        for (int seed = first; seed < first + count; seed++)
        {
            totals.add(new AcceleratorWorld(seed, PlantedBug.NONE).run());
        }
        LOGGER.info("seeds {}: {}", count, totals);
        assertTrue(totals.hasAll(), totals::toString);
    }

    /** {@link PageFramesTest} finds the others. */
    @ParameterizedTest
    @EnumSource(
        value = PlantedBug.class, names = {"NONE", "HELD_EVICTED", "SOME_PAGES"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldFindThePlantedBug(final PlantedBug bug)
    {
        String found = null;
        int seed = 0;
        while (found == null && seed < PLANTED_SEEDS_MAX)
        {
            found = failure(seed, bug);
            seed++;
        }
        assertTrue(found != null, () -> "no seed finds " + bug);
        LOGGER.info("{} found by seed {}: {}", bug, seed - 1, found);
    }

    private static String failure(final int seed, final PlantedBug bug)
    {
        try
        {
            new AcceleratorWorld(seed, bug).run();
            return null;
        }
        catch (final AssertionError | RuntimeException ex)
        {
            return ex.toString();
        }
    }
}
