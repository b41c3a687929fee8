// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.Fault;
import org.grim.ni.fabric.FaultKind;
import org.grim.ni.fabric.FaultModel;
import org.grim.ni.fabric.RandomStream;
import org.grim.ni.fabric.Topology;
import org.grim.ni.simulation.scenario.FaultScript;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Faults of the links that join NIs to the fabric: drawn, or repeated from a script; perhaps recorded.
 * <p>Thread: the simulation's.
 */
final class FaultPlan
{
    private static final double PPM = 1e6;
    private static final long LATE_NS_MIN = 1_000;
    private static final long LATE_NS_MAX = 2_000_000;

    private final Topology topology;
    private final Map<Integer, FaultModel> models = new TreeMap<>();      // By link.
    private final Map<Integer, List<Fault>> logs = new TreeMap<>();

    FaultPlan(
        final SimulationParameters parameters, final Fabric fabric, final FaultScript script,
        final boolean isRecorded)
    {
        topology = fabric.topology();
        if (!parameters.is(Setting.LOSSY_WIRE))
        {
            return;
        }
        fabric.declareLossy();
        final RandomStream random = new RandomStream(parameters.seed()).fork("network");
        for (int ni = 0; ni < parameters.count(Setting.NODE_COUNT); ni++)
        {
            for (final int link : new int[]{topology.outgoingLink(ni), topology.incomingLink(ni)})
            {
                final FaultModel model = script == null ? new FaultModel(random.fork(link)) :
                    FaultModel.replay(script.packetFaults().getOrDefault(link, List.of()));
                models.put(link, model);
                fabric.faults(link, model);
                if (isRecorded)
                {
                    logs.put(link, new ArrayList<>());
                    model.logTo(logs.get(link));
                }
            }
            if (script == null)
            {
                setChances(outgoing(ni), parameters);
            }
        }
    }

    /** Of the link from an NI; null on a wire that loses nothing. */
    FaultModel outgoing(final int ni)
    {
        return models.get(topology.outgoingLink(ni));
    }

    /** Of the link to an NI; null on a wire that loses nothing. */
    FaultModel incoming(final int ni)
    {
        return models.get(topology.incomingLink(ni));
    }

    void cease()
    {
        models.values().forEach(FaultModel::cease);
    }

    Map<FaultKind, Long> counts()
    {
        final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
        for (final FaultKind kind : FaultKind.values())
        {
            counts.put(kind, models.values().stream().mapToLong(model -> model.count(kind)).sum());
        }
        return counts;
    }

    Map<Integer, List<Fault>> logs()
    {
        return logs;
    }

    private static void setChances(final FaultModel model, final SimulationParameters parameters)
    {
        model.chance(FaultKind.DROP, parameters.get(Setting.DROP_PPM) / PPM, 0, 0)
            .chance(FaultKind.REPEAT, parameters.get(Setting.REPEAT_PPM) / PPM, LATE_NS_MIN, LATE_NS_MAX)
            .chance(FaultKind.REORDER, parameters.get(Setting.REORDER_PPM) / PPM, LATE_NS_MIN, LATE_NS_MAX)
            .chance(FaultKind.CORRUPT, parameters.get(Setting.CORRUPT_PPM) / PPM, 0, 0)
            .chance(FaultKind.TRUNCATE, parameters.get(Setting.TRUNCATE_PPM) / PPM, 0, 0)
            .chance(FaultKind.DELAY, parameters.get(Setting.DELAY_PPM) / PPM, LATE_NS_MIN, LATE_NS_MAX);
    }
}
