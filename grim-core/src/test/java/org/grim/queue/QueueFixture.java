// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.Payloads;
import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.HandMadeMembership;
import org.grim.transport.HopClaim;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One inbox in private memory, its receiver, and numbered messages whose every byte is checked. */
final class QueueFixture implements MessageSink, ArrivalQueues
{
    static final int RECEIVER = 1;
    static final int SENDER = 2;
    static final int CHANNEL = 1;

    final FakeMembership receiverView = new FakeMembership(RECEIVER, 1);
    final FakeMembership senderView = new FakeMembership(SENDER, 1);
    final InboxGeometry geometry;
    final AtomicBuffer memory;
    final Inbox inbox;
    final ChannelReceiver receiver;
    final List<ArrivalQueue> queues = new ArrayList<>();
    final List<Integer> received = new ArrayList<>();
    final List<RejectReason> rejected = new ArrayList<>();
    final HopClaim claim = new HopClaim();
    boolean isLenient;
    int lastOfPoll = -1;

    /** Status of nodes, as the test says: a status is an incarnation, or a negative number of one that is gone. */
    static final class FakeMembership extends HandMadeMembership
    {
        private final int incarnation;

        FakeMembership(final int self, final int incarnation)
        {
            super(self, Buffers.allocate(4 * Integer.BYTES));
            this.incarnation = incarnation;
            for (int node = 1; node < nodeCountMax(); node++)
            {
                set(node, 1);
            }
        }

        void set(final int node, final int newStatus)
        {
            status(node, newStatus);
        }

        @Override
        public int incarnation()
        {
            return incarnation;
        }

        @Override
        public int upStatus(final int incarnationOfPeer)
        {
            return incarnationOfPeer;
        }

        @Override
        public int incarnationOf(final int statusWord)
        {
            return statusWord;
        }

        @Override
        public boolean isUp(final int node)
        {
            return status(node) > 0;
        }

        @Override
        public boolean convictIfDead(final int node)
        {
            return status(node) < 0;
        }
    }

    QueueFixture(final int slotCount, final int ringLength, final long firstPosition)
    {
        this(new InboxGeometry(2, 2, 0, slotCount, 64, ringLength, 0, 0), firstPosition);
    }

    QueueFixture(final InboxGeometry geometry, final long firstPosition)
    {
        this.geometry = geometry;
        memory = Buffers.allocate(Inbox.lengthOf(geometry));
        inbox = Inbox.create(memory, geometry, RECEIVER, 1, firstPosition);
        receiver = new ChannelReceiver(inbox, CHANNEL, receiverView, this);
    }

    ExclusiveSender attach()
    {
        return ExclusiveSender.tryAttach(inbox, CHANNEL, 0, senderView, new SilentHost());
    }

    SendStatus send(final ExclusiveSender sender, final int number, final int length)
    {
        final SendStatus status = sender.tryClaim(length, claim);
        if (status == SendStatus.SENT)
        {
            fill(number, length);
            claim.publish();
        }
        return status;
    }

    void fill(final int number, final int length)
    {
        new MessageHeader().wrap(claim.buffer(), claim.headerOffset()).put(
            MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, SENDER << 4), RECEIVER << 4,
            MessageHeader.routeWord(0, CHANNEL), 16, length, MessageHeader.pair(number, 0), 0);
        Payloads.fill(claim.buffer(), claim.offset(), length, number);
    }

    int sendUntilFull(final ExclusiveSender sender, final int first, final int length)
    {
        int number = first;
        while (send(sender, number, length) == SendStatus.SENT)
        {
            number++;
        }
        return number - first;
    }

    /** Looks at each word, as the loop does, and drains the queues whose word has changed. */
    int poll(final int limit)
    {
        int count = 0;
        for (final ArrivalQueue queue : List.copyOf(queues))
        {
            if (Buffers.intVolatile(queue.notificationAddress()) != queue.notificationIdle())
            {
                count += queue.drain(this, limit);
            }
        }
        return count;
    }

    int pollAll()
    {
        int count = poll(Integer.MAX_VALUE);
        count += poll(Integer.MAX_VALUE);
        return count;
    }

    void release()
    {
        queues.forEach(ArrivalQueue::release);
    }

    long head()
    {
        return inbox.headAcquire(CHANNEL, 0);
    }

    int descriptor()
    {
        return inbox.headIndex(CHANNEL, 0) - InboxLayout.HEAD_OFFSET;
    }

    int slot(final int index)
    {
        return inbox.slotsOffset(CHANNEL, 0) + index * geometry.slotLength();
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        assertTrue(payloadOffset >= 0 && payloadLength >= 0 && payloadOffset + payloadLength <= buffer.capacity());
        final int number = new MessageHeader().wrap(buffer, headerOffset).argument(0);
        received.add(number);
        for (int i = 0; i < payloadLength && !isLenient; i++)
        {
            assertEquals(Payloads.at(number, i), buffer.getByte(payloadOffset + i),
                "message " + number + " byte " + i);
        }
    }

    @Override
    public void onReject(final RejectReason reason, final ArrivalQueue queue)
    {
        rejected.add(reason);
    }

    @Override
    public boolean isLastOfPoll()
    {
        return !received.isEmpty() && received.get(received.size() - 1) == lastOfPoll;
    }

    @Override
    public void add(final ArrivalQueue queue)
    {
        queues.add(queue);
    }

    @Override
    public void remove(final ArrivalQueue queue)
    {
        assertTrue(queues.remove(queue));
    }
}
