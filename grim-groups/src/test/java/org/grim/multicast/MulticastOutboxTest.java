// SPDX-License-Identifier: Apache-2.0
package org.grim.multicast;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.counters.NodeCounters;
import org.grim.loop.NotificationTable;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.HandMadeMembership;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Node 0 sends; others, and it, read. */
final class MulticastOutboxTest
{
    private static final int LENGTH = 1 << 12;
    private static final int NODE_COUNT = 4;
    private static final int EPOCH = 5;
    private static final int HANDLER = 40_000;

    @TempDir
    private Path directory;

    private final Cluster[] nodes = new Cluster[NODE_COUNT];
    private final MutableDirectBuffer payload = Buffers.wrap(new byte[LENGTH]);
    private final List<String> rings = new ArrayList<>();
    private MulticastOutbox outbox;

    /** One node's view. */
    private final class Cluster extends HandMadeMembership implements MessageSink
    {
        private final NotificationTable table = new NotificationTable(64, new int[] {1});
        private final MulticastOutboxes outboxes;
        private final NodeCounters counters = NodeCounters.inPrivateMemory(1);
        private final List<String> received = new ArrayList<>();
        private MulticastArrivals arrivals;
        private final MessageSink countOnly = new Anything();
        private boolean isCorrupt;

        Cluster(final int self, final AtomicBuffer words)
        {
            super(self, words);
            outboxes = new MulticastOutboxes(this, (node, incarnation, kind) ->
                directory.resolve("node-" + node + "-" + incarnation + "." + kind),
                (node, incarnation, bell) -> rings.add(node + " " + incarnation + " " + bell), table,
                counters.channel(0), LENGTH);
        }

        @Override
        public boolean isUp(final int node)
        {
            return (status(node) & UP) != 0;
        }

        @Override
        public boolean convictIfDead(final int node)
        {
            return false;
        }

        void end(final int node)
        {
            words.putIntVolatile(node * Integer.BYTES, 1 << STATE_BITS | GONE);
        }

        int poll()
        {
            return table.poll(this, Integer.MAX_VALUE);
        }

        @Override
        public void onMessage(
            final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
            final int payloadOffset, final int payloadLength)
        {
            assertEquals(HANDLER, MessageHeader.handler(second));
            final long number = buffer.getLong(headerOffset + MessageHeader.ARGUMENTS_OFFSET, BIG_ENDIAN);
            for (int i = 0; i < payloadLength; i++)
            {
                assertEquals((byte)(number + i), buffer.getByte(payloadOffset + i));
            }
            received.add((MessageHeader.sourceAddress(first) >>> 4) + ":" + number + ":" + payloadLength);
        }

        @Override
        public void onReject(final RejectReason reason, final ArrivalQueue queue)
        {
            assertEquals(0, queue.sourceNode());
            isCorrupt |= reason == RejectReason.CORRUPT_STATE;
        }

        /** Polls until nothing more comes: at most so often as there is something in an outbox. */
        void drainAnything()
        {
            isCorrupt = false;
            final MessageSink sink = new Anything();
            for (int i = 0; table.poll(sink, Integer.MAX_VALUE) > 0; i++)
            {
                assertTrue(i < LENGTH);
            }
        }

        /** Looks whether what is handed over lies in the file. */
        private final class Anything implements MessageSink
        {
            @Override
            public void onMessage(
                final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
                final int payloadOffset, final int payloadLength)
            {
                assertNull(MessageHeader.invalid(first, second, LENGTH));
                assertTrue(payloadLength >= 0 && headerOffset >= OutboxLayout.RECORDS_OFFSET &&
                    payloadOffset + payloadLength <= buffer.capacity());
            }

            @Override
            public void onReject(final RejectReason reason, final ArrivalQueue queue)
            {
                Cluster.this.onReject(reason, queue);
            }
        }
    }

    MulticastOutboxTest()
    {
        final var words = HandMadeMembership.firstIncarnations(NODE_COUNT);
        for (int node = 0; node < NODE_COUNT; node++)
        {
            nodes[node] = new Cluster(node, words);
        }
    }

    @AfterEach
    void close()
    {
        for (final Cluster node : nodes)
        {
            node.outboxes.close();
            node.counters.close();
        }
    }

    @Test
    void shouldHandOverEachMessageToAllInOrder()
    {
        open(0, 1, 2);
        final List<String> sent = new ArrayList<>();
        for (int number = 0; number < 1000; number++)
        {
            final int length = number * 37 % 600;
            assertTrue(tryPut(0, number, length));
            sent.add("0:" + number + ":" + length);
            if (number % 4 == 3)
            {
                for (int node = 0; node < 3; node++)
                {
                    assertEquals(4, nodes[node].poll());
                    nodes[node].table.release();
                }
            }
        }
        for (int node = 0; node < 3; node++)
        {
            assertEquals(sent, nodes[node].received);
        }
    }

