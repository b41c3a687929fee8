// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.board.host.ChannelAppender;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.fabric.DirectFabric;
import org.grim.ni.guard.Guards;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Boards that take part in multicasts, stepped by hand. Each has two channels for hosts, and its own behind them. */
final class MulticastBench
{
    static final int CHANNEL_COUNT = 2;
    static final int TREE = 7;
    static final FirmwareConfig CONFIG = FirmwareConfig.DEFAULT.with(values ->
    {
        values.hasReplyChannel = false;
        values.hasMulticastChannel = true;
    });
    private static final int QUEUE_LENGTH = 4096;
    private static final int FRAME_COUNT = 4;
    private static final int PACKET_LENGTH_MAX = 70_000;
    private static final int STEP_LIMIT = 100_000;
    private static final int QUIET_COUNT = 50;
    private static final int STEP_NS = 100;

    final long[] nowNs = new long[1];
    final BoardRig[] rigs;
    /** Messages that each channel of each NI received: "epoch.ticket=number", or "open", "close". */
    final List<List<List<String>>> received = new ArrayList<>();
    final List<Outcome> outcomes = new ArrayList<>();
    final List<String> cuts = new ArrayList<>();
    /** Steps to NIs with smaller numbers. */
    final List<String> upwards = new ArrayList<>();
    final boolean[] isReceiving;
    private final MessageHeader header = new MessageHeader();
    private final Guards guards;

    MulticastBench(final int niCount)
    {
        this(niCount, Guards.ALL);
    }

    MulticastBench(final int niCount, final Guards guards)
    {
        this.guards = guards;
        final DirectFabric fabric = new DirectFabric(niCount, 4, PACKET_LENGTH_MAX);
        rigs = new BoardRig[niCount];
        isReceiving = new boolean[niCount];
        Arrays.fill(isReceiving, true);
        for (int ni = 0; ni < niCount; ni++)
        {
            rigs[ni] = new BoardRig(
                ni, niCount, CHANNEL_COUNT + 1, QUEUE_LENGTH, fabric.wire(ni), nowNs, listener(ni));
            received.add(new ArrayList<>());
            for (int channel = 0; channel < CHANNEL_COUNT; channel++)
            {
                rigs[ni].enable(channel, ChannelRegisters.ARRIVAL_TAIL_FLAG, FRAME_COUNT);
                received.get(ni).add(new ArrayList<>());
            }
            restart(ni, 1);
        }
    }

    void restart(final int ni, final int epoch)
    {
        rigs[ni].start(epoch, CONFIG, guards);
    }

    /** Sends an update that opens an epoch; a subscriber is {@code ni * 10 + channel}, negative if it jumps. */
    void open(final int fromNi, final int rootNi, final int tree, final int epoch, final int... subscribers)
    {
        final int index = claim(fromNi, rootNi, MessageType.MULTICAST_TREE_UPDATE, tree, 0,
            subscribers.length * MulticastFormat.SUBSCRIBER_LENGTH);
        final AtomicBuffer sram = rigs[fromNi].sram;
        MulticastFormat.putExtension(sram, index, MulticastFormat.OPEN, epoch, 0, 0);
        for (int i = 0; i < subscribers.length; i++)
        {
            final int subscriber = Math.abs(subscribers[i]);
            final int ni = subscriber / 10;
            MulticastFormat.putSubscriber(sram, index, i, ni, subscribers[i] < 0 ? MulticastFormat.JUMP : 0,
                subscriber % 10, ni << 4);
        }
        rigs[fromNi].appenders[0].publish();
    }

    void close(final int fromNi, final int rootNi, final int tree, final int epoch)
    {
        final int index = claim(fromNi, rootNi, MessageType.MULTICAST_TREE_UPDATE, tree, 0, 0);
        MulticastFormat.putExtension(rigs[fromNi].sram, index, MulticastFormat.CLOSE, epoch, 0, 0);
        rigs[fromNi].appenders[0].publish();
    }

    /** False if the sender's queue is full. */
    boolean send(
        final int fromNi, final int rootNi, final int tree, final int epoch, final int number, final int dataLength)
    {
        final int index = claim(fromNi, rootNi, MessageType.MULTICAST_DATA, tree, number, dataLength);
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        MulticastFormat.putExtension(rigs[fromNi].sram, index, MulticastFormat.DATA, epoch, dataLength, 0);
        for (int i = 0; i < dataLength; i++)
        {
            rigs[fromNi].sram.putByte(index + MulticastFormat.DATA_OFFSET + i, (byte)(number + i));
        }
        rigs[fromNi].appenders[0].publish();
        return true;
    }

