// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Routes;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.FaultKind;
import org.grim.ni.fabric.LinkTiming;
import org.grim.ni.fabric.Topology;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.check.Canary;
import org.grim.ni.simulation.check.ChannelLedger;
import org.grim.ni.simulation.check.DeliveryLedger;
import org.grim.ni.simulation.check.EventKind;
import org.grim.ni.simulation.check.NiObserver;
import org.grim.ni.simulation.check.Trace;
import org.grim.ni.simulation.scenario.Disturbance;
import org.grim.ni.simulation.scenario.FaultScript;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.ni.trace.PcapWriter;
import org.grim.wire.MessageHeader;

/**
 * Boards, hosts and fabric of one run, and the questions that concern all of them.
 * <p>Thread: the simulation's.
 */
public final class Cluster implements Routes
{
    private static final int SRAM_LENGTH_MIN = 64 << 10;
    private static final int SRAM_BASE_LENGTH = 4096;
    private static final int STATIC_LENGTH = HostLayout.CHURN_STATIC_COUNT * BoardDescriptor.STATIC_ENTRY_LENGTH;
    private static final int DESCRIPTOR_LENGTH = 256;
    private static final int LANAI_9 = 9;
    private static final int TRANSLATION_PAGE_COUNT_MIN = 32;

    final VirtualClock clock = new VirtualClock();
    final Trace trace;
    final DeliveryLedger ledger;
    final Workload workload;
    final Fabric fabric;
    final FaultPlan faults;
    final SimulatedHost[] hosts;
    final SimulatedBoard[] boards;
    private final DisturbanceRunner disturbances;
    private final int channelCount;
    private final GroupOwner[] groups;
    private int separatedCount;

    /**
     * Builds all machines; they stand still until {@link #start()}.
     *
     * @param parameters of the run.
     * @param guards     of the protocol that hold.
     * @param script     of faults and disturbances, or null to draw them from the seed.
     * @param isRecorded whether to keep the faults of single packets.
     * @param story      that takes each event as a line, or null.
     */
    public Cluster(
        final SimulationParameters parameters, final Guards guards, final FaultScript script,
        final boolean isRecorded, final Consumer<String> story)
    {
        trace = new Trace(clock, story);
        ledger = new DeliveryLedger(parameters, trace);
        final HostLayout layout = new HostLayout(parameters);
        final int messageLengthMax = Math.min(layout.messageLengthMax(), parameters.count(Setting.QUEUE_LENGTH) / 2);
        workload = new Workload(parameters, messageLengthMax - MessageHeader.LENGTH);
        fabric = new Fabric(clock, topology(parameters), new LinkTiming(parameters.get(Setting.LINK_LATENCY_NS),
            parameters.get(Setting.LINK_BYTES_PER_SECOND), parameters.count(Setting.LINK_PACKET_COUNT)));
        faults = new FaultPlan(parameters, fabric, script, isRecorded);
        channelCount = parameters.count(Setting.CHANNEL_COUNT);
        hosts = new SimulatedHost[parameters.count(Setting.NODE_COUNT)];
        boards = new SimulatedBoard[hosts.length];
        final Run run = new Run(parameters, clock, ledger, trace, new Canary(parameters), layout, workload);
        for (int ni = 0; ni < hosts.length; ni++)
        {
            build(ni, run, guards);
        }
        groups = new GroupOwner[parameters.count(Setting.TREE_COUNT)];
        Arrays.setAll(groups, i -> new GroupOwner(i + 1, this, run));
        disturbances = new DisturbanceRunner(this, script == null ? Disturbance.draw(parameters) :
            script.disturbances());
    }

    /** Writes what passes between NIs. */
    public void record(final PcapWriter writer)
    {
        fabric.tap(trace.record(writer));
    }

    /** Boards and senders begin. */
    public void start()
    {
        for (int ni = 0; ni < boards.length; ni++)
        {
            boards[ni].start();
            for (int channel = 0; channel < channelCount; channel++)
            {
                hosts[ni].senders[channel].start();
            }
        }
        for (final GroupOwner group : groups)
        {
            group.start();
        }
    }

