// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.Membership;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

/**
 * A sending end of a queue with several senders. A message is filled apart from the queue, a small one in memory of the
 * sender's own, a larger one in a frame of the inbox's free list, claimed by compare-and-set of its owner word. So a
 * sender that is descheduled halfway stops nobody. Only {@link #publish} claims a slot, by compare-and-set from a state
 * of the lap before to "claimed by me in this lap", and then moves the tail on, which any sender may do for it: there
 * is no instant at which a claim has no owner. After HPVM 1.9's shared-memory transport, where a claim has no owner.
 * <p>A publish always finds a slot: claims are refused while fewer slots are free than the channel can have senders,
 * each of which has at most one claim open.
 * <p>Thread: the link's owner. Owns: its entry in the channel's table of senders, until {@link #close()}.
 * <p>Bounds: a claim tries every frame once. A tail that leads to no slot ends this sender: {@link SendStatus#CLOSED}.
 */
public final class SharedSender implements Hop
{
    private static final int ATTEMPT_COUNT_MAX = 1 << 20;
    private static final int CORRUPT_LOOK_COUNT_MAX = 1 << 10;
    private static final int NO_FRAME = -1;

    private final AtomicBuffer staging;
    private final HopClaim room = new HopClaim();
    @SuppressWarnings("UnusedVariable")             // It keeps the status word mapped.
    private final Membership membership;
    private final SenderHost host;
    private final int channel;
    private final int queue;
    private final int sender;
    private final int frameOwner;
    private final int headIndex;
    private final int asleepIndex;
    private final int tailIndex;
    private final int slotsOffset;
    private final int slotCount;
    private final int slotShift;
    private final int slotLength;
    private final int openClaimCountMax;
    private final int[] published;          // By slot, the state that this sender published last.
    private final int inlineLength;
    private final int frameCount;
    private final int payloadLengthMax;
    private final long peerStatusAddress;

    // Not final: a sender that was closed keeps no memory mapped.
    private AtomicBuffer buffer;
    private SlotWriter writer;
    private Inbox inbox;
    private RefusalMark refusalMark;
    private MessageHeader header = new MessageHeader();
    private int peerStatus;
    private long head;
    private int lastFrame;
    private int claimedFrame = NO_FRAME;
    private long claimedPosition;
    private long undeliveredCount;
    private long unreadCount;               // By a peer that left in order.
    private boolean isCorrupt;