    /** Sends what only an NI may: the next message of a tree, as if this host's NI were its root. */
    void forge(final int fromNi, final int childNi, final int tree, final int epoch)
    {
        final int index = claim(fromNi, childNi, MessageType.MULTICAST_DATA, tree, 0, 0);
        MulticastFormat.putExtension(rigs[fromNi].sram, index, MulticastFormat.DATA, epoch, 0, 0);
        MulticastFormat.putLabel(rigs[fromNi].sram, index, fromNi << 4, 0, 1);
        MulticastFormat.putStep(rigs[fromNi].sram, index, fromNi << 4, 0, tree);
        rigs[fromNi].appenders[0].publish();
    }

    List<String> received(final int ni, final int channel)
    {
        return received.get(ni).get(channel);
    }

    /** Lets hosts receive and time pass until nothing moves any more. */
    void settle()
    {
        for (int quiet = 0, i = 0; quiet < QUIET_COUNT; i++)
        {
            assertTrue(i < STEP_LIMIT, "does not come to rest");
            final int workCount = step();
            long nextNs = Long.MAX_VALUE;
            for (final BoardRig rig : rigs)
            {
                nextNs = rig.program == null ? nextNs : Math.min(nextNs, rig.program.nextDeadlineNs());
            }
            quiet = workCount == 0 ? quiet + 1 : 0;
            nowNs[0] = workCount == 0 && nextNs != Long.MAX_VALUE ? Math.max(nowNs[0], nextNs) : nowNs[0];
        }
    }

    int step()
    {
        nowNs[0] += STEP_NS;
        int workCount = 0;
        for (final BoardRig rig : rigs)
        {
            workCount += rig.step();
            for (int channel = 0; channel < CHANNEL_COUNT; channel++)
            {
                workCount += isReceiving[rig.ni] ? receive(rig, channel) : 0;
            }
        }
        return workCount;
    }

    private int claim(
        final int fromNi, final int rootNi, final MessageType type, final int tree, final int number,
        final int dataLength)
    {
        final int payloadLength = MulticastFormat.EXTENSION_LENGTH + dataLength;
        final int index = rigs[fromNi].appenders[0].claim(MessageHeader.LENGTH + payloadLength);
        if (index != ChannelAppender.NO_ROOM)
        {
            header.wrap(rigs[fromNi].sram, index).identity(0, 0).put(
                MulticastFormat.typeWord(type, fromNi << 4, tree), rootNi << 4,
                MessageHeader.routeWord(0, MulticastFormat.INJECTION_CHANNEL), 0, payloadLength,
                MessageHeader.pair(number, 0), 0);
        }
        return index;
    }

    private int receive(final BoardRig rig, final int channel)
    {
        final ArrivalReader reader = rig.readers[channel];
        if (!reader.hasMessage())
        {
            return 0;
        }
        final int index = reader.index();
        header.wrap(rig.region, index);
        final String label =
            MulticastFormat.epoch(rig.region, index) + "." + MulticastFormat.ticket(rig.region, index);
        received(rig.ni, channel).add(label + switch (MulticastFormat.kind(rig.region, index))
        {
            case MulticastFormat.OPEN -> " open";
            case MulticastFormat.CLOSE -> " close";
            default -> "=" + number(rig.region, index);
        });
        reader.release();
        return 1;
    }

    private int number(final AtomicBuffer region, final int index)
    {
        final int number = header.argument(0);
        for (int i = 0; i < MulticastFormat.totalLength(region, index); i++)
        {
            assertTrue(region.getByte(index + MulticastFormat.DATA_OFFSET + i) == (byte)(number + i), "byte " + i);
        }
        return number;
    }

    private NiListener listener(final int ni)
    {
        return new NiListener()
        {
            @Override
            public void onSettled(final int channel, final int position, final Outcome outcome)
            {
                if (channel < CHANNEL_COUNT)
                {
                    outcomes.add(outcome);
                }
            }

            @Override
            public void onTransmitted(
                final int channel, final int position, final int destinationNi, final int destinationChannel,
                final int sequence, final int token, final boolean isRepeated)
            {
                if (channel == CHANNEL_COUNT && destinationNi < ni)
                {
                    upwards.add("NI " + ni + " forwards to NI " + destinationNi);
                }
            }

            @Override
            public void onChildCut(final int tree, final int epoch, final int child)
            {
                cuts.add(ni + " without " + child);
            }
        };
    }
}
