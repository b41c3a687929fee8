// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.transport.FrameClaim;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.wire.MessageHeader;

/**
 * A sending end of a queue with several senders. It claims the slot itself by compare-and-set, from a state of the lap
 * before to "claimed by me in this lap", and only then moves the tail on, which any sender may do for it: there is no
 * instant at which a claim has no owner, and a sender that is descheduled between claim and publish stops no other sender.
 * Larger payloads go to a frame of the inbox's free list, claimed by compare-and-set of its owner word. After HPVM 1.9's
 * shared-memory transport, where a claim has no owner.
 * <p>Thread: the link's owner. Owns: its entry in the channel's table of senders, until {@link #close()}.
 * <p>Bounds: a claim tries every frame once, and the slot {@value #ATTEMPT_COUNT_MAX} times.
 */
public final class SharedSender implements Hop
{
    private static final int ATTEMPT_COUNT_MAX = 256;
    private static final int NO_FRAME = -1;
    private static final long NO_SLOT = -1;

    private final AtomicBuffer buffer;
    private final Membership membership;
    private final SenderHost host;
    private final Inbox inbox;
    private final int channel;
    private final int queue;
    private final MessageHeader header = new MessageHeader();
    private final int sourceChannel;
    private final int sender;
    private final int frameOwner;
    private final int headIndex;
    private final int asleepIndex;
    private final int tailIndex;
    private final int slotsOffset;
    private final int slotCount;
    private final int slotShift;
    private final int slotLength;
    private final int inlineLength;
    private final int frameCount;
    private final int payloadLengthMax;
    private final int peer;
    private final int peerStatus;

    private long head;
    private int lastFrame;
    private int claimedFrame = NO_FRAME;

    private SharedSender(
        final Inbox inbox, final int channel, final int sourceChannel, final int sender, final Membership membership,
        final SenderHost host)
    {
        final InboxGeometry geometry = inbox.geometry();
        this.inbox = inbox;
        this.channel = channel;
        this.sourceChannel = sourceChannel;
        this.sender = sender;
        this.membership = membership;
        this.host = host;
        asleepIndex = inbox.asleepIndex(channel);
        queue = geometry.exclusiveQueueCount() + sender % geometry.sharedQueueCount();
        frameOwner = Inbox.frameOwnerOf(channel, sender);
        buffer = inbox.buffer();
        headIndex = inbox.headIndex(channel, queue);
        tailIndex = inbox.tailIndex(channel, queue);
        slotsOffset = inbox.slotsOffset(channel, queue);
        slotCount = geometry.slotCount();
        slotShift = Integer.numberOfTrailingZeros(slotCount);
        slotLength = geometry.slotLength();
        inlineLength = geometry.inlineLength();
        frameCount = geometry.frameCount();
        payloadLengthMax = Math.min(geometry.frameLength(), MessageHeader.PAYLOAD_LENGTH_MAX);
        peer = inbox.node();
        peerStatus = membership.upStatus(inbox.incarnation());
        head = buffer.getLongAcquire(headIndex);
        lastFrame = sender % frameCount;
    }