    /** Payloads that are full of what records at any place begin with. */
    @Test
    void shouldTakeNoPayloadForARecord()
    {
        open(1);
        long tail = 0;
        int count = 0;
        final Random random = new Random(51);
        for (int number = 0; number < 20_000; number++)
        {
            final int length = 4 * random.nextInt(150);
            for (int i = 0; i < length; i += 4)
            {
                // Of the next lap at this place, where the payload begins at the next record but for padding.
                payload.putInt(i, OutboxLayout.stamp(tail + OutboxLayout.PAYLOAD_OFFSET + i + LENGTH));
            }
            assertTrue(outbox.tryPut(EPOCH, 0, HANDLER, number, -1, payload, 0, length));
            tail = end(tail, length);
            count += nodes[1].table.poll(nodes[1].countOnly, Integer.MAX_VALUE);
            nodes[1].table.release();
            assertEquals(number + 1, count);
            assertTrue(nodes[1].arrivals.isDrained());
        }
        assertFalse(nodes[1].isCorrupt);
    }

    @Test
    void shouldKeepWhatTheSlowestHasNotRead()
    {
        open(0, 1);
        int count = 0;
        while (tryPut(0, count, 100))
        {
            count++;
        }
        assertEquals(LENGTH / 192, count);
        nodes[0].poll();
        nodes[0].table.release();
        assertFalse(tryPut(0, count, 100));
        nodes[1].poll();
        nodes[1].table.release();
        assertTrue(tryPut(0, count, 100));
        assertEquals(nodes[0].received, nodes[1].received);
        assertFalse(outbox.hasLostReader());
    }

    @Test
    void shouldNotWaitForTheDeadNorForThoseWhoLetGo()
    {
        open(0, 1, 2, 3);
        fill();
        nodes[0].poll();
        nodes[0].table.release();
        nodes[1].poll();
        nodes[1].table.release();
        assertFalse(tryPut(0, 0, 100));
        nodes[0].end(3);
        assertFalse(tryPut(0, 0, 100));
        nodes[2].arrivals.close();
        assertTrue(tryPut(0, 0, 100));

        assertTrue(outbox.hasLostReader());
        outbox.forgetLost();
        assertFalse(outbox.hasLostReader());
        assertEquals(MulticastOutbox.NO_READER, outbox.reader(2, 1));
        assertEquals(MulticastOutbox.NO_READER, outbox.reader(3, 1));
        assertTrue(outbox.isReading(outbox.reader(1, 1)));
        assertEquals(0, nodes[2].table.count());
    }

    @Test
    void shouldHandOverWhatTheDeadHasSent()
    {
        open(1);
        assertTrue(tryPut(0, 7, 50));
        nodes[1].end(0);
        outbox.close();
        assertFalse(nodes[1].arrivals.isDrained());
        assertEquals(1, nodes[1].poll());
        assertTrue(nodes[1].arrivals.isDrained());
        assertEquals(List.of("0:7:50"), nodes[1].received);
    }

    @Test
    void shouldPassOverWhatIsForOthers()
    {
        open(0, 1);
        assertTrue(tryPut(MulticastOutbox.sender(2, true, false), 1, 9));
        assertTrue(outbox.tryPut(EPOCH - 1, 0, HANDLER, 2, 0, payload, 0, 0));
        assertTrue(tryPut(0, 3, 0));
        nodes[0].poll();
        nodes[1].poll();
        assertEquals(List.of("0:3:0"), nodes[0].received);
        assertEquals(List.of("2:1:9", "0:3:0"), nodes[1].received);
    }

    @Test
    void shouldRingForEachThatSleepsOnce()
    {
        open(0, 1, 2);
        nodes[1].outboxes.asleep(0);
        nodes[2].outboxes.asleep(3);
        assertTrue(tryPut(0, 1, 0));
        assertTrue(tryPut(0, 2, 0));
        assertEquals(List.of("1 1 0", "2 1 3"), rings);
        nodes[2].outboxes.asleep(3);
        nodes[1].outboxes.asleep(0);
        nodes[1].outboxes.asleep(-1);
        assertTrue(tryPut(0, 3, 0));
        assertEquals(List.of("1 1 0", "2 1 3", "2 1 3"), rings);
    }

