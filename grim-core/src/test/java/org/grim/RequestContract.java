// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Requests end once: by their answer, their time-out, the end of the peer, the end of this node. */
abstract class RequestContract extends DeviceContract
{
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(30);

    private HandlerId ask;

    @Test
    void shouldAnswerEverySizeUnchanged()
    {
        startAsking();
        final Reply reply = near().endpoint().newReply();
        final int[] lengths = {0, 1, 33, PAYLOAD_LENGTH_MAX, 20_000};

        for (int i = 0; i < lengths.length * 20; i++)
        {
            final int sequence = i;
            final int length = lengths[i % lengths.length];
            final int crc = crc(length, sequence);
            await(() -> link(0).request(ask, 0, sequence, -1, payload, 0, length, LONG, reply).isAccepted(),
                () -> "room for request " + sequence);
            await(reply::isComplete, () -> "answer " + sequence);

            assertEquals(Reply.Outcome.ANSWERED, reply.outcome());
            assertEquals(List.of(0, sequence, -1), IntStream.range(0, 3).map(reply::argument).boxed().toList());
            assertEquals(length, reply.length());
            assertEquals(crc, Payloads.crc(reply.buffer(), 0, length));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> reply.argument(3));
    }

    @Test
    void shouldGiveEachRequestItsOwnAnswerWhenTheyComeInAnotherOrder()
    {
        startAsking();
        final List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < 20; i++)
        {
            replies.add(near().endpoint().newReply());
            requestText(FarNode.ASK_LATER, "question " + i, LONG, replies.get(i));
        }
        await(() -> "20".equals(cluster().far("asked")), () -> "the requests");

        assertTrue(replies.stream().noneMatch(Reply::isComplete));
        cluster().far("answer");
        await(() -> replies.stream().allMatch(Reply::isComplete), () -> "the answers");

