// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Board;
import org.grim.ni.board.HostMemory;
import org.grim.ni.board.Routes;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.event.NiListener;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/**
 * A board with its host in virtual time, with the real control program, one channel for the host and one of its own for
 * multicasts; the event is its next step.
 */
final class TimedBoard extends Event
{
    private static final int SRAM_LENGTH = 1 << 20;
    private static final int QUEUE_LENGTH = 64 << 10;
    private static final int FRAME_LENGTH = 8 << 10;
    private static final int FRAME_COUNT = 16;
    private static final int ARRIVAL_LENGTH = FRAME_LENGTH * FRAME_COUNT;
    private static final int REGION_LENGTH = ARRIVAL_LENGTH + Buffers.CACHE_LINE_LENGTH;
    private static final int NODE_SHIFT = 4;
    private static final int HANDLER = 1;
    private static final int CHANNEL_COUNT = 2;

    final ArrivalReader reader;
    int transferCount;
    private final int ni;
    private final VirtualClock clock;
    private final AtomicBuffer sram = Buffers.allocate(SRAM_LENGTH);
    private final MessageHeader header = new MessageHeader();
    private final ChannelAppender appender;
    private final VirtualProcessor processor;
    private final ControlProgram program;
    private boolean isStepping;
    private boolean isWoken;

    TimedBoard(
        final int ni, final int niCount, final int model, final int arrivalMode, final LanaiTiming timing,
        final VirtualClock clock, final Fabric fabric)
    {
        this.ni = ni;
        this.clock = clock;
        final BoardGeometry geometry = new BoardGeometry(model, ni, SRAM_LENGTH, CHANNEL_COUNT, QUEUE_LENGTH,
            1, 0, 0);
        geometry.write(sram);
        BoardDescriptor.epoch(sram, 1);
        final AtomicBuffer region = Buffers.allocate(REGION_LENGTH);
        final HostMemory memory = new HostMemory(1);
        memory.attach(0, region);
        final ChannelRegisters registers = new ChannelRegisters(sram, geometry, 0);
        registers.put(CONTEXT, 0).put(WEIGHT, 1).put(OWNER_ADDRESS, ni << NODE_SHIFT).put(ARRIVAL_MODE, arrivalMode)
            .put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH).put(ChannelRegisters.FRAME_COUNT, FRAME_COUNT)
            .put(ARRIVAL_ADDRESS, HostMemory.address(0, 0))
            .put(POINTER_ADDRESS, HostMemory.address(0, ARRIVAL_LENGTH));
        registers.enableRelease();
        appender = new ChannelAppender(sram, geometry, 0);
        reader = ArrivalReader.of(region, registers);
        processor = VirtualProcessor.of(timing, 1);
        final VirtualHostEngine engine = VirtualHostEngine.of(memory, clock, processor, timing, this::onTransfer);
        fabric.onWake(ni, this::wake);
        program = new ControlProgram(new Board(sram, memory, engine, fabric.wire(ni), processor, processor,
            context -> wake()), FirmwareConfig.DEFAULT.with(values ->
            {
                values.hasReplyChannel = false;
                values.hasMulticastChannel = true;
            }), Routes.sameNumber(niCount), NiListener.NONE);
        wake();
    }

    void send(final int destinationNi, final int payloadLength)
    {
        final int index = appender.claim(MessageHeader.LENGTH + payloadLength);
        header.wrap(sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, ni << NODE_SHIFT),
            destinationNi << NODE_SHIFT, MessageHeader.routeWord(0, 0), HANDLER, payloadLength, 0, 0);
        publish();
    }

    /** Begins an epoch of a tree of the NIs 0 to one less than a count. */
    void open(final int tree, final int niCount)
    {
        final int index = claim(MessageType.MULTICAST_TREE_UPDATE, tree, niCount * MulticastFormat.SUBSCRIBER_LENGTH);
        MulticastFormat.putExtension(sram, index, MulticastFormat.OPEN, 1, 0, 0);
        for (int i = 0; i < niCount; i++)
        {
            MulticastFormat.putSubscriber(sram, index, i, i, 0, 0, i << NODE_SHIFT);
        }
        publish();
    }

    void multicast(final int tree, final int dataLength)
    {
        final int index = claim(MessageType.MULTICAST_DATA, tree, dataLength);
        MulticastFormat.putExtension(sram, index, MulticastFormat.DATA, 1, dataLength, 0);
        publish();
    }

    private int claim(final MessageType type, final int tree, final int dataLength)
    {
        final int payloadLength = MulticastFormat.EXTENSION_LENGTH + dataLength;
        final int index = appender.claim(MessageHeader.LENGTH + payloadLength);
        header.wrap(sram, index).identity(0, 0).put(MulticastFormat.typeWord(type, ni << NODE_SHIFT, tree), 0,
            MessageHeader.routeWord(0, MulticastFormat.INJECTION_CHANNEL), 0, payloadLength, 0, 0);
        return index;
    }

    private void publish()
    {
        appender.publish();
        wake();
    }

    @Override
    protected void run()
    {
        isWoken = false;
        isStepping = true;
        processor.begin(clock.nowNs());
        final int workCount = program.step();
        isStepping = false;
        final long freeNs = Math.max(clock.nowNs() + 1, processor.nowNs());
        if (workCount > 0 || isWoken)
        {
            clock.schedule(this, freeNs);
        }
        else if (program.nextDeadlineNs() != Long.MAX_VALUE)
        {
            clock.schedule(this, Math.max(freeNs, program.nextDeadlineNs()));
        }
    }

    private void onTransfer()
    {
        transferCount++;
        wake();
    }

    private void wake()
    {
        if (isStepping || program == null)
        {
            isWoken = true;
            return;
        }
        final long timeNs = Math.max(clock.nowNs(), processor.nowNs());
        if (!isScheduled() || timeNs() > timeNs)
        {
            clock.reschedule(this, timeNs);
        }
    }
}
