// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.grim.ni.fabric.FaultKind;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.DisturbanceKind;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.tools.report.Json;

/**
 * Sums over runs.
 * <p>Thread: any; who reads sums while others add holds its monitor.
 * <p>Bounds: at most {@value #FAILURES_KEPT} failures are kept in full, all are counted.
 */
final class Tally
{
    private static final int FAILURES_KEPT = 8;

    final Map<String, Long> faults = new TreeMap<>();
    final Map<Probe, Long> probes = new EnumMap<>(Probe.class);
    final List<Failure> failures = new ArrayList<>();
    long seedCount;
    long virtualNs;
    long sentCount;
    long deliveredCount;
    long multicastCount;
    long violationCount;
    long repeatedCount;
    long differenceCount;
    long canaryCount;
    long silentCanaryCount;

    Tally()
    {
        for (final Probe probe : Probe.values())
        {
            probes.put(probe, 0L);
        }
        for (final FaultKind kind : FaultKind.values())
        {
            faults.put(Json.label(kind), 0L);
        }
        for (final DisturbanceKind kind : DisturbanceKind.values())
        {
            faults.put(Json.label(kind), 0L);
        }
    }

    /** One more seed has run. */
    synchronized void add(final SimulationResult result)
    {
        seedCount++;
        virtualNs += result.virtualNs();
        sentCount += result.sentCount();
        deliveredCount += result.deliveredCount();
        multicastCount += result.multicastCount();
        result.faultCounts().forEach((kind, count) -> faults.merge(Json.label(kind), count, Long::sum));
        result.disturbances().forEach(each -> faults.merge(Json.label(each.kind()), 1L, Long::sum));
        result.probes().forEach(probe -> probes.merge(probe, 1L, Long::sum));
        if (result.isViolated())
        {
            addViolation(result);
        }
    }

    /** A run broke a promise. */
    synchronized void addViolation(final SimulationResult result)
    {
        violationCount++;
        keep(result.violation(), result);
    }

    /** A seed has run a second time. */
    synchronized void addRepeated(final SimulationResult first, final SimulationResult second)
    {
        repeatedCount++;
        if (first.traceHash() != second.traceHash())
        {
            differenceCount++;
            keep(String.format(Locale.ROOT, "not repeatable: trace hash %016x, then %016x",
                first.traceHash(), second.traceHash()), second);
        }
    }

    /** A run did something wrong on purpose, and must have been caught. */
    synchronized void addCanary(final SimulationResult result)
    {
        canaryCount++;
        if (!result.isViolated())
        {
            silentCanaryCount++;
            keep("canary not noticed: the checkers do not look", result);
        }
    }

    long failureCount()
    {
        return violationCount + differenceCount + silentCanaryCount;
    }

    private void keep(final String text, final SimulationResult result)
    {
        if (failures.size() < FAILURES_KEPT)
        {
            failures.add(new Failure(text, result));
        }
    }
}
