// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.grim.large.OutgoingStream;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The contract that every transport keeps. A transport's test extends this class and opens two nodes. The parts above
 * it hold messages, flow, life, keeping, devices and requests; this one holds names: handlers and endpoints.
 */
@Timeout(180)
public abstract class TransportContractTest extends RequestContract
{
    /** Time for which an endpoint that is closed waits for room. */
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int CLOSE_COUNT_MAX = 10;

    @Test
    @Tag(LOCAL)
    void shouldResolveANameThatAnotherNodeRegistersLater()
    {
        start();
        assertNull(near().handlers().tryResolve("late"));
        settle();
        assertNull(near().handlers().tryResolve("late"));

        cluster().far("register late");
        final HandlerId late = resolve("late");
        sendNumbered(link(0), late, 0, 8);

        awaitHistory(0, 1);
        await(() -> cluster().far("resolve late").equals(Integer.toString(late.number())), () ->
            "the same id on both sides");
    }

    @Test
    @Tag(LOCAL)
    void shouldSendByANameThatAnotherNodeRegistersLater()
    {
        start();
        final HandlerId late = near().handlers().id("late");
        final HopClaim claim = new HopClaim();
        final MessageStream stream = new OutgoingStream();
        final Reply reply = near().endpoint().newReply();
        settle();

        assertFalse(late.isKnown());
        assertEquals(SendStatus.BACK_PRESSURED, link(0).send(late, 0, crc(0, 0), 0, 0));
        assertEquals(SendStatus.BACK_PRESSURED, link(0).tryClaim(late, 8, claim));
        assertEquals(SendStatus.BACK_PRESSURED, link(0).tryOpenStream(late, 0, 0, 0, 0, 8, stream));
        assertEquals(SendStatus.BACK_PRESSURED, link(0).request(late, "late", Duration.ofSeconds(1), reply));
        assertEquals(Reply.Outcome.NONE, reply.outcome());
        assertEquals(SendStatus.BACK_PRESSURED, near().endpoint().sharedLink(farId(0)).send(late, 0, 0, 0, 0));
        assertEquals("handler late has no number yet: the node that registers it has to call Grim.start()",
            assertThrows(IllegalStateException.class, late::number).getMessage());
        cluster().far("register late");
        assertEquals(SendStatus.SENT, link(0).sendBlocking(late, 0, crc(0, 0), 0, 0, payload, 0, 0,
            new SteppingIdle(cluster())));

        awaitHistory(0, 1);
        assertSame(late, near().handlers().id("late"));
        assertTrue(late.isKnown());
    }

