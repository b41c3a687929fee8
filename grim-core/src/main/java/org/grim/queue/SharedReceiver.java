// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.RejectReason;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;

/**
 * The receiving end of a queue with several senders, whose larger payloads lie in frames of the inbox's free list.
 * <p>Thread: the loop that polls it.
 */
final class SharedReceiver extends QueueReceiver
{
    private final int frameCount;

    SharedReceiver(final Inbox inbox, final int channel, final int queue)
    {
        super(inbox, channel, queue, -1, inbox.geometry().framePayloadLengthMax(), true);
        frameCount = inbox.geometry().frameCount();
        rearm();
    }

    /**
     * Passes over every slot that a sender claimed and will not publish, because its process is gone.
     *
     * @param sender index in the channel's table of senders.
     * @return slots passed over.
     */
    int reclaim(final int sender)
    {
        int count = 0;
        for (long position = head(); position - head() < slotCount; position++)
        {
            final int state = stateAt(position);
            if (SlotState.isClaimed(state) && SlotState.sender(state) == sender &&
                buffer.compareAndSetInt(slotIndex(position), state, SlotState.skipped(position, slotShift, sender)))
            {
                count++;
            }
        }
        return count;
    }

    /** Returns a position behind every message that senders who are gone by now can have published. */
    long endPosition()
    {
        return head() + slotCount;
    }

    /** Returns whether all that stood before a position was read: it was passed, or nothing stands there any more. */
    boolean hasRead(final long endPosition)
    {
        for (long position = head(); position - endPosition < 0; position++)
        {
            if (stateAt(position) == SlotState.published(position, slotShift))
            {
                return false;
            }
        }
        return true;
    }

    /** Returns whether an unread message lies in a frame. */
    boolean refersTo(final int frame)
    {
        for (long position = head(); position - head() < slotCount; position++)
        {
            if (stateAt(position) == SlotState.published(position, slotShift) &&
                buffer.getInt(slotIndex(position) + MessageHeader.LENGTH) == frame)
            {
                // Perhaps a small payload that looks like it: then the frame waits a little longer.
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the state for any content that cannot be taken at once: a claim of this lap is waited out like an empty
     * slot.
     */
    @Override
    int idleAtHead()
    {
        final int state = stateAt(head());
        return state == published() || isPassedOver(state) ? ~state : state;
    }

    @Override
    boolean isPassedOver(final int state)
    {
        return SlotState.isSkipped(state) && SlotState.isOfLap(state, SlotState.lap(head(), slotShift));
    }

    @Override
    boolean isPending(final int state)
    {
        final int lap = SlotState.lap(head(), slotShift);
        return state == SlotState.NEVER_USED || (SlotState.isClaimed(state) && SlotState.isOfLap(state, lap)) ||
            (SlotState.isOfLap(state, lap - 1) && (SlotState.isPublished(state) || SlotState.isSkipped(state)));
    }

    @Override
    RejectReason deliverLarge(
        final long first, final long second, final int slot, final int length, final MessageSink sink)
    {
        final int location = buffer.getInt(slot + MessageHeader.LENGTH);
        if (location < 0 || location >= frameCount || !isHeldBy(MessageHeader.sourceAddress(first) >>> 4, location))
        {
            return RejectReason.BAD_PAYLOAD_LOCATION;
        }
        sink.onMessage(first, second, buffer, slot, inbox.frameOffset(location) + MessageHeader.LENGTH, length);
        inbox.freeFrame(location);
        return null;
    }

    /** A message may name only a frame that its own sender claimed: else it could free another's. */
    private boolean isHeldBy(final int node, final int frame)
    {
        final int sender = inbox.frameOwner(frame) - Inbox.frameOwnerOf(channel(), 0);
        return sender >= 0 && sender < InboxLayout.SENDER_COUNT &&
            QueueOwner.node(inbox.sender(channel(), sender)) == node;
    }

    @Override
    boolean isReleaseUrgent()
    {
        return false;
    }

    @Override
    void beforeRelease()
    {
        // Frames were given back one by one.
    }
}
