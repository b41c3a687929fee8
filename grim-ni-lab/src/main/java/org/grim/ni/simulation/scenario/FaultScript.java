// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.grim.ni.fabric.Fault;

/**
 * Everything that happened to a cluster in one run, so that it can happen to another one exactly so, or only in part.
 *
 * @param disturbances of boards, hosts and links.
 * @param packetFaults faults of single packets, by link.
 */
public record FaultScript(List<Disturbance> disturbances, Map<Integer, List<Fault>> packetFaults)
{
    /** {@return how many things happen; disturbances and packet faults} */
    public int size()
    {
        return disturbances.size() + packetFaults.values().stream().mapToInt(List::size).sum();
    }

    /** {@return the script as lines: one line each} */
    public List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        disturbances.forEach(disturbance -> lines.add(disturbance.toString()));
        packetFaults.forEach((link, faults) -> faults.forEach(fault -> lines.add("link " + link + ": " + fault)));
        return lines;
    }

    /**
     * The script without some of it.
     *
     * @param start of what is left out, in the order of {@link #lines()}.
     * @param end   of it, excluded.
     */
    public FaultScript without(final int start, final int end)
    {
        final List<Disturbance> keptDisturbances = new ArrayList<>();
        final Map<Integer, List<Fault>> keptFaults = new TreeMap<>();
        int place = 0;
        for (final Disturbance disturbance : disturbances)
        {
            if (place < start || place >= end)
            {
                keptDisturbances.add(disturbance);
            }
            place++;
        }
        for (final Map.Entry<Integer, List<Fault>> entry : packetFaults.entrySet())
        {
            final List<Fault> kept = new ArrayList<>();
            for (final Fault fault : entry.getValue())
            {
                if (place < start || place >= end)
                {
                    kept.add(fault);
                }
                place++;
            }
            keptFaults.put(entry.getKey(), kept);
        }
        return new FaultScript(keptDisturbances, keptFaults);
    }
}
