// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.concurrent.YieldingIdleStrategy;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Handlers that misbehave, peers that go and come back. */
abstract class LifeContract extends FlowContract
{
    private static final long SELECT_MS = 60_000;

    @Test
    @Tag(LOCAL)
    void shouldCountAHandlerThatThrowsAndDeliverTheOthers()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final HandlerId thrower = resolve(FarNode.THROW);

        for (int i = 0; i < 100; i++)
        {
            sendNumbered(link(0), record, i, 8);
            sendNumbered(link(0), thrower, 0, 50);
        }

        awaitHistory(0, 100);
        await(() -> "100".equals(cluster().far("errors")), () -> "errors=" + cluster().far("errors"));
        assertEquals("100", cluster().far("counter handler-errors"));
        assertTrue(cluster().far("last-error").contains("thrown on purpose"));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseEveryUseOfAMessageAfterItsHandlerThrew()
    {
        start();
        final List<ActiveMessage> kept = new ArrayList<>();
        final HandlerId keep = registerNear("near.keep", message ->
        {
            kept.add(message);
            throw new IllegalStateException("thrown on purpose");
        });
        final HandlerId echo = resolve(FarNode.ECHO);
        await(() -> link(0).send(echo, keep.number(), 0, 0, 0, payload, 0, 8) == SendStatus.SENT, () -> "room");
        await(() -> !kept.isEmpty(), () -> "the message");
        final ActiveMessage message = kept.get(0);

        assertThrows(IllegalStateException.class, message::source);
        assertThrows(IllegalStateException.class, message::destination);
        assertThrows(IllegalStateException.class, message::handler);
        assertThrows(IllegalStateException.class, message::buffer);
        assertThrows(IllegalStateException.class, message::offset);
        assertThrows(IllegalStateException.class, message::length);
        assertThrows(IllegalStateException.class, () -> message.argument(0));
        assertThrows(IllegalStateException.class, message::keep);
        assertThrows(IllegalStateException.class, () -> message.reply(keep, 0));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefusePollingAndBlockingInsideAHandler()
    {
        start();
        final List<String> texts = new ArrayList<>();
        final HandlerId nested = registerNear("near.nested", message ->
        {
            texts.add(assertThrows(IllegalStateException.class, () -> near().endpoint().poll()).getMessage());
            final Link back = near().endpoint().link(message.source());
            texts.add(assertThrows(IllegalStateException.class, () -> back.sendBlocking(
                HandlerId.of(16), 0, 0, 0, 0, null, 0, 0, new YieldingIdleStrategy())).getMessage());
        });
        final HandlerId echo = resolve(FarNode.ECHO);

        await(() -> link(0).send(echo, nested.number(), 0, 0, 0, payload, 0, 8) == SendStatus.SENT, () -> "room");
        await(() -> texts.size() == 2, () -> "the message");

        assertEquals("poll called inside a handler: handlers may send, not poll or block", texts.get(0));
        assertTrue(texts.get(1).startsWith("sendBlocking called inside a handler"), texts.get(1));
    }

    @Test
    @Tag(LOCAL)
    void shouldAdvanceWhenBothSidesSendBlockingHeadToHead()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final int count = SLOT_COUNT * 16;
        final int[] echoes = new int[1];
        final HandlerId echoed = registerNear("near.echoed", message -> echoes[0]++);
        final HandlerId echo = resolve(FarNode.ECHO);

        for (int i = 0; i < count; i++)
        {
            assertEquals(SendStatus.SENT, near().endpoint().link(farId(0)).sendBlocking(echo, echoed.number(), 0, 0,
                0, payload, 0, 300, new SteppingIdle(cluster())));
        }
        await(() -> echoes[0] >= count, () -> "echoes=" + echoes[0]);

        assertEquals(count, echoes[0]);
    }

    @Test
    void shouldSayPeerGoneAfterAnOrderlyLeaveAndReachTheNextIncarnationByANewLink()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final Link old = link(0);
        final EndpointId far = farId(0);
        cluster().far("stop");
        fill(old, record, 0, 8);
        final String before = cluster().far("node");

        cluster().far("leave");
        final SendStatus gone = trySendNumbered(old, record, 0, 8);
        final SendStatus goneByName = near().endpoint().link(far).send(record, payload, 0, 0);
        final NodeInfo.State state = near().nodes().get(far.node()).state();
        cluster().far("join");
        cluster().far("continue");
        final SendStatus stillGone = trySendNumbered(old, record, 0, 8);
        resolve(FarNode.RECORD);
        sendNumbered(link(0), record, 0, 8);

