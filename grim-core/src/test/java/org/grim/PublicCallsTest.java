// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Optional;
import java.util.function.IntConsumer;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Arguments that are none are refused at once, with value and limit, and leave nothing behind. */
final class PublicCallsTest
{
    private static final int LONG = 200_000;

    private final AtomicBuffer payload = Buffers.allocate(LONG);
    private final Grim grim =
        Grim.enable(GrimConfig.builder().transports("null").set("grim.channels.count", 3).build());

    @AfterEach
    void leave()
    {
        grim.close();
    }

    @Test
    void shouldRefuseToPollForNothing()
    {
        assertEquals("limit=0 is below 1", refusal(() -> grim.endpoint().poll(0)));
        assertEquals("limit=-1 is below 1", refusal(() -> grim.endpoint().poll(-1)));
        assertEquals("limit=-2147483648 is below 1", refusal(() -> grim.endpoint().poll(Integer.MIN_VALUE)));
    }

    @Test
    void shouldSayWhatIsWrongWithAChannel()
    {
        assertEquals("channel=-1 is outside 0 to 2", refusal(() -> grim.openEndpoint(-1)));
        assertEquals("channel=3 is outside 0 to 2", refusal(() -> grim.openEndpoint(3)));
        assertEquals("channel=0 belongs to another endpoint", refusal(() -> grim.openEndpoint(0)));
        assertEquals("channel=1 is named twice", refusal(() -> grim.openEndpoint(1, 2, 1)));
        assertEquals(1, grim.openEndpoint(1, 2).id().channel());
    }

    @Test
    void shouldRefuseHandlersThatAreNone()
    {
        final HandlerRegistry handlers = grim.handlers();

        assertEquals("handler", assertThrows(NullPointerException.class, () -> handlers.register("a", null))
            .getMessage());
        assertEquals("handler", assertThrows(NullPointerException.class, () -> handlers.registerStream("a", null))
            .getMessage());
        assertEquals("name", assertThrows(NullPointerException.class, () -> handlers.register(null, message ->
        {
            // Never sent to.
        })).getMessage());
        assertEquals("name", assertThrows(NullPointerException.class, () -> handlers.tryResolve(null)).getMessage());
        grim.join();             // None of these names waits for an id.
    }

    @Test
    void shouldRefuseListenersThatAreNoneAndValuesThatNoFileHolds()
    {
        assertThrows(NullPointerException.class, () -> grim.endpoint().onNodeGone(null));
        assertThrows(NullPointerException.class, () -> grim.memory().onRefused(null));
        assertThrows(NullPointerException.class, () -> grim.startPolling(null));
        assertEquals("grim.cluster.directory: a value of type java.util.Optional is no string, number, boolean or " +
            "list of these", refusal(() -> GrimConfig.builder().set("grim.cluster.directory", Optional.empty())));
    }

    @Test
    void shouldSayWhatIsWrongWithAName()
    {
        final HandlerRegistry handlers = grim.handlers();

        assertEquals("handler name= is not 1 to 200 bytes of UTF-8 without control characters: length=0",
            refusal(() -> handlers.resolve("")));
        assertEquals("handler name=a\\u001bb is not 1 to 200 bytes of UTF-8 without control characters: length=3",
            refusal(() -> handlers.tryResolve("a\u001bb")));
        assertEquals("handler name=" + "x".repeat(80) + "... (10000 characters) is not 1 to 200 bytes of UTF-8 " +
            "without control characters: length=10000", refusal(() -> handlers.tryResolve("x".repeat(10_000))));
    }

    @Test
    void shouldSendNothingToBuiltInHandlers()
    {
        final EndpointId self = grim.node().endpoint();
        final Link link = grim.endpoint().link(self);
        final SharedLink shared = grim.endpoint().sharedLink(self);
        final FrameClaim claim = new FrameClaim();
        final MessageStream stream = new MessageStream();

        requireRefused(id -> grim.endpoint().send(self, id, 0, 0, 0, 0, payload, 0, 8));
        requireRefused(id -> link.send(id, 0, 0, 0, 0, payload, 0, 8));
        requireRefused(id -> link.send(id, 0, 0, 0, 0, payload, 0, LONG));
        requireRefused(id -> link.tryClaim(id, 0, 0, 0, 0, 8, claim));
        requireRefused(id -> link.tryClaim(id, 0, 0, 0, 0, LONG, claim));
        requireRefused(id -> link.tryOpenStream(id, 0, 0, 0, 0, LONG, stream));
        requireRefused(id -> shared.send(id, 0, 0, 0, 0, payload, 0, 8));
        requireRefused(id -> grim.endpoint().sendBlocking(self, id, new int[0], payload, 0, 8,
            NoOpIdleStrategy.INSTANCE));
        requireRefused(
            id -> grim.endpoint().sendBlocking(self, id, new int[0], payload, 0, LONG, NoOpIdleStrategy.INSTANCE));
        requireRefusedToReply();
        assertEquals(0, grim.poll());
    }

    private void requireRefusedToReply()
    {
        final EndpointId self = grim.node().endpoint();
        final boolean[] isRefused = new boolean[1];
        grim.handlers().register("reply", message ->
        {
            requireRefused(id -> message.reply(id, 0));
            isRefused[0] = true;
        });
        grim.join();
        final int handler = grim.handlers().resolve("reply");

        assertEquals(SendStatus.SENT, grim.endpoint().send(self, handler, 0, 0, 0, 0, payload, 0, 8));
        assertFalse(isRefused[0]);
        grim.poll();
        assertTrue(isRefused[0]);
    }

    private static void requireRefused(final IntConsumer call)
    {
        for (final int id : new int[]{-1, 0, 1, 5, 10, 15, 65_536})
        {
            assertEquals("handler=" + id + " is outside 16 to 65535", refusal(() -> call.accept(id)));
        }
    }

    private static String refusal(final Executable call)
    {
        return assertThrows(IllegalArgumentException.class, call).getMessage();
    }
}
