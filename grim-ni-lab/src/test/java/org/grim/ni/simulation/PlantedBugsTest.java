// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.util.stream.LongStream;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PlantedBugsTest
{
    private static final int SEED_COUNT_MAX = 20;
    private static final int SHRINK_RUN_COUNT_MAX = 60;

    @ParameterizedTest
    @EnumSource(names = {"DUPLICATE_CHECK", "ORDER_CHECK", "SEQUENCE_WRAP", "ACK_AFTER_COPY", "ROLLBACK_REFUSED",
        "FORGET", "REGISTERED_PART", "RIGHT_CHECK", "NOTIFICATION_LAST", "TICKET_ORDER", "TREE_FORWARDING"})
    void shouldNoticeThatAGuardIsMissing(final Guard guard)
    {
        assertTrue(caught(guard).isViolated());
    }

    @ParameterizedTest
    @EnumSource(names = "DUPLICATE_CHECK")
    void shouldFindALeastScriptThatBreaksTheSamePromise(final Guard guard)
    {
        final SimulationParameters parameters =
            caught(guard).parameters().with(Setting.MESSAGE_COUNT, 300);
        final SimulationResult whole = new ClusterSimulation(parameters, Guards.without(guard)).recorded().run();

        final SimulationResult least =
            new Shrinker(parameters, Guards.without(guard), SHRINK_RUN_COUNT_MAX).shrink();

        assertEquals(whole.promise(), least.promise());
        assertTrue(least.script().size() < whole.script().size());
    }

    /** The first run that shows that a guard is missing. */
    private static SimulationResult caught(final Guard guard)
    {
        return LongStream.rangeClosed(1, SEED_COUNT_MAX).mapToObj(seed ->
            new ClusterSimulation(PlantedBugs.parameters(guard, seed), Guards.without(guard)).run())
            .filter(SimulationResult::isViolated).findFirst().orElseThrow();
    }
}
