// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;

/**
 * The receiving end of a queue. It never writes into slots: their lines travel in one direction, and the lap in the
 * state word distinguishes a new message from an old one: only two words that change once per lap are compared. It
 * publishes its head an eighth of the queue at a time.
 * <p>Thread: the loop that polls it. Owns: the head.
 */
abstract class QueueReceiver extends ArrivalQueue
{
    static final int BATCHES_PER_QUEUE = 8;

    final AtomicBuffer buffer;
    final Inbox inbox;
    final int queue;
    final int slotCount;
    final int slotShift;

    private final long memoryAddress;
    private final long usual;
    private final long usualMask;
    private final int headIndex;
    private final int slotsOffset;
    private final int slotLength;
    private final int slotMask;
    private final int inlineLength;
    private final int batchCount;
    private final int payloadLengthMax;

    private long head;
    private int published;                      // State of a slot that is published in the head's lap,
    private int idle;                           // and in one of the head's lap to which nothing has come.
    private long publishedHead;
    private boolean isStopped;

    /** Begins at the queue's head, where slots hold the state of the lap before, or were never used. */
    QueueReceiver(
        final Inbox inbox, final int channel, final int queue, final int sourceNode, final int payloadLengthMax,
        final boolean isFirstLap)
    {
        super(channel, sourceNode);
        final InboxGeometry geometry = inbox.geometry();
        this.inbox = inbox;
        this.queue = queue;
        this.payloadLengthMax = payloadLengthMax;
        usual = MessageHeader.usual(sourceNode);
        usualMask = MessageHeader.usualMask(sourceNode);
        buffer = inbox.buffer();
        memoryAddress = buffer.addressOffset();
        headIndex = inbox.headIndex(channel, queue);
        slotsOffset = inbox.slotsOffset(channel, queue);
        slotCount = geometry.slotCount();
        slotShift = Integer.numberOfTrailingZeros(slotCount);
        slotLength = geometry.slotLength();
        slotMask = slotCount - 1;
        inlineLength = geometry.inlineLength();
        batchCount = Math.max(1, slotCount / BATCHES_PER_QUEUE);
        head = inbox.headAcquire(channel, queue);
        publishedHead = head;
        published = SlotState.published(head, slotShift);
        idle = isFirstLap ? SlotState.NEVER_USED : SlotState.published(head - slotCount, slotShift);
        isStopped = !inbox.isOpen(channel, queue);
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        int count = 0;
        boolean isOver = false;
        while (!isOver && count < limit && !isStopped)
        {
            final int slot = slotIndex(head);
            // Partner: the release store in publish() of either sender.
            final int state = Buffers.intAcquire(memoryAddress + slot);
            if (state == published)
            {
                advance();                      // First: a message counts as consumed even if its handler throws.
                deliver(state, slot, sink);
                count++;
                isOver = sink.isLastOfPoll();
            }
            else if (isPassedOver(state))
            {
                advance();
            }
            else
            {
                stopIfCorrupt(state, sink);
                break;
            }
            if (head - publishedHead >= batchCount || isReleaseUrgent())
            {
                release();
            }
        }
        rearm();
        return count;
    }

    @Override
    public void release()
    {
        assert head - publishedHead >= 0;
        if (publishedHead != head)
        {
            beforeRelease();
            buffer.putLongRelease(headIndex, head);     // partner: the acquire in either sender
            publishedHead = head;                       // Last, so that a release that was interrupted is made again.
        }
    }

    /** The node leaves: publishes how far it has read, and reads no more, also if a handler of this drain leaves. */
    final void leave()
    {
        release();
        isStopped = true;
    }

    int queue()
    {
        return queue;
    }

    long head()
    {
        return head;
    }

    int stateAt(final long position)
    {
        return Buffers.intVolatile(memoryAddress + slotIndex(position));
    }

    /** Returns whether nothing that the owner published is left; nothing can come either if the owner is gone. */
    boolean isDrained()
    {
        return isStopped || stateAt(head) != published;
    }

    /** Returns the state of a slot that is published in the head's lap. */
    final int published()
    {
        return published;
    }

    /** Returns the state of an exclusive queue's slot of the head's lap while nothing has come. */
    final int idle()
    {
        return idle;
    }

    /** Says where the next message will show. */
    final void rearm()
    {
        expect(memoryAddress + slotIndex(head), isStopped ? stateAt(head) : idleAtHead());
    }

    /** Returns the state at the head as long as nothing has come. */
    abstract int idleAtHead();

    /** Returns whether a state says that the slot will hold no message in this lap. */
    abstract boolean isPassedOver(int state);

    /** Returns whether a state that is not ready can be waited out; otherwise the queue stops. */
    abstract boolean isPending(int state);

    /** Hands over a message whose payload does not lie in its slot, or refuses it. */
    abstract RejectReason deliverLarge(long first, long second, int slot, int length, MessageSink sink);

    /** Returns whether freed payload room should be given back before a batch of slots is full. */
    abstract boolean isReleaseUrgent();

    /** Publishes what senders read after the head. */
    abstract void beforeRelease();

    private void advance()
    {
        head++;
        if (((int)head & slotMask) == 0)
        {
            idle = published;
            published = SlotState.published(head, slotShift);
        }
    }

    private void deliver(final int state, final int slot, final MessageSink sink)
    {
        final long address = memoryAddress + slot;
        final long first = MessageHeader.first(state, Buffers.intPlain(address + MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(Buffers.longPlain(address + MessageHeader.EXTENT_OFFSET));
        final int length = MessageHeader.payloadLength(first, second);
        RejectReason reason = (first & usualMask) == usual && MessageHeader.destinationChannel(second) == channel() &&
            length >= 0 && length <= payloadLengthMax ? null :
            MessageHeader.invalid(first, second, payloadLengthMax, sourceNode(), channel());
        if (reason == null)
        {
            if (length <= inlineLength)
            {
                sink.onMessage(first, second, buffer, slot, slot + MessageHeader.LENGTH, length);
                return;
            }
            reason = deliverLarge(first, second, slot, length, sink);
        }
        if (reason != null)
        {
            sink.onReject(reason, this);
        }
    }

    /** Stops this queue if its state is one that no sender writes, which means damage; all others go on. */
    private void stopIfCorrupt(final int state, final MessageSink sink)
    {
        if (!isPending(state))
        {
            assert !isStopped;
            isStopped = true;
            inbox.stop(channel(), queue);
            sink.onReject(RejectReason.CORRUPT_STATE, this);
        }
    }

    int slotIndex(final long position)
    {
        return slotsOffset + ((int)position & slotMask) * slotLength;
    }
}