    @Test
    void shouldBeginOnlyWhenLetInAndAgainAfterwards()
    {
        open(0);
        assertTrue(tryPut(0, 1, 0));
        final int reader = outbox.tryAdd(1, 1);
        assertFalse(outbox.tryLetIn(reader));
        final MulticastArrivals early = tryOpen(1, reader);
        assertFalse(early.tryBegin());
        assertTrue(outbox.tryLetIn(reader));
        outbox.holdBack(reader);
        assertFalse(early.tryBegin());
        assertFalse(outbox.isReading(reader));
        assertTrue(outbox.tryLetIn(reader));
        assertTrue(tryPut(0, 2, 0));
        assertTrue(early.tryBegin());
        nodes[1].poll();
        assertEquals(List.of("0:2:0"), nodes[1].received);
        assertNull(tryOpen(1, reader));
        early.close();
        outbox.forgetLost();
        assertEquals(reader, outbox.tryAdd(1, 1));
        final MulticastArrivals again = tryOpen(1, reader);
        assertTrue(outbox.tryLetIn(reader));
        assertTrue(again.tryBegin());
        assertTrue(tryPut(0, 3, 0));
        nodes[1].poll();
        assertEquals(List.of("0:2:0", "0:3:0"), nodes[1].received);
    }

    @Test
    void shouldNotMapByAnOfferThatIsOver()
    {
        open(0);
        final int reader = outbox.tryAdd(1, 1);
        final int offer = outbox.offer(reader);
        tryOpen(1, reader).close();
        assertNull(tryOpen(1, reader));
        outbox.forgetLost();
        assertEquals(reader, outbox.tryAdd(2, 1));
        assertNull(nodes[1].outboxes.tryOpen(0, outbox.number(), reader, offer, EPOCH, null));
        assertFalse(outbox.tryLetIn(reader));
        tryOpen(2, reader);
        assertTrue(outbox.tryLetIn(reader));
    }

    /** Else the sender would wait for a reader that has never begun. */
    @Test
    void shouldNotLetInWhoHasLetGoBefore()
    {
        open(0);
        final int reader = outbox.tryAdd(1, 1);
        tryOpen(1, reader).close();
        assertFalse(outbox.tryLetIn(reader));
        fill();
        nodes[0].poll();
        nodes[0].table.release();
        assertTrue(tryPut(0, 1, 100));
    }

    @Test
    void shouldOpenOnlyWhatIsThere()
    {
        open(0);
        assertNull(nodes[1].outboxes.tryOpen(0, 7, 1, 1, EPOCH, null));
        assertNull(nodes[1].outboxes.tryOpen(0, -1, 1, 1, EPOCH, null));
        assertNull(nodes[1].outboxes.tryOpen(0, outbox.number(), OutboxLayout.READER_COUNT_MAX, 1, EPOCH, null));
        assertNull(nodes[1].outboxes.tryOpen(2, outbox.number(), 1, 1, EPOCH, null));
    }

    @Test
    void shouldAddNoMoreReadersThanThereArePlaces()
    {
        open();
        for (int reader = 0; reader < OutboxLayout.READER_COUNT_MAX; reader++)
        {
            assertEquals(reader, outbox.tryAdd(1, reader + 1));
        }
        assertEquals(MulticastOutbox.NO_READER, outbox.tryAdd(2, 1));
    }

