// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.Allocation;
import org.grim.CountingErrorHandler;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.Dispatcher;
import org.grim.endpoint.LinkResources;
import org.grim.handlers.NodeHandlers;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Words of a hostile peer between the queue's look at a header and the dispatcher's. */
final class DispatcherTest
{
    private static final int HANDLER = 1;
    private static final int REFUSAL_COUNT = 1000;
    private static final int PATH_COUNT = 60;           // More than the dispatcher keeps.

    private final ClusterNode node = ClusterNode.join(
        NodeConfig.of(Map.of("grim.transports", List.of("null"), "grim.channels.host", 2),
            new CountingErrorHandler(), 0));
    private final NodeEndpoint host = (NodeEndpoint)node.endpoint();
    private final NodeCounters counters = NodeCounters.inPrivateMemory(2);
    private final Dispatcher dispatcher = new Dispatcher(host.links(),
        new LinkResources(host.state(), counters, null, null, null, null, null),
        ((NodeHandlers)node.handlers()).table(), host.parts().errors(), 1);
    private final AtomicBuffer buffer = Buffers.allocate(64);
    private final MessageHeader header = new MessageHeader();
    private final int[] countByPath = new int[PATH_COUNT];

    @AfterEach
    void leave()
    {
        node.close();
    }

    @Test
    void shouldRefuseEachFieldThatChangedMeanwhile()
    {
        refuse(RejectReason.UNKNOWN_TYPE, MessageType.ACK, 0, 0, 0, HANDLER);
        refuse(RejectReason.WRONG_DESTINATION, MessageType.ACTIVE_MESSAGE, 0, 1 << 4, 0, HANDLER);
        refuse(RejectReason.WRONG_CHANNEL, MessageType.ACTIVE_MESSAGE, 0, 1, 0, HANDLER);
        refuse(RejectReason.WRONG_SOURCE, MessageType.ACTIVE_MESSAGE, 1 << 4, 0, 0, HANDLER);
        refuse(RejectReason.WRONG_CHANNEL, MessageType.ACTIVE_MESSAGE, 0, 0, 2, HANDLER);
        refuse(RejectReason.WRONG_CHANNEL, MessageType.ACTIVE_MESSAGE, 0, 0, 255, HANDLER);
        refuse(RejectReason.UNKNOWN_HANDLER, MessageType.ACTIVE_MESSAGE, 0, 0, 0, 0xFFFF);
    }

    @Test
    void shouldTellWaysApartHoweverTheyAlternate()
    {
        ((NodeHandlers)node.handlers()).table().bind(0, HANDLER, this::onMessage);
        final Runnable allPaths = () ->
        {
            for (int i = 0; i < REFUSAL_COUNT * PATH_COUNT; i++)
            {
                put(MessageType.ACTIVE_MESSAGE, 0, 0,
                    MessageHeader.routeWord(i * 7 % PATH_COUNT, i * 7 % PATH_COUNT & 1), HANDLER);
                dispatch(1);
            }
        };

        assertEquals(0, Allocation.of(allPaths));

        final int perPath = countByPath[0];
        assertTrue(perPath >= 2 * REFUSAL_COUNT);
        for (final int count : countByPath)
        {
            assertEquals(perPath, count);
        }
        shouldRefuseEachFieldThatChangedMeanwhile();
    }

    /** A path's source and destination channel have the same parity. */
    private void onMessage(final ActiveMessage message)
    {
        final int channel = message.source().channel();
        countByPath[channel] += message.destination().channel() == (channel & 1) ? 1 : 0;
    }

    @Test
    void shouldAllocateNothingPerRefusal()
    {
        refuse(RejectReason.UNKNOWN_HANDLER, MessageType.ACTIVE_MESSAGE, 0, 0, 0, 0xFFFF);

        // Logging allocates, after each doubling of the count. Of eight runs, some are between two.
        assertEquals(0, Allocation.of(() -> dispatch(REFUSAL_COUNT)));
    }

    @Test
    void shouldHandOverAMessageThatHasNoHeader()
    {
        final List<Integer> seen = new ArrayList<>();
        ((NodeHandlers)node.handlers()).table().bind(0, HANDLER, message ->
        {
            IntStream.range(0, 4).forEach(i -> seen.add(message.argument(i)));
            seen.addAll(List.of(message.offset(), message.length()));
        });
        put(MessageType.ACTIVE_MESSAGE, 0, 0, MessageHeader.routeWord(0, 0), HANDLER);
        final long first = MessageHeader.first(buffer.getInt(0), buffer.getInt(MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(buffer.getLong(MessageHeader.EXTENT_OFFSET));
        buffer.setMemory(0, buffer.capacity(), (byte)-1);

        dispatcher.onMessage(first, second, buffer, MessageHeader.NO_HEADER, 40, 8);

        assertEquals(List.of(0, 0, 0, 0, 40, 8), seen);
    }

    private void refuse(
        final RejectReason reason, final MessageType type, final int source, final int destination, final int channel,
        final int handler)
    {
        final long before = counters.rejected(reason).get();
        put(type, source, destination, MessageHeader.routeWord(0, channel), handler);

        dispatch(1);

        assertEquals(before + 1, counters.rejected(reason).get());
    }

    private void put(
        final MessageType type, final int source, final int destination, final int routeWord, final int handler)
    {
        header.wrap(buffer, 0).identity(0, 0).put(MessageHeader.typeWord(type, source), destination, routeWord,
            handler, 0, 0, 0);
    }

    private void dispatch(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            dispatcher.onMessage(MessageHeader.first(buffer.getInt(0), buffer.getInt(MessageHeader.TYPE_OFFSET)),
                MessageHeader.second(buffer.getLong(MessageHeader.EXTENT_OFFSET)), buffer, 0, 32, 0);
        }
    }
}
