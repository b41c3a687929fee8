// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.Objects;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.Membership;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * The sending end of a queue with one sender: no atomic read-modify-write, one line of shared memory for a small
 * message.
 * <p>The slots follow HPVM 1.9's receive queues (Lauria, Pakin, Chien: "Efficient Layering for High Speed
 * Communication: the MPI over Fast Messages experience", 1999) with the state word inside the header. Unlike there,
 * larger payloads go to a ring that belongs to the queue: one sender fills it and one receiver empties it in order, so
 * two positions, which the receiver publishes on one line, say what is free (decision 02).
 * <p>Thread: the link's owner. Owns: the queue, until {@link #close()}; the tail, which nobody else needs.
 */
public final class ExclusiveSender implements Hop
{
    private static final int NO_ROOM = -1;
    private static final int RING_HEAD = InboxLayout.RING_HEAD_OFFSET - InboxLayout.HEAD_OFFSET;

    @SuppressWarnings("UnusedVariable")             // It keeps the status word mapped.
    private final Membership membership;
    private final SenderHost host;
    private final int channel;
    private final int queue;
    private final int headIndex;
    private final int asleepIndex;
    private final long asleepAddress;
    private final int slotsOffset;
    private final int slotShift;
    private final int slotLength;
    private final int slotMask;
    private final int inlineLength;
    private final int ringIndex;
    private final int ringLength;
    private final int payloadLengthMax;
    private final long peerStatusAddress;

    // Not final: a sender that was closed keeps no memory mapped.
    private AtomicBuffer buffer;
    private SlotWriter writer;
    private Inbox inbox;
    private RefusalMark refusalMark;
    private MessageHeader header = new MessageHeader();
    private int peerStatus;
    private long tail;
    private int published;                          // The state of a slot that is published in the tail's lap.
    private long head;
    private long ringTail;
    private long ringHead;
    private long ringTailClaimed;
    private long undeliveredCount;

    private ExclusiveSender(
        final Inbox inbox, final int channel, final int queue, final Membership membership, final SenderHost host)
    {
        final InboxGeometry geometry = inbox.geometry();
        this.inbox = inbox;
        this.channel = channel;
        this.queue = queue;
        this.host = host;
        this.membership = membership;
        asleepIndex = inbox.asleepIndex(channel);
        buffer = inbox.buffer();
        writer = new SlotWriter(buffer);
        asleepAddress = buffer.addressOffset() + asleepIndex;
        ringIndex = inbox.ringIndex(channel, queue);
        headIndex = inbox.headIndex(channel, queue);
        slotsOffset = inbox.slotsOffset(channel, queue);
        slotShift = Integer.numberOfTrailingZeros(geometry.slotCount());
        slotLength = geometry.slotLength();
        slotMask = geometry.slotCount() - 1;
        inlineLength = geometry.inlineLength();
        ringLength = geometry.ringLength();
        payloadLengthMax = geometry.payloadLengthMax();
        peerStatusAddress = membership.statusAddress(inbox.node());
        peerStatus = membership.upStatus(inbox.incarnation());
        refusalMark = new RefusalMark(inbox, channel, queue, host);
        inbox.refusedSinceMs(channel, queue, 0);        // Clears the mark of the queue's previous sender.
        head = buffer.getLongAcquire(headIndex);        // partner: publishHead() of the receiver that freed the queue
        tail = head;
        published = SlotState.published(tail, slotShift);
    }

