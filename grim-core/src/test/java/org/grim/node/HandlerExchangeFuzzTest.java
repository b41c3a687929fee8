// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.HostileInput;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.Dispatcher;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.LinkResources;
import org.grim.handlers.NodeHandlers;
import org.grim.wire.MessageHeader;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages of any bytes to the built-in handlers: the node goes on polling, and its own handlers get their ids. */
final class HandlerExchangeFuzzTest
{
    private static final int MESSAGE_COUNT_MAX = 16;
    private static final int POLL_COUNT = 8;
    private static final String[] NAMES = {"honest", "other", ""};

    private final List<Throwable> errors = new ArrayList<>();
    private ClusterNode grim;
    private int handledCount;

    @FuzzTest
    void shouldKeepTheHonestHandlerReachable(final byte[] bytes)
    {
        errors.clear();
        try (ClusterNode node = ClusterNode.join(NodeConfig.of(Map.of("grim.transports", List.of("null"),
            "grim.handlers.resolve-timeout", "60s", "grim.queue.slot-count", 64,
            "grim.queue.ring-length", 16 * 1024, "grim.queue.shared", 0), errors::add, 0)))
        {
            grim = node;
            exchange(new HostileInput(bytes));
        }
    }

    private void exchange(final HostileInput input)
    {
        final Link link = grim.endpoint().link(grim.endpoint().id());
        final NodeEndpoint host = (NodeEndpoint)grim.endpoint();
        final Dispatcher dispatcher = new Dispatcher(host.links(),
            new LinkResources(host.state(), NodeCounters.inPrivateMemory(2), null, null, null, null, null),
            ((NodeHandlers)grim.handlers()).table(), host.parts().errors(), 1);
        dispatcher.parts((handlerId, buffer, headerOffset, payloadOffset, payloadLength, route) -> null);
        final boolean isRegisteredFirst = input.nextBelow(2) == 0;
        if (isRegisteredFirst)
        {
            grim.handlers().register("honest", message -> handledCount++);
        }
        for (int i = 0; i < MESSAGE_COUNT_MAX && input.hasMore(); i++)
        {
            message(input, link, dispatcher);
        }
        poll();
        grim.handlers().register("honest", message -> handledCount++);
        grim.start();
        final HandlerId id = grim.handlers().resolve("honest");
        assertTrue(id.isKnown());
        handledCount = 0;
        assertEquals(SendStatus.SENT, link.send(id, 0, 0, 0, 0));
        poll();

        assertEquals(1, handledCount);
        for (final Throwable error : errors)
        {
            assertTrue(error instanceof GrimException || error instanceof IllegalArgumentException, error.toString());
        }
    }

    private void message(final HostileInput input, final Link link, final Dispatcher dispatcher)
    {
        final int kind = input.nextBelow(4);
        if (kind == 0)
        {
            final AtomicBuffer memory = Buffers.allocate(64);
            memory.putBytes(32, input.nextBytes(16));
            final long first = MessageHeader.usual(0) ^ 1L << input.nextByte();
            final long second = input.nextBelow(2) == 0 ? input.nextBelow(32) : input.nextLong();
            dispatcher.onMessage(first, second, memory, 0, 32, input.nextBelow(33));
        }
        else
        {
            final int id = kind == 1 ? input.nextInt() : input.nextBelow(32);
            final DirectBuffer name = Buffers.wrap(kind == 2 ? input.nextBytes(300) :
                NAMES[input.nextBelow(NAMES.length)].getBytes(java.nio.charset.StandardCharsets.UTF_8));
            final int handler = 1 + input.nextBelow(4);
            ((EndpointLink)link).sendBuiltIn(
                handler, MessageHeader.pair(id, input.nextInt()), 0, name, 0, name.capacity(), true);
        }
        grim.endpoint().poll();
    }

    private void poll()
    {
        for (int i = 0; i < POLL_COUNT; i++)
        {
            grim.endpoint().poll();
        }
    }
}