    @Test
    @Tag(LOCAL)
    void shouldSayWhichHandlerIsUnknownWhenNobodyRegistersIt()
    {
        start("grim.handlers.resolve-timeout", "50ms");

        final GrimException ex = assertThrows(GrimException.class, () -> near().handlers().resolve("nobody"));

        assertEquals("handler=nobody is unknown: no node has registered it: waited=50 ms " +
            "(grim.handlers.resolve-timeout)", ex.getMessage());
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseANameThatIsEmptyOrTooLong()
    {
        start();
        final String tooLong = "x".repeat(HandlerRegistry.NAME_LENGTH_MAX + 1);

        assertThrows(IllegalArgumentException.class, () -> near().handlers().register("", message ->
        {
        }));
        final String text =
            assertThrows(IllegalArgumentException.class, () -> near().handlers().tryResolve(tooLong)).getMessage();

        assertTrue(text.endsWith(" is not 1 to 200 bytes of UTF-8 without control characters: length=201"), text);
    }

    @Test
    @Tag(LOCAL)
    void shouldSynchroniseWhileThePeerPolls()
    {
        start();
        near().handlers().register("near.one", message ->
        {
        });
        near().endpoint().releaseOwnership();

        final CompletableFuture<HandlerId> resolved = CompletableFuture.supplyAsync(() ->
        {
            near().start();
            return near().handlers().resolve("near.one");
        });
        final HandlerId id = awaitFuture(resolved, () -> cluster().stepFar());
        near().endpoint().releaseOwnership();

        assertTrue(id.isKnown());
    }

    @Test
    void shouldKeepHandlerIdsWhenTheirKeeperLeavesAndAnotherTakesOver()
    {
        start();
        assumeTrue(cluster().hasPeer());
        assertEquals(0, near().node().number());
        final HandlerId record = resolve(FarNode.RECORD);
        await(() -> cluster().far("resolve " + FarNode.RECORD).equals(Integer.toString(record.number())), () ->
            "the id there");

        near().close();
        cluster().far("register after");
        await(() -> !"0".equals(cluster().far("resolve after")), () -> "an id by the new keeper");

        assertEquals(Integer.toString(record.number()), cluster().far("resolve " + FarNode.RECORD));
        assertTrue(Integer.parseInt(cluster().far("resolve after")) > record.number());
    }

    @Test
    @Tag(LOCAL)
    void shouldKeepHandlerIdsWhenTheirKeeperComesBackBeforeTheOthersNotice()
    {
        start();
        assumeTrue(cluster().hasPeer());
        letFarKeepTheHandlers();
        cluster().far("continue");
        final HandlerId record = resolve(FarNode.RECORD);
        cluster().far("leave");
        cluster().far("join");
        letFarKeepTheHandlers();
        String again = cluster().far("resolve " + FarNode.RECORD);
        while ("0".equals(again))
        {
            cluster().far("poll 1");
            again = cluster().far("resolve " + FarNode.RECORD);
        }

        await(() -> trySendNumbered(link(0), record, 0, 8) == SendStatus.SENT, () -> "room");
        cluster().far("continue");

        assertEquals(Integer.toString(record.number()), again);
        awaitHistory(0, 1);
    }

    @Test
    @Tag(LOCAL)
    void shouldRunTheLatestHandlerOfAName()
    {
        start();
        final int[] counts = new int[2];
        final HandlerId first = registerNear("near.twice", message -> counts[0]++);
        final HandlerId second = registerNear("near.twice", message -> counts[1]++);
        final HandlerId echo = resolve(FarNode.ECHO);

        await(() -> link(0).send(echo, second.number(), 0, 0, 0, payload, 0, 0) == SendStatus.SENT, () -> "room");
        await(() -> counts[0] + counts[1] == 1, () -> "the echo");

        assertEquals(first, second);
        assertEquals(1, counts[1]);
    }

    @Test
    @Tag(LOCAL)
    void shouldRunTheLatestHandlerOfANameAlsoBeforeANewKeeperKnowsTheName()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final int[] counts = new int[2];
        letFarKeepTheHandlers();
        cluster().far("continue");
        final HandlerId id = registerNear("near.twice", message -> counts[0]++);
        cluster().far("leave");
        cluster().far("join");
        letFarKeepTheHandlers();
        final long sentBefore = counter(near(), "messages-sent channel=0");
        near().handlers().tryResolve("nobody");
        await(() -> counter(near(), "messages-sent channel=0") > sentBefore, () -> "a question to the new keeper");

        near().handlers().register("near.twice", message -> counts[1]++);
        sendToSelf(id);
        await(() -> counts[0] + counts[1] == 1, () -> "the message");

        assertEquals(1, counts[1]);
    }

    @Test
    @Tag(LOCAL)
    void shouldAskANewKeeperOfTheOldOnesNumberAtTheFirstAttempt()
    {
        start();
        assumeTrue(cluster().hasPeer() && !hasOthers());
        letFarKeepTheHandlers();
        cluster().far("continue");
        near().endpoint().link(near().locate("far"));       // The next question goes by it, unless it ends.
        cluster().far("leave");
        cluster().far("join");
        letFarKeepTheHandlers();
        final long sentBefore = counter(near(), "messages-sent channel=0");

        near().handlers().tryResolve("nobody");
        await(() -> counter(near(), "peer-gone") > 0, () -> "the end of the old link");

        assertEquals(sentBefore + 1, counter(near(), "messages-sent channel=0"));
    }

    @Test
    @Tag(LOCAL)
    void shouldOpenFurtherEndpointsOnChannelsThatNobodyHas()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final Endpoint endpoint = near().openEndpoint(2, 3);

        await(() -> endpoint.link(farId(0)).send(record, 0, crc(8, 0), 0, 0, payload, 0, 8) == SendStatus.SENT,
            () -> "room");
        final String taken = assertThrows(IllegalArgumentException.class, () -> near().openEndpoint(3)).getMessage();
        final String outside = assertThrows(IllegalArgumentException.class, () -> near().openEndpoint(4)).getMessage();