    /**
     * Takes an entry in the table of senders of a channel's shared queues.
     *
     * @param inbox         of the receiver.
     * @param channel       of the receiver.
     * @param sourceChannel of this sender.
     * @param membership    of this node.
     * @param host          that rings doorbells, and learns of the end.
     * @return the sender, or null if the channel has no shared queue or the table is full.
     */
    public static SharedSender tryAttach(
        final Inbox inbox, final int channel, final int sourceChannel, final Membership membership,
        final SenderHost host)
    {
        if (inbox.geometry().sharedQueueCount() == 0)
        {
            return null;
        }
        final long owner = QueueOwner.of(membership.self(), sourceChannel, membership.incarnation());
        for (int sender = 0; sender < InboxLayout.SENDER_COUNT; sender++)
        {
            if (inbox.trySender(channel, sender, owner))
            {
                return new SharedSender(inbox, channel, sourceChannel, sender, membership, host);
            }
        }
        return null;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final FrameClaim claim)
    {
        if (isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (payloadLength > inlineLength)
        {
            claimedFrame = claimFrame();
            if (claimedFrame == NO_FRAME)
            {
                return refusal();
            }
        }
        final long position = claimSlot();
        if (position == NO_SLOT)
        {
            giveFrameBack();
            return refusal();
        }
        final int slot = slotIndex(position);
        final int payloadOffset;
        if (claimedFrame == NO_FRAME)
        {
            payloadOffset = slot + MessageHeader.LENGTH;
        }
        else
        {
            buffer.putInt(slot + MessageHeader.LENGTH, claimedFrame);
            payloadOffset = inbox.frameOffset(claimedFrame);
        }
        claim.claimed(this, buffer, slot, payloadOffset, payloadLength, position);
        return SendStatus.SENT;
    }

    @Override
    public void publish(final FrameClaim claim)
    {
        claimedFrame = NO_FRAME;            // The receiver frees it.
        // Partner: the acquire load in QueueReceiver.drain(): header and payload come before the state.
        buffer.putIntRelease(slotIndex(claim.position()), SlotState.published(claim.position(), slotShift));
        if (buffer.getIntVolatile(asleepIndex) != 0)
        {
            inbox.wake(asleepIndex, host);
        }
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        giveFrameBack();
        buffer.putIntRelease(slotIndex(claim.position()), SlotState.skipped(claim.position(), slotShift, sender));
    }

    @Override
    public int payloadLengthMax()
    {
        return payloadLengthMax;
    }

    @Override
    public boolean isPeerGone()
    {
        return membership.status(peer) != peerStatus;
    }

    @Override
    public long unknownCount()
    {
        // Slots name their sender only while they are claimed; a published one is known by where it says it comes from.
        final long first = buffer.getLongAcquire(headIndex);
        long count = 0;
        for (long position = first; position - first < slotCount; position++)
        {
            final int slot = slotIndex(position);
            if (buffer.getIntAcquire(slot) == SlotState.published(position, slotShift) &&
                header.wrap(buffer, slot).sourceAddress() >>> 4 == membership.self() &&
                header.sourceChannel() == sourceChannel)
            {
                count++;
            }
        }
        return count;
    }

    @Override
    public void close()
    {
        inbox.sender(channel, sender, QueueOwner.detached(inbox.sender(channel, sender)));
        host.closed();
    }

    /** The frame that this sender used last, while it is warm; else the next free one, within one lap. */
    private int claimFrame()
    {
        if (inbox.frameOwner(lastFrame) == 0 && inbox.tryFrame(lastFrame, frameOwner))
        {
            return lastFrame;
        }
        for (int i = 0; i < frameCount; i++)
        {
            final int frame = inbox.nextFrame();
            if (inbox.frameOwner(frame) == 0 && inbox.tryFrame(frame, frameOwner))
            {
                lastFrame = frame;
                return frame;
            }
        }
        return NO_FRAME;
    }

    private void giveFrameBack()
    {
        if (claimedFrame != NO_FRAME)
        {
            inbox.freeFrame(claimedFrame);
            claimedFrame = NO_FRAME;
        }
    }

    private long claimSlot()
    {
        for (int i = 0; i < ATTEMPT_COUNT_MAX; i++)
        {
            final long position = buffer.getLongVolatile(tailIndex);
            if (position - head >= slotCount)
            {
                head = buffer.getLongAcquire(headIndex);       // partner: release() of the receiver
                if (position - head >= slotCount)
                {
                    return NO_SLOT;
                }
            }
            final int slot = slotIndex(position);
            final int state = buffer.getIntVolatile(slot);
            final int lap = SlotState.lap(position, slotShift);
            if (isFree(state, lap))
            {
                // The claim itself: from here on the slot names its owner. Partner: the CAS of other senders, and of
                // SharedReceiver.reclaim() once this process is dead.
                if (buffer.compareAndSetInt(slot, state, SlotState.claimed(position, slotShift, sender)))
                {
                    buffer.compareAndSetLong(tailIndex, position, position + 1);
                    return position;
                }
            }
            else if (SlotState.isOfLap(state, lap))
            {
                buffer.compareAndSetLong(tailIndex, position, position + 1);       // Another's claim: help it on.
            }
        }
        return NO_SLOT;
    }

    /** Read, or passed over, in the lap before; the receiver has moved on, for the position is within its window. */
    private static boolean isFree(final int state, final int lap)
    {
        return state == SlotState.NEVER_USED ||
            (SlotState.isOfLap(state, lap - 1) && (SlotState.isPublished(state) || SlotState.isSkipped(state)));
    }

    private SendStatus refusal()
    {
        return inbox.isStopped(channel, queue) ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }

    private int slotIndex(final long position)
    {
        return slotsOffset + ((int)position & (slotCount - 1)) * slotLength;
    }
}
