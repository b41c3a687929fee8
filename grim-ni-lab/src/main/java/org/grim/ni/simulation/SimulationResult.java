// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.grim.ni.fabric.FaultKind;
import org.grim.ni.simulation.scenario.Disturbance;
import org.grim.ni.simulation.scenario.FaultScript;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Outcome of a run.
 *
 * @param parameters     of the run; they hold the seed.
 * @param violation      the promise that was broken and how, or null if none was.
 * @param traceHash      of all events: the same for the same parameters.
 * @param virtualNs      how long it took in virtual time.
 * @param sentCount      messages that hosts put into channels.
 * @param deliveredCount active messages that hosts read.
 * @param multicastCount of these, multicasts; one for each subscriber.
 * @param stepCount      steps of all boards.
 * @param eventCount     events of virtual time.
 * @param faultCounts    faults of packets by kind.
 * @param disturbances   what happened to boards, hosts and links, and began before the end.
 * @param probes         situations that were reached.
 * @param lastEvents     the last events as lines; empty unless there is a violation.
 * @param script         everything that happened, if it was recorded or given; otherwise null.
 */
public record SimulationResult(
    SimulationParameters parameters, String violation, long traceHash, long virtualNs, long sentCount,
    long deliveredCount, long multicastCount, long stepCount, long eventCount, Map<FaultKind, Long> faultCounts,
    List<Disturbance> disturbances, Set<Probe> probes, List<String> lastEvents, FaultScript script)
{
    /** {@return whether a promise was broken; true if there is a violation} */
    public boolean isViolated()
    {
        return violation != null;
    }

    /** {@return the promise that was broken, without the particulars: the violation up to its first colon, or null} */
    public String promise()
    {
        return violation == null ? null : violation.substring(0, violation.indexOf(':'));
    }
}
