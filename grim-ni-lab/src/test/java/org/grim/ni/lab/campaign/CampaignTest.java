// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class CampaignTest
{
    private static final long FIRST_SEED = 1000;
    private static final long DURATION_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONG_DURATION_NS = TimeUnit.SECONDS.toNanos(3);
    private static final String VIOLATION = "order: planted by the test";

    @Test
    void shouldRunSeedsThatFailedOnceBeforeFreshOnesInOrder() throws InterruptedException
    {
        final List<Long> seeds = Collections.synchronizedList(new ArrayList<>());
        final List<SimulationParameters> kept = List.of(SimulationParameters.draw(7), SimulationParameters.draw(5));

        run((parameters, guards) ->
        {
            seeds.add(parameters.seed());
            return result(parameters, isCanary(parameters) ? VIOLATION : null, 1, Set.of());
        }, kept);

        assertEquals(List.of(7L, 5L, FIRST_SEED), seeds.subList(0, 3));
    }

    @Test
    void shouldFindBugsAndNothingElseInASoundProtocol() throws InterruptedException
    {
        final SimulateReport report = run((parameters, guards) -> result(parameters,
            isCanary(parameters) || !guards.has(Guard.ORDER_CHECK) ? VIOLATION : null, 1,
            EnumSet.allOf(Probe.class)), List.of(), LONG_DURATION_NS);

        assertEquals(0, report.violations());
        assertTrue(report.hasPassed(), report::text);
        assertTrue(report.seeds() > 0 && report.selfTests().repeated() > 0 && report.selfTests().canaries() > 0);
        for (final SimulateReport.Bug bug : report.plantedBugs())
        {
            assertEquals(bug.name().equals("order-check"), bug.caught(), bug::toString);
        }
        assertTrue(report.text().contains("Planted bugs caught: 1 of " + Guard.values().length), report::text);
    }

    @Test
    void shouldNotTakeAFailureForACatchThatHappensWithAllGuards() throws InterruptedException
    {
        final AtomicLong plantedCount = new AtomicLong();

        final SimulateReport report = run((parameters, guards) ->
        {
            if (guards != Guards.ALL)
            {
                plantedCount.incrementAndGet();
            }
            return result(parameters, VIOLATION, 1, Set.of());
        }, List.of(), LONG_DURATION_NS);

        assertTrue(plantedCount.get() > 0);
        assertEquals(report.seeds() + plantedCount.get(), report.violations());
        report.plantedBugs().forEach(bug -> assertFalse(bug.caught(), bug::toString));
    }

    @Test
    void shouldFailWhenARunDoesNotGoTheSameWayTwice() throws InterruptedException
    {
        final AtomicLong hash = new AtomicLong();

        final SimulateReport report = run((parameters, guards) -> result(parameters,
            isCanary(parameters) ? VIOLATION : null, hash.incrementAndGet(), Set.of()), List.of());

        assertFalse(report.hasPassed());
        assertEquals(0, report.violations());
        assertEquals(report.selfTests().repeated(), report.selfTests().differences());
        assertTrue(report.failures().get(0).text().startsWith("not repeatable"), report.failures()::toString);
    }

    @Test
    void shouldFailWhenNobodyNoticesTheCanary() throws InterruptedException
    {
        final SimulateReport report =
            run((parameters, guards) -> result(parameters, null, 1, Set.of()), List.of());

        assertFalse(report.hasPassed());
        assertEquals(report.selfTests().canaries(), report.selfTests().silentCanaries());
        assertTrue(report.failures().get(0).replay().contains("--set canary=1"), report.failures()::toString);
    }

    @Test
    void shouldRequireProbesOfManySeedsOnly()
    {
        final Tally few = new Tally();
        final Tally many = new Tally();
        final Set<Probe> all = EnumSet.complementOf(EnumSet.of(Probe.PEER_GONE));
        final SimulationParameters parameters = SimulationParameters.draw(1);
        few.add(result(parameters, null, 1, all));
        for (int i = 0; i < SimulateReport.PROBES_REQUIRED_SEED_COUNT; i++)
        {
            many.add(result(parameters, null, 1, all));
        }
        final CampaignOptions options = new CampaignOptions(1, 1, 1, List.of());

        assertTrue(SimulateReport.of(options, 0, few, List.of()).hasPassed());
        assertEquals(List.of("peer-gone"), SimulateReport.of(options, 0, many, List.of()).missedProbes());
        assertFalse(SimulateReport.of(options, 0, many, List.of()).hasPassed());
    }

    @Test
    void shouldSayThatASimulationEndedByItself()
    {
        final IllegalStateException ex = assertThrows(IllegalStateException.class, () -> run((parameters, guards) ->
        {
            throw new IllegalArgumentException("out of order");
        }, List.of()));

        assertTrue(ex.getMessage().contains("out of order"), ex::getMessage);
    }

    @Test
    void shouldTakeTheMedianOverTrials()
    {
        final AtomicLong runCount = new AtomicLong();
        final PlantedBug bug =
            new PlantedBug(Guard.NACK_SENT, (guard, seed) -> SimulationParameters.draw(seed), FIRST_SEED);
        final Set<Long> caughtAt = Set.of(1L, 4L, 14L, 16L, 19L);       // after 1, 3, 10, 2 and 3 seeds

        while (!bug.isDone())
        {
            bug.step((parameters, guards) -> result(parameters, guards != Guards.ALL &&
                caughtAt.contains(runCount.incrementAndGet()) ? VIOLATION : null, 1, Set.of()), new Tally());
        }

        assertTrue(bug.isCaught());
        assertEquals(3.0, bug.medianSeedCount());
        assertEquals(19, bug.seedCount());
    }

    @Test
    void shouldReadBackWhatAFailureSaysIsToBeKept()
    {
        final SimulationParameters parameters = SimulationParameters.draw(9).with(Setting.NODE_COUNT, 3);

        final List<SimulationParameters> kept = KeptSeeds.parse("# why\n\n" + parameters + "\n");

        assertEquals(List.of(parameters.toString()), kept.stream().map(Object::toString).toList());
        KeptSeeds.load().forEach(each -> assertTrue(each.get(Setting.NODE_COUNT) > 0));
        assertTrue(Failure.replay(parameters).matches("./grim simulate --seed 9 (--set node-count=3 )?--trace"));
    }

    private static SimulateReport run(final Simulator simulator, final List<SimulationParameters> kept)
        throws InterruptedException
    {
        return run(simulator, kept, DURATION_NS);
    }

    private static SimulateReport run(
        final Simulator simulator, final List<SimulationParameters> kept, final long durationNs)
        throws InterruptedException
    {
        final CampaignOptions options = new CampaignOptions(FIRST_SEED, durationNs, 1, List.of());
        final SimulationParameters ofBugs = SimulationParameters.draw(1);
        return new Campaign(options, (done, elapsedNs) -> { }, simulator, (guard, seed) -> ofBugs, kept).run();
    }

    private static boolean isCanary(final SimulationParameters parameters)
    {
        return parameters.get(Setting.CANARY) != 0;
    }

    private static SimulationResult result(
        final SimulationParameters parameters, final String violation, final long hash, final Set<Probe> probes)
    {
        return new SimulationResult(
            parameters, violation, hash, 1000, 10, 9, 3, 100, 200, Map.of(), List.of(), probes, List.of(), null);
    }
}