    /**
     * Takes the first free exclusive queue of a channel.
     *
     * @param inbox         of the receiver.
     * @param channel       of the receiver.
     * @param sourceChannel of this sender.
     * @param membership    of this node.
     * @param host          that rings doorbells, and learns of the end.
     * @return the sender, or null if all queues have owners.
     */
    public static ExclusiveSender tryAttach(
        final Inbox inbox, final int channel, final int sourceChannel, final Membership membership,
        final SenderHost host)
    {
        final long owner = QueueOwner.of(membership.self(), sourceChannel, membership.incarnation());
        for (int queue = 0; queue < inbox.geometry().exclusiveQueueCount(); queue++)
        {
            if (inbox.tryOwn(channel, queue, owner))
            {
                final ExclusiveSender sender = new ExclusiveSender(inbox, channel, queue, membership, host);
                inbox.announceAttach();
                return sender;
            }
        }
        return null;
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (tail - head > slotMask || isPeerGone())
        {
            final SendStatus status = lookForSlot();
            if (status != SendStatus.SENT)
            {
                return status;
            }
        }
        final int slot = slotsOffset + ((int)tail & slotMask) * slotLength;
        if (length > 0)
        {
            Objects.requireNonNull(source, "source").boundsCheck(offset, length);
            if (length <= inlineLength)
            {
                writer.payload(slot, source, offset, length);
            }
            else if (!tryPutRing(slot, source, offset, length))
            {
                return refusal();
            }
        }
        writer.header(slot, wordOne, extentWords, arguments01, arguments23);
        publish(slot);
        return SendStatus.SENT;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
    {
        if (tail - head > slotMask || isPeerGone())
        {
            final SendStatus status = lookForSlot();
            if (status != SendStatus.SENT)
            {
                return status;
            }
        }
        final int slot = slotsOffset + ((int)tail & slotMask) * slotLength;
        if (payloadLength <= inlineLength)
        {
            ringTailClaimed = ringTail;
            claim.claimed(this, buffer, slot, slot + MessageHeader.LENGTH, payloadLength, tail);
            return SendStatus.SENT;
        }
        final int ringOffset = claimRing(slot, payloadLength);
        if (ringOffset == NO_ROOM)
        {
            return refusal();
        }
        claim.claimed(this, buffer, slot, ringIndex + ringOffset, payloadLength, tail);
        return SendStatus.SENT;
    }

    @Override
    public void publish(final HopClaim claim)
    {
        assert claim.position() == tail;
        ringTail = ringTailClaimed;
        publish(slotsOffset + ((int)tail & slotMask) * slotLength);
    }

    @Override
    public void abort(final HopClaim claim)
    {
        ringTailClaimed = ringTail;         // The slot's state was not touched: nobody knows of the claim.
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
        refreshHead();
        long count = 0;
        for (long position = head; tail - position > 0; position++)
        {
            header.wrap(buffer, slotsOffset + ((int)position & slotMask) * slotLength);
            count += LargeMessageIds.isPart(header.handler()) ? 0 : 1;
        }
        undeliveredCount = isPeerGone() && inbox.hasLeft(channel, queue) ? count : 0;
        return count - undeliveredCount;
    }

    @Override
    public long undeliveredCount()
    {
        return undeliveredCount;
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
        inbox.announceDetach(channel, queue);
        buffer = null;
        writer = null;
        inbox = null;
        refusalMark = null;
        header = null;
        peerStatus = Membership.NO_STATUS;      // Gone, also if the directory differs.
        host.closed();
    }

    private boolean tryPutRing(final int slot, final DirectBuffer source, final int offset, final int length)
    {
        final int ringOffset = claimRing(slot, length);
        if (ringOffset == NO_ROOM)
        {
            return false;
        }
        buffer.putBytes(ringIndex + ringOffset, source, offset, length);
        ringTail = ringTailClaimed;
        return true;
    }

    /** Claims room in the ring, and writes into the slot where it begins. Returns that, or {@link #NO_ROOM}. */
    private int claimRing(final int slot, final int length)
    {
        final int room = BitUtil.align(length, CACHE_LINE_LENGTH);
        final long start = ringStart(room);
        if (start + room - ringHead > ringLength && !hasFreeRing(start + room))
        {
            return NO_ROOM;
        }
        final int ringOffset = (int)start & ringLength - 1;
        ringTailClaimed = start + room;
        assert start >= ringTail && ringTailClaimed - ringHead <= ringLength;
        buffer.putInt(slot + MessageHeader.LENGTH, ringOffset);
        return ringOffset;
    }

    private void publish(final int slot)
    {
        // Partner: the acquire load in QueueReceiver.drain(): header and payload come before the state.
        assert tail - head >= 0 && tail - head <= slotMask;
        writer.publish(slot, published);
        tail++;
        if (((int)tail & slotMask) == 0)
        {
            published = SlotState.published(tail, slotShift);
        }
        if (Buffers.intVolatile(asleepAddress) != 0)
        {
            inbox.wake(asleepIndex, host);
        }
    }

    /** Returns {@link SendStatus#SENT} if the receiver has freed a slot meanwhile; otherwise why it was refused. */
    private SendStatus lookForSlot()
    {
        if (isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        refreshHead();
        return refusalMark.check(tail - head <= slotMask, tail) ? SendStatus.SENT : refusal();
    }

    private boolean hasFreeRing(final long end)
    {
        refreshHead();
        return refusalMark.check(end - ringHead <= ringLength, tail);
    }

    /** A payload lies in one piece: what does not fit before the ring's end starts at its beginning. */
    private long ringStart(final int room)
    {
        final int offset = (int)ringTail & ringLength - 1;
        return offset + room <= ringLength ? ringTail : ringTail + ringLength - offset;
    }

    private void refreshHead()
    {
        final long newHead = buffer.getLongAcquire(headIndex);     // partner: publishHead() of the receiver
        if (newHead - head > 0 && newHead - tail <= 0)             // Anything else is corrupt, and frees nothing.
        {
            head = newHead;
            final long newRingHead = buffer.getLong(headIndex + RING_HEAD);
            if (head == tail)
            {
                ringHead = ringTail;        // Do not trust the receiver's ring head once everything was consumed.
            }
            else if (newRingHead - ringHead > 0 && newRingHead - ringTail <= 0)
            {
                ringHead = newRingHead;
            }
        }
    }

    private SendStatus refusal()
    {
        return inbox.isStopped(channel, queue) ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }
}
