// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.ni.board.Board;
import org.grim.ni.board.HostMemory;
import org.grim.ni.board.Routes;
import org.grim.ni.board.Wire;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.ni.guard.Guards;
import org.grim.ni.multicast.MulticastCount;
import org.grim.ni.multicast.Trees;
import org.grim.ni.simulation.check.DeliveryLedger;
import org.grim.ni.simulation.check.NiObserver;
import org.grim.ni.simulation.check.Trace;
import org.grim.ni.simulation.check.ViolationException;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.ni.timing.LanaiTiming;
import org.grim.ni.timing.VirtualHostEngine;
import org.grim.ni.timing.VirtualProcessor;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;

/**
 * One board in virtual time: it steps when something woke it and its processor is free, sleeps when there is nothing to
 * do, and can be paused, reset and killed.
 * <p>Thread: the simulation's. The event is the board's next step.
 */
final class SimulatedBoard extends Event
{
    private static final int LANAI_4 = 4;
    private static final int LANAI_9 = 9;
    private static final int ENVELOPED_LENGTH_MAX = 1 << 14;
    private static final int TRANSFER_ACTIONS = 4;

    private final int ni;
    private final VirtualClock clock;
    private final AtomicBuffer sram;
    private final BoardGeometry geometry;
    private final SimulatedHost host;
    private final NiObserver observer;
    private final DeliveryLedger ledger;
    private final Trace trace;
    private final BoardWire wire;
    private final Routes routes;
    private final FirmwareConfig config;
    private final Guards guards;
    private final VirtualProcessor processor;
    private final VirtualHostEngine engine;
    private final ChannelRegisters[] registers;
    private final int quota;
    private Board board;
    private ControlProgram program;
    private int epoch;
    private int pauseCount;
    private boolean isDead;
    private boolean isStepping;
    private boolean isWoken;
    private long stepCount;

    SimulatedBoard(
        final int ni, final Run run, final BoardMemory memory, final SimulatedHost host, final NiObserver observer,
        final Wire wire, final Routes routes, final FirmwareConfig config, final Guards guards)
    {
        final SimulationParameters parameters = run.parameters();
        this.ni = ni;
        this.host = host;
        this.observer = observer;
        clock = run.clock();
        ledger = run.ledger();
        trace = run.trace();
        sram = memory.sram();
        geometry = memory.geometry();
        this.wire = new BoardWire(wire, trace);
        this.routes = routes;
        this.config = config;
        this.guards = guards;
        quota = BitUtil.findNextPositivePowerOfTwo(parameters.count(Setting.CHANNEL_QUOTA));
        final LanaiTiming timing = timing(parameters);
        final long actionNs = parameters.get(Setting.ACTION_NS);
        processor = timing == null ? VirtualProcessor.uniform(actionNs) :
            VirtualProcessor.of(timing, geometry.channelCount());
        engine = timing == null ?
            VirtualHostEngine.uniform(
                host.memory, clock, processor, actionNs * TRANSFER_ACTIONS, this::onTransferComplete) :
            VirtualHostEngine.of(host.memory, clock, processor, timing, this::onTransferComplete);
        engine.checkWrites(this::checkWrite);
        registers = new ChannelRegisters[parameters.count(Setting.CHANNEL_COUNT)];
        for (int channel = 0; channel < registers.length; channel++)
        {
            registers[channel] = new ChannelRegisters(sram, geometry, channel);
        }
    }

    /** Starts the firmware under the next epoch. */
    void start()
    {
        epoch++;
        BoardDescriptor.epoch(sram, epoch);
        final Wire boardWire = wire.isLossy() ? guards.envelope(wire, ni, epoch, ENVELOPED_LENGTH_MAX) : wire;
        board = new Board(
            sram, host.memory, engine, boardWire, processor, processor, this::onInterrupt);
        program = guards.start(board, config, routes, observer);
        check();                    // It may have moved fronts already.
        wake();
    }

    /** The board is reset, and stands still until {@link #start()}. */
    void reset()
    {
        clock.cancel(this);
        program = null;
        engine.cancelAll();
        wire.reset();
        host.onBoardReset();
        if (observer.onReset() > 0)
        {
            trace.reach(Probe.RESTART_IN_FLIGHT);
        }
    }

    void kill()
    {
        reset();
        isDead = true;
        wake();
    }

    boolean isDead()
    {
        return isDead;
    }

    boolean isStopped()
    {
        return program == null;
    }

    void pause()
    {
        pauseCount++;
        clock.cancel(this);
    }

    void resume()
    {
        pauseCount--;
        wake();
    }

    /** Something has happened that the firmware may want to see. */
    void wake()
    {
        if (isDead)
        {
            wire.swallow();
            return;
        }
        if (isStepping)
        {
            isWoken = true;
            return;
        }
        if (program == null || pauseCount > 0)
        {
            return;
        }
        final long timeNs = Math.max(clock.nowNs(), processor.nowNs());
        if (!isScheduled() || timeNs() > timeNs)
        {
            clock.reschedule(this, timeNs);
        }
    }

