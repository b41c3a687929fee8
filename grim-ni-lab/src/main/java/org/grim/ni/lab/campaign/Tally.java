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
import org.grim.ni.simulation.scenario.Disturbance;
import org.grim.ni.simulation.scenario.DisturbanceKind;
import org.grim.ni.simulation.scenario.Probe;

/**
 * Sums over runs.
 * <p>Thread: that of one worker; then the one that adds all up.
 * <p>Bounds: at most {@value #FAILURES_KEPT} failures are kept in full, all are counted.
 */
final class Tally
{
    static final int FAILURES_KEPT = 8;

    private final Map<String, Long> faults = new TreeMap<>();
    private final EnumMap<Probe, Long> probes = new EnumMap<>(Probe.class);
    private final List<Failure> failures = new ArrayList<>();
    private long seedCount;
    private long virtualNs;
    private long sentCount;
    private long deliveredCount;
    private long violationCount;
    private long repeatedCount;
    private long differenceCount;
    private long canaryCount;
    private long silentCanaryCount;

    Tally()
    {
        for (final Probe probe : Probe.values())
        {
            probes.put(probe, 0L);
        }
        for (final FaultKind kind : FaultKind.values())
        {
            faults.put(label(kind), 0L);
        }
        for (final DisturbanceKind kind : DisturbanceKind.values())
        {
            faults.put(label(kind), 0L);
        }
    }

    /** One more seed has run. */
    void add(final SimulationResult result)
    {
        seedCount++;
        virtualNs += result.virtualNs();
        sentCount += result.sentCount();
        deliveredCount += result.deliveredCount();
        for (final Map.Entry<FaultKind, Long> entry : result.faultCounts().entrySet())
        {
            faults.merge(label(entry.getKey()), entry.getValue(), Long::sum);
        }
        for (final Disturbance disturbance : result.disturbances())
        {
            faults.merge(label(disturbance.kind()), 1L, Long::sum);
        }
        for (final Probe probe : result.probes())
        {
            probes.merge(probe, 1L, Long::sum);
        }
        if (result.isViolated())
        {
            addViolation(result);
        }
    }

    /** A run broke a promise. */
    void addViolation(final SimulationResult result)
    {
        violationCount++;
        keep(new Failure(result.violation(), result));
    }

    /** A seed has run a second time. */
    void addRepeated(final SimulationResult first, final SimulationResult second)
    {
        repeatedCount++;
        if (first.traceHash() != second.traceHash())
        {
            differenceCount++;
            keep(new Failure(String.format(Locale.ROOT, "not repeatable: trace hash %016x, then %016x",
                first.traceHash(), second.traceHash()), second));
        }
    }

    /** A run did something wrong on purpose, and must have been caught. */
    void addCanary(final SimulationResult result)
    {
        canaryCount++;
        if (!result.isViolated())
        {
            silentCanaryCount++;
            keep(new Failure("canary not noticed: the checkers do not look", result));
        }
    }

    /** Takes over what another one has. */
    void add(final Tally other)
    {
        seedCount += other.seedCount;
        virtualNs += other.virtualNs;
        sentCount += other.sentCount;
        deliveredCount += other.deliveredCount;
        violationCount += other.violationCount;
        repeatedCount += other.repeatedCount;
        differenceCount += other.differenceCount;
        canaryCount += other.canaryCount;
        silentCanaryCount += other.silentCanaryCount;
        other.faults.forEach((kind, count) -> faults.merge(kind, count, Long::sum));
        other.probes.forEach((probe, count) -> probes.merge(probe, count, Long::sum));
        other.failures.forEach(this::keep);
    }

    long seedCount()
    {
        return seedCount;
    }

    long virtualNs()
    {
        return virtualNs;
    }

    long sentCount()
    {
        return sentCount;
    }

    long deliveredCount()
    {
        return deliveredCount;
    }

    long violationCount()
    {
        return violationCount;
    }

    long repeatedCount()
    {
        return repeatedCount;
    }

    long differenceCount()
    {
        return differenceCount;
    }

    long canaryCount()
    {
        return canaryCount;
    }

    long silentCanaryCount()
    {
        return silentCanaryCount;
    }

    long failureCount()
    {
        return violationCount + differenceCount + silentCanaryCount;
    }

    Map<String, Long> faults()
    {
        return faults;
    }

    Map<Probe, Long> probes()
    {
        return probes;
    }

    List<Failure> failures()
    {
        return failures;
    }

    static String label(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void keep(final Failure failure)
    {
        if (failures.size() < FAILURES_KEPT)
        {
            failures.add(failure);
        }
    }
}
