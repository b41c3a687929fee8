// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.Board;
import org.grim.ni.board.DirectHostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.board.Routes;
import org.grim.ni.board.Wire;
import org.grim.ni.event.NiListener;
import org.grim.ni.fabric.DirectFabric;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/** A board with its host in one thread, in real time. Node and NI have the same number. */
public final class BenchBoard
{
    private static final int LANAI_MODEL = 9;
    private static final int QUEUE_LENGTH = 16 * 1024;
    private static final int FRAME_LENGTH = 256;
    private static final int FRAME_COUNT = 64;
    private static final int ARRIVAL_LENGTH = FRAME_LENGTH * FRAME_COUNT;
    private static final int NODE_SHIFT = 4;
    private static final int SRAM_LENGTH = 8 << 20;
    private static final int HANDLER = 1;
    private static final int PACKET_COUNT = 4;
    private static final int PACKET_LENGTH_MAX = 70_000;

    private final int ni;
    private final AtomicBuffer sram = Buffers.allocate(SRAM_LENGTH);
    private final ChannelAppender[] appenders;
    private final ArrivalReader[] readers;
    private final ChannelRegisters[] registers;
    private final MessageHeader header = new MessageHeader();
    private final ControlProgram program;

    /** Joins two boards. */
    public static DirectFabric fabric()
    {
        return new DirectFabric(2, PACKET_COUNT, PACKET_LENGTH_MAX);
    }

    public BenchBoard(final int ni, final int channelCount, final Wire wire)
    {
        this.ni = ni;
        final BoardGeometry geometry =
            new BoardGeometry(LANAI_MODEL, ni, SRAM_LENGTH, channelCount, QUEUE_LENGTH, 1, 0, 0);
        geometry.write(sram);
        BoardDescriptor.epoch(sram, 1);
        final AtomicBuffer region = Buffers.allocate(ARRIVAL_LENGTH * channelCount);
        appenders = new ChannelAppender[channelCount];
        readers = new ArrivalReader[channelCount];
        registers = new ChannelRegisters[channelCount];
        for (int channel = 0; channel < channelCount; channel++)
        {
            registers[channel] = new ChannelRegisters(sram, geometry, channel);
            registers[channel].put(CONTEXT, 0).put(WEIGHT, 1).put(OWNER_ADDRESS, ni << NODE_SHIFT)
                .put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_TAIL_FLAG).put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH)
                .put(ChannelRegisters.FRAME_COUNT, FRAME_COUNT)
                .put(ARRIVAL_ADDRESS, HostMemory.address(0, (long)channel * ARRIVAL_LENGTH));
            registers[channel].enableRelease();
            appenders[channel] = new ChannelAppender(sram, geometry, channel);
            readers[channel] = ArrivalReader.of(region, registers[channel]);
        }
        program = firmware(sram, region, 2, wire);
    }

    /** The firmware of one of some boards, each in its own memory, with the memory of one host process. */
    public static ControlProgram firmware(
        final AtomicBuffer sram, final AtomicBuffer region, final int boardCount, final Wire wire)
    {
        final HostMemory memory = new HostMemory(1);
        memory.attach(0, region);
        return new ControlProgram(new Board(sram, memory, new DirectHostEngine(memory), wire, System::nanoTime,
            ActionMeter.NONE, context -> Thread.onSpinWait()),
            FirmwareConfig.DEFAULT.with(values -> values.hasReplyChannel = false), Routes.sameNumber(boardCount),
            NiListener.NONE);
    }

    /** {@return its firmware, to be stepped} */
    public ControlProgram program()
    {
        return program;
    }

    /** Appends an active message without waiting. */
    public void send(final int channel, final int destinationNi, final int payloadLength, final int number)
    {
        final int index = appenders[channel].claim(MessageHeader.LENGTH + payloadLength);
        if (index == ChannelAppender.NO_ROOM)
        {
            throw new IllegalStateException("channel=" + channel + " has no room, although nothing is under way");
        }
        header.wrap(sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, ni << NODE_SHIFT), destinationNi << NODE_SHIFT,
            MessageHeader.routeWord(channel, channel), HANDLER, payloadLength, number, 0);
        appenders[channel].publish();
    }

    /** Whether a message is there. */
    public boolean hasArrived(final int channel)
    {
        return readers[channel].hasMessage();
    }

    /** Takes a message if one is there. */
    public boolean tryReceive(final int channel)
    {
        if (!readers[channel].hasMessage())
        {
            return false;
        }
        readers[channel].release();
        return true;
    }

    /** Whether all that was sent on a channel has been acknowledged. */
    public boolean isSettled(final int channel)
    {
        final ChannelRegisters channelRegisters = registers[channel];
        return channelRegisters.get(FRONT) == ChannelRegisters.back(channelRegisters.getAcquire(BACK_AND_FILLED));
    }
}