    @Override
    protected void run()
    {
        stepCount++;
        isWoken = false;
        isStepping = true;
        processor.begin(clock.nowNs());
        final int workCount = program.step();
        guards.stepped(board);
        isStepping = false;
        check();
        final long freeNs = Math.max(clock.nowNs() + 1, processor.nowNs());
        if (workCount > 0 || isWoken)
        {
            clock.schedule(this, freeNs);
            return;
        }
        final long deadlineNs = program.nextDeadlineNs();
        if (deadlineNs != Long.MAX_VALUE)
        {
            clock.schedule(this, Math.max(freeNs, deadlineNs));
        }
    }

    long stepCount()
    {
        return stepCount;
    }

    ChannelRegisters registers(final int channel)
    {
        return registers[channel];
    }

    /** Whether a channel of the NI's own holds replies or multicasts. */
    boolean hasOwnMessages()
    {
        for (int channel = registers.length; channel < geometry.channelCount(); channel++)
        {
            final ChannelRegisters own = new ChannelRegisters(sram, geometry, channel);
            if (own.getAcquire(FRONT) != ChannelRegisters.back(own.getAcquire(BACK_AND_FILLED)))
            {
                return true;
            }
        }
        return false;
    }

    /** At rest: each step of a multicast to a child is accounted for. */
    void checkAtRest()
    {
        final Trees trees = program.trees();
        final long forwardedCount = trees.counted(MulticastCount.FORWARDED);
        if (forwardedCount != trees.counted(MulticastCount.ACKNOWLEDGED) + trees.counted(MulticastCount.LOST))
        {
            throw new ViolationException("multicast accounts", this + ": forwarded " + forwardedCount +
                ", acknowledged " + trees.counted(MulticastCount.ACKNOWLEDGED) + ", lost " +
                trees.counted(MulticastCount.LOST));
        }
    }

    @Override
    public String toString()
    {
        return "NI " + ni;
    }

    /** Describes the possible cause of a standstill. */
    String state()
    {
        return program == null ? this + " is off" : this + " has " + program.controlQueueDepth() +
            " answers waiting, " + program.delivery().inFlightCount() + " tokens in flight and " +
            program.delivery().quarantineCount() + " in quarantine, next deadline " + program.nextDeadlineNs() +
            ", wire idle " + wire.isIdle() + ", packet " + wire.hasPacket() + ", next step " +
            (isScheduled() ? timeNs() : -1) + ", pauses " + pauseCount;
    }

    private void check()
    {
        for (int channel = 0; channel < registers.length; channel++)
        {
            final int front = registers[channel].get(FRONT);
            final int next = registers[channel].get(NEXT);
            final int back = ChannelRegisters.back(registers[channel].getAcquire(BACK_AND_FILLED));
            final int taken = next - front;
            final int filled = back - front;
            // A message that is sent while its host still writes it is taken before the back has passed it.
            if (taken < 0 || taken > geometry.queueLength() || filled < 0 || filled > geometry.queueLength())
            {
                throw new ViolationException("registers", this + " channel " + channel + ": front " + front +
                    ", next " + next + ", back " + back);
            }
            ledger.channel(ni, channel).frontAt(front, sram, geometry.queueOffset(channel));
            final int unsettledCount = program.delivery().sender().unsettledCount(channel);
            if (unsettledCount > quota)
            {
                throw new ViolationException("channel quota", this + " channel " + channel + " has " + unsettledCount +
                    " messages under way, more than " + quota);
            }
            if (unsettledCount == quota)
            {
                trace.reach(Probe.QUOTA_REACHED);
            }
        }
        final int depth = program.controlQueueDepth();
        final int depthMax = program.delivery().tripleCount() + program.delivery().peerCount() + routes.niCount();
        if (depth > depthMax)
        {
            throw new ViolationException("control queue", this + " has " + depth + " answers waiting, more than " +
                depthMax);
        }
    }

    /** Checks that the firmware writes where the host expects it. */
    private void checkWrite(final long address, final int length)
    {
        final int context = (int)PhysicalAddress.context(address);
        if (!host.mayWrite(context, HostMemory.index(address), length))
        {
            throw new ViolationException("stray write", "NI " + ni + " writes " + length + " bytes to context " +
                context + " offset " + HostMemory.index(address));
        }
    }

    private void onInterrupt(final int context)
    {
        trace.reach(Probe.TRANSLATION_MISSED);
        host.onInterrupt(context);
    }

    private void onTransferComplete()
    {
        host.onTransferComplete(engine.isIdle());
        wake();
    }

    private static LanaiTiming timing(final SimulationParameters parameters)
    {
        final int model = parameters.count(Setting.TIMING);
        if (model != LANAI_4 && model != LANAI_9)
        {
            return null;
        }
        return (model == LANAI_4 ? LanaiTiming.lanai4() : LanaiTiming.lanai9()).withDetection(
            parameters.is(Setting.DOORBELL_DETECTION) ? LanaiTiming.Detection.DOORBELL : LanaiTiming.Detection.SCAN);
    }
}
