// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.BitUtil;
import org.grim.RejectReason;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * The receiving end of a queue with one sender, whose larger payloads lie in the queue's own ring.
 * <p>Thread: the loop that polls it.
 */
final class ExclusiveReceiver extends QueueReceiver
{
    private final long owner;
    private final int ringIndex;
    private final int ringLength;
    private final int batchLength;
    private final int ringHeadIndex;
    private long ringHead;
    private long publishedRingHead;

    ExclusiveReceiver(
        final Inbox inbox, final int channel, final int queue, final long owner, final long firstPosition)
    {
        super(inbox, channel, queue, QueueOwner.node(owner), inbox.geometry().payloadLengthMax(),
            inbox.headAcquire(channel, queue) - firstPosition < inbox.geometry().slotCount());
        this.owner = owner;
        ringIndex = inbox.ringIndex(channel, queue);
        ringLength = inbox.geometry().ringLength();
        ringHeadIndex = inbox.ringHeadIndex(channel, queue);
        ringHead = buffer.getLong(ringHeadIndex);
        publishedRingHead = ringHead;
        batchLength = ringLength / BATCHES_PER_QUEUE;
        rearm();
    }

    long owner()
    {
        return owner;
    }

    /**
     * Makes the queue as good as new for the next sender: what stands in it goes, which is what the last one left
     * unread if corrupt bytes stopped the queue, or scribbled beyond its tail. Only when the last one is gone: this is
     * the one time that a receiver writes slots.
     */
    void reset()
    {
        final long nextLap = BitUtil.align(head() + 1, slotCount);
        for (long position = head(); position - head() < slotCount; position++)
        {
            final int idle = position < nextLap ? idle() : published();
            if (stateAt(position) != idle)
            {
                buffer.putIntRelease(slotIndex(position), idle);
            }
        }
        release();
        buffer.putLong(ringHeadIndex, 0);
    }

    @Override
    int idleAtHead()
    {
        return idle();
    }

    @Override
    boolean isPassedOver(final int state)
    {
        return false;
    }

    @Override
    boolean isPending(final int state)
    {
        return state == idle();
    }

    @Override
    RejectReason deliverLarge(
        final long first, final long second, final int slot, final int length, final MessageSink sink)
    {
        final int location = buffer.getInt(slot + MessageHeader.LENGTH);
        if (location < 0 || location > ringLength - length)
        {
            return RejectReason.BAD_PAYLOAD_LOCATION;
        }
        // The sender may have passed over the end of its ring, where the payload did not fit in one piece.
        ringHead += (location - (int)ringHead & ringLength - 1) + BitUtil.align(length, CACHE_LINE_LENGTH);
        sink.onMessage(first, second, buffer, slot, ringIndex + location, length);
        return null;
    }

    @Override
    boolean isReleaseUrgent()
    {
        return ringHead - publishedRingHead >= batchLength;
    }

    @Override
    void beforeRelease()
    {
        assert ringHead - publishedRingHead >= 0;
        if (publishedRingHead != ringHead)
        {
            buffer.putLong(ringHeadIndex, ringHead);        // Partner: the sender reads it after the head.
            publishedRingHead = ringHead;
        }
    }
}
