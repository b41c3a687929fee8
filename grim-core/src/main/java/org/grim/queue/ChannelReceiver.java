// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;

import org.grim.RejectReason;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;

/**
 * The receive queues of one logical channel: notices senders that attach, and takes back the queues of those that left or
 * died. It polls the inbox's attach word like any queue, so a new sender's first message waits for nothing.
 * <p>Thread: the loop that polls the channel. Owns: the channel's queues.
 */
public final class ChannelReceiver implements ArrivalQueue
{
    private final Inbox inbox;
    private final int channel;
    private final Membership membership;
    private final ArrivalQueues queues;
    private final long[] firstPositions;
    private final List<QueueReceiver> receivers = new ArrayList<>();

    private int attachSequence;

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
        this.inbox = inbox;
        this.channel = channel;
        this.membership = membership;
        this.queues = queues;
        firstPositions = new long[inbox.geometry().queueCount()];
        for (int queue = 0; queue < firstPositions.length; queue++)
        {
            firstPositions[queue] = inbox.headAcquire(channel, queue);
        }
        queues.add(this);
        adoptSenders(null);
    }

    @Override
    public long notificationAddress()
    {
        return inbox.attachAddress();
    }

    @Override
    public int notificationIdle()
    {
        return attachSequence;
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        attachSequence = inbox.attachSequence();        // Before the scan: whoever comes later changes the word again.
        adoptSenders(sink);
        return 0;
    }

    @Override
    public void release()
    {
        for (int i = 0; i < receivers.size(); i++)
        {
            receivers.get(i).release();
        }
    }

    @Override
    public int channel()
    {
        return channel;
    }

    @Override
    public int sourceNode()
    {
        return -1;
    }

    /**
     * Takes back the queues of senders that gave them up or are gone, once all that they published has been read.
     *
     * @param epochMs for tools: when this was.
     * @return queues taken back.
     */
    public int housekeep(final long epochMs)
    {
        inbox.lastPollMs(epochMs);
        adoptSenders(null);
        int count = 0;
        for (int i = receivers.size() - 1; i >= 0; i--)
        {
            final QueueReceiver receiver = receivers.get(i);
            if (isAbandoned(receiver) && receiver.isDrained())
            {
                receiver.release();
                receiver.repair();
                queues.remove(receiver);
                receivers.remove(i);
                inbox.freeOwner(channel, receiver.queue());
                count++;
            }
        }
        return count;
    }

    /**
     * Queues that have a sender now.
     *
     * @return how many.
     */
    public int senderCount()
    {
        return receivers.size();
    }

    private boolean isAbandoned(final QueueReceiver receiver)
    {
        final int node = QueueOwner.node(receiver.owner());
        return QueueOwner.isDetached(inbox.owner(channel, receiver.queue())) ||
            membership.status(node) != membership.upStatus(QueueOwner.incarnation(receiver.owner()));
    }

    private void adoptSenders(final MessageSink sink)
    {
        for (int queue = 0; queue < inbox.geometry().exclusiveQueueCount(); queue++)
        {
            final long owner = inbox.owner(channel, queue);
            if (owner != 0 && !isKnown(queue))
            {
                if (QueueOwner.isValid(owner, membership.nodeCountMax()))
                {
                    final QueueReceiver receiver =
                        new QueueReceiver(inbox, channel, queue, owner, firstPositions[queue]);
                    receivers.add(receiver);
                    queues.add(receiver);
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
