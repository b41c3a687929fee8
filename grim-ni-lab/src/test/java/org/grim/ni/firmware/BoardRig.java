// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
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
import org.grim.ni.guard.Guards;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/** A board with its host, for tests that step firmware by hand: node and NI have the same number. */
final class BoardRig
{
    static final int FRAME_LENGTH = 4096;
    static final int FRAME_COUNT = 16;
    static final int CHANNEL_SPACE = FRAME_LENGTH * FRAME_COUNT + 64;

    final int ni;
    final AtomicBuffer sram;
    final BoardGeometry geometry;
    final HostMemory hostMemory;
    final AtomicBuffer region;
    final ChannelAppender[] appenders;
    final ChannelRegisters[] registers;
    final ArrivalReader[] readers;
    final List<Integer> received = new ArrayList<>();
    private final MessageHeader header = new MessageHeader();
    private Wire wire;
    private final long[] nowNs;
    private final Routes routes;
    private final NiListener listener;
    ControlProgram program;
    private Board board;
    private Guards runningGuards;
    int position;                       // Of the message that was sent last.

    BoardRig(
        final int ni, final int niCount, final int channelCount, final int queueLength, final Wire wire,
        final long[] nowNs, final NiListener listener)
    {
        this.ni = ni;
        this.wire = wire;
        this.nowNs = nowNs;
        this.listener = listener;
        routes = Routes.sameNumber(niCount);
        final int sramLength = 64 * 1024 + channelCount * (queueLength + 512);
        geometry = new BoardGeometry(9, ni, sramLength, channelCount, queueLength, 1, 0, 0);
        sram = Buffers.allocate(sramLength);
        geometry.write(sram);
        hostMemory = new HostMemory(1);
        region = Buffers.allocate(CHANNEL_SPACE * channelCount);
        hostMemory.attach(0, region);
        appenders = new ChannelAppender[channelCount];
        registers = new ChannelRegisters[channelCount];
        readers = new ArrivalReader[channelCount];
        Arrays.setAll(registers, channel -> new ChannelRegisters(sram, geometry, channel));
    }

    void enable(final int channel, final int mode, final int frameCount)
    {
        registers[channel].put(CONTEXT, 0).put(WEIGHT, 1).put(OWNER_ADDRESS, ni << 4).put(ARRIVAL_MODE, mode)
            .put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH)
            .put(ChannelRegisters.FRAME_COUNT, frameCount)
            .put(ARRIVAL_ADDRESS, HostMemory.address(0, (long)channel * CHANNEL_SPACE))
            .put(POINTER_ADDRESS, HostMemory.address(0, (long)channel * CHANNEL_SPACE + FRAME_LENGTH * FRAME_COUNT));
        registers[channel].enableRelease();
        appenders[channel] = new ChannelAppender(sram, geometry, channel);
        readers[channel] = ArrivalReader.of(region, registers[channel]);
    }

    /** The wire of the next start. */
    void wire(final Wire newWire)
    {
        wire = newWire;
    }

    void start(final int epoch, final FirmwareConfig config, final Guards guards)
    {
        BoardDescriptor.epoch(sram, epoch);
        runningGuards = guards;
        board = new Board(sram, hostMemory, new DirectHostEngine(hostMemory), wire, () -> nowNs[0], ActionMeter.NONE,
            context -> new Doorbell(sram, geometry).isRung());
        program = guards.start(board, config, routes, listener);
    }

    /** Lets the firmware step, unless it is off. Returns how much it did. */
    int step()
    {
        if (program == null)
        {
            return 0;
        }
        final int workCount = program.step();
        runningGuards.stepped(board);
        return workCount;
    }

    boolean send(
        final int channel, final int destinationNi, final int destinationChannel, final int number,
        final int payloadLength)
    {
        final int index = appenders[channel].claim(MessageHeader.LENGTH + (payloadLength + 3 & -4));
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        write(index, channel, destinationNi, destinationChannel, number, payloadLength);
        position = appenders[channel].position();
        appenders[channel].publish();
        return true;
    }

    void write(
        final int index, final int channel, final int destinationNi, final int destinationChannel, final int number,
        final int payloadLength)
    {
        header.wrap(sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, ni << 4), destinationNi << 4,
            MessageHeader.routeWord(channel, destinationChannel), 7, payloadLength,
            MessageHeader.pair(number, payloadLength), 0);
        for (int i = 0; i < payloadLength; i++)
        {
            sram.putByte(index + MessageHeader.LENGTH + i, (byte)(number + i));
        }
    }

    /** Takes at most so many messages of a channel; their numbers go to {@link #received}. */
    int receive(final int channel, final int limit)
    {
        int count = 0;
        while (count < limit && readers[channel].hasMessage())
        {
            final int index = readers[channel].index();
            final int number = region.getInt(index + 16, ByteOrder.BIG_ENDIAN);
            final int payloadLength = region.getInt(index + 20, ByteOrder.BIG_ENDIAN);
            for (int i = 0; i < payloadLength; i++)
            {
                if (region.getByte(index + MessageHeader.LENGTH + i) != (byte)(number + i))
                {
                    throw new AssertionError("message " + number + ", byte " + i);
                }
            }
            received.add(number);
            readers[channel].release();
            count++;
        }
        return count;
    }
}