    @Test
    void shouldWriteAHeadAgainThatWasScribbledOn()
    {
        open(0, 1);
        assertTrue(tryPut(0, 1, 100));
        readAll(0, 1);
        for (final long nonsense : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40})
        {
            fill();
            readAll(0, 1);
            scribbleOnFile(OutboxLayout.headIndex(1), nonsense);
            assertFalse(tryPut(0, 1, 100));
            assertTrue(outbox.isReading(1));
            readAll(0, 1);
            assertTrue(tryPut(0, 1, 100));
            readAll(0, 1);
        }
        assertFalse(outbox.hasLostReader());
        assertEquals(nodes[0].received, nodes[1].received);
    }

    @Test
    void shouldMakeAReaderLetGoThatCannotSeeWhatWasPublished()
    {
        open(0, 1);
        assertTrue(tryPut(0, 1, 100));
        readAll(0);
        scribbleOnFile(OutboxLayout.RECORDS_OFFSET, -1);        // The stamp of what node 1 has not read.
        fill();
        readAll(0, 1);
        assertFalse(tryPut(0, 2, 2_000));

        outbox.check();
        outbox.check();
        readAll(0, 1);
        assertEquals(MulticastOutbox.NO_READER, outbox.check());

        assertTrue(nodes[1].isCorrupt);
        assertFalse(nodes[0].isCorrupt);
        assertFalse(outbox.isReading(1));
        assertTrue(outbox.hasLostReader());
        assertTrue(tryPut(0, 2, 2_000));
    }

    @Test
    void shouldAskAReaderToLetGoThatIsBeyondTheLastMessage()
    {
        open(0, 1);
        scribbleOnFile(OutboxLayout.headIndex(1), 64);
        assertEquals(MulticastOutbox.NO_READER, outbox.check());
        readAll(1);
        assertEquals(MulticastOutbox.NO_READER, outbox.check());
        scribbleOnFile(OutboxLayout.headIndex(1), 64);

        assertEquals(MulticastOutbox.NO_READER, outbox.check());
        assertEquals(1, outbox.check());
        assertEquals(1, outbox.node(1));
        nodes[1].arrivals.close();
        assertEquals(MulticastOutbox.NO_READER, outbox.check());
        assertTrue(outbox.hasLostReader());
    }

    /** With any content of the file: no access outside of it, no endless loop, nothing made up is read for ever. */
    @Test
    void shouldLetGoOfAnOutboxThatIsCorrupt()
    {
        final Random random = new Random(20);
        int corruptCount = 0;
        for (int run = 0; run < 2_000; run++)
        {
            open(1);
            long tail = 0;
            for (int number = 0; number < random.nextInt(1, 20); number++)
            {
                final int length = random.nextInt(600);
                if (outbox.tryPut(EPOCH, random.nextInt(5000) - 10, random.nextInt(), number, 0, payload, 0, length))
                {
                    tail = end(tail, length);
                }
                if (random.nextInt(4) == 0)
                {
                    nodes[1].drainAnything();
                }
            }
            try (MappedFile file = MappedFile.open(
                directory.resolve("node-0-1.multicast-" + outbox.number()), OutboxLayout.MAGIC, 0, true))
            {
                scribble(file.buffer(), tail, random);
            }
            nodes[1].drainAnything();
            corruptCount += nodes[1].isCorrupt ? 1 : 0;
            assertEquals(nodes[1].isCorrupt ? 0 : 1, nodes[1].table.count());
            nodes[1].arrivals.close();
            nodes[0].outboxes.close(outbox);
        }
        assertTrue(corruptCount > 500, "corrupt=" + corruptCount);
    }

    /** Where the next record begins after one of a payload's length. */
    private static long end(final long tail, final int length)
    {
        final int room = OutboxLayout.room(OutboxLayout.PAYLOAD_OFFSET + length);
        final long rest = LENGTH - tail % LENGTH;
        return room > rest ? tail + rest + room : tail + room;
    }

    /** Makes records up behind the last one, and changes some that were published. */
    private static void scribble(final AtomicBuffer buffer, final long tail, final Random random)
    {
        for (int i = 0; i < 16; i++)
        {
            final long first = Math.max(0, tail - LENGTH / 2) & -64;
            final long position = i == 0 ? tail : first + random.nextInt(LENGTH / 64) * 64L;
            final int index = OutboxLayout.RECORDS_OFFSET + (int)(position % LENGTH);
            buffer.putInt(index + OutboxLayout.STAMP_OFFSET, OutboxLayout.stamp(position));
            buffer.putInt(index + OutboxLayout.LENGTH_OFFSET, random.nextInt(4) == 0 ? OutboxLayout.PADDING :
                random.nextInt() >> random.nextInt(Integer.SIZE));
        }
    }

    private void readAll(final int... readers)
    {
        for (final int node : readers)
        {
            nodes[node].poll();
            nodes[node].table.release();
        }
    }

    private void scribbleOnFile(final int index, final long nonsense)
    {
        try (MappedFile file = MappedFile.open(
            directory.resolve("node-0-1.multicast-" + outbox.number()), OutboxLayout.MAGIC, 0, true))
        {
            file.buffer().putLong(index, nonsense);
        }
    }

    private void fill()
    {
        while (tryPut(0, 1, 100))
        {
            Thread.onSpinWait();
        }
    }

    private boolean tryPut(final int origin, final long number, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            payload.putByte(i, (byte)(number + i));
        }
        return outbox.tryPut(EPOCH, origin, HANDLER, number, -1, payload, 0, length);
    }

    private MulticastArrivals tryOpen(final int node, final int reader)
    {
        return nodes[node].outboxes.tryOpen(0, outbox.number(), reader, outbox.offer(reader), EPOCH, null);
    }

    private void open(final int... readers)
    {
        outbox = nodes[0].outboxes.tryCreate();
        for (final int node : readers)
        {
            nodes[node].arrivals =
                tryOpen(node, outbox.tryAdd(node, 1));
            assertTrue(outbox.tryLetIn(outbox.reader(node, 1)));
            assertTrue(nodes[node].arrivals.tryBegin());
        }
    }
}
