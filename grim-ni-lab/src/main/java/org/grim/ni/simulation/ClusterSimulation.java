// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.util.List;
import java.util.function.Consumer;

import org.grim.ni.clock.VirtualClock;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.check.DeliveryLedger;
import org.grim.ni.simulation.check.Trace;
import org.grim.ni.simulation.check.ViolationException;
import org.grim.ni.simulation.cluster.Cluster;
import org.grim.ni.simulation.scenario.FaultScript;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.ni.trace.PcapWriter;

/**
 * One run of a simulated cluster: hosts send what the workload says while faults happen to it; then the faults cease,
 * and everything must come to rest and add up within a bounded virtual time. A broken promise ends the run.
 * <p>Thread: one, from {@link #run()} to its end; runs do not share anything, so that many can go side by side.
 */
public final class ClusterSimulation
{
    private static final int REST_CHECK_EVENT_COUNT = 256;
    private static final long EVENT_COUNT_MAX = 100_000_000;

    private final SimulationParameters parameters;
    private final Guards guards;
    private FaultScript script;
    private Consumer<String> story;
    private PcapWriter packets;
    private boolean isRecorded;
    private Cluster cluster;
    private VirtualClock clock;
    private long eventCount;

    /** Prepares a run. */
    public ClusterSimulation(final SimulationParameters parameters, final Guards guards)
    {
        this.parameters = parameters;
        this.guards = guards;
    }

    /** Applies the faults and disturbances of a script, and no others. */
    public ClusterSimulation script(final FaultScript newScript)
    {
        script = newScript;
        return this;
    }

    /** Records the faults and disturbances, for the result. */
    public ClusterSimulation recorded()
    {
        isRecorded = true;
        return this;
    }

    /** Prints every event as a line. */
    public ClusterSimulation story(final Consumer<String> listener)
    {
        story = listener;
        return this;
    }

    /**
     * Writes what passes between NIs.
     *
     * @param writer that takes the packets; the caller closes it.
     */
    public ClusterSimulation packets(final PcapWriter writer)
    {
        packets = writer;
        return this;
    }

    /** Runs it, once. */
    public SimulationResult run()
    {
        String violation = null;
        cluster = new Cluster(parameters, guards, script, isRecorded, story);
        clock = cluster.clock();
        if (packets != null)
        {
            cluster.record(packets);
        }
        try
        {
            cluster.start();
            disturb();
            cluster.heal();
            rest();
            if (parameters.canLosePeers())
            {
                cluster.reunite();
                rest();
            }
            cluster.checkAtRest();
        }
        catch (final ViolationException e)
        {
            violation = e.getMessage();
        }
        catch (final RuntimeException e)
        {
            // Anything that the firmware throws is a broken promise; the place in the code names it.
            violation = "exception: " + e + " at " + List.of(e.getStackTrace()).subList(
                0, Math.min(e.getStackTrace().length, 8));
        }
        return result(violation);
    }

    private void disturb()
    {
        final long endNs = parameters.get(Setting.PHASE_NS);
        final long checkCount = parameters.get(Setting.CHECK_STEP_COUNT);
        while (cluster.hasWork() && clock.nextTimeNs() <= endNs)
        {
            step();
            cluster.disturb();
            if (eventCount % checkCount == 0)
            {
                cluster.checkThoroughly();
            }
        }
        cluster.endWork();
    }

    private void rest()
    {
        final long endNs = clock.nowNs() + parameters.get(Setting.LIVENESS_NS);
        while (cluster.unrest() != null)
        {
            for (int i = 0; i < REST_CHECK_EVENT_COUNT && clock.nextTimeNs() <= endNs; i++)
            {
                step();
            }
            final String unrest = clock.nextTimeNs() <= endNs ? null : cluster.unrest();
            if (unrest != null)
            {
                throw new ViolationException("liveness", unrest + ", and " +
                    (clock.scheduledCount() == 0 ? "nothing will happen any more" : "the time is over"));
            }
        }
    }

    private void step()
    {
        clock.runNext();
        if (++eventCount > EVENT_COUNT_MAX)
        {
            throw new ViolationException("livelock", "after " + eventCount + " events: " + cluster.unrest());
        }
    }

    private SimulationResult result(final String violation)
    {
        final Trace trace = cluster.trace();
        final DeliveryLedger ledger = cluster.ledger();
        return new SimulationResult(parameters, violation, trace.hash(), clock.nowNs(), ledger.sentCount(),
            ledger.deliveredCount(), ledger.multicastCount(), cluster.stepCount(), eventCount, cluster.faultCounts(),
            List.copyOf(cluster.begun()), trace.probes(), violation == null ? List.of() : trace.lastLines(),
            isRecorded ? cluster.script() : script);
    }
}
