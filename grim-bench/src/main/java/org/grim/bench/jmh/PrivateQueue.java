// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.DeviceKind;
import org.grim.FrameClaim;
import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.loop.NotificationTable;
import org.grim.queue.ExclusiveSender;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.queue.InboxTransport;
import org.grim.queue.SharedSender;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * One receive queue in private memory with its sender and the loop's table over it: what lies below links and
 * dispatch. Messages go from the node to itself and are counted.
 * <p>Thread: one. Owns: the inbox and its membership.
 */
final class PrivateQueue implements AutoCloseable, MessageSink
{
    /** Messages that certainly find room in an empty queue. */
    static final int BATCH = 256;

    private static final int SLOT_COUNT = 1024;
    private static final int SLOT_LENGTH = 64;
    private static final int FRAME_LENGTH = 8192;
    private static final int FRAME_COUNT = 2 * BATCH;
    private static final int RING_LENGTH = FRAME_COUNT * FRAME_LENGTH;
    private static final int PAYLOAD_LENGTH_MAX = FRAME_LENGTH - MessageHeader.LENGTH;
    private static final int DRAIN_LIMIT = 32;
    private static final int HANDLER = 100;

    private final ClusterDirectory membership = ClusterDirectory.inPrivateMemory(
        new NodeDescription("local", "queue", 1, List.of("null"), List.of(DeviceKind.HOST_CPU)));
    private final NotificationTable table = new NotificationTable(DRAIN_LIMIT, new int[0]);
    private final FrameClaim claim = new FrameClaim();
    private final AtomicBuffer payload;
    private final int length;
    private final int wordOne;
    private final long extentWords;
    private final Hop hop;
    private long sentCount;
    private long receivedCount;
    private long checksum;

    PrivateQueue(final boolean isShared, final int payloadLength)
    {
        if (payloadLength < 0 || payloadLength > PAYLOAD_LENGTH_MAX)
        {
            throw new IllegalArgumentException(
                "payload length=" + payloadLength + " is outside 0 to " + PAYLOAD_LENGTH_MAX);
        }
        length = payloadLength;
        payload = Buffers.allocate(Math.max(1, payloadLength));
        membership.up();
        final InboxGeometry geometry = new InboxGeometry(1, isShared ? 0 : 1, isShared ? 1 : 0, SLOT_COUNT,
            SLOT_LENGTH, RING_LENGTH, isShared ? FRAME_COUNT : 0, isShared ? FRAME_LENGTH : 0);
        final Inbox inbox = Inbox.create(Buffers.allocate(Inbox.lengthOf(geometry)), geometry, membership.self(),
            membership.incarnation(), 0);
        new InboxTransport(inbox, membership).attach(0, table);
        hop = isShared ? SharedSender.tryAttach(inbox, 0, 0, membership, new SilentInbox.NoHost()) :
            ExclusiveSender.tryAttach(inbox, 0, 0, membership, new SilentInbox.NoHost());
        final int address = membership.self() << 4;
        wordOne = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, address) | MessageHeader.correction(length);
        extentWords = MessageHeader.extentWords(address, MessageHeader.routeWord(0, 0) | HANDLER, length);
        table.poll(this, Integer.MAX_VALUE);        // The attach word has changed: the receiver adopts the sender.
    }

    /** The way in. */
    Hop hop()
    {
        return hop;
    }

    /** Sends as a link does: in one step, or, where that takes more, by a claim. */
    void send()
    {
        final SendStatus status =
            hop.trySend(wordOne, extentWords, sentCount, 0, payload, 0, length);
        if (status == SendStatus.SENT)
        {
            sentCount++;
        }
        else
        {
            claim();
            claim.buffer().putBytes(claim.offset(), payload, 0, length);
            publish();
        }
    }

    /** Claims room. */
    void claim()
    {
        final SendStatus status = hop.tryClaim(length, claim);
        if (status != SendStatus.SENT)
        {
            throw new IllegalStateException("no room for message=" + sentCount + ", received=" + receivedCount + ": " +
                status);
        }
    }

    /** Publishes what was claimed, with a header; the payload is left as it is. */
    void publish()
    {
        fillHeader(claim);
        claim.publish();
        sentCount++;
    }

    /** Gives back what was claimed. */
    void abort()
    {
        claim.abort();
    }

    /** Writes the header of a claim, which somebody else publishes. */
    void fillHeader(final FrameClaim other)
    {
        MessageHeader.write(other.buffer(), other.headerOffset(), wordOne, extentWords, sentCount, 0);
    }

    /** Somebody else has published a message. */
    void published()
    {
        sentCount++;
    }

    /** One scan of the table. Returns messages. */
    int poll()
    {
        return table.poll(this, Integer.MAX_VALUE);
    }

    /** Polls until all that was sent has come, and returns a sum over the messages. */
    long pollAll()
    {
        while (receivedCount != sentCount)
        {
            if (poll() == 0)
            {
                throw new IllegalStateException("sent=" + sentCount + " received=" + receivedCount);
            }
        }
        return checksum;
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
    public void onReject(final RejectReason reason, final ArrivalQueue queue)
    {
        throw new IllegalStateException("a good message was refused: " + reason);
    }

    @Override
    public void close()
    {
        hop.close();
        membership.close();
    }
}
