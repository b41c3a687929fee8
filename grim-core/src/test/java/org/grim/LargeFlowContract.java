// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointLink;
import org.grim.large.BeginWords;
import org.grim.large.FragmentDescriptor;
import org.grim.large.OutgoingStream;
import org.grim.transport.HopClaim;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Long messages under back pressure, both ways at once, of several senders, beside hostile ones; peers that go. */
abstract class LargeFlowContract extends LargeMessageContract
{
    @Test
    void shouldRefuseWhatWouldWaitWhenTheReceiverStopsAndGoOnWhenItPolls()
    {
        startLarge();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        settle();
        cluster().far("stop");
        settle();

        int accepted = 0;
        SendStatus status = trySendLarge(link(0), record, 0, 5_000_000);
        while (status.isAccepted() && accepted < 100)
        {
            accepted++;
            status = trySendLarge(link(0), record, accepted, 5_000_000);
        }
        cluster().far("continue");
        sendLarge(link(0), record, accepted, 5_000_000);
        sendLarge(link(0), record, accepted + 1, 10);

        assertEquals(SendStatus.BACK_PRESSURED, status);
        assertTrue(accepted >= 1 && accepted * 5_000_000L <= 64 * MIB, "accepted=" + accepted);
        awaitHistory(0, accepted + 2);
        assertNothingHeld();
    }

    @Test
    void shouldMakeProgressWhenHandlersAnswerWithLongMessagesBothWaysAtOnce()
    {
        startLarge();
        final AtomicInteger nearCount = new AtomicInteger();
        final AtomicInteger badCount = new AtomicInteger();
        final int length = 150_000;
        final int crc = fill(length, 3);
        final HandlerId nearVolley = registerNear("near.volley", message ->
        {
            nearCount.incrementAndGet();
            badCount.addAndGet(Payloads.crc(message.buffer(), message.offset(), message.length()) == crc ? 0 : 1);
            FarNode.volley(message);
        });
        final HandlerId farVolley = resolve(FarNode.VOLLEY);
        final int hopCount = 7;
        final int volleyCount = 12;

        for (int i = 0; i < volleyCount; i++)
        {
            final Link link = link(i % HOST_CHANNEL_COUNT);
            await(() -> link.send(farVolley, nearVolley.number(), hopCount, 0, 0, large, 0, length).isAccepted(), () ->
                "room");
        }
        await(() -> nearCount.get() >= volleyCount * 4, () -> "volleys=" + nearCount);
        settle();

        assertEquals(volleyCount * 4, nearCount.get());
        assertEquals(0, badCount.get());
        assertEquals(Integer.toString(volleyCount * 4), cluster().far("volleys"));
        assertEquals("0", cluster().far("counter handler-errors"));
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldQueueAllThatAHandlerSendsInOrderShortAndLong()
    {
        startLarge();
        final List<Integer> lengths = List.of(10, 100_000, 20, 300_000, 30, 40, 70_000, 5);
        final AtomicInteger next = new AtomicInteger();
        final AtomicInteger badCount = new AtomicInteger();
        final HandlerId record = registerNear("near.record", message ->
        {
            final boolean isGood = message.argument(0) == next.getAndIncrement() &&
                Payloads.crc(message.buffer(), message.offset(), message.length()) == message.argument(1);
            badCount.addAndGet(isGood ? 0 : 1);
        });
        final EndpointId self = near().endpoint().id();
        final HandlerId burst = registerNear("near.burst", message ->
        {
            for (int i = 0; i < lengths.size(); i++)
            {
                final SendStatus status = near().endpoint().link(self).send(record, i, fill(lengths.get(i), i), 0, 0,
                    large, 0,
                    lengths.get(i));
                badCount.addAndGet(status.isAccepted() ? 0 : 1);
            }
        });

        sendToSelf(burst);
        await(() -> next.get() >= lengths.size(), () -> "received=" + next);

        assertEquals(0, badCount.get());
        assertEquals(0, near().endpoint().overflowDepth());
    }

    @Test
    @Tag(LOCAL)
    void shouldDeliverInterleavedMessagesOfFourSendersThroughMemoryForOne()
    {
        startLarge("grim.channels.count", 6, "grim.message.length-max", 100_000, "grim.message.reassembly-length",
            100_000);
        assumeTrue(cluster().hasPeer());
        final HandlerId echo = resolve(FarNode.ECHO);
        final AtomicInteger count = new AtomicInteger();
        final AtomicInteger badCount = new AtomicInteger();
        final int[] next = new int[4];
        final HandlerId echoed = registerNear("near.echoed", message ->
        {
            final int sender = message.argument(0);
            final boolean isGood = message.argument(1) == next[sender]++ &&
                Payloads.crc(message.buffer(), message.offset(), message.length()) == message.argument(2);
            badCount.addAndGet(isGood ? 0 : 1);
            count.incrementAndGet();
        });
        final int countPerSender = 25;
        final EndpointId far = farId(0);

        final List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int sender = 0; sender < 4; sender++)
        {
            final int number = sender;
            final Endpoint endpoint = near().openEndpoint(2 + sender);
            senders.add(onThreadOfItsOwn(
                () -> sendEchoes(endpoint, far.onChannel(number % 2), echo, echoed.number(), number, countPerSender,
                count)));
        }
        await(() -> count.get() >= 4 * countPerSender || senders.stream().anyMatch(
            CompletableFuture::isCompletedExceptionally), () -> "echoes=" + count);
        senders.forEach(sender -> awaitFuture(sender, () -> cluster().stepFar()));

        assertEquals(4 * countPerSender, count.get());
        assertEquals(0, badCount.get());
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseAMessageThatIsTooLongForTheReceiverAndGoOn()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final Link link = link(0);
        final AtomicBuffer words = Buffers.allocate(FragmentDescriptor.BEGIN_LENGTH);

        beginByHand(link, words, record, 16 * MIB + 1, 77);
        sendLarge(link, record, 0, 100_000);

        awaitHistory(0, 1);
        assertEquals("1", cluster().far("counter rejected BAD_LENGTH"));
    }

