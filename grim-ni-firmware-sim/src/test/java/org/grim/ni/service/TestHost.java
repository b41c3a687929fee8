// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.AttachRefusal;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.DmaRegionHeader;
import org.grim.board.NiRecord;
import org.grim.board.NiRoute;
import org.grim.board.PhysicalAddress;
import org.grim.board.host.ArrivalReader;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;
import static org.grim.board.ContextRegisters.FIRST_CHANNEL;
import static org.grim.board.ContextRegisters.REASON;
import static org.grim.board.ContextRegisters.REQUEST;
import static org.grim.board.ContextRegisters.REQUEST_DETACH;
import static org.grim.board.ContextRegisters.STATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A driver of a board, written by hand: one node that attaches and exchanges patterned messages. */
final class TestHost
{
    static final int FRAME_LENGTH = 4096;
    static final int FRAME_COUNT = 16;
    /** Behind the header, and the incarnation of the destination. */
    static final int PAYLOAD_OFFSET = MessageHeader.LENGTH + Integer.BYTES;
    static final int REGION_LENGTH = 64 * 1024 + 8 * FRAME_COUNT * FRAME_LENGTH;

    final DirectoryNode node;
    final ContextRegisters context;
    final int contextIndex;
    final List<Integer> received = new ArrayList<>();
    MappedFile region;
    ChannelRegisters[] registers;
    ChannelAppender[] appenders;
    ArrivalReader[] readers;
    int firstChannel;
    int channelCount;
    private final TestSite site;
    private final MessageHeader header = new MessageHeader();

    TestHost(final DirectoryNode node, final TestSite site, final int contextIndex)
    {
        this.node = node;
        this.site = site;
        this.contextIndex = contextIndex;
        context = new ContextRegisters(site.sram, site.geometry, contextIndex);
    }

    long owner()
    {
        return (long)node.number() << Integer.SIZE | node.incarnation();
    }

    /** Attaches, with channels enabled and the route published. */
    TestHost attach(final int count)
    {
        return attachAs(1, count);
    }

    /** The same, with a region of a later generation. */
    TestHost attachAs(final int generation, final int count)
    {
        makeRegion(generation, REGION_LENGTH);
        assertTrue(context.tryOwn(owner()));
        context.requestAttach(count, generation);
        site.board.housekeep();
        assertEquals(ContextRegisters.STATE_ATTACHED, context.getAcquire(STATE),
            () -> "refused for " + AttachRefusal.ofCode(context.get(REASON)));
        firstChannel = context.get(FIRST_CHANNEL);
        channelCount = count;
        registers = new ChannelRegisters[count];
        appenders = new ChannelAppender[count];
        readers = new ArrivalReader[count];
        for (int i = 0; i < count; i++)
        {
            enable(i);
        }
        record().publish(NiRoute.of(site.node.number(), firstChannel, FRAME_LENGTH - 64), site.node.incarnation(),
            FRAME_COUNT, 0);
        return this;
    }

    private NiRecord record()
    {
        return NiRecord.of(node.membership(), node.number());
    }

    void makeRegion(final int number, final int length)
    {
        region = MappedFile.create(
            node.nodeFile(node.number(), node.incarnation(), DmaRegionHeader.fileKind(number)), length);
        SegmentHeader.complete(region.buffer(), DmaRegionHeader.MAGIC);
        region.publish();
    }

    private void enable(final int channel)
    {
        final int ni = firstChannel + channel;
        registers[channel] = new ChannelRegisters(site.sram, site.geometry, ni);
        registers[channel].put(CONTEXT, contextIndex).put(WEIGHT, 1).put(OWNER_ADDRESS, node.number() << 4)
            .put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_TAIL_FLAG).put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH)
            .put(ChannelRegisters.FRAME_COUNT, FRAME_COUNT)
            .put(ARRIVAL_ADDRESS, PhysicalAddress.of(contextIndex, 4096 + (long)channel * FRAME_COUNT * FRAME_LENGTH));
        registers[channel].enableRelease();
        appenders[channel] = new ChannelAppender(site.sram, site.geometry, ni);
        readers[channel] = ArrivalReader.of(region.buffer(), registers[channel]);
    }

    /** Leaves its context; the board drains it. */
    void detach()
    {
        Arrays.stream(registers).forEach(ChannelRegisters::disableRelease);
        record().publish(NiRoute.NONE, 0, 0, 0);
        context.putRelease(REQUEST, REQUEST_DETACH);
    }

    /** Another node as a driver finds it in the directory. */
    boolean send(final int channel, final TestHost to, final int toChannel, final int number, final int payloadLength)
    {
        final int route = to.record().route();
        return send(channel, to.node.number(), NiRoute.firstChannel(route) + toChannel, to.node.incarnation(), number,
            payloadLength);
    }

    boolean send(
        final int channel, final int toNode, final int toNiChannel, final int toIncarnation, final int number,
        final int payloadLength)
    {
        final int index = appenders[channel].claim(PAYLOAD_OFFSET + payloadLength);
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        final AtomicBuffer sram = site.sram;
        header.wrap(sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, node.number() << 4), toNode << 4,
            MessageHeader.routeWord(firstChannel + channel, toNiChannel), 7, Integer.BYTES + payloadLength,
            MessageHeader.pair(number, payloadLength), 0);
        sram.putInt(index + MessageHeader.LENGTH, toIncarnation);
        for (int i = 0; i < payloadLength; i++)
        {
            sram.putByte(index + PAYLOAD_OFFSET + i, (byte)(number + i));
        }
        appenders[channel].publish();
        return true;
    }

    /** Begins a tree of one host, at its root. */
    void openTree(final int channel, final int tree, final TestHost subscriber)
    {
        final int index = appenders[channel].claim(MulticastFormat.DATA_OFFSET + MulticastFormat.SUBSCRIBER_LENGTH);
        final int ni = subscriber.node.number();
        header.wrap(site.sram, index).identity(0, 0);
        header.put(MulticastFormat.typeWord(MessageType.MULTICAST_TREE_UPDATE, node.number() << 4, tree), ni << 4,
            MessageHeader.routeWord(firstChannel + channel, MulticastFormat.INJECTION_CHANNEL), 7,
            MulticastFormat.EXTENSION_LENGTH + MulticastFormat.SUBSCRIBER_LENGTH, 0, 0);
        MulticastFormat.putExtension(site.sram, index, MulticastFormat.OPEN, 1, MulticastFormat.SUBSCRIBER_LENGTH, 0);
        MulticastFormat.putSubscriber(site.sram, index, 0, ni, 0, subscriber.firstChannel, ni << 4);
        appenders[channel].publish();
    }

    /** Takes what has come, checks it, and writes down its numbers. Messages for another life are refused. */
    int receive(final int channel)
    {
        final AtomicBuffer memory = region.buffer();
        int count = 0;
        while (readers[channel].hasMessage())
        {
            final int index = readers[channel].index();
            if (memory.getInt(index + MessageHeader.LENGTH) == node.incarnation())
            {
                check(index);
                count++;
            }
            readers[channel].release();
        }
        return count;
    }

    private void check(final int index)
    {
        final AtomicBuffer memory = region.buffer();
        final int number = memory.getInt(index + 16, ByteOrder.BIG_ENDIAN);
        final int payloadLength = memory.getInt(index + 20, ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < payloadLength; i++)
        {
            if (memory.getByte(index + PAYLOAD_OFFSET + i) != (byte)(number + i))
            {
                throw new AssertionError("message " + number + ", byte " + i);
            }
        }
        received.add(number);
    }
}
