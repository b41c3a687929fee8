// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.grim.buffer.Buffers;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Back pressure, isolation and weights of channels, the overflow queue, threads. */
abstract class FlowContract extends MessageContract
{
    @Test
    void shouldRefuseWithoutTraceWhenTheReceiverStopsPollingAndGoOnWhenItPolls()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final Link link = link(0);
        cluster().far("stop");
        settle();

        final int accepted = fillFully(link, record, 8);         // The last attempt was refused.
        cluster().far("continue");
        for (int i = accepted; i < accepted + SLOT_COUNT * 2; i++)
        {
            sendNumbered(link, record, i, 8);
        }

        assertTrue(accepted > 0 && accepted <= smallCapacity(), "accepted=" + accepted);
        awaitHistory(0, accepted + SLOT_COUNT * 2);
        assertTrue(counter(near(), "back-pressured channel=0") >= 2);
    }

    @Test
    void shouldRefuseWithoutTraceWhenTheRingIsFull()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        cluster().far("stop");
        settle();

        final int large = fill(link(0), record, 0, PAYLOAD_LENGTH_MAX);
        final SendStatus small = trySendNumbered(link(0), record, large, 8);
        final int sent = large + (small == SendStatus.SENT ? 1 : 0);
        cluster().far("continue");
        sendNumbered(link(0), record, sent, PAYLOAD_LENGTH_MAX);

        assertTrue(large >= 1 && large <= largeCapacity(), "large=" + large);
        assertTrue(small == SendStatus.SENT || !hasRoomOfItsOwnForSmall(), "small=" + small);
        awaitHistory(0, sent + 1);
    }

    @Test
    void shouldNotLetAFullChannelStopAnother()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final Link unpolled = near().endpoint().link(0, farId(HOST_CHANNEL_COUNT));
        final Link polled = link(1);

        final int stuck = fillFully(unpolled, record, 8);
        for (int i = 0; i < 1_000; i++)
        {
            sendNumbered(polled, record, i, 40);
        }

        awaitHistory(1, 1_000);
        final int stuckAtLast = stuck + fill(unpolled, record, stuck, 8);       // A late thread may have made room.
        assertTrue(stuck >= SLOT_COUNT && stuckAtLast <= smallCapacity(), "stuck=" + stuck + "," + stuckAtLast);
        assertEquals("0", cluster().far("received " + HOST_CHANNEL_COUNT));
    }

    @Test
    @Tag(LOCAL)
    void shouldServeFullChannelsByTheirWeights()
    {
        start("grim.channels.weights", List.of(3, 1), "grim.poll.drain-limit", 4);
        final HandlerId record = resolve(FarNode.RECORD);
        sendNumbered(link(0), record, 0, 8);
        sendNumbered(link(1), record, 0, 8);
        awaitHistory(0, 1);
        awaitHistory(1, 1);
        settle();
        cluster().far("stop");
        fill(link(0), record, 1, 8);
        fill(link(1), record, 1, 8);
        settle();

        cluster().far("poll 1000");
        cluster().far("poll 1000");

        if (isDeliveredWithoutTheReceiver())
        {
            assertEquals("25", cluster().far("received 0"));
            assertEquals("9", cluster().far("received 1"));
        }
        else
        {
            int polls = 0;
            while (Integer.parseInt(cluster().far("received 1")) < SLOT_COUNT && polls < SLOT_COUNT * 1_000)
            {
                cluster().far("poll 1000");
                cluster().pollNear();
                polls++;
            }
            final int heavy = Integer.parseInt(cluster().far("received 0"));
            final int light = Integer.parseInt(cluster().far("received 1"));
            assertTrue(heavy * 2 > light * 3 && heavy < light * 5, "heavy=" + heavy + " light=" + light);
        }
        cluster().far("continue");
    }

    @Test
    void shouldQueueAndDeliverAllRepliesOfAHandlerWhenTheWayBackIsFull()
    {
        start();
        final int replyCount = SLOT_COUNT * 20;
        final AtomicInteger nextReply = new AtomicInteger();
        final AtomicInteger badCount = new AtomicInteger();
        final int crc = crc(100, 7);
        final HandlerId flooded = registerNear("near.flooded", message ->
        {
            final boolean isGood = message.argument(0) == nextReply.getAndIncrement() &&
                Payloads.crc(message.buffer(), message.offset(), message.length()) == crc;
            badCount.addAndGet(isGood ? 0 : 1);
        });
        final HandlerId flood = resolve(FarNode.FLOOD);

        await(() -> link(0).send(flood, flooded.number(), replyCount, 0, 0, payload, 0, 100) == SendStatus.SENT, () ->
            "room");
        await(() -> nextReply.get() >= replyCount, () -> "replies=" + nextReply + " of " + replyCount);

        assertEquals(replyCount, nextReply.get());
        assertEquals(0, badCount.get());
        assertEquals("0", cluster().far("refused"));
        assertEquals("0", cluster().far("counter overflow-depth channel=0"));
    }

    @Test
    @Tag(LOCAL)
    void shouldSayThatTheOverflowCeilingIsReachedAndDeliverWhatItAccepted()
    {
        start("grim.overflow.ceiling", "16KiB");
        final AtomicInteger count = new AtomicInteger();
        final HandlerId flooded = registerNear("near.flooded", message ->
            assertEquals(count.getAndIncrement(), message.argument(0)));
        final HandlerId flood = resolve(FarNode.FLOOD);
        final int replyCount = 10_000;

        await(() -> link(0).send(flood, flooded.number(), replyCount, 0, 0, payload, 0, 8) == SendStatus.SENT, () ->
            "room");
        await(() -> "1".equals(cluster().far("errors")), () -> "the handler's error");
        final int refused = Integer.parseInt(cluster().far("refused"));
        await(() -> count.get() >= replyCount - refused, () -> "replies=" + count + " refused=" + refused);

        assertEquals(replyCount, count.get() + refused);
        assertTrue(refused > 0);
        final String error = cluster().far("last-error");
        assertTrue(error.contains("overflow queue is full: held=") && error.contains("max=16384 bytes"), error);
        assertEquals("1", cluster().far("counter handler-errors"));
    }

    @Test
    @Tag(LOCAL)
    void shouldFindNoRoomForWhatTheLibrarySendsWhileAClaimIsOpenOrTheCeilingIsReached()
    {
        start("grim.overflow.ceiling", "16KiB");
        final int record = resolve(FarNode.RECORD).number();
        final HopClaim claim = new HopClaim();
        final AtomicReference<SendStatus> status = new AtomicReference<>();
        final HandlerId fill = registerNear("near.fill", message ->
        {
            for (int i = 0; i < moreThanCapacity() + 16 * 1024 && status.get() != SendStatus.BACK_PRESSURED; i++)
            {
                status.set(sendBuiltIn(link(0), record, 0, 0, payload, 1024));
            }
        });

        await(() -> link(0).tryClaim(HandlerId.of(record), 8, claim) == SendStatus.SENT, () -> "room");
        assertEquals(SendStatus.BACK_PRESSURED, sendBuiltIn(link(0), record, 0, 0, payload, 8));
        assertTrue(claim.isOpen());
        claim.abort();
        await(() -> link(0).send(resolve(FarNode.FLOOD), fill.number(), 1, 0, 0, payload, 0, 8) == SendStatus.SENT,
            () -> "room");
        await(() -> status.get() == SendStatus.BACK_PRESSURED, () -> "status=" + status);

        assertEquals(0, counter(near(), "handler-errors"));
    }

    @Test
    void shouldMakeProgressWhenHandlersReplyToEachOtherWithEveryQueueFull()
    {
        start();
        final AtomicInteger nearCount = new AtomicInteger();
        final HandlerId nearVolley = registerNear("near.volley", message ->
        {
            nearCount.incrementAndGet();
            FarNode.volley(message);
        });
        final HandlerId farVolley = resolve(FarNode.VOLLEY);
        final int hopCount = 20;
        cluster().far("stop");
        settle();

        int sent = 0;
        while (link(0).send(farVolley, nearVolley.number(), hopCount, 0, 0, payload, 0, 200) == SendStatus.SENT)
        {
            sent++;
        }
        cluster().far("continue");
        for (; sent < SLOT_COUNT * 8; sent++)
        {
            final SendStatus status = near().endpoint().link(farId(0)).sendBlocking(farVolley, nearVolley.number(),
                hopCount, 0, 0, payload, 0, 200, new SteppingIdle(cluster()));
            assertEquals(SendStatus.SENT, status);
        }
        final int total = sent * (hopCount + 1);
        await(() -> nearCount.get() + Integer.parseInt(cluster().far("volleys")) >= total,
            () -> "near=" + nearCount + " far=" + cluster().far("volleys") + " of " + total);

        assertEquals(total, nearCount.get() + Integer.parseInt(cluster().far("volleys")));
        assertEquals(sent * (hopCount / 2), nearCount.get());
        assertEquals(0, near().endpoint().overflowDepth());
        assertEquals("0", cluster().far("errors"));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseASecondThreadByNamingBoth()
    {
        start();
        near().endpoint().poll();
        final String owner = Thread.currentThread().getName();
        final List<String> texts = new ArrayList<>();
        final Thread other = new Thread(() ->
        {
            try
            {
                near().endpoint().poll();
            }
            catch (final IllegalStateException ex)
            {
                texts.add(ex.getMessage());
            }
        }, "intruder");

        other.start();
        join(other);

        assertEquals(1, texts.size());
        assertTrue(texts.get(0).contains("thread=intruder") && texts.get(0).contains("thread=" + owner), texts.get(0));
    }

    @Test
    void shouldDeliverAllThatFourThreadsSendOverASharedLink()
    {
        start();
        final int threadCount = 4;
        final int countPerThread = 2_000;
        final int[] received = new int[threadCount];
        final AtomicInteger badCount = new AtomicInteger();
        final HandlerId shared = registerNear("near.shared", message ->
        {
            final int thread = message.argument(0);
            badCount.addAndGet(message.argument(1) == received[thread] ? 0 : 1);
            received[thread]++;
        });
        final HandlerId echo = resolve(FarNode.ECHO);
        final SharedLink link = near().endpoint().sharedLink(farId(0));

        final List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int thread = 0; thread < threadCount; thread++)
        {
            final int number = thread;
            senders.add(onThreadOfItsOwn(() -> sendShared(link, echo, shared, number, countPerThread)));
        }
        await(() -> received[0] + received[1] + received[2] + received[3] >= threadCount * countPerThread,
            () -> "received=" + received[0] + "," + received[1] + "," + received[2] + "," + received[3]);
        senders.forEach(sender -> awaitFuture(sender, () -> cluster().stepFar()));

        assertEquals(0, badCount.get());
        assertEquals(threadCount * countPerThread, counter(near(), "messages-sent shared-links"));
    }

    static void join(final Thread thread)
    {
        try
        {
            thread.join(60_000);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void sendShared(
        final SharedLink link, final HandlerId echo, final HandlerId handler, final int thread, final int count)
    {
        final AtomicBuffer bytes = Buffers.allocate(64);
        final YieldingIdleStrategy idle = new YieldingIdleStrategy();
        for (int i = 0; i < count; i++)
        {
            SendStatus status = link.send(echo, handler.number(), thread, i, 0, bytes, 0, 64);
            while (status == SendStatus.BACK_PRESSURED || status == SendStatus.BUSY)
            {
                idle.idle(0);
                status = link.send(echo, handler.number(), thread, i, 0, bytes, 0, 64);
            }
            assertEquals(SendStatus.SENT, status);
        }
    }
}