    private SharedSender(
        final Inbox inbox, final int channel, final int sender, final Membership membership, final SenderHost host)
    {
        final InboxGeometry geometry = inbox.geometry();
        this.inbox = inbox;
        this.channel = channel;
        this.sender = sender;
        this.membership = membership;
        this.host = host;
        asleepIndex = inbox.asleepIndex(channel);
        queue = geometry.exclusiveQueueCount() + sender % geometry.sharedQueueCount();
        frameOwner = Inbox.frameOwnerOf(channel, sender);
        buffer = inbox.buffer();
        writer = new SlotWriter(buffer);
        headIndex = inbox.headIndex(channel, queue);
        tailIndex = inbox.tailIndex(channel, queue);
        slotsOffset = inbox.slotsOffset(channel, queue);
        slotCount = geometry.slotCount();
        slotShift = Integer.numberOfTrailingZeros(slotCount);
        slotLength = geometry.slotLength();
        published = new int[slotCount];
        inlineLength = geometry.inlineLength();
        frameCount = geometry.frameCount();
        payloadLengthMax = geometry.framePayloadLengthMax();
        openClaimCountMax = geometry.sharedSenderCountMax();
        staging = Buffers.allocate(slotLength);
        final int peer = inbox.node();
        peerStatusAddress = membership.statusAddress(peer);
        peerStatus = membership.upStatus(inbox.incarnation());
        refusalMark = new RefusalMark(inbox, channel, queue, host);
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
        for (int sender = 0; sender < inbox.geometry().sharedSenderCountMax(); sender++)
        {
            if (inbox.trySender(channel, sender, owner))
            {
                return new SharedSender(inbox, channel, sender, membership, host);
            }
        }
        return null;
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (length > inlineLength)
        {
            return Hop.sendByClaim(
                this, room, wordOne, extentWords, arguments01, arguments23, source, offset, length);
        }
        if (isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (length > 0)
        {
            Objects.requireNonNull(source, "source").boundsCheck(offset, length);
        }
        if (!hasRoom() || !tryClaimSlot())
        {
            return refusal();
        }
        final int slot = slotIndex(claimedPosition);
        writer.header(slot, wordOne, extentWords, arguments01, arguments23);
        if (length > 0)
        {
            writer.payload(slot, source, offset, length);
        }
        publish(claimedPosition, slot);
        return SendStatus.SENT;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
    {
        if (isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (!hasRoom())
        {
            return refusal();
        }
        if (payloadLength <= inlineLength)
        {
            claim.claimed(this, staging, 0, MessageHeader.LENGTH, payloadLength, 0);
            return SendStatus.SENT;
        }
        assert claimedFrame == NO_FRAME;
        claimedFrame = claimFrame();
        if (claimedFrame == NO_FRAME || refusalMark.isSet())
        {
            refusalMark.check(claimedFrame != NO_FRAME, buffer.getLongVolatile(tailIndex));
        }
        if (claimedFrame == NO_FRAME)
        {
            return refusal();
        }
        final int frame = inbox.frameOffset(claimedFrame);
        claim.claimed(this, buffer, frame, frame + MessageHeader.LENGTH, payloadLength, 0);
        return SendStatus.SENT;
    }

    @Override
    public void publish(final HopClaim claim)
    {
        if (!tryClaimSlot())
        {
            // Accepted already: as lost as all that stands in a queue that corrupt bytes stop. See refusal().
            undeliveredCount +=
                LargeMessageIds.isPart(header.wrap(claim.buffer(), claim.headerOffset()).handler()) ? 0 : 1;
            abort(claim);
            return;
        }
        final int slot = slotIndex(claimedPosition);
        header.wrap(buffer, slot).copy(claim.buffer(), claim.headerOffset());
        if (claimedFrame == NO_FRAME)
        {
            buffer.putBytes(slot + MessageHeader.LENGTH, staging, MessageHeader.LENGTH, claim.length());
        }
        else
        {
            buffer.putInt(slot + MessageHeader.LENGTH, claimedFrame);
            claimedFrame = NO_FRAME;        // The receiver frees it.
        }
        publish(claimedPosition, slot);
    }

    @Override
    public void abort(final HopClaim claim)
    {
        if (claimedFrame != NO_FRAME)
        {
            inbox.freeFrame(claimedFrame);
            claimedFrame = NO_FRAME;
        }
    }

    @Override
    public int payloadLengthMax()
    {
        return payloadLengthMax;
    }

    @Override
    public boolean isPeerGone()
    {
        return Buffers.intVolatile(peerStatusAddress) != peerStatus;
    }

    @Override
    public long unknownCount()
    {
        // Slots name their sender only while they are claimed, and several senders of a node may have one channel.
        final long first = buffer.getLongAcquire(headIndex);
        long count = 0;
        for (long position = first; position - first < slotCount; position++)
        {
            final int slot = slotIndex(position);
            final int state = SlotState.published(position, slotShift);
            if (published[(int)position & (slotCount - 1)] == state && buffer.getIntAcquire(slot) == state &&
                !LargeMessageIds.isPart(header.wrap(buffer, slot).handler()))
            {
                count++;
            }
        }
        unreadCount = isPeerGone() && inbox.hasLeft(channel, queue) ? count : 0;
        return count - unreadCount;
    }

    @Override
    public long undeliveredCount()
    {
        return undeliveredCount + unreadCount;
    }

    @Override
    public void wakeReceiver()
    {
        // Without a fence: the sleeper pays for it (decision 08).
        if (buffer != null && buffer.getIntVolatile(asleepIndex) != 0)
        {
            inbox.wake(asleepIndex, host);
        }
    }

    @Override
    public void lent()
    {
        host.lent();
    }

    @Override
    public void close()
    {
        inbox.sender(channel, sender, QueueOwner.detached(inbox.sender(channel, sender)));
        buffer = null;
        writer = null;
        inbox = null;
        refusalMark = null;
        header = null;
        room.forget();
        peerStatus = Membership.NO_STATUS;      // Gone, also if the directory says otherwise.
        host.closed();
    }

    private void publish(final long position, final int slot)
    {
        final int state = SlotState.published(position, slotShift);
        published[(int)position & (slotCount - 1)] = state;
        // Partner: the acquire load in QueueReceiver.drain(): header and payload come before the state.
        writer.publish(slot, state);
        if (buffer.getIntVolatile(asleepIndex) != 0)
        {
            inbox.wake(asleepIndex, host);
        }
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

    /** Leaves a slot for each sender that may have a claim open, this one included. */
    private boolean hasRoom()
    {
        if (isCorrupt)
        {
            return false;
        }
        final long tail = buffer.getLongVolatile(tailIndex);
        if (tail - head >= slotCount - openClaimCountMax)
        {
            head = buffer.getLongAcquire(headIndex);           // partner: release() of the receiver
            return refusalMark.check(tail - head < slotCount - openClaimCountMax, tail);
        }
        return true;
    }

    /**
     * Claims the slot at the tail. A slot that is neither free nor of the tail's lap means that the tail has just moved
     * on; if it goes on like that, a process scribbled over one of them, and this sender gives the queue up.
     */
    private boolean tryClaimSlot()
    {
        int corruptLookCount = 0;
        for (int i = 0; i < ATTEMPT_COUNT_MAX && corruptLookCount < CORRUPT_LOOK_COUNT_MAX; i++)
        {
            final long position = buffer.getLongVolatile(tailIndex);
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
                    claimedPosition = position;
                    return true;
                }
            }
            else if (SlotState.isOfLap(state, lap))
            {
                buffer.compareAndSetLong(tailIndex, position, position + 1);       // Another's claim: help it on.
            }
            else
            {
                corruptLookCount++;
            }
        }
        isCorrupt = true;
        return false;
    }

    /** Read, or passed over, in the lap before; the receiver has moved on, for the position is within its window. */
    private static boolean isFree(final int state, final int lap)
    {
        return state == SlotState.NEVER_USED ||
            (SlotState.isOfLap(state, lap - 1) && (SlotState.isPublished(state) || SlotState.isSkipped(state)));
    }

    private SendStatus refusal()
    {
        return isCorrupt || inbox.isStopped(channel, queue) ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }

    private int slotIndex(final long position)
    {
        return slotsOffset + ((int)position & (slotCount - 1)) * slotLength;
    }
}