        for (int i = 0; i < replies.size(); i++)
        {
            assertEquals("answer to question " + i, replies.get(i).text());
        }
    }

    @Test
    void shouldTimeOutAndDiscardALateAnswer()
    {
        startAsking();
        final List<Reply.Outcome> outcomes = new ArrayList<>();
        final Reply reply = near().endpoint().newReply(ended -> outcomes.add(ended.outcome()));
        final long startNs = System.nanoTime();
        requestText(FarNode.ASK_LATER, "late", SHORT, reply);

        await(reply::isComplete, () -> "the time-out");
        final long tookNs = System.nanoTime() - startNs;
        await(() -> "1".equals(cluster().far("asked")), () -> "the request");
        assertThrows(IllegalStateException.class, reply::text);
        requestText(FarNode.ASK_LATER, "again", LONG, reply);
        await(() -> "2".equals(cluster().far("asked")), () -> "the second request");
        cluster().far("answer");
        await(reply::isComplete, () -> "the answer");

        assertTrue(tookNs >= SHORT.toNanos(), "took " + tookNs + " ns");
        assertEquals("answer to again", reply.text());
        assertEquals(List.of(Reply.Outcome.TIMED_OUT, Reply.Outcome.ANSWERED), outcomes);
    }

    @Test
    void shouldSayThatThePeerIsGone()
    {
        start("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());
        ask = resolve(FarNode.ASK);
        final List<Reply> ended = new ArrayList<>();
        final Reply first = near().endpoint().newReply(ended::add);
        final Reply second = near().endpoint().newReply(ended::add);
        requestText(FarNode.ASK_LATER, "first", LONG, first);
        requestText(FarNode.ASK_LATER, "second", LONG, second);
        await(() -> "2".equals(cluster().far("asked")), () -> "the requests");

        awaitFuture(onThreadOfItsOwn(() -> cluster().far("leave")), () -> cluster().pollNear());
        await(() -> ended.size() == 2, () -> "the news");

        assertEquals(Reply.Outcome.PEER_GONE, first.outcome());
        assertEquals(Reply.Outcome.PEER_GONE, second.outcome());
    }

    @Test
    @Tag(LOCAL)
    void shouldSayThatThereIsNoRoomAndLeaveTheReplyAsItWas()
    {
        startAsking();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        cluster().far("stop");
        fillFully(link(0), record, 8);

        final Reply reply = refusedReply();

        assertEquals(Reply.Outcome.NONE, reply.outcome());
        cluster().far("continue");
        requestText(0, "room", LONG, reply);
        await(reply::isComplete, () -> "the answer");
        assertEquals("room", reply.text());
    }

    @Test
    @Tag(LOCAL)
    void shouldLetTheListenerSendTheNextRequest()
    {
        startAsking();
        final int[] count = new int[1];
        final Reply reply = near().endpoint().newReply(ended ->
        {
            count[0]++;
            if (count[0] < 1_000)
            {
                assertTrue(link(0).request(ask, 0, count[0], 0, null, 0, 0, LONG, ended).isAccepted());
            }
            else if (count[0] == 1_000)
            {
                throw new IllegalStateException("thrown on purpose");
            }
        });

        requestText(0, "begin", LONG, reply);
        await(() -> count[0] == 1_000, () -> "count=" + count[0]);

        assertEquals(999, reply.argument(1));
        assertEquals(1, counter(near(), "handler-errors"));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseAReplyThatIsInUseOrOfAnotherEndpointAndANegativeTime()
    {
        startAsking();
        final Reply reply = near().endpoint().newReply();
        requestText(FarNode.ASK_LATER, "first", LONG, reply);
        final Reply others = near().openEndpoint(HOST_CHANNEL_COUNT).newReply();

        final String inUse = assertThrows(IllegalStateException.class,
            () -> link(0).request(ask, "second", LONG, reply)).getMessage();
        final String foreign = assertThrows(IllegalArgumentException.class,
            () -> link(0).request(ask, "second", LONG, others)).getMessage();
        final String negative = assertThrows(IllegalArgumentException.class,
            () -> link(0).request(ask, "second", Duration.ofNanos(-1), near().endpoint().newReply())).getMessage();
        await(() -> "1".equals(cluster().far("asked")), () -> "the request");
        cluster().far("answer");
        await(reply::isComplete, () -> "the answer");

        assertEquals("answer to first", reply.text());
        assertTrue(inUse.startsWith("the reply is in use"), inUse);
        assertEquals("the reply belongs to another endpoint", foreign);
        assertEquals("timeout=PT-0.000000001S is negative", negative);
    }

    @Test
    @Tag(LOCAL)
    void shouldTellAHandlerThatAMessageIsNoRequest()
    {
        startAsking();

        await(() -> link(0).send(ask, "no request") == SendStatus.SENT, () -> "room");
        await(() -> "1".equals(cluster().far("errors")), () -> "the error");

        final String error = cluster().far("last-error");
        assertTrue(error.contains("is no request: reply with a handler"), error);
    }

    @Test
    @Tag(LOCAL)
    void shouldEndWithTheNode()
    {
        startAsking();
        final Reply reply = near().endpoint().newReply();
        final Link link = link(0);
        requestText(FarNode.ASK_LATER, "never answered", LONG, reply);
        assertFalse(reply.isComplete());

        near().close();

        assertEquals(Reply.Outcome.CLOSED, reply.await().outcome());
        assertEquals(SendStatus.CLOSED, link.request(ask, "late", LONG, reply));
    }

    /** Returns the reply of the first request that finds no room: a late thread may have made room for some. */
    private Reply refusedReply()
    {
        Reply reply = near().endpoint().newReply();
        SendStatus status = link(0).request(ask, "no room", LONG, reply);
        while (status == SendStatus.SENT)
        {
            reply = near().endpoint().newReply();
            status = link(0).request(ask, "no room", LONG, reply);
        }
        assertEquals(SendStatus.BACK_PRESSURED, status);
        return reply;
    }

    private void startAsking()
    {
        start();
        ask = resolve(FarNode.ASK);
    }

    private void requestText(final int mode, final String text, final Duration timeout, final Reply reply)
    {
        final byte[] bytes = text.getBytes(UTF_8);
        payload.putBytes(0, bytes);
        await(() -> link(0).request(ask, mode, 0, 0, payload, 0, bytes.length, timeout, reply).isAccepted(),
            () -> "room for " + text);
    }
}
