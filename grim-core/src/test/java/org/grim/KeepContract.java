// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Messages that handlers keep: their contents, the messages behind them, the bound, the end of sender and receiver. */
abstract class KeepContract extends LifeContract
{
    private static final int COUNT = 3_000;
    private static final int[] LENGTHS = {0, 1, 31, 32, 33, 64, 100, 599, PAYLOAD_LENGTH_MAX};

    private final List<KeptMessage> kept = new ArrayList<>();
    private final List<Integer> handled = new ArrayList<>();
    private EndpointId far;
    private HandlerId keep;
    private HandlerId echo;

    @Test
    void shouldDeliverInOrderBehindKeptMessagesAndReleaseThemInAnyOrder()
    {
        startKeeping();
        final Random random = new Random(1);

        for (int i = 0; i < COUNT; i++)
        {
            sendToKeep(i, i % 3 != 1);
            if (random.nextInt(3) == 0 && !kept.isEmpty())
            {
                release(random.nextInt(kept.size()));
            }
        }
        awaitHandled(COUNT);

        assertTrue(kept.size() > COUNT / 4, "kept=" + kept.size());
        assertEquals(kept.size(), keptCounter("messages"));
        while (!kept.isEmpty())
        {
            release(random.nextInt(kept.size()));
        }
        assertEquals(0, keptCounter("messages"));
        assertEquals(0, keptCounter("length"));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseToKeepBeyondTheBoundAndKeepAgainAfterARelease()
    {
        startKeeping("grim.message.kept-length", "64KiB");
        final int roomCount = 1024;

        IntStream.range(0, COUNT).forEach(i -> sendToKeep(i, i % 65, true));
        awaitHandled(COUNT);

        assertEquals(roomCount, kept.size());
        assertEquals(COUNT - roomCount, keptCounter("refused"));
        assertEquals(64 * 1024, keptCounter("length"));
        assertEquals(64 * 1024, keptCounter("ceiling"));
        release(500, 500 % 65);
        sendToKeep(COUNT, 65, true);
        sendToKeep(COUNT + 1, 64, true);
        awaitHandled(COUNT + 2);
        assertEquals(roomCount, kept.size());
        assertEquals(COUNT + 1, kept.get(roomCount - 1).argument(0));
        assertEquals(COUNT - roomCount + 1, keptCounter("refused"));
    }

    @Test
    @Tag(LOCAL)
    void shouldKeepNothingWithoutRoom()
    {
        startKeeping("grim.message.kept-length", 0);

        sendToKeep(0, 0, true);
        awaitHandled(1);

        assertTrue(kept.isEmpty());
        assertEquals(1, keptCounter("refused"));
        assertEquals(0, keptCounter("ceiling"));
    }

    @Test
    void shouldKeepMessagesOfAPeerThatLeftAndOfItsNextIncarnation()
    {
        startKeeping();
        assumeTrue(cluster().hasPeer());
        final AtomicBoolean isGone = new AtomicBoolean();
        near().endpoint().onNodeGone((node, undelivered, unknown) -> isGone.set(true));
        IntStream.range(0, 100).forEach(i -> sendToKeep(i, true));
        awaitHandled(100);

        cluster().far("leave");
        await(isGone::get, () -> "the news");
        IntStream.range(0, 50).forEach(i -> release(i));
        cluster().far("join");
        resolve(FarNode.ECHO);
        IntStream.range(100, 200).forEach(i -> sendToKeep(i, true));
        awaitHandled(200);

        assertEquals(150, keptCounter("messages"));
        releaseAll();
        assertEquals(0, keptCounter("length"));
    }

    @Test
    void shouldKeepMessagesOfAPeerThatWasKilled()
    {
        startKeeping("grim.liveness.interval", "1ms");
        final AtomicBoolean isGone = new AtomicBoolean();
        near().endpoint().onNodeGone((node, undelivered, unknown) -> isGone.set(true));
        IntStream.range(0, 100).forEach(i -> sendToKeep(i, true));
        awaitHandled(100);

        assumeTrue(cluster().tryKillFar());
        await(isGone::get, () -> "the news");

        assertEquals(100, keptCounter("messages"));
        releaseAll();
        assertEquals(0, keptCounter("length"));
    }

    @Test
    @Tag(LOCAL)
    void shouldKeepAlsoIfItsHandlerThrows()
    {
        start();
        final HandlerId thrower = registerNear("near.keep", message ->
        {
            kept.add(message.keep());
            final KeptMessage second = message.keep();
            second.release();
            assertEquals(message.argument(1), Payloads.crc(message.buffer(), message.offset(), message.length()));
            handled.add(message.argument(0));
            throw new IllegalStateException("thrown on purpose");
        });
        final HandlerId echoes = resolve(FarNode.ECHO);
        final int crc = crc(100, 7);

        await(() -> link(0).send(echoes, thrower.number(), 7, crc, -1, payload, 0, 100) == SendStatus.SENT,
            () -> "room");
        awaitHandled(1);

        final KeptMessage message = kept.get(0);
        assertEquals(List.of(7, crc, -1, 0), IntStream.range(0, 4).mapToObj(message::argument).toList());
        assertEquals(crc, Payloads.crc(message.buffer(), message.offset(), message.length()));
        assertThrows(IllegalArgumentException.class, () -> message.argument(4));
        assertEquals(1, keptCounter("messages"));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseEveryUseAfterTheReleaseOrTheNodesEndAndByAnotherThread()
    {
        startKeeping();
        IntStream.range(0, 2).forEach(i -> sendToKeep(i, 100, true));
        awaitHandled(2);
        final KeptMessage released = kept.get(0);
        final KeptMessage held = kept.get(1);
        final DirectBuffer bytes = held.buffer();
        final int offset = held.offset();

        released.release();
        final CompletableFuture<Void> otherThread = onThreadOfItsOwn(() ->
        {
            assertUnusable(held);
            assertThrows(IllegalStateException.class, held::release);
        });
        awaitFuture(otherThread, () -> { });
        assertUnusable(released);
        assertThrows(IllegalStateException.class, released::release);
        near().close();

        assertUnusable(held);
        held.release();
        held.release();
        assertEquals(crc(100, 1), Payloads.crc(bytes, offset, 100));
    }

    @Test
    @Tag(LOCAL)
    void shouldEndKeptMessagesWithTheirEndpointAndNoOthers()
    {
        startKeeping();
        final Endpoint closed = near().openEndpoint(2);
        final Link toOwn = near().endpoint().link(closed.id());
        sendToKeep(0, true);
        awaitHandled(1);
        await(() -> toOwn.send(keep, 1, crc(8, 1), 1, 0, payload, 0, 8) == SendStatus.SENT, () -> "room");
        await(() -> closed.poll() >= 0 && handled.size() == 2, () -> "the message");
        assertEquals(1, counter(near(), "kept-messages channel=2"));

        closed.close();

        assertUnusable(kept.remove(1));
        assertEquals(0, counter(near(), "kept-messages channel=2"));
        assertEquals(1, keptCounter("messages"));
        releaseAll();
    }

    private void startKeeping(final Object... pairs)
    {
        start(pairs);
        far = farId(0);
        keep = registerNear("near.keep", message ->
        {
            handled.add(message.argument(0));
            final KeptMessage newKept = message.argument(2) == 0 ? null : message.keep();
            if (newKept != null)
            {
                kept.add(newKept);
            }
        });
        echo = resolve(FarNode.ECHO);
    }

    private void sendToKeep(final int sequence, final boolean isKept)
    {
        sendToKeep(sequence, LENGTHS[sequence % LENGTHS.length], isKept);
    }

    private void sendToKeep(final int sequence, final int length, final boolean isKept)
    {
        final int crc = crc(length, sequence);
        await(() -> link(0).send(echo, keep.number(), sequence, crc, isKept ? 1 : 0, payload, 0, length) ==
            SendStatus.SENT, () -> "room for message " + sequence);
    }

    private void awaitHandled(final int count)
    {
        await(() -> handled.size() >= count, () -> "handled=" + handled.size() + " of " + count);
        assertEquals(count, handled.size());
        assertTrue(count == 1 || IntStream.range(0, count).allMatch(i -> handled.get(i) == i), "in order");
    }

    private void release(final int index)
    {
        release(index, LENGTHS[kept.get(index).argument(0) % LENGTHS.length]);
    }

    /** Looks at a kept message before it is released; the last one takes its place. */
    private void release(final int index, final int length)
    {
        final KeptMessage message = kept.get(index);
        assertEquals(length, message.length());
        assertEquals(message.argument(1), Payloads.crc(message.buffer(), message.offset(), length));
        assertEquals(far, message.source());
        assertEquals(near().node().endpoint(), message.destination());
        assertEquals(keep, message.handler());
        message.release();
        kept.set(index, kept.get(kept.size() - 1));
        kept.remove(kept.size() - 1);
    }

    private void releaseAll()
    {
        while (!kept.isEmpty())
        {
            release(0);
        }
    }

    private long keptCounter(final String name)
    {
        return counter(near(), "kept-" + name + " channel=0");
    }

    private static void assertUnusable(final KeptMessage message)
    {
        assertThrows(IllegalStateException.class, message::source);
        assertThrows(IllegalStateException.class, message::destination);
        assertThrows(IllegalStateException.class, message::handler);
        assertThrows(IllegalStateException.class, () -> message.argument(0));
        assertThrows(IllegalStateException.class, message::buffer);
        assertThrows(IllegalStateException.class, message::offset);
        assertThrows(IllegalStateException.class, message::length);
    }
}
