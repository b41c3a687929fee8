// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One inbox in private memory, the loop of its receiver, and the judgement of what it receives: each source's messages
 * once, in order, no word of another message in them. Any difference is a fault.
 * <p>Thread: the actor that receives, then the arbiter; {@link #attach} and {@link #ring} any.
 */
final class StressInbox implements MessageSink, ArrivalQueues, SenderHost
{
    static final int CHANNEL = 0;
    static final int RECEIVER = 0;
    static final int SENDER = 1;
    static final int OTHER_SENDER = 2;

    /** Looks of a receiver or a sender that waits for the other; one that lost its processor is not awaited. */
    static final int ATTEMPT_COUNT_MAX = 3_000;

    private static final AtomicBuffer NODES = FixedMembership.firstIncarnations(OTHER_SENDER + 1);
    private static final int SETTLING_POLL_COUNT = 64;

    final Inbox inbox;
    final AtomicInteger ringCount = new AtomicInteger();

    private final ChannelReceiver receiver;
    private final List<ArrivalQueue> queues = new ArrayList<>();
    private final int[] deliveredCounts = new int[OTHER_SENDER + 1];
    private int deliveredCount;
    private int racedCount;
    private int faultCount;

    StressInbox(final InboxGeometry geometry)
    {
        inbox = Inbox.create(StressMemory.take(Inbox.lengthOf(geometry)), geometry, RECEIVER, 1, 0);
        receiver = new ChannelReceiver(inbox, CHANNEL, membership(RECEIVER), this);
    }

    /** Exclusive queues only; the longest payload of the ring is 448 bytes. */
    static InboxGeometry exclusive(final int queueCount, final int slotCount)
    {
        return new InboxGeometry(1, queueCount, 0, slotCount, 64, 1024, 0, 0);
    }

    /** One shared queue; the longest payload of a frame is 224 bytes. */
    static InboxGeometry shared(final int exclusiveQueueCount, final int slotCount, final int frameCount)
    {
        return new InboxGeometry(1, exclusiveQueueCount, 1, slotCount, 64, 1024, frameCount, 256);
    }

    /** A sender that the receiver knows of from the start. */
    StressSender attached(final int node)
    {
        final StressSender sender = attach(node);
        poll();
        return sender;
    }

    /** An exclusive queue, else a shared one; null if there is neither. */
    StressSender attach(final int node)
    {
        final Membership membership = membership(node);
        final Hop exclusive = ExclusiveSender.tryAttach(inbox, CHANNEL, 0, membership, this);
        final Hop hop = exclusive != null ? exclusive :
            SharedSender.tryAttach(inbox, CHANNEL, 0, membership, this);
        return hop == null ? null : new StressSender(hop, node);
    }

    /** Polls until so many messages have come, or for a while. Messages that come here raced with their sender. */
    void receive(final int count)
    {
        for (int i = 0; i < ATTEMPT_COUNT_MAX && deliveredCount < count; i++)
        {
            poll();
        }
        racedCount = deliveredCount;
    }

    /** Looks at each word, as the loop does, and drains the queues whose word has changed. */
    void poll()
    {
        for (int i = 0; i < queues.size(); i++)
        {
            final ArrivalQueue queue = queues.get(i);
            if (Buffers.intVolatile(queue.notificationAddress()) != queue.notificationIdle())
            {
                queue.drain(this, Integer.MAX_VALUE);
            }
        }
    }

    boolean isSilent()
    {
        boolean isSilent = true;
        for (int i = 0; i < queues.size() && isSilent; i++)
        {
            final ArrivalQueue queue = queues.get(i);
            isSilent = Buffers.intVolatile(queue.notificationAddress()) == queue.notificationIdle();
        }
        return isSilent;
    }

    int housekeep()
    {
        return receiver.housekeep(1);
    }

    /** Overwrites the state of a slot of the first queue. */
    void state(final int slot, final int state)
    {
        inbox.buffer().putIntVolatile(inbox.slotsOffset(CHANNEL, 0) + slot * inbox.geometry().slotLength(), state);
    }

    int deliveredCount()
    {
        return deliveredCount;
    }

    /**
     * For the arbiter: polls the rest, then reports faults, messages accepted but lost, and whether there was a race.
     */
    void judge(final III_Result result, final int acceptedCount)
    {
        for (int i = 0; i < SETTLING_POLL_COUNT && deliveredCount != acceptedCount; i++)
        {
            poll();
        }
        poll();
        result.r1 = faultCount;
        result.r2 = acceptedCount - deliveredCount;
        result.r3 = racedCount > 0 ? 1 : 0;
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        final int node = MessageHeader.sourceAddress(first) >>> 4;
        final int number = deliveredCounts[node]++;
        deliveredCount++;
        if (!StressMessage.isIntact(node, number, second, buffer, headerOffset, payloadOffset, payloadLength))
        {
            faultCount++;
        }
    }

    @Override
    public void onReject(final RejectReason reason, final ArrivalQueue queue)
    {
        faultCount++;
    }

    @Override
    public void add(final ArrivalQueue queue)
    {
        queues.add(queue);
    }

    @Override
    public void remove(final ArrivalQueue queue)
    {
        if (!queues.remove(queue))
        {
            faultCount++;
        }
    }

    @Override
    public void ring(final int bell)
    {
        ringCount.incrementAndGet();
    }

    @Override
    public long epochMs()
    {
        return 1;
    }

    @Override
    public void closed()
    {
        // The inbox belongs to the test.
    }

    private static Membership membership(final int node)
    {
        return new FixedMembership(node, NODES);
    }
}
