// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.large.OutgoingStream;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sending, polling, dispatching and replying allocate nothing once warm; each transport has a subclass. */
@Timeout(180)
public abstract class AllocationContract
{
    private static final int WARM_UP_COUNT = 200_000;
    private static final int MESSAGE_COUNT = 1_000_000;
    private static final int BURST_COUNT = 500;

    private static final int KEPT_COUNT = 64;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final int LARGE_LENGTH = 20_000;
    private static final int LARGE_WARM_UP_COUNT = 20_000;
    private static final int LARGE_COUNT = 20_000;

    private final AtomicBuffer payload = Buffers.allocate(LARGE_LENGTH);
    private final MessageStream stream = new OutgoingStream();
    private final HopClaim claim = new HopClaim();
    private Grim near;
    private Grim far;
    private Link link;
    private HandlerId echo;
    private HandlerId echoed;
    private HandlerId burst;
    private HandlerId take;
    private HandlerId keep;
    private HandlerId ask;
    private final KeptMessage[] kept = new KeptMessage[KEPT_COUNT];
    private long echoCount;

    /** Opens one node; called twice unless the transport knows only one. */
    protected abstract Grim open(Map<String, Object> settings, String name);

    /** False if one node has to talk to itself. */
    protected abstract boolean hasPeer();

    /** By how much fewer messages show the same: more than 1 where each takes some microseconds. */
    protected int divisor()
    {
        return 1;
    }

    @BeforeEach
    void openNodes()
    {
        openNodes("grim.message.outbox-length", 1 << 20);
    }

    private void openNodes(final Object... pairs)
    {
        final Map<String, Object> settings = ContractSupport.settings(pairs);
        settings.put("grim.liveness.interval", "1m");
        settings.put("grim.queue.slot-count", 64);
        far = open(settings, "far");
        near = hasPeer() ? open(settings, "near") : far;
        near.handlers().register("echoed", message -> echoCount++);
        far.handlers().register("echo", message -> message.reply(HandlerId.of(message.argument(0)),
            message.argument(1), 0, 0, 0, message.buffer(), message.offset(), message.length()));
        far.handlers().register("keep", message ->
        {
            // A message every three is kept for long: the order of releases is not that of keeping.
            final int sequence = message.argument(1);
            final int slot = sequence % 3 == 0 ? sequence % KEPT_COUNT : 1;
            if (kept[slot] != null)
            {
                kept[slot].release();
            }
            kept[slot] = message.keep();
            message.reply(HandlerId.of(message.argument(0)), kept[slot].argument(1), 0, 0, 0, kept[slot].buffer(),
                kept[slot].offset(), kept[slot].length());
        });
        far.handlers().register("burst", message ->
        {
            for (int i = 0; i < BURST_COUNT; i++)
            {
                message.reply(HandlerId.of(message.argument(0)), i, 0, 0, 0, message.buffer(), message.offset(),
                    message.length());
            }
        });
        far.handlers().register("ask", message -> message.reply(
            message.argument(0), 0, 0, message.buffer(), message.offset(), message.length()));
        ask = resolve("ask");
        echo = resolve("echo");
        echoed = resolve("echoed");
        far.handlers().registerStream("take", new Taker());
        burst = resolve("burst");
        take = resolve("take");
        keep = resolve("keep");
        link = near.endpoint().link(near.locate("far"));
    }

    @AfterEach
    void closeNodes()
    {
        near.close();
        far.close();
    }

    @Test
    void shouldAllocateNothingPerMessageSentAndEchoed()
    {
        assertEquals(0, Allocation.least(() -> run(WARM_UP_COUNT, 24), () -> run(MESSAGE_COUNT, 24)));
        assertEquals(0, Allocation.least(() -> run(WARM_UP_COUNT, 200), () -> run(MESSAGE_COUNT / 4, 200)));
    }

    @Test
    void shouldAllocateNothingPerKeptMessage()
    {
        assertEquals(0, Allocation.least(() -> run(keep, WARM_UP_COUNT, 24), () -> run(keep, MESSAGE_COUNT / 4, 24)));
        assertEquals(0, Allocation.least(() -> run(keep, WARM_UP_COUNT, 200), () -> run(keep, MESSAGE_COUNT / 4, 200)));
    }

    @Test
    void shouldAllocateNothingPerRequest()
    {
        final Reply[] replies = new Reply[8];
        Arrays.setAll(replies, i -> near.endpoint().newReply(reply -> echoCount++));

        assertEquals(0, Allocation.least(
            () -> runRequests(replies, WARM_UP_COUNT), () -> runRequests(replies, MESSAGE_COUNT / 4)));
    }

    @Test
    void shouldAllocateNothingPerClaim()
    {
        assertEquals(0, Allocation.least(() -> runClaims(WARM_UP_COUNT), () -> runClaims(MESSAGE_COUNT)));
    }

