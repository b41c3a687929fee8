// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.ChannelOwners;
import org.grim.ni.board.Routes;
import org.grim.ni.control.ControlQueue;
import org.grim.ni.control.ControlWriter;
import org.grim.ni.control.SynchroniseMessage;
import org.grim.ni.delivery.DeliveryLimits;
import org.grim.ni.delivery.EpochRule;
import org.grim.ni.delivery.IntakeLimits;
import org.grim.ni.delivery.ReliableDelivery;
import org.grim.ni.delivery.Scoreboard;
import org.grim.ni.event.NiListener;
import org.grim.ni.window.SequenceSpace;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/**
 * Reliable delivery of one NI without the control program around it: no wire, and time stands where it is put. Node and
 * NI have the same number. Control messages are never sent.
 * <p>Thread: one. Owns: the board's memory.
 */
final class BenchDelivery
{
    static final int NI_COUNT = 256;
    static final int RETRY_DELAY_NS = 1000;

    private static final int NI = 0;
    private static final int CHANNEL = 0;
    private static final int LANAI_MODEL = 9;
    private static final int SRAM_LENGTH = 1 << 20;
    private static final int QUEUE_LENGTH = 64 * 1024;
    private static final int TOKEN_COUNT = 256;
    private static final int NODE_SHIFT = 4;
    private static final int HANDLER = 100;
    /** Nothing is late: nobody asks. */
    private static final long TIME_OUT_NS = 1L << 56;
    private static final long OWN_EPOCH = 1L << Integer.SIZE;

    private final AtomicBuffer sram = Buffers.allocate(SRAM_LENGTH);
    private final MessageHeader header = new MessageHeader();
    private final ChannelAppender appender;
    private final ReliableDelivery delivery;

    BenchDelivery()
    {
        final BoardGeometry geometry = new BoardGeometry(LANAI_MODEL, NI, SRAM_LENGTH, 1, QUEUE_LENGTH, 1, 0, 0);
        geometry.write(sram);
        BoardDescriptor.epoch(sram, 1);
        new ChannelRegisters(sram, geometry, CHANNEL).put(CONTEXT, 0).put(WEIGHT, 1)
            .put(OWNER_ADDRESS, NI << NODE_SHIFT)
            .put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_NONE).enableRelease();
        appender = new ChannelAppender(sram, geometry, CHANNEL);
        final DeliveryLimits limits = new DeliveryLimits(
            new SequenceSpace(SequenceSpace.BITS_MAX, SequenceSpace.WINDOW_MAX), RETRY_DELAY_NS,
            RETRY_DELAY_NS, TIME_OUT_NS, TIME_OUT_NS, 1, 0, false, 0);
        delivery = new ReliableDelivery(sram, geometry, Routes.sameNumber(NI_COUNT), limits,
            new IntakeLimits(
                new Scoreboard(TOKEN_COUNT), TOKEN_COUNT, false, -1, new ChannelOwners(sram, geometry)),
            new ControlQueue(BenchBoard.fabric().wire(NI), new ControlWriter(ActionMeter.NONE, NI << NODE_SHIFT)),
            channel -> { }, NiListener.NONE, new EpochRule());
        delivery.sender().recover();
    }

    ReliableDelivery delivery()
    {
        return delivery;
    }

    /** Another NI tells its epoch, and that it knows this one's. */
    void synchronise(final int ni)
    {
        final AtomicBuffer packet = Buffers.allocate(SynchroniseMessage.LENGTH);
        new SynchroniseMessage().wrap(packet, 0).put(ni << NODE_SHIFT, NI << NODE_SHIFT, OWN_EPOCH, OWN_EPOCH,
            true, 0, 0);
        delivery.synchroniser().onSynchronise(ni, packet, 0, 0);
    }

    /** Appends an active message without payload to the channel. */
    void append(final int destinationNi)
    {
        final int index = appender.claim(MessageHeader.LENGTH);
        if (index == ChannelAppender.NO_ROOM)
        {
            throw new IllegalStateException("no room, in flight=" + delivery.inFlightCount());
        }
        header.wrap(sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, NI << NODE_SHIFT), destinationNi << NODE_SHIFT,
            MessageHeader.routeWord(CHANNEL, 0), HANDLER, 0, index, 0);
        appender.publish();
    }
}