        awaitHistory(0, 1);
        assertEquals(SendStatus.PEER_GONE, gone);
        assertEquals(SendStatus.PEER_GONE, goneByName);
        assertEquals(NodeInfo.State.GONE, state);
        assertEquals(SendStatus.PEER_GONE, stillGone);
        assertNotEquals(before, cluster().far("node"));
        assertTrue(counter(near(), "peer-gone") >= 3);
    }

    @Test
    void shouldTakeBackTheQueuesOfPeersThatLeft()
    {
        start("grim.queue.exclusive", 1, "grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());

        for (int life = 0; life < 5; life++)
        {
            final int[] echoes = new int[1];
            final HandlerId echoed = registerNear("near.echoed", message -> echoes[0]++);
            final HandlerId echo = resolve(FarNode.ECHO);
            await(() -> link(0).send(echo, echoed.number(), 0, 0, 0, payload, 0, 8) == SendStatus.SENT, () -> "room");
            await(() -> echoes[0] == 1, () -> "the echo");
            cluster().far("leave");
            cluster().far("join");
        }
    }

    @Test
    void shouldKeepALinkUntilItsClaimEndsWhenThePeerComesBack()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final EndpointId far = farId(0);
        final AtomicBoolean isGone = new AtomicBoolean();
        near().endpoint().onNodeGone((node, undelivered, unknown) -> isGone.set(true));
        final HopClaim claim = new HopClaim();
        final Link old = link(0);
        await(() -> old.tryClaim(record, 100, claim) == SendStatus.SENT, () -> "room");

        cluster().far("leave");
        await(isGone::get, () -> "the news");
        cluster().far("join");
        final Link meanwhile = near().endpoint().link(far);
        claim.buffer().setMemory(claim.offset(), claim.length(), (byte)1);
        claim.abort();
        resolve(FarNode.RECORD);
        sendNumbered(link(0), record, 0, 8);

        assertSame(old, meanwhile);
        awaitHistory(0, 1);
    }

    @Test
    void shouldEndAnUnsentOverflowWhenThePeerLeaves()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final EndpointId far = farId(0);
        final int count = moreThanCapacity();
        final SendStatus[] last = new SendStatus[1];
        final int[] accepted = new int[1];
        final long[] lost = noteLosses();
        final HandlerId local = registerNear("near.local", message ->
        {
            for (int i = 0; i < count; i++)
            {
                last[0] = near().endpoint().link(far).send(record, i, crc(8, i), 0, 0, payload, 0, 8);
                accepted[0] += last[0].isAccepted() ? 1 : 0;
            }
        });
        cluster().far("stop");

        sendToSelf(local);
        await(() -> last[0] != null, () -> "the handler");
        final int depth = near().endpoint().overflowDepth();
        cluster().far("leave");
        await(() -> near().endpoint().overflowDepth() == 0 && lost[0] >= 0, () -> "the end of the overflow");

        assertEquals(SendStatus.QUEUED, last[0]);
        assertEquals(count, accepted[0]);
        assertTrue(depth > 0 && depth < count, "depth=" + depth);
        // Messages in an NI when its peer leaves are delivered to no node, and reported.
        final String reported = "depth=" + depth + " undelivered=" + lost[0] + " unknown=" + lost[1];
        assertTrue(lost[0] >= depth && lost[0] <= depth + smallCapacity(), reported);
        assertTrue(lost[0] + lost[1] >= count, reported);
        assertEquals(lost[0], counter(near(), "undelivered channel=0"));
        assertEquals(0, counter(near(), "overflow-depth channel=0"));
    }

    @Test
    void shouldTellThatNothingIsUnknownWhenAPeerLeavesThatHasHandledAll()
    {
        start(settingsForAnOrderlyLeave());
        assumeTrue(cluster().hasPeer());
        final int[] echoes = new int[1];
        final HandlerId echoed = registerNear("near.echoed", message -> echoes[0]++);
        final HandlerId echo = resolve(FarNode.ECHO);
        final long[] lost = noteLosses();
        for (int i = 0; i < 3; i++)
        {
            final int length = INLINE_LENGTH * i;
            await(() -> link(0).send(echo, echoed.number(), 0, 0, 0, payload, 0, length) == SendStatus.SENT,
                () -> "room");
        }
        await(() -> echoes[0] == 3, () -> "echoes=" + echoes[0]);

        leaveWhileNearPolls();
        await(() -> lost[0] >= 0, () -> "the listener");

        assertEquals("undelivered=0 unknown=0", "undelivered=" + lost[0] + " unknown=" + lost[1]);
    }

    @Test
    void shouldCountAsUndeliveredWhatAPeerHadNotHandledWhenItLeft()
    {
        start(settingsForAnOrderlyLeave());
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final long[] lost = noteLosses();
        final int handledCount = 3;
        for (int i = 0; i < handledCount; i++)
        {
            sendNumbered(link(0), record, i, 8);
        }
        awaitHistory(0, handledCount);
        cluster().far("stop");
        final int unreadCount = fill(link(0), record, handledCount, 8);
        settle();

        leaveWhileNearPolls();
        await(() -> lost[0] >= 0, () -> "the listener");

        final String reported = "sent=" + unreadCount + " undelivered=" + lost[0] + " unknown=" + lost[1];
        assertTrue(unreadCount > 0, reported);
        assertTrue(lost[1] <= unknownCountMax(), reported);
        assertTrue(lost[0] <= unreadCount && lost[0] + lost[1] >= unreadCount, reported);
        assertEquals(lost[0], counter(near(), "undelivered channel=0"));
    }

    @Test
    @Tag(LOCAL)
    void shouldSayClosedAfterTheNodeLeft()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final Link link = link(0);
        near().close();

        final SendStatus status = trySendNumbered(link, record, 0, 8);

        assertEquals(SendStatus.CLOSED, status);
        assertEquals(0, near().endpoint().poll());
    }

    @Test
    @Tag(LOCAL)
    void shouldPollFromAThreadOfItsOwn()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        near().startPolling(new YieldingIdleStrategy());

        assertThrows(IllegalStateException.class, () -> near().endpoint().poll());
        near().handlers().register("near.late", message ->
        {
        });
        final CompletableFuture<Void> synchronised =
            CompletableFuture.runAsync(() -> near().start());
        awaitFuture(synchronised, () -> cluster().stepFar());

        assertTrue(near().handlers().tryResolve("near.late").isKnown());
        assertThrows(IllegalStateException.class, () -> near().startPolling(new YieldingIdleStrategy()));
        assertTrue(record.isKnown());
    }

    @Test
    @Tag(LOCAL)
    void shouldRunWorkOnThePollingThread()
    {
        start();
        final HandlerId echo = resolve(FarNode.ASK);
        final EndpointId far = farId(0);
        near().endpoint().releaseOwnership();
        near().startPolling();
        final Reply reply = near().endpoint().newReply();

        final String refused =
            assertThrows(IllegalStateException.class, () -> near().endpoint().link(far)).getMessage();
        final CompletableFuture<SendStatus> sent = CompletableFuture.supplyAsync(
            () -> near().endpoint().link(far).request(echo, "hello", Duration.ofMinutes(1), reply), near()::execute);
        assertEquals(SendStatus.SENT, awaitFuture(sent, () -> cluster().stepFar()));
        awaitFuture(onThreadOfItsOwn(reply::await), () -> cluster().stepFar());

        assertEquals("hello", reply.text());
        assertTrue(refused.contains(": run it there by Grim.execute, open an endpoint"), refused);
        near().close();
        assertThrows(IllegalStateException.class, () -> near().execute(() ->
        {
            // Never runs.
        }));
    }

    @Test
    @Tag(LOCAL)
    void shouldRunWorkInOrderOutsideHandlersAndGoOnAfterAnError()
    {
        start();
        final List<String> order = new ArrayList<>();
        near().execute(() ->
        {
            order.add("first begins");
            near().endpoint().poll();
            order.add("first ends");
        });
        near().execute(() ->
        {
            near().execute(() -> order.add("third"));
            throw new IllegalStateException("thrown on purpose");
        });

        near().endpoint().poll();
        final List<String> afterOne = List.copyOf(order);
        near().endpoint().poll();

        assertEquals(List.of("first begins", "first ends"), afterOne);
        assertEquals(List.of("first begins", "first ends", "third"), order);
    }

    @Test
    @Tag(LOCAL)
    void shouldWakeASleepingThreadForWork() throws IOException
    {
        start();
        near().endpoint().releaseOwnership();
        final AtomicBoolean hasRun = new AtomicBoolean();
        final CountDownLatch isAsleep = new CountDownLatch(1);
        try (Selector selector = Selector.open())
        {
            final CompletableFuture<Void> sleeper = onThreadOfItsOwn(() ->
            {
                final Endpoint.Doorbell doorbell = near().endpoint().doorbell();
                doorbell.listen(selector);
                while (!hasRun.get())
                {
                    if (doorbell.prepareToSleep())
                    {
                        isAsleep.countDown();
                        select(selector);
                        doorbell.awake();
                    }
                    near().endpoint().poll();
                }
                near().endpoint().releaseOwnership();
            });
            assertTrue(awaitQuietly(isAsleep));
            final long startNs = System.nanoTime();
            near().execute(() -> hasRun.set(true));
            awaitFuture(sleeper, () -> cluster().stepFar());

            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(SELECT_MS / 2));
        }
    }

    private static void select(final Selector selector)
    {
        try
        {
            selector.select(SELECT_MS);
            selector.selectedKeys().clear();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static boolean awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            return latch.await(60, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void shouldReportNodesThatStartAndStartAgain()
    {
        start("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());
        final List<String> seen = new ArrayList<>();
        near().endpoint().onNodeUp(node -> noteFar(seen, "up ", node));
        near().endpoint().onNodeGone((node, undelivered, unknown) -> noteFar(seen, "gone ", node));
        settle();
        final List<String> beforeStart = List.copyOf(seen);
        startFar();
        await(() -> seen.size() == 1, () -> "the start: " + seen);
        final int first = near().nodes().get(farId(0).node()).incarnation();

        awaitFuture(onThreadOfItsOwn(() -> cluster().far("leave")), () -> cluster().pollNear());
        cluster().far("join");
        startFar();
        await(() -> seen.size() == 3, () -> "the second start: " + seen);
        near().endpoint().onNodeUp(node -> noteFar(seen, "again ", node));
        await(() -> seen.size() == 4, () -> "what is known to the new listener: " + seen);
        final int second = near().nodes().get(farId(0).node()).incarnation();

        assertEquals(List.of(), beforeStart);
        assertEquals(List.of("up " + first, "gone " + first, "up " + second, "again " + second), seen);
    }

    @Test
    void shouldSayWhyAPeerIsGone()
    {
        start("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());
        final List<String> seen = new ArrayList<>();
        near().endpoint().onNodeGone((node, undelivered, unknown) ->
            noteFar(seen, node.state() + " " + node.goneReason() + " ", node));
        settle();
        final int number = farId(0).node();
        final int first = near().nodes().get(number).incarnation();

        leaveWhileNearPolls();
        await(() -> seen.size() == 1, () -> "the news that it left: " + seen);
        cluster().far("join");
        settle();
        final int second = near().nodes().get(number).incarnation();
        final boolean isKilled = cluster().tryKillFar();
        if (!isKilled)
        {
            leaveWhileNearPolls();
        }
        await(() -> seen.size() == 2, () -> "the news of its end: " + seen);

        assertEquals(List.of("GONE LEFT " + first, "GONE " + (isKilled ? "DIED " : "LEFT ") + second), seen);
        assertEquals(isKilled ? NodeInfo.GoneReason.DIED : NodeInfo.GoneReason.LEFT,
            near().nodes().get(number).goneReason());
    }

    /** Where there are further nodes, they do not matter. */
    private static void noteFar(final List<String> seen, final String what, final NodeInfo node)
    {
        if ("far".equals(node.name()))
        {
            seen.add(what + node.incarnation());
        }
    }

    /** It waits for the keeper of the handlers, which may be the near node. */
    private void startFar()
    {
        cluster().far("release");
        awaitFuture(onThreadOfItsOwn(() ->
        {
            cluster().far("start");
            cluster().far("release");
        }), () -> cluster().pollNear());
    }

    /** A board that nobody steps answers nothing. */
    private void leaveWhileNearPolls()
    {
        awaitFuture(onThreadOfItsOwn(() -> cluster().far("leave")), () -> cluster().pollNear());
    }

    /** The listener's last report: undelivered and unknown; -1 before. */
    private long[] noteLosses()
    {
        final long[] lost = {-1, -1};
        near().endpoint().onNodeGone((node, undelivered, unknown) ->
        {
            lost[0] = undelivered;
            lost[1] = unknown;
        });
        return lost;
    }
}
