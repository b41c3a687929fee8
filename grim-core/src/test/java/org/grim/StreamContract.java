// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.grim.large.OutgoingStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Messages above the MTU keep every promise that short ones keep, by every mechanism; each transport has a subclass.
 * This part tests messages that the application itself begins, gathers piece by piece, and ends or gives up.
 */
@Timeout(180)
public abstract class StreamContract extends LargeFlowContract
{
    private final MessageStream stream = new OutgoingStream();

    @Test
    void shouldGatherAMessageFromManyPiecesForAnOrdinaryHandler()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final int[] lengths = {0, 1, 7, 200_000, 500_000};

        for (int i = 0; i < lengths.length; i++)
        {
            open(link(0), stream, record, i, lengths[i]);
            addAll(stream, lengths[i], i * 10_000 + 3);
            end(stream);
            sendNumbered(link(1), record, i, 8);
        }

        awaitHistory(0, lengths.length);
        awaitHistory(1, lengths.length);
        assertNothingHeld();
    }

    @Test
    void shouldHandPiecesToAStreamHandlerWithoutMemory()
    {
        startLarge("grim.message.length-max", 600_000, "grim.message.reassembly-length", 600_000);
        final HandlerId handler = resolve(FarNode.STREAM);

        open(link(0), stream, handler, 0, 500_000);
        addAll(stream, 100_000, 30_000);
        await(() -> Integer.parseInt(cluster().far("pieces")) > 0, () -> "pieces before the end");
        settle();
        final String held = cluster().far("counter reassembly-length");
        fill(500_000, 0);
        addRest(stream, 30_000);
        end(stream);
        sendLarge(link(0), handler, 1, 8);
        sendLarge(link(0), handler, 2, 300_000);
        sendLarge(link(0), handler, 3, 0);

        awaitHistory(0, 4);
        assertEquals("0", held);
        assertEquals("begun=4 aborted=0", cluster().far("streams"));
    }

    @Test
    void shouldTakeAStreamThatIsLongerThanMessagesMayBe()
    {
        startLarge("grim.message.length-max", "64KiB", "grim.message.reassembly-length", "64KiB");
        final HandlerId record = resolve(FarNode.RECORD);

        open(link(0), stream, resolve(FarNode.STREAM), 0, 500_000);
        addAll(stream, 500_000, 30_000);
        end(stream);
        awaitHistory(0, 1);
        open(link(0), stream, record, 1, 500_000);
        await(() -> !stream.isOpen(), () -> "the refusal");
        sendNumbered(link(0), record, 1, 8);

        awaitHistory(0, 2);
        assertEquals(SendStatus.CLOSED, stream.status());
        assertEquals("1", cluster().far("counter rejected BAD_LENGTH"));
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldConsumeTheRestOfAStreamWhoseHandlerThrew()
    {
        startLarge();
        final ActiveMessage.Stream.Handler thrower = new FarStreams((channel, sequence, isGood) ->
        {
            throw new IllegalStateException("thrown on purpose");
        });
        final int[] throwAt = {0};
        near().handlers().registerStream("near.thrower", new ActiveMessage.Stream.Handler()
        {
            @Override
            public void onBegin(final ActiveMessage.Stream arriving)
            {
                thrower.onBegin(arriving);
            }

            @Override
            public void onPiece(final ActiveMessage.Stream arriving, final DirectBuffer buffer, final int offset,
                final int length, final long position)
            {
                if (position >= throwAt[0])
                {
                    throw new IllegalStateException("thrown on purpose");
                }
            }

            @Override
            public void onEnd(final ActiveMessage.Stream arriving)
            {
                thrower.onEnd(arriving);
            }

            @Override
            public void onAbort(final ActiveMessage.Stream arriving)
            {
                thrower.onAbort(arriving);
            }
        });
        final HandlerId handler = resolve("near.thrower");
        final Link self = near().endpoint().link(near().endpoint().id());
        final long errorsBefore = counter(near(), "handler-errors");

        for (int i = 0; i < 3; i++)
        {
            throwAt[0] = i * 50_000;
            final int sent = i + 1;
            await(() -> self.send(handler, large, 0, 100_000).isAccepted(), () -> "room");
            await(() -> counter(near(), "handler-errors") == errorsBefore + sent, () -> "an error");
        }
        await(() -> near().endpoint().overflowDepth() == 0, () -> "an empty overflow queue");
        settle();

        assertEquals(errorsBefore + 3, counter(near(), "handler-errors"));
        assertEquals(3, counter(near(), "large-messages-received"));
    }

    @Test
    @Tag(LOCAL)
    void shouldInterleaveStreamsOfSeveralLinks()
    {
        startLarge();
        final HandlerId handler = resolve(FarNode.STREAM);
        final MessageStream other = new OutgoingStream();
        final int length = 400_000;

        open(link(0), stream, handler, 0, length);
        open(link(1), other, handler, 0, length);
        while (stream.position() < length || other.position() < length)
        {
            fill(length, 0);
            addSome(stream, 9_000);
            addSome(other, 7_000);
            cluster().pollNear();
            cluster().stepFar();
        }
        end(stream);
        end(other);

        awaitHistory(0, 1);
        awaitHistory(1, 1);
        assertEquals("begun=2 aborted=0", cluster().far("streams"));
    }

    @Test
    @Tag(LOCAL)
    void shouldKeepOtherMessagesOfTheLinkBehindAnOpenStream()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);

        open(link(0), stream, record, 0, 50_000);
        final SendStatus small = trySendNumbered(link(0), record, 1, 8);
        final SendStatus large = trySendLarge(link(0), record, 1, 100_000);
        final SendStatus second = link(0).tryOpenStream(record, 0, 0, 0, 0, 8, new OutgoingStream());
        fill(50_000, 0);
        addAll(stream, 50_000, 5_000);
        end(stream);
        sendNumbered(link(0), record, 1, 8);

        assertEquals(SendStatus.BACK_PRESSURED, small);
        assertEquals(SendStatus.BACK_PRESSURED, large);
        assertEquals(SendStatus.BACK_PRESSURED, second);
        awaitHistory(0, 2);
        assertEquals(0, near().endpoint().overflowDepth());
    }

    @Test
    @Tag(LOCAL)
    void shouldTellTheReceiverOfAStreamThatIsGivenUpAndGoOn()
    {
        startLarge();
        final HandlerId handler = resolve(FarNode.STREAM);
        final HandlerId record = resolve(FarNode.RECORD);

        open(link(0), stream, handler, 0, 200_000);
        addAll(stream, 60_000, 60_000);
        stream.abort();
        await(() -> "begun=1 aborted=1".equals(cluster().far("streams")), () -> cluster().far("streams"));
        open(link(0), stream, record, 0, 200_000);
        addAll(stream, 60_000, 60_000);
        stream.abort();
        open(link(0), stream, record, 0, 200_000);
        stream.abort();
        sendLarge(link(0), record, 0, 100_000);

        awaitHistory(0, 1);
        assertFalse(stream.isOpen());
        assertEquals(0, stream.add(large, 0, 10));
        assertEquals(SendStatus.CLOSED, stream.end());
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldSayThatTheReceiverRefusedAStream()
    {
        startLarge();

        open(link(0), stream, HandlerId.of(60_000), 0, 200_000);
        await(() -> !stream.isOpen(), () -> "refusal", () -> stream.add(large, 0, 10));

        assertEquals(SendStatus.CLOSED, stream.status());
        assertEquals(SendStatus.CLOSED, stream.end());
        sendLarge(link(0), resolve(FarNode.RECORD), 0, 100_000);
        awaitHistory(0, 1);
        assertEquals(0, near().endpoint().overflowDepth());
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseTooManyBytesAndTooFew()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final MessageStream open = stream;
        open(link(0), open, record, 0, 100);

        final String tooMany =
            assertThrows(IllegalArgumentException.class, () -> open.add(large, 0, 101)).getMessage();
        final String tooFew = assertThrows(IllegalStateException.class, open::end).getMessage();
        final String again = assertThrows(IllegalStateException.class,
            () -> link(0).tryOpenStream(record, 0, 0, 0, 0, 8, open)).getMessage();
        assertThrows(IllegalArgumentException.class, () -> link(1)
            .tryOpenStream(record, 0, 0, 0, 0, -1, new OutgoingStream()));
        addAll(open, 100, 100);
        end(open);

        assertTrue(tooMany.contains("length=101") && tooMany.contains("=100"), tooMany);
        assertTrue(tooFew.contains("position=0 of total length=100"), tooFew);
        assertTrue(again.contains("open"), again);
        awaitHistory(0, 1);
    }

    @Test
    void shouldEndAStreamWhenItsPeerLeaves()
    {
        startLarge("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final long[] reported = {-1};
        final int far = near().locate("far").node();
        near().endpoint().onNodeGone((node, undelivered, unknown) ->
            reported[0] = node.number() == far ? undelivered + unknown : reported[0]);
        sendNumbered(link(0), record, 0, 8);
        awaitHistory(0, 1);
        settle();
        open(link(0), stream, record, 1, 200_000);
        addAll(stream, 60_000, 60_000);
        settle();

        cluster().far("leave");
        await(() -> !stream.isOpen(), () -> "end of the stream", () -> stream.add(large, 0, 10));
        await(() -> reported[0] >= 0, () -> "the end of the far node");

        assertEquals(SendStatus.PEER_GONE, stream.status());
        assertTrue(reported[0] <= unreadCountMax(), "reported=" + reported[0]);
        assertEquals(0, near().endpoint().overflowDepth());
    }

    private void open(
        final Link link, final MessageStream newStream, final HandlerId handler, final int sequence, final int length)
    {
        final int crc = fill(length, sequence);
        await(() -> link.tryOpenStream(handler, sequence, crc, 0, 0, length, newStream) == SendStatus.SENT,
            () -> "an open stream");
    }

    /** Adds the next bytes of the payload that was filled. */
    private void addAll(final MessageStream open, final int length, final int pieceLength)
    {
        while (open.position() < length)
        {
            final int position = (int)open.position();
            addSome(open, Math.min(pieceLength, length - position));
            if (open.position() == position)
            {
                cluster().pollNear();
                cluster().stepFar();
                pause(1_000);
            }
        }
    }

    private void addRest(final MessageStream open, final int pieceLength)
    {
        addAll(open, (int)open.totalLength(), pieceLength);
    }

    private void addSome(final MessageStream open, final int pieceLength)
    {
        final int position = (int)open.position();
        final int length = Math.min(pieceLength, (int)open.totalLength() - position);
        final int taken = open.add(large, position, length);
        assertTrue(taken == length || open.status() == SendStatus.BACK_PRESSURED, () -> "status=" + open.status());
    }

    private void end(final MessageStream open)
    {
        await(() -> open.end() == SendStatus.SENT || !open.isOpen(), () -> "the end of the stream");
        assertEquals(SendStatus.SENT, open.status());
    }

    private void await(
        final java.util.function.BooleanSupplier isSo, final java.util.function.Supplier<String> what,
        final Runnable each)
    {
        await(() ->
        {
            each.run();
            return isSo.getAsBoolean();
        }, what);
    }

    /** Messages that may be reported as unknown although the peer had read them before it left. */
    protected int unreadCountMax()
    {
        return 0;
    }
}