        awaitHistory(0, 1);
        assertEquals("channel=3 belongs to another endpoint", taken);
        assertEquals("channel=4 is outside 0 to 3", outside);
        assertThrows(IllegalArgumentException.class, () -> near().openEndpoint());
        assertThrows(IllegalArgumentException.class, () -> endpoint.link(0, farId(0)));
    }

    @Test
    @Tag(LOCAL)
    void shouldOpenAClosedChannelAgainAndHandleWhatCameMeanwhile()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final List<Integer> handled = new ArrayList<>();
        final HandlerId local = registerNear("near.local", message -> handled.add(message.argument(0)));
        final Endpoint closed = near().openEndpoint(2, 3);
        final EndpointId own = closed.id();
        final Link toOwn = near().endpoint().link(own);
        final Link link = closed.link(farId(0));
        final SharedLink shared = closed.sharedLink(farId(0));
        final RemoteRegion region = near().endpoint().memory().register(8).remote();
        final RemoteLink remote = closed.memory().link(region);
        send(toOwn, local, 1);
        await(() -> closed.poll() + handled.size() > 0 && handled.size() == 1, () -> "handled=" + handled);

        closed.close();
        closed.close();
        send(toOwn, local, 2);
        send(toOwn, local, 3);
        near().endpoint().poll();

        assertEquals(List.of(1), handled);
        assertEquals(0, closed.poll());
        assertEquals(SendStatus.CLOSED, link.send(record, payload, 0, 8));
        assertEquals(SendStatus.CLOSED, link.tryClaim(record, 8, new HopClaim()));
        assertEquals(SendStatus.CLOSED, link.tryOpenStream(record, 0, 0, 0, 0, 8, new OutgoingStream()));
        assertEquals(SendStatus.CLOSED, shared.send(record, payload, 0, 8));
        assertEquals(SendStatus.CLOSED, remote.write(region, 0, payload, 0, 8));
        for (final Executable late : List.<Executable>of(closed::bind, () -> closed.link(farId(1)),
            () -> closed.sharedLink(farId(0)), () -> closed.memory().newRead(), () -> closed.doorbell().listen(null),
            () -> closed.doorbell().prepareToSleep()))
        {
            assertEquals(own + " is closed", assertThrows(IllegalStateException.class, late).getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> near().openEndpoint(2, 2));

        try (Endpoint other = near().openEndpoint(3); Endpoint again = near().openEndpoint(2))
        {
            again.bind();
            send(toOwn, local, 4);
            await(() -> again.poll() + other.poll() >= 0 && handled.size() == 4, () -> "handled=" + handled);
            assertEquals(List.of(1, 2, 3, 4), handled);
            final Link next = again.link(farId(0));
            await(() -> next.send(record, 0, crc(8, 0), 0, 0, payload, 0, 8) == SendStatus.SENT, () -> "room");
            awaitHistory(0, 1);
        }
        assertTrue(assertThrows(IllegalStateException.class, () -> near().endpoint().close()).getMessage()
            .startsWith("the host endpoint is closed by Grim.close()"));
    }

    @Test
    @Tag(LOCAL)
    void shouldSendWhatWaitsBeforeAnEndpointIsClosed()
    {
        boolean isInTime = false;
        for (int i = 0; i < CLOSE_COUNT_MAX && !isInTime; i++)
        {
            isInTime = sendsWhatWaitsBeforeAnEndpointIsClosed();
            closeCluster();
        }

        assertTrue(isInTime, "the endpoint did not send what waited");
    }

    /** Returns false if the machine stood still for as long as an endpoint waits for room when it is closed. */
    private boolean sendsWhatWaitsBeforeAnEndpointIsClosed()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final int count = moreThanCapacity();
        final Endpoint endpoint = near().openEndpoint(2);
        final EndpointId far = farId(0);
        final HandlerId local = registerNear("near.local", message ->
        {
            assertThrows(IllegalStateException.class, endpoint::close);
            for (int i = 0; i < count; i++)
            {
                endpoint.link(far).send(record, i, crc(8, i), 0, 0, payload, 0, 8);
            }
        });
        cluster().far("stop");
        send(near().endpoint().link(endpoint.id()), local, 0);
        await(() -> endpoint.poll() >= 0 && endpoint.overflowDepth() > 0, () -> "the handler");

        cluster().far("continue");
        endpoint.releaseOwnership();
        final long startNs = System.nanoTime();
        final CompletableFuture<Void> closing = onThreadOfItsOwn(endpoint::close);
        awaitFuture(closing, () ->
        {
            near().endpoint().poll();
            cluster().stepFar();
        });
        if (System.nanoTime() - startNs >= CLOSE_NS)
        {
            return false;
        }

        awaitHistory(0, count);
        assertEquals(0, counter(near(), "undelivered channel=2"));
        assertEquals(0, counter(near(), "overflow-depth channel=2"));
        near().openEndpoint(2).close();
        return true;
    }

    private void send(final Link link, final HandlerId handler, final int a0)
    {
        await(() -> link.send(handler, a0, 0, 0, 0).isAccepted(), () -> "room");
    }

    /** Has the far node alone do its housekeeping, in which it takes the keeper's empty place; it answers nobody. */
    private void letFarKeepTheHandlers()
    {
        cluster().far("stop");
        while ("0".equals(cluster().far("counter polls channel=0")))
        {
            cluster().far("poll 1");
        }
    }
}
