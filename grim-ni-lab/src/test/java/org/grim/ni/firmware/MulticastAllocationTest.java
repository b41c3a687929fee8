// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.Allocation;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ChannelAppender;
import org.grim.ni.event.NiListener;
import org.grim.ni.fabric.DirectFabric;
import org.grim.ni.guard.Guards;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The control program allocates nothing per multicast, also while it is refused for lack of room and retries. */
@Timeout(180)
final class MulticastAllocationTest
{
    private static final int NI_COUNT = 3;
    private static final int TREE = 1;
    private static final int DATA_LENGTH = 32;
    private static final int WARM_UP_COUNT = 50_000;
    private static final int MESSAGE_COUNT = 100_000;
    private static final int ROUNDS_OF_A_STOPPED_HOST = 64;

    private final long[] nowNs = new long[1];
    private final BoardRig[] rigs = new BoardRig[NI_COUNT];
    private final MessageHeader header = new MessageHeader();
    private long receivedCount;

    @Test
    void shouldAllocateNothingPerMulticast()
    {
        final DirectFabric fabric = new DirectFabric(NI_COUNT, 4, 70_000);
        for (int ni = 0; ni < NI_COUNT; ni++)
        {
            rigs[ni] = new BoardRig(ni, NI_COUNT, 2, 16 * 1024, fabric.wire(ni), nowNs, NiListener.NONE);
            rigs[ni].enable(0, ChannelRegisters.ARRIVAL_TAIL_FLAG, 4);
            rigs[ni].start(1, MulticastBench.CONFIG, Guards.ALL);
        }
        final int index = claim(MessageType.MULTICAST_TREE_UPDATE, NI_COUNT * MulticastFormat.SUBSCRIBER_LENGTH);
        MulticastFormat.putExtension(rigs[0].sram, index, MulticastFormat.OPEN, 1, 0, 0);
        for (int ni = 0; ni < NI_COUNT; ni++)
        {
            MulticastFormat.putSubscriber(rigs[0].sram, index, ni, ni, 0, 0, ni << 4);
        }
        rigs[0].appenders[0].publish();
        while (receivedCount < NI_COUNT)
        {
            step(true);
        }

        final long least = Allocation.least(() -> run(WARM_UP_COUNT), () -> run(MESSAGE_COUNT));

        assertEquals(0, least);
        assertTrue(rigs[0].program.dropCount(org.grim.ni.event.DropReason.NO_ROOM) > 0, "was never refused");
    }

    private void run(final int count)
    {
        final long end = receivedCount + count;
        for (int round = 0; receivedCount < end; round++)
        {
            final int index = claim(MessageType.MULTICAST_DATA, DATA_LENGTH);
            if (index != ChannelAppender.NO_ROOM)
            {
                MulticastFormat.putExtension(rigs[0].sram, index, MulticastFormat.DATA, 1, DATA_LENGTH, 0);
                rigs[0].appenders[0].publish();
            }
            step(round / ROUNDS_OF_A_STOPPED_HOST % 2 == 0);
        }
    }

    private void step(final boolean isReceiving)
    {
        nowNs[0] += 100;
        for (int ni = 0; ni < NI_COUNT; ni++)
        {
            rigs[ni].program.step();
            while (isReceiving && rigs[ni].readers[0].hasMessage())
            {
                rigs[ni].readers[0].release();
                receivedCount++;
            }
        }
    }

    private int claim(final MessageType type, final int dataLength)
    {
        final int payloadLength = MulticastFormat.EXTENSION_LENGTH + dataLength;
        final int index = rigs[0].appenders[0].claim(MessageHeader.LENGTH + payloadLength);
        if (index != ChannelAppender.NO_ROOM)
        {
            header.wrap(rigs[0].sram, index).identity(0, 0).put(MulticastFormat.typeWord(type, 0, TREE), 0,
                MessageHeader.routeWord(0, MulticastFormat.INJECTION_CHANNEL), 0, payloadLength, 0, 0);
        }
        return index;
    }
}
