// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * The receiving end of an exclusive queue. It never writes into slots: their lines travel one way, and the lap in the
 * state word tells a new message from an old one. It publishes its head an eighth of the queue at a time.
 * <p>Thread: the loop that polls it. Owns: the head.
 */
final class QueueReceiver implements ArrivalQueue
{
    private static final int BATCHES_PER_QUEUE = 8;

    private final AtomicBuffer buffer;
    private final AtomicBuffer ring;
    private final Inbox inbox;
    private final MessageHeader header = new MessageHeader();
    private final long owner;
    private final long firstPosition;
    private final int sourceNode;
    private final int channel;
    private final int queue;
    private final int headIndex;
    private final int slotsOffset;
    private final int slotCount;
    private final int slotShift;
    private final int slotLength;
    private final int slotMask;
    private final int inlineLength;
    private final int ringLength;
    private final int batchCount;
    private final int batchLength;
    private final int payloadLengthMax;

    private long head;
    private long publishedHead;
    private int ringLengthKept;
    private boolean isStopped;

    QueueReceiver(final Inbox inbox, final int channel, final int queue, final long owner, final long firstPosition)
    {
        final InboxGeometry geometry = inbox.geometry();
        this.inbox = inbox;
        this.channel = channel;
        this.queue = queue;
        this.owner = owner;
        this.firstPosition = firstPosition;
        sourceNode = QueueOwner.node(owner);
        buffer = inbox.buffer();
        ring = inbox.ring(channel, queue);
        headIndex = inbox.headIndex(channel, queue);
        slotsOffset = inbox.slotsOffset(channel, queue);
        slotCount = geometry.slotCount();
        slotShift = Integer.numberOfTrailingZeros(slotCount);
        slotLength = geometry.slotLength();
        slotMask = slotCount - 1;
        inlineLength = geometry.inlineLength();
        ringLength = geometry.ringLength();
        payloadLengthMax = geometry.payloadLengthMax();
        batchCount = Math.max(1, slotCount / BATCHES_PER_QUEUE);
        batchLength = ringLength / BATCHES_PER_QUEUE;
        head = inbox.headAcquire(channel, queue);
        publishedHead = head;
        isStopped = inbox.isStopped(channel, queue);
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        int count = 0;
        while (count < limit && !isStopped)
        {
            final int slot = slotIndex(head);
            // Partner: the release store in ExclusiveSender.publish().
            final int state = buffer.getIntAcquire(slot);
            if (state != SlotState.published(head, slotShift))
            {
                stopIfCorrupt(state, sink);
                break;
            }
            head++;                                     // First: a message counts as consumed whatever its handler does.
            deliver(slot, sink);
            count++;
            if (head - publishedHead >= batchCount || ringLengthKept >= batchLength)
            {
                release();
            }
        }
        return count;
    }

    @Override
    public void release()
    {
        if (publishedHead != head)
        {
            publishedHead = head;
            ringLengthKept = 0;
            buffer.putLongRelease(headIndex, head);     // partner: the acquire in ExclusiveSender.refreshHead()
        }
    }

    @Override
    public long notificationAddress()
    {
        return buffer.addressOffset() + slotIndex(head);
    }

    @Override
    public int notificationIdle()
    {
        if (isStopped)
        {
            return buffer.getIntVolatile(slotIndex(head));
        }
        return idleState(head);
    }

    @Override
    public int channel()
    {
        return channel;
    }

    @Override
    public int sourceNode()
    {
        return sourceNode;
    }

    int queue()
    {
        return queue;
    }

    long owner()
    {
        return owner;
    }

    /** Tells whether nothing that the owner published is left; nothing can come either if the owner is gone. */
    boolean isDrained()
    {
        return isStopped || buffer.getIntAcquire(slotIndex(head)) != SlotState.published(head, slotShift);
    }

    /**
     * Makes a queue that was stopped fit for its next sender: no slot says that anything is published. The last owner is
     * gone or gave the queue up, so nobody else writes.
     */
    void repair()
    {
        if (isStopped)
        {
            for (int i = 0; i < slotCount; i++)
            {
                buffer.putInt(slotIndex(head + i), idleState(head + i));
            }
        }
    }

    private int idleState(final long position)
    {
        return position - firstPosition < slotCount ?
            SlotState.NEVER_USED : SlotState.published(position - slotCount, slotShift);
    }

    private void deliver(final int slot, final MessageSink sink)
    {
        header.wrap(buffer, slot);
        RejectReason reason = header.invalid(MessageHeader.LENGTH + payloadLengthMax);
        if (reason == null)
        {
            reason = header.sourceAddress() >>> 4 != sourceNode ? RejectReason.WRONG_SOURCE :
                header.destinationChannel() != channel ? RejectReason.WRONG_CHANNEL : null;
        }
        if (reason != null)
        {
            sink.onReject(reason, this);
            return;
        }
        // Judged above, but a hostile sender may have changed it since: read once more, and checked by each branch.
        final int length = header.payloadLength();
        if (length >= 0 && length <= inlineLength)
        {
            sink.onMessage(buffer, slot, buffer, slot + MessageHeader.LENGTH, length);
            return;
        }
        final int ringOffset = buffer.getInt(slot + MessageHeader.LENGTH);
        if (length < 0 || ringOffset < 0 || ringOffset > ringLength - length)
        {
            sink.onReject(RejectReason.BAD_PAYLOAD_LOCATION, this);
            return;
        }
        ringLengthKept += BitUtil.align(length, CACHE_LINE_LENGTH);
        sink.onMessage(buffer, slot, ring, ringOffset, length);
    }

    /** A state that no sender writes means that somebody scribbled here: this queue stops, all others go on. */
    private void stopIfCorrupt(final int state, final MessageSink sink)
    {
        if (state != notificationIdle())
        {
            isStopped = true;
            inbox.stop(channel, queue);
            sink.onReject(RejectReason.CORRUPT_STATE, this);
        }
    }

    private int slotIndex(final long position)
    {
        return slotsOffset + ((int)position & slotMask) * slotLength;
    }
}
