// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.bench.nodes.NoSenderHost;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.loop.NotificationTable;
import org.grim.queue.ChannelReceiver;
import org.grim.queue.ExclusiveSender;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.queue.SharedSender;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a message for a receive queue itself, in ns per message: below links, counters and dispatch. A queue in
 * private memory with its sender and the loop's table over it; one message after another.
 */
public class QueueBenchmark extends NanosecondBenchmark implements MessageSink
{
    private static final int SLOT_COUNT = 1024;
    private static final int SLOT_LENGTH = 64;
    private static final int FRAME_LENGTH = 8192;
    private static final int FRAME_COUNT = 512;
    private static final int DRAIN_LIMIT = 32;
    private static final int HANDLER = 100;

    /** Payload bytes: in the slot, and in the ring or a frame. */
    @Param({"0", "32", "256"})
    public int size;

    /** Whether the queue has one sender, or could have several. */
    @Param({"exclusive", "shared"})
    public String queue;

    private final ClusterDirectory membership = ClusterDirectory.inPrivateMemory(
        new NodeDescription("local", "queue", 1, List.of("null")));
    private final NotificationTable table = new NotificationTable(DRAIN_LIMIT, new int[0]);
    private final HopClaim claim = new HopClaim();
    private AtomicBuffer payload;
    private int wordOne;
    private long extentWords;
    private Hop hop;
    private long sentCount;
    private long receivedCount;
    private long checksum;

    /** Makes the queue and attaches the sender. */
    @Setup
    public void setUp()
    {
        payload = Buffers.allocate(Math.max(1, size));
        membership.up();
        final boolean isShared = "shared".equals(queue);
        final InboxGeometry geometry = new InboxGeometry(1, isShared ? 0 : 1, isShared ? 1 : 0, SLOT_COUNT,
            SLOT_LENGTH, FRAME_COUNT * FRAME_LENGTH, isShared ? FRAME_COUNT : 0, isShared ? FRAME_LENGTH : 0);
        final Inbox inbox = Inbox.create(Buffers.allocate(Inbox.lengthOf(geometry)), geometry, membership.self(),
            membership.incarnation(), 0);
        new ChannelReceiver(inbox, 0, membership, table);
        hop = isShared ? SharedSender.tryAttach(inbox, 0, 0, membership, new NoSenderHost()) :
            ExclusiveSender.tryAttach(inbox, 0, 0, membership, new NoSenderHost());
        final int address = membership.self() << 4;
        wordOne = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, address) | MessageHeader.correction(size);
        extentWords = MessageHeader.extentWords(address, MessageHeader.routeWord(0, 0) | HANDLER, size);
        table.poll(this, Integer.MAX_VALUE);        // The attach word has changed: the receiver adopts the sender.
    }

    /** Gives it up. */
    @TearDown
    public void tearDown()
    {
        hop.close();
        membership.close();
    }

    /** One message with a copy of its payload, sent and polled: in one step, or, where that takes more, by a claim. */
    @Benchmark
    public long sendPoll()
    {
        if (hop.trySend(wordOne, extentWords, sentCount, 0, payload, 0, size) == SendStatus.SENT)
        {
            sentCount++;
        }
        else
        {
            claim();
            claim.buffer().putBytes(claim.offset(), payload, 0, size);
            publish();
        }
        return poll();
    }

    /** One message into claimed room, published and polled. */
    @Benchmark
    public long claimPublishPoll()
    {
        claim();
        publish();
        return poll();
    }

    /** A claim that is given back. */
    @Benchmark
    public void claimAbort()
    {
        claim();
        claim.abort();
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        receivedCount++;
        checksum += first ^ second ^ payloadOffset + payloadLength;
    }

    @Override
    public void onReject(final RejectReason reason, final ArrivalQueue source)
    {
        throw new IllegalStateException("a good message was refused: " + reason);
    }

    private void claim()
    {
        final SendStatus status = hop.tryClaim(size, claim);
        if (status != SendStatus.SENT)
        {
            throw new IllegalStateException("no room for message=" + sentCount + ": " + status);
        }
    }

    private void publish()
    {
        MessageHeader.write(claim.buffer(), claim.headerOffset(), wordOne, extentWords, sentCount, 0);
        claim.publish();
        sentCount++;
    }

    private long poll()
    {
        while (receivedCount != sentCount)
        {
            if (table.poll(this, Integer.MAX_VALUE) == 0)
            {
                throw new IllegalStateException("sent=" + sentCount + " received=" + receivedCount);
            }
        }
        return checksum;
    }
}
