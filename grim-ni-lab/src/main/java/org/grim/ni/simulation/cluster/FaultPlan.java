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

    private final List<FaultModel> models = new ArrayList<>();
    private final Map<Integer, List<Fault>> logs = new TreeMap<>();
    private final FaultModel[] outgoing;
    private final FaultModel[] incoming;

    FaultPlan(
        final SimulationParameters parameters, final Fabric fabric, final FaultScript script,
        final boolean isRecorded)
    {
        final int nodeCount = parameters.count(Setting.NODE_COUNT);
        outgoing = new FaultModel[nodeCount];
        incoming = new FaultModel[nodeCount];
        if (!parameters.is(Setting.LOSSY_WIRE))
        {
            return;
        }
        fabric.declareLossy();
        final RandomStream random = new RandomStream(parameters.seed()).fork("network");
        for (int ni = 0; ni < nodeCount; ni++)
        {
            final int outgoingLink = fabric.topology().outgoingLink(ni);
            final int incomingLink = fabric.topology().incomingLink(ni);
            outgoing[ni] = model(outgoingLink, random, script, isRecorded);
            incoming[ni] = incomingLink < nodeCount ? null : model(incomingLink, random, script, isRecorded);
            if (script == null)
            {
                setChances(outgoing[ni], parameters);
            }
            fabric.faults(outgoingLink, outgoing[ni]);
            if (incoming[ni] != null)
            {
                fabric.faults(incomingLink, incoming[ni]);
            }
        }
    }

    FaultModel outgoing(final int ni)
    {
        return outgoing[ni];
    }

    FaultModel incoming(final int ni)
    {
        return incoming[ni];
    }

    void cease()
    {
        models.forEach(FaultModel::cease);
    }

    Map<FaultKind, Long> counts()
    {
        final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
        for (final FaultKind kind : FaultKind.values())
        {
            long count = 0;
            for (final FaultModel model : models)
            {
                count += model.count(kind);
            }
            counts.put(kind, count);
        }
        return counts;
    }

    Map<Integer, List<Fault>> logs()
    {
        return logs;
    }

    private FaultModel model(
        final int link, final RandomStream random, final FaultScript script, final boolean isRecorded)
    {
        final FaultModel model = script == null ? new FaultModel(random.fork(link)) :
            FaultModel.replay(script.packetFaults().getOrDefault(link, List.of()));
        if (isRecorded)
        {
            final List<Fault> log = new ArrayList<>();
            logs.put(link, log);
            model.logTo(log);
        }
        models.add(model);
        return model;
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
