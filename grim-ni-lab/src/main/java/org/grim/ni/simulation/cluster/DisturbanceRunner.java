// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.grim.ni.clock.Event;
import org.grim.ni.fabric.FaultModel;
import org.grim.ni.simulation.check.EventKind;
import org.grim.ni.simulation.scenario.Disturbance;
import org.grim.ni.simulation.scenario.DisturbanceKind;
import org.grim.ni.simulation.scenario.Probe;

/**
 * Lets disturbances begin when enough was sent, and ends each after its time, or all of them at once.
 * <p>Thread: the simulation's. Allocates for each disturbance.
 */
final class DisturbanceRunner
{
    private final Cluster cluster;
    private final List<Disturbance> list;
    private final Map<Event, Disturbance> reliefs = new LinkedHashMap<>();
    private int begunCount;
    private long nextSentCount;

    DisturbanceRunner(final Cluster cluster, final List<Disturbance> list)
    {
        this.cluster = cluster;
        this.list = list;
        nextSentCount = list.isEmpty() ? Long.MAX_VALUE : list.get(0).sentCount();
    }

    void poll(final long sentCount)
    {
        while (nextSentCount <= sentCount)
        {
            final Disturbance disturbance = list.get(begunCount++);
            nextSentCount = begunCount == list.size() ? Long.MAX_VALUE : list.get(begunCount).sentCount();
            begin(disturbance);
        }
    }

    /** All end now, and no other begins. */
    void end()
    {
        nextSentCount = Long.MAX_VALUE;
        reliefs.forEach((relief, disturbance) ->
        {
            if (cluster.clock.cancel(relief))
            {
                relieve(disturbance);
            }
        });
    }

    List<Disturbance> begun()
    {
        return list.subList(0, begunCount);
    }

    private void begin(final Disturbance disturbance)
    {
        final int ni = disturbance.ni();
        final SimulatedBoard board = cluster.boards[ni];
        if (board.isDead() || (disturbance.kind() == DisturbanceKind.NI_RESTART && board.isStopped()))
        {
            return;
        }
        cluster.trace.event(EventKind.DISTURBED, disturbance.kind(), ni, disturbance.channel(),
            (int)disturbance.durationNs());
        switch (disturbance.kind())
        {
            case LINK_STALL ->
                cluster.fabric.stall(cluster.fabric.topology().incomingLink(ni), endNs(disturbance));
            case PARTITION ->
            {
                partition(cluster.faults.outgoing(ni));
                partition(cluster.faults.incoming(ni));
            }
            case PARTITION_OUTWARD -> partition(cluster.faults.outgoing(ni));
            case PARTITION_INWARD -> partition(cluster.faults.incoming(ni));
            case RECEIVER_STOP -> cluster.hosts[ni].receivers[disturbance.channel()].stop();
            case HOST_RESTART ->
            {
                cluster.hosts[ni].restart();
                cluster.trace.reach(Probe.HOST_RESTARTED);
                return;
            }
            case NI_RESTART -> board.reset();
            case NI_PAUSE -> board.pause();
            case NI_KILL ->
            {
                board.kill();
                cluster.hosts[ni].stopSenders();
                cluster.trace.reach(Probe.NI_KILLED);
                return;
            }
        }
        final Event relief = Event.of(() -> relieve(disturbance));
        reliefs.put(relief, disturbance);
        cluster.clock.schedule(relief, endNs(disturbance));
    }

    private long endNs(final Disturbance disturbance)
    {
        return cluster.clock.nowNs() + disturbance.durationNs();
    }

    private void relieve(final Disturbance disturbance)
    {
        final int ni = disturbance.ni();
        final SimulatedBoard board = cluster.boards[ni];
        cluster.trace.event(EventKind.RELIEVED, disturbance.kind(), ni, disturbance.channel());
        switch (disturbance.kind())
        {
            case LINK_STALL -> cluster.trace.reach(Probe.LINK_STALLED);
            case PARTITION ->
            {
                heal(cluster.faults.outgoing(ni));
                heal(cluster.faults.incoming(ni));
            }
            case PARTITION_OUTWARD -> heal(cluster.faults.outgoing(ni));
            case PARTITION_INWARD -> heal(cluster.faults.incoming(ni));
            case RECEIVER_STOP ->
            {
                cluster.hosts[ni].receivers[disturbance.channel()].resume();
                cluster.trace.reach(Probe.RECEIVER_RESUMED);
            }
            case NI_RESTART ->
            {
                if (!board.isDead())
                {
                    board.start();
                }
            }
            case NI_PAUSE -> board.resume();
            case HOST_RESTART, NI_KILL ->
            {
            }
        }
    }

    private static void partition(final FaultModel model)
    {
        if (model != null)
        {
            model.partition();
        }
    }

    private void heal(final FaultModel model)
    {
        if (model != null && model.heal())
        {
            cluster.trace.reach(Probe.PARTITION_HEALED);
        }
    }
}