    /** Such as a roster of a group of many members. */
    @Test
    @Tag(LOCAL)
    void shouldCarryMessagesOfTheLibraryAboveTheMtu()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final EndpointLink link = (EndpointLink)link(0);
        final int length = link.payloadLengthMax() + 1;

        for (int i = 0; i < 20; i++)
        {
            final int sequence = i;
            final int bytes = i % 2 == 0 ? length : 8;
            final int crc = fill(bytes, i);
            await(() -> link.sendBuiltIn(record.number(), MessageHeader.pair(sequence, crc), 0, large, 0, bytes, true)
                .isAccepted(), () -> "room");
        }

        awaitHistory(0, 20);
        assertThrows(IllegalArgumentException.class,
            () -> link.sendBuiltIn(record.number(), 0, 0, large, 0, length, false));
    }

    @Test
    @Tag(LOCAL)
    void shouldCountAMessageThatWasWhollySentInPartsWhenItsReceiverCloses()
    {
        startLarge();
        assumeTrue(goesInParts());
        final List<Integer> handled = new ArrayList<>();
        final HandlerId local = registerNear("near.whole", message -> handled.add(message.argument(0)));
        final Endpoint closed = near().openEndpoint(2);
        final Link link = near().endpoint().link(closed.id());
        final int length = link.payloadLengthMax() + 100;
        sendLarge(link, local, 0, length);
        await(() -> closed.poll(1) >= 0 && counter(near(), "reassembly-length") > 0, () -> "the grant");
        await(() -> near().endpoint().overflowDepth() == 0, () -> "room for the parts");

        closed.close();
        settle();
        try (Endpoint again = near().openEndpoint(2))
        {
            await(() -> again.poll() >= 0 && counter(near(), "undelivered channel=0") > 0, () -> "the loss");
            sendLarge(link, local, 1, length);
            await(() -> again.poll() >= 0 && !handled.isEmpty(), () -> "the next message");
        }

        assertEquals(List.of(1), handled);
        assertEquals(1, counter(near(), "undelivered channel=0"));
    }

    @Test
    @Tag(LOCAL)
    void shouldCountHostilePartsAndHarmNobody()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final Link link = link(1);
        final AtomicBuffer words = Buffers.allocate(64);
        final Random random = new Random(5);

        final int incarnation = near().node().incarnation();
        beginByHand(link, words, record, 1000, 1);
        settle();
        final int[][] parts = {{6, 2, 0, 10}, {6, 1, 5, 10}, {6, 1, 0, 10}, {7, 1, 0, 10}, {5, 0, 0, 15}, {8, 9, 1, 0},
            {9, 5, 0, 0}, {10, 0, 0, 24}, {10, 0, 0, 23}, {11, 3, 0, 0}, {6, 1, -1, 64}, {7, -1, -1, 0}};
        for (int i = 0; i < 2_000; i++)
        {
            final int[] part = parts[i % parts.length];
            words.putLong(0, random.nextLong());
            await(() -> ((EndpointLink)link).sendBuiltIn(part[0], MessageHeader.pair(incarnation, part[1]),
                part[0] == 6 || part[0] == 7 ? part[2] : MessageHeader.pair(part[2], 0), words, 0, part[3], true) ==
                SendStatus.SENT, () -> "room");
        }
        awaitAnswersTo(link);
        for (int i = 0; i < 5; i++)
        {
            sendLarge(link(0), record, i, 100_000);
            sendLarge(link, record, i, 100_000);
        }

        awaitHistory(0, 5);
        awaitHistory(1, 5);
        final long refused = Long.parseLong(cluster().far("counter rejected BAD_PART")) +
            Long.parseLong(cluster().far("counter rejected UNKNOWN_TRANSFER")) +
            Long.parseLong(cluster().far("counter rejected NOT_IN_PLACE")) +
            Long.parseLong(cluster().far("counter rejected RESERVED_BITS"));
        assertTrue(refused >= 1_500, "refused=" + refused);
        assertNothingHeld();
    }

    @Test
    void shouldAccountForALongMessageOnceWhenThePeerLeaves()
    {
        startLarge("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer() && isDeliveredWithoutTheReceiver());
        final HandlerId record = resolve(FarNode.RECORD);
        final int far = near().locate("far").node();
        final long[] reported = {-1, -1};
        near().endpoint().onNodeGone((node, undelivered, unknown) ->
        {
            reported[0] = node.number() == far ? undelivered : reported[0];
            reported[1] = node.number() == far ? unknown : reported[1];
        });
        sendLarge(link(0), record, 0, 100_000);
        awaitHistory(0, 1);
        awaitHousekeepingOfFar();           // It gives room back: what was handled is not unknown any more.
        cluster().far("stop");
        settle();

        int accepted = 0;
        while (accepted < 3 && trySendNumbered(link(0), record, 1 + accepted, 8) == SendStatus.SENT)
        {
            accepted++;
        }
        accepted += trySendLarge(link(0), record, 1 + accepted, 100_000).isAccepted() ? 1 : 0;
        near().endpoint().poll();
        cluster().far("leave");
        await(() -> reported[0] >= 0, () -> "the end of the far node");

        assertEquals(4, accepted);
        assertEquals(accepted, reported[0] + reported[1], "undelivered=" + reported[0] + " unknown=" + reported[1]);
        assertTrue(reported[0] >= (goesInParts() ? 1 : 0), "undelivered=" + reported[0]);
        assertEquals(0, near().endpoint().overflowDepth());
        assertEquals(0, counter(near(), "outbox-length"));
    }

    /** The far node's answers to the parts so far name transfers by numbers that the next ones have, too. */
    private void awaitAnswersTo(final Link link)
    {
        final AtomicInteger echoCount = new AtomicInteger();
        final HandlerId echoed = registerNear("near.answered", message -> echoCount.incrementAndGet());
        final HandlerId echo = resolve(FarNode.ECHO);
        await(() -> link.send(echo, echoed.number(), 0, 0, 0, payload, 0, 0) == SendStatus.SENT, () -> "room");
        await(() -> echoCount.get() == 1, () -> "the echo");
    }

    /** Housekeeping gives room back before it counts the polls. */
    private void awaitHousekeepingOfFar()
    {
        final String pollsBefore = cluster().far("counter polls channel=0");
        await(() -> !pollsBefore.equals(cluster().far("counter polls channel=0")), () -> "housekeeping of far");
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseToMoveStreamsAndToEndClaimsOnAnotherThread()
    {
        startLarge();
        for (final int length : new int[]{8, 100_000})
        {
            final HopClaim claim = new HopClaim();
            if (link(0).tryClaim(resolve(FarNode.RECORD), length, claim).isAccepted())
            {
                onThreadOfItsOwn(() ->
                {
                    assertThrows(IllegalStateException.class, claim::publish);
                    assertThrows(IllegalStateException.class, claim::abort);
                }).join();
                assertTrue(claim.isOpen());
                claim.abort();
            }
        }
        final AtomicBuffer piece = Buffers.allocate(8);
        final MessageStream stream = new OutgoingStream();
        assertEquals(SendStatus.SENT, link(0).tryOpenStream(resolve(FarNode.RECORD), 0, 0, 0, 0, 8, stream));

        onThreadOfItsOwn(() ->
        {
            assertThrows(IllegalStateException.class, () -> stream.add(piece, 0, 8));
            assertThrows(IllegalStateException.class, stream::abort);
        }).join();

        assertTrue(stream.isOpen());
        stream.abort();
        sendLarge(link(0), resolve(FarNode.RECORD), 0, 100_000);
        awaitHistory(0, 1);
    }

    private void beginByHand(
        final Link link, final AtomicBuffer words, final HandlerId handler, final int totalLength, final int transfer)
    {
        final int length = FragmentDescriptor.BEGIN_LENGTH;
        BeginWords.write(
            words, 0, handler.number(), totalLength, MessageHeader.pair(near().node().incarnation(), transfer));
        await(() -> ((EndpointLink)link).sendBuiltIn(5, 0, 0, words, 0, length, true) == SendStatus.SENT, () -> "room");
    }

    private void sendEchoes(
        final Endpoint endpoint, final EndpointId far, final HandlerId echo, final int echoed, final int number,
        final int count, final AtomicInteger received)
    {
        final AtomicBuffer bytes = Buffers.allocate(100_000);
        final IdleStrategy idle = new org.agrona.concurrent.YieldingIdleStrategy();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (int i = 0; i < count; i++)
        {
            final int length = MessageHeader.PAYLOAD_LENGTH_MAX + (i * 1_231 + number * 997) % 34_000;
            Payloads.fill(bytes, 0, length, i + number);
            final int crc = Payloads.crc(bytes, 0, length);
            assertEquals(SendStatus.SENT, endpoint.link(far).sendBlocking(echo, echoed, number, i, crc, bytes, 0,
                length, idle));
        }
        // Echoes come to the channel that they were asked from: this endpoint's.
        while (received.get() < 4 * count && System.nanoTime() - deadlineNs < 0)
        {
            idle.idle(endpoint.poll());
        }
    }
}