    /** Lets the disturbances begin whose time has come. */
    public void disturb()
    {
        disturbances.poll(ledger.sentCount());
    }

    /** All faults cease. */
    public void heal()
    {
        trace.event(EventKind.HEALED, null, Trace.NONE, Trace.NONE);
        disturbances.end();
        faults.cease();
    }

    /** Every living NI shall reach every other one again; there is unrest until then. */
    public void reunite()
    {
        new ConnectivityCheck(this).begin();
        for (final GroupOwner group : groups)
        {
            group.reunite();
        }
    }

    @Override
    public int niOf(final int node)
    {
        return node < boards.length ? boards.length - 1 - node : NONE;
    }

    @Override
    public int nodeOf(final int ni)
    {
        return ni < boards.length ? boards.length - 1 - ni : NONE;
    }

    @Override
    public int niCount()
    {
        return boards.length;
    }

    /** Describes why the cluster is not at rest; null if it is. Dead NIs are not waited for. */
    public String unrest()
    {
        for (int ni = 0; ni < boards.length; ni++)
        {
            for (int channel = 0; channel < channelCount; channel++)
            {
                final ChannelLedger messages = ledger.channel(ni, channel);
                if (!boards[ni].isDead() && messages.queuedCount() > 0)
                {
                    return messages.oldestQueued() + " has no outcome; " + boards[ni].state();
                }
                if (hosts[ni].receivers[channel].hasUnread())
                {
                    return hosts[ni] + " channel " + channel + " has not read all that arrived";
                }
            }
            if (!hosts[ni].isAtRest())
            {
                return hosts[ni] + " waits for its board to forget; " + boards[ni].state();
            }
            if (!boards[ni].isDead() && boards[ni].hasOwnMessages())
            {
                return boards[ni] + " has replies or multicasts that did not leave";
            }
        }
        for (final GroupOwner group : groups)
        {
            if (!group.isAtRest())
            {
                return group + " is changing";
            }
        }
        return separatedCount == 0 ? null : separatedCount + " pairs of living NIs do not reach each other";
    }

    void awaitReunion(final int change)
    {
        separatedCount += change;
    }

    /** At rest: everything adds up. */
    public void checkAtRest()
    {
        checkThoroughly();
        ledger.checkAtRest();
        for (int ni = 0; ni < boards.length; ni++)
        {
            hosts[ni].checkAtRest();
            for (int channel = 0; channel < channelCount; channel++)
            {
                // A dead NI cannot count any more.
                ledger.channel(ni, channel).checkAccounts(boards[ni].isDead() ? null : boards[ni].registers(channel));
            }
            if (!boards[ni].isDead())
            {
                boards[ni].checkAtRest();
            }
        }
    }

    /** Looks at every byte of host memory that remote operations may touch. */
    public void checkThoroughly()
    {
        for (final SimulatedHost host : hosts)
        {
            host.checkThoroughly();
        }
    }

    /** {@return the time of the run, and what happens next: the clock of all machines} */
    public VirtualClock clock()
    {
        return clock;
    }

    /** {@return what happened: the trace of all machines} */
    public Trace trace()
    {
        return trace;
    }

    /** {@return what was sent and delivered: the books of all machines} */
    public DeliveryLedger ledger()
    {
        return ledger;
    }

    /** {@return whether hosts have something left to send; false after {@link #endWork()}} */
    public boolean hasWork()
    {
        return workload.hasMore();
    }

    /** Hosts send nothing more. */
    public void endWork()
    {
        workload.end();
    }

    /** {@return everything that happened, packet by packet if that was recorded: a script that repeats it} */
    public FaultScript script()
    {
        return new FaultScript(begun(), faults.logs());
    }

    /** {@return faults of packets; how many of each kind} */
    public Map<FaultKind, Long> faultCounts()
    {
        return faults.counts();
    }

    /** {@return disturbances that began: a view, in their order} */
    public List<Disturbance> begun()
    {
        return disturbances.begun();
    }

