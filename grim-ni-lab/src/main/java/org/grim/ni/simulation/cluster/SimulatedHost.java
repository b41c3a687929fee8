// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.util.stream.Stream;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.host.PageTable;
import org.grim.board.host.TranslationResponder;
import org.grim.buffer.Buffers;
import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.Event;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/**
 * The processes that use one board: contexts with their memory, a sender and a receiver for each channel, and what
 * answers the board's translation requests.
 * <p>Thread: the simulation's.
 */
final class SimulatedHost
{
    private static final int NODE_SHIFT = 4;
    private static final int NOBODY = 1;
    private static final int BOTH_MODES = 3;
    private static final int SLOWNESS = 100;
    private static final long TRANSLATION_NS = 2000;

    final int ni;
    final HostMemory memory;
    final HostSender[] senders;
    final HostReceiver[] receivers;
    private final Run run;
    private final BoardMemory board;
    private final Runnable wakeBoard;
    private final int nodeCount;
    private final HostLayout layout;
    private final AtomicBuffer[] regions;
    private final RemoteArea[] areas;
    private final ChurnArea[] churn;        // Empty where no memory comes and goes.
    private final Responder[] responders;

    SimulatedHost(final int ni, final Run run, final BoardMemory board, final Runnable wakeBoard)
    {
        final SimulationParameters parameters = run.parameters();
        final BoardGeometry geometry = board.geometry();
        this.ni = ni;
        this.run = run;
        this.board = board;
        this.wakeBoard = wakeBoard;
        layout = run.layout();
        nodeCount = parameters.count(Setting.NODE_COUNT);
        memory = new HostMemory(geometry.contextCount());
        regions = new AtomicBuffer[geometry.contextCount()];
        areas = new RemoteArea[regions.length];
        churn = new ChurnArea[parameters.is(Setting.CHURN_NS) ? regions.length : 0];
        responders = new Responder[regions.length];
        for (int context = 0; context < regions.length; context++)
        {
            regions[context] = Buffers.allocate(layout.regionLength);
            memory.attach(context, regions[context]);
            areas[context] = new RemoteArea(ni, context, regions[context], run);
            publishRegistered(new ContextRegisters(board.sram(), geometry, context), context);
            if (churn.length > 0)
            {
                churn[context] = new ChurnArea(ni, context, regions[context], run, board, wakeBoard);
                run.workload().churnArea(ni, context, churn[context]);
            }
            responders[context] = new Responder(context);
        }
        final int channelCount = parameters.count(Setting.CHANNEL_COUNT);
        senders = new HostSender[channelCount];
        receivers = new HostReceiver[channelCount];
        for (int channel = 0; channel < geometry.channelCount(); channel++)
        {
            final ChannelRegisters registers = new ChannelRegisters(board.sram(), geometry, channel);
            enable(registers, channel, channel < channelCount ? mode(parameters, channel) : 0);
            if (channel < channelCount)
            {
                final boolean isSlow = run.workload().draws().chance(parameters.get(Setting.SLOW_RECEIVER_PERMILLE));
                final long delayNs = parameters.get(Setting.RECEIVE_DELAY_NS) * (isSlow ? SLOWNESS : 1);
                receivers[channel] = new HostReceiver(ni, channel, region(channel), registers, run, delayNs);
                senders[channel] = new HostSender(this, channel, board, run, wakeBoard);
            }
        }
    }

    /** Node and device of this host. */
    int address()
    {
        return nodeOf(ni) << NODE_SHIFT;
    }

    /** Nodes are numbered in the reverse order of NIs, so that one is not taken for the other. */
    int nodeOf(final int ofNi)
    {
        return ofNi < nodeCount ? nodeCount - 1 - ofNi : ofNi;
    }

    int unknownNi()
    {
        return nodeCount + NOBODY;
    }

    /** Memory of the context that a channel belongs to. */
    AtomicBuffer region(final int channel)
    {
        return regions[channel % regions.length];
    }

    boolean mayWrite(final int context, final int offset, final int length)
    {
        if (context >= regions.length || offset < 0 || offset + length > regions[context].capacity())
        {
            return false;
        }
        if (churn.length > 0 && churn[context].has(offset))
        {
            return churn[context].mayWrite(offset, length);
        }
        return offset + length <= layout.readSourceOffset || areas[context].mayWrite(offset, length);
    }

