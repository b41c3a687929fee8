// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;

import org.agrona.collections.Int2ObjectHashMap;
import org.grim.RejectReason;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;

/**
 * The receive queues of one logical channel: notices senders that attach, and takes back the queues of those that left
 * or died. It polls the inbox's attach word like any queue, so a new sender's first message waits for nothing.
 * <p>Thread: the loop that polls the channel. Owns: the channel's queues.
 */
public final class ChannelReceiver extends ArrivalQueue
{
    private final Inbox inbox;
    private final Membership membership;
    private final ArrivalQueues queues;
    private final long[] firstPositions;
    private final ArrayList<ExclusiveReceiver> receivers = new ArrayList<>();
    private final List<SharedReceiver> sharedReceivers = new ArrayList<>();
    private final Int2ObjectHashMap<long[]> endPositions = new Int2ObjectHashMap<>();       // by sender that is gone

    /**
     * Begins to receive.
     *
     * @param inbox      of this node.
     * @param channel    to receive on.
     * @param membership of this node.
     * @param queues     of the loop that polls.
     */
    public ChannelReceiver(
        final Inbox inbox, final int channel, final Membership membership, final ArrivalQueues queues)
    {
        super(channel, -1);
        this.inbox = inbox;
        this.membership = membership;
        this.queues = queues;
        firstPositions = new long[inbox.geometry().queueCount()];
        for (int queue = 0; queue < firstPositions.length; queue++)
        {
            firstPositions[queue] = inbox.headAcquire(channel, queue);
        }
        expect(inbox.attachAddress(), 0);
        for (int i = 0; i < inbox.geometry().sharedQueueCount(); i++)
        {
            sharedReceivers.add(new SharedReceiver(inbox, channel, inbox.geometry().exclusiveQueueCount() + i));
        }
        beginPolling();
    }

    /**
     * Begins to poll all queues, or none when the heap is full: a second attempt must not make two that read the same
     * queue.
     */
    private void beginPolling()
    {
        boolean isPolled = false;
        int sharedCount = 0;
        try
        {
            queues.add(this);
            isPolled = true;
            while (sharedCount < sharedReceivers.size())
            {
                queues.add(sharedReceivers.get(sharedCount));
                sharedCount++;
            }
            adoptSenders(null);
        }
        catch (final Throwable ex)
        {
            endPolling(isPolled, sharedCount);
            throw ex;
        }
    }

    /** Allocates nothing. */
    private void endPolling(final boolean isPolled, final int sharedCount)
    {
        for (int i = 0; i < receivers.size(); i++)
        {
            queues.remove(receivers.get(i));
        }
        for (int i = 0; i < sharedCount; i++)
        {
            queues.remove(sharedReceivers.get(i));
        }
        if (isPolled)
        {
            queues.remove(this);
        }
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        // Before the scan: a later sender changes the word again.
        expect(inbox.attachAddress(), inbox.attachSequence());
        adoptSenders(sink);
        return 0;
    }

    /**
     * Takes back what senders held that gave it up or are gone: exclusive queues once all that they published has been
     * read, claimed slots of shared queues, frames, entries in the table of senders.
     *
     * @param epochMs for tools: when this was.
     * @return queues, slots and frames taken back.
     */
    public int housekeep(final long epochMs)
    {
        inbox.lastPollMs(channel(), epochMs);
        adoptSenders(null);
        return freeExclusiveQueues() + (sharedReceivers.isEmpty() ? 0 : freeSharedSenders());
    }

    /** The node leaves: nothing is read from now on. Senders learn it by the queues' state, after the last heads. */
    void leave()
    {
        receivers.forEach(ExclusiveReceiver::leave);
        sharedReceivers.forEach(SharedReceiver::leave);
    }

    private int freeExclusiveQueues()
    {
        int count = 0;
        for (int i = receivers.size() - 1; i >= 0; i--)
        {
            final ExclusiveReceiver receiver = receivers.get(i);
            if (isAbandoned(inbox.owner(channel(), receiver.queue()), receiver.owner()) && receiver.isDrained())
            {
                receiver.reset();
                queues.remove(receiver);
                receivers.remove(i);
                inbox.freeOwner(channel(), receiver.queue());
                count++;
            }
        }
        return count;
    }

    /** {@return queues that have a sender now; how many} */
    public int senderCount()
    {
        return receivers.size();
    }

    private int freeSharedSenders()
    {
        int count = 0;
        for (int sender = 0; sender < InboxLayout.SENDER_COUNT; sender++)
        {
            final long owner = inbox.sender(channel(), sender);
            if (owner != 0 && QueueOwner.isValid(owner, membership.nodeCountMax()) && isAbandoned(owner, owner))
            {
                count += freeSharedSender(sender);
            }
        }
        return count;
    }

    /** Slots first, so that no queue stands still; frames and the entry when all messages of the sender were read. */
    private int freeSharedSender(final int sender)
    {
        final long[] ends = endPositions.computeIfAbsent(sender, ignored ->
            sharedReceivers.stream().mapToLong(SharedReceiver::endPosition).toArray());
        int count = 0;
        for (int i = 0; i < sharedReceivers.size(); i++)
        {
            count += sharedReceivers.get(i).reclaim(sender);
        }
        boolean isHeld = false;
        for (int i = 0; i < ends.length; i++)
        {
            isHeld |= !sharedReceivers.get(i).hasRead(ends[i]);
        }
        for (int frame = 0; frame < inbox.geometry().frameCount(); frame++)
        {
            if (inbox.frameOwner(frame) == Inbox.frameOwnerOf(channel(), sender))
            {
                if (isUnread(frame))
                {
                    isHeld = true;
                }
                else
                {
                    inbox.freeFrame(frame);
                    count++;
                }
            }
        }
        if (!isHeld)
        {
            endPositions.remove(sender);
            inbox.sender(channel(), sender, 0);          // Partner: the CAS of the next sender that attaches.
        }
        return count;
    }

    private boolean isUnread(final int frame)
    {
        for (int i = 0; i < sharedReceivers.size(); i++)
        {
            if (sharedReceivers.get(i).refersTo(frame))
            {
                return true;
            }
        }
        return false;
    }

    /** Given up by its owner, as the word now says, or owned by an incarnation that is not up any more. */
    private boolean isAbandoned(final long ownerNow, final long owner)
    {
        return QueueOwner.isDetached(ownerNow) ||
            membership.status(QueueOwner.node(owner)) != membership.upStatus(QueueOwner.incarnation(owner));
    }

    private void adoptSenders(final MessageSink sink)
    {
        for (int queue = 0; queue < inbox.geometry().exclusiveQueueCount(); queue++)
        {
            final long owner = inbox.owner(channel(), queue);
            if (owner != 0 && !isKnown(queue))
            {
                if (QueueOwner.isValid(owner, membership.nodeCountMax()))
                {
                    final ExclusiveReceiver receiver =
                        new ExclusiveReceiver(inbox, channel(), queue, owner, firstPositions[queue]);
                    receivers.ensureCapacity(receivers.size() + 1);     // Both lists or, without heap, none.
                    queues.add(receiver);
                    receivers.add(receiver);
                }
                else if (sink != null)
                {
                    sink.onReject(RejectReason.CORRUPT_OWNER, this);
                }
            }
        }
    }

    private boolean isKnown(final int queue)
    {
        for (int i = 0; i < receivers.size(); i++)
        {
            if (receivers.get(i).queue() == queue)
            {
                return true;
            }
        }
        return false;
    }
}
