// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PlantedBugsTest
{
    private static final int SEED_COUNT_MAX = 20;
    private static final int SHRINK_RUN_COUNT_MAX = 60;

    @ParameterizedTest
    @EnumSource(names = {"DUPLICATE_CHECK", "ORDER_CHECK", "SEQUENCE_WRAP", "ACK_AFTER_COPY", "ROLLBACK_REFUSED",
        "FORGET", "REGISTERED_PART", "RIGHT_CHECK", "NOTIFICATION_LAST"})
    void shouldNoticeThatAGuardIsMissing(final Guard guard)
    {
        assertNotNull(PlantedBugs.search(guard, 1, SEED_COUNT_MAX));
    }

    @ParameterizedTest
    @EnumSource(names = "DUPLICATE_CHECK")
    void shouldFindALeastScriptThatBreaksTheSamePromise(final Guard guard)
    {
        final SimulationParameters parameters =
            PlantedBugs.search(guard, 1, SEED_COUNT_MAX).parameters().with(Setting.MESSAGE_COUNT, 300);
        final SimulationResult whole = new ClusterSimulation(parameters, Guards.without(guard)).recorded().run();

        final SimulationResult least =
            new Shrinker(parameters, Guards.without(guard), SHRINK_RUN_COUNT_MAX).shrink();

        assertEquals(whole.promise(), least.promise());
        assertTrue(least.script().size() < whole.script().size());
    }
}