    /** Steps of all boards' firmware. */
    public long stepCount()
    {
        long count = 0;
        for (final SimulatedBoard board : boards)
        {
            count += board.stepCount();
        }
        return count;
    }

    private void build(final int ni, final Run run, final Guards guards)
    {
        final SimulationParameters parameters = run.parameters();
        final boolean hasReplies = parameters.is(Setting.READ_PERMILLE);
        final boolean hasTrees = parameters.is(Setting.TREE_COUNT);
        final int boardChannelCount = channelCount + (hasReplies ? 1 : 0) + (hasTrees ? 1 : 0);
        final int queueLength = parameters.count(Setting.QUEUE_LENGTH);
        final int contextCount = parameters.count(Setting.CONTEXT_COUNT);
        final int sramLength = Math.max(SRAM_LENGTH_MIN, SRAM_BASE_LENGTH +
            contextCount * (BoardDescriptor.CONTEXT_LENGTH + STATIC_LENGTH) +
            boardChannelCount * (queueLength + DESCRIPTOR_LENGTH));
        final AtomicBuffer sram = Buffers.allocate(sramLength);
        final BoardGeometry geometry = new BoardGeometry(
            LANAI_9, ni, sramLength, boardChannelCount, queueLength, contextCount,
            parameters.is(Setting.CHURN_NS) ? contextCount * HostLayout.CHURN_STATIC_COUNT : 0, 0);
        geometry.write(sram);
        final Runnable wakeBoard = () -> boards[ni].wake();
        final BoardMemory memory = new BoardMemory(sram, geometry);
        hosts[ni] = new SimulatedHost(ni, run, memory, wakeBoard);
        boards[ni] = new SimulatedBoard(ni, run, memory, hosts[ni],
            new NiObserver(ni, parameters, ledger, trace, run.canary()), fabric.wire(ni), this,
            config(parameters, hasReplies), guards);
        fabric.onWake(ni, wakeBoard);
    }

    private static FirmwareConfig config(final SimulationParameters parameters, final boolean hasReplies)
    {
        return FirmwareConfig.DEFAULT.with(values ->
        {
            values.sequenceBits = parameters.count(Setting.SEQUENCE_BITS);
            values.window = parameters.count(Setting.WINDOW);
            values.tokenCount = parameters.count(Setting.TOKEN_COUNT);
            values.channelQuota = BitUtil.findNextPositivePowerOfTwo(parameters.count(Setting.CHANNEL_QUOTA));
            values.quantumLength = parameters.count(Setting.QUANTUM_LENGTH);
            values.retryDelayNsMin = parameters.get(Setting.RETRY_NS_MIN);
            values.retryDelayNsMax = Math.max(values.retryDelayNsMin, parameters.get(Setting.RETRY_NS_MAX));
            values.timeOutNsMin = parameters.get(Setting.TIME_OUT_NS_MIN);
            values.timeOutNsMax = Math.max(values.timeOutNsMin, parameters.get(Setting.TIME_OUT_NS_MAX));
            values.timeOutCountMax = parameters.count(Setting.TIME_OUT_COUNT_MAX);
            values.goneNs = parameters.get(Setting.GONE_NS);
            values.isCutThrough = parameters.is(Setting.CUT_THROUGH);
            values.injectionTimeOutNs = parameters.get(Setting.INJECTION_TIME_OUT_NS);
            values.hasReplyChannel = hasReplies;
            values.hasMulticastChannel = parameters.is(Setting.TREE_COUNT);
            values.translationPageCount = Math.max(TRANSLATION_PAGE_COUNT_MIN,
                BitUtil.findNextPositivePowerOfTwo(parameters.count(Setting.TRANSLATION_PAGE_COUNT)));
        });
    }

    private static Topology topology(final SimulationParameters parameters)
    {
        final int nodeCount = parameters.count(Setting.NODE_COUNT);
        final int leafPortCount = parameters.count(Setting.LEAF_PORT_COUNT);
        if (leafPortCount == 0)
        {
            return Topology.crossbar(nodeCount);
        }
        return Topology.leafSpine((nodeCount + leafPortCount - 1) / leafPortCount, leafPortCount, 2);
    }
}