    @Test
    void shouldAllocateNothingPerMessageThroughTheOverflowQueue()
    {
        final long allocated = Allocation.least(() -> runBursts(400), () -> runBursts(MESSAGE_COUNT / BURST_COUNT));

        assertEquals(0, allocated);
        assertTrue(ContractSupport.counter(far, "back-pressured channel=0") > 0);
    }

    @Test
    void shouldAllocateNothingPerLongMessage()
    {
        assertEquals(0, Allocation.least(
            () -> run(LARGE_WARM_UP_COUNT, LARGE_LENGTH), () -> run(LARGE_COUNT, LARGE_LENGTH)));
        closeNodes();
        openNodes("grim.message.outbox-length", 0);
        assertEquals(0, Allocation.least(
            () -> run(LARGE_WARM_UP_COUNT, LARGE_LENGTH), () -> run(LARGE_COUNT, LARGE_LENGTH)));
        assertTrue(ContractSupport.counter(near, "large-messages-sent") > 0);
    }

    @Test
    void shouldAllocateNothingPerStream()
    {
        assertEquals(0, Allocation.least(() -> runStreams(LARGE_WARM_UP_COUNT), () -> runStreams(LARGE_COUNT)));
    }

    private void run(final int fullCount, final int length)
    {
        run(echo, fullCount, length);
    }

    private void run(final HandlerId handler, final int fullCount, final int length)
    {
        final int count = fullCount / divisor();
        final long end = echoCount + count;
        int sent = 0;
        while (echoCount < end)
        {
            if (sent < count && link.send(handler, echoed.number(), sent, 0, 0, payload, 0, length).isAccepted())
            {
                sent++;
            }
            far.endpoint().poll();
            near.endpoint().poll();
        }
    }

    private void runRequests(final Reply[] replies, final int fullCount)
    {
        final int count = fullCount / divisor();
        final long end = echoCount + count;
        int sent = 0;
        while (echoCount < end)
        {
            final Reply reply = replies[sent % replies.length];
            if (sent < count && reply.isComplete() &&
                link.request(ask, sent, 0, 0, payload, 0, 24, TIMEOUT, reply).isAccepted())
            {
                sent++;
            }
            far.endpoint().poll();
            near.endpoint().poll();
        }
    }

    private void runStreams(final int fullCount)
    {
        final int count = fullCount / divisor();
        for (int i = 0; i < count; i++)
        {
            final long end = echoCount + 1;
            while (link.tryOpenStream(take, 0, 0, 0, 0, LARGE_LENGTH, stream) != SendStatus.SENT)
            {
                far.endpoint().poll();
                near.endpoint().poll();
            }
            while (stream.position() < LARGE_LENGTH)
            {
                final int position = (int)stream.position();
                stream.add(payload, position, Math.min(9_000, LARGE_LENGTH - position));
                far.endpoint().poll();
                near.endpoint().poll();
            }
            while (stream.isOpen() || echoCount < end)
            {
                stream.end();
                far.endpoint().poll();
                near.endpoint().poll();
            }
        }
    }

    /** Counts whole streams. */
    private final class Taker implements ActiveMessage.Stream.Handler
    {
        private int takenLength;

        @Override
        public void onBegin(final ActiveMessage.Stream arriving)
        {
            takenLength = 0;
        }

        @Override
        public void onPiece(
            final ActiveMessage.Stream arriving, final DirectBuffer buffer, final int offset, final int length,
            final long position)
        {
            takenLength += length;
        }

        @Override
        public void onEnd(final ActiveMessage.Stream arriving)
        {
            echoCount += takenLength == arriving.totalLength() ? 1 : 0;
        }

        @Override
        public void onAbort(final ActiveMessage.Stream arriving)
        {
            takenLength = -1;
        }
    }

    private void runClaims(final int fullCount)
    {
        final int count = fullCount / divisor();
        final long end = echoCount + count;
        int sent = 0;
        while (echoCount < end)
        {
            if (sent < count && link.tryClaim(echo, 100, claim) == SendStatus.SENT)
            {
                claim.buffer().putLong(claim.offset(), sent);
                claim.arguments(echoed.number(), sent, 0, 0).publish();
                sent++;
            }
            if (link.tryClaim(echo, 8, claim) == SendStatus.SENT)
            {
                claim.abort();
            }
            far.endpoint().poll();
            near.endpoint().poll();
        }
    }

    private void runBursts(final int fullCount)
    {
        final int count = fullCount / divisor();
        for (int i = 0; i < count; i++)
        {
            final long end = echoCount + BURST_COUNT;
            while (link.send(burst, echoed.number(), 0, 0, 0, payload, 0, 64) != SendStatus.SENT)
            {
                far.endpoint().poll();
                near.endpoint().poll();
            }
            while (echoCount < end)
            {
                far.endpoint().poll();
                near.endpoint().poll();
            }
        }
    }

    private HandlerId resolve(final String name)
    {
        final long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (near.handlers().tryResolve(name) == null || far.handlers().tryResolve(name) == null)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "resolve of " + name);
            far.endpoint().poll();
            near.endpoint().poll();
        }
        return near.handlers().tryResolve(name);
    }
}