    /** A transfer between board and host memory has ended. */
    void onTransferComplete(final boolean isEngineIdle)
    {
        for (final RemoteArea area : areas)
        {
            area.onTransferComplete(isEngineIdle);
        }
        for (final ChurnArea area : churn)
        {
            area.onTransferComplete(isEngineIdle);
        }
        for (final HostReceiver receiver : receivers)
        {
            receiver.wake();
        }
    }

    void onBoardReset()
    {
        for (final RemoteArea area : areas)
        {
            area.onReset();
        }
    }

    void onInterrupt(final int context)
    {
        responders[context].wake();
    }

    void checkThoroughly()
    {
        for (final RemoteArea area : areas)
        {
            area.checkThoroughly();
        }
        for (final ChurnArea area : churn)
        {
            area.checkThoroughly();
        }
    }

    void checkAtRest()
    {
        for (final RemoteArea area : areas)
        {
            area.checkAtRest();
        }
    }

    /** Whether all freed memory was taken back. */
    boolean isAtRest()
    {
        return Stream.of(churn).allMatch(ChurnArea::isAtRest);
    }

    /** All processes end and new ones take over. */
    void restart()
    {
        for (int channel = 0; channel < senders.length; channel++)
        {
            senders[channel].restart();
            receivers[channel].restart();
        }
        for (final Responder responder : responders)
        {
            responder.restart();
        }
    }

    void stopSenders()
    {
        for (final HostSender sender : senders)
        {
            sender.stop();
        }
        for (final ChurnArea area : churn)
        {
            area.onBoardDead();
        }
    }

    @Override
    public String toString()
    {
        return "host of NI " + ni;
    }

    /** The second context says that its memory goes on where it ends. */
    private void publishRegistered(final ContextRegisters registers, final int context)
    {
        registers.registered(layout.readSourceOffset, context == 1 ? HostLayout.LYING_LENGTH :
            layout.guardOffset - layout.readSourceOffset);
    }

    private void enable(final ChannelRegisters registers, final int channel, final int mode)
    {
        final int context = channel % regions.length;
        final boolean hasPointer = mode == ChannelRegisters.ARRIVAL_QUEUE_POINTER;
        registers.put(CONTEXT, context).put(WEIGHT, 1).put(OWNER_ADDRESS, address())
            .put(ChannelRegisters.ARRIVAL_MODE, mode);
        if (mode != 0)
        {
            registers.put(FRAME_LENGTH, layout.frameLength).put(FRAME_COUNT, layout.frameCount(hasPointer))
                .put(ARRIVAL_ADDRESS, HostMemory.address(context, layout.arrivalOffset(channel)))
                .put(POINTER_ADDRESS, HostMemory.address(context, layout.pointerOffset(channel)));
        }
        registers.enableRelease();
    }

    private static int mode(final SimulationParameters parameters, final int channel)
    {
        final int mode = parameters.count(Setting.ARRIVAL_MODE);
        return mode == BOTH_MODES ? 1 + channel % 2 : mode;
    }

    /** Answers translation requests of one context. */
    private final class Responder extends Event
    {
        private final int context;
        private TranslationResponder responder;

        Responder(final int context)
        {
            this.context = context;
            restart();
        }

        private long physicalPage(final long page)
        {
            final long offset = page - HostLayout.VIRTUAL_START;
            if (offset < 0)
            {
                return churn.length == 0 ? PageTable.NONE : churn[context].physicalPage(page);
            }
            final int rights = layout.rightsAt(offset);
            return rights == 0 ? PageTable.NONE : HostMemory.address(context, offset) + rights;
        }

        void restart()
        {
            responder = new TranslationResponder(new ContextRegisters(board.sram(), board.geometry(), context),
                regions[context], HostMemory.address(context, 0), this::physicalPage);
            wake();
        }

        void wake()
        {
            if (!isScheduled())
            {
                run.clock().schedule(this, run.clock().nowNs() + TRANSLATION_NS);
            }
        }

        @Override
        protected void run()
        {
            if (responder.poll() > 0)
            {
                wakeBoard.run();
            }
        }
    }
}
