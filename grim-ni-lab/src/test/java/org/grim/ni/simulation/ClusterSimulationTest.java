// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ClusterSimulationTest
{
    private static final Logger LOG = LoggerFactory.getLogger(ClusterSimulationTest.class);
    private static final int FRESH_SEED_COUNT = 24;
    private static final int CANARY_SEED_COUNT = 5;
    private static final long CALM_SEED = 4242;

    @Test
    void shouldKeepAllPromisesUnderFreshSeeds()
    {
        final long firstSeed = System.nanoTime() >>> 8;
        final Set<Probe> missed = EnumSet.allOf(Probe.class);
        long deliveredCount = 0;
        long multicastCount = 0;

        for (long seed = firstSeed; seed < firstSeed + FRESH_SEED_COUNT; seed++)
        {
            final SimulationResult result = run(SimulationParameters.draw(seed));
            assertNull(result.violation(), () -> String.join("\n", result.parameters().lines()) + "\n" +
                String.join("\n", result.lastEvents()) + "\n" + result.violation());
            missed.removeAll(result.probes());
            deliveredCount += result.deliveredCount();
            multicastCount += result.multicastCount();
        }

        LOG.info("seeds {} to {}: {} messages delivered, not reached: {}", firstSeed, firstSeed + FRESH_SEED_COUNT - 1,
            deliveredCount, missed);
        assertTrue(multicastCount > 0);
        assertTrue(deliveredCount > multicastCount);
    }

    @Test
    void shouldRunTheSameWayAgainFromTheSameSeed()
    {
        final List<String> story = new ArrayList<>();
        final List<String> again = new ArrayList<>();
        final SimulationParameters parameters = small(SimulationParameters.draw(CALM_SEED));

        final SimulationResult first = new ClusterSimulation(parameters, Guards.ALL).story(story::add).run();
        final SimulationResult second = new ClusterSimulation(parameters, Guards.ALL).story(again::add).run();

        assertEquals(first.traceHash(), second.traceHash());
        assertEquals(story, again);
        assertNotEquals(first.traceHash(), run(small(SimulationParameters.draw(CALM_SEED + 1))).traceHash());
    }

    @Test
    void shouldRunTheSameWayAgainFromPrintedParametersAndRecordedFaults()
    {
        final SimulationParameters parameters = small(SimulationParameters.draw(CALM_SEED))
            .with(Setting.LOSSY_WIRE, 1).with(Setting.DROP_PPM, 50_000).with(Setting.NI_RESTART_COUNT, 2);
        final SimulationResult recorded = new ClusterSimulation(parameters, Guards.ALL).recorded().run();

        final SimulationParameters parsed = SimulationParameters.parse(parameters.lines());
        final SimulationResult replayed = new ClusterSimulation(parsed, Guards.ALL).script(recorded.script()).run();

        assertTrue(recorded.script().size() > 0);
        assertEquals(parameters.lines(), parsed.lines());
        assertEquals(recorded.traceHash(), replayed.traceHash());
    }

    @Test
    void shouldNoticeAFlippedByte()
    {
        assertTrue(canaryPromises(1).contains("content"));
    }

    @Test
    void shouldNoticeAFalseOutcome()
    {
        assertTrue(canaryPromises(2).contains("false outcome"));
    }

    @Test
    void shouldTellItsStoryInLines()
    {
        final List<String> story = new ArrayList<>();

        new ClusterSimulation(small(SimulationParameters.draw(CALM_SEED)), Guards.ALL).story(story::add).run();

        assertTrue(story.stream().anyMatch(line -> line.contains(" ms  NI ") && line.contains("sequence")));
        assertTrue(story.stream().anyMatch(line -> line.endsWith("is acknowledged")));
        assertFalse(story.stream().anyMatch(line -> line.contains("{")));
    }

    private static Set<String> canaryPromises(final int kind)
    {
        final Set<String> promises = new HashSet<>();
        for (long seed = 0; seed < CANARY_SEED_COUNT; seed++)
        {
            promises.add(run(small(SimulationParameters.draw(seed)).with(Setting.CANARY, kind)).promise());
        }
        return promises;
    }

    private static SimulationParameters small(final SimulationParameters parameters)
    {
        return parameters.with(Setting.MESSAGE_COUNT, 400);
    }

    private static SimulationResult run(final SimulationParameters parameters)
    {
        return new ClusterSimulation(parameters, Guards.ALL).run();
    }
}
