// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.MemoryHop;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;

import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * A transport over inboxes: the receiving side of this node's, and attaching to a peer's. Nodes that it reaches share
 * memory.
 */
public abstract class InboxTransport implements Transport
{
    private final TransportContext context;
    private final Membership membership;
    private final Inbox inbox;
    private final ChannelReceiver[] receivers;

    /** Begins to serve an inbox. */
    protected InboxTransport(final TransportContext context, final Inbox inbox)
    {
        this.context = context;
        this.inbox = inbox;
        membership = context.membership();
        receivers = new ChannelReceiver[inbox.geometry().channelCount()];
    }

    /** {@return the node that this transport is of} */
    protected final TransportContext context()
    {
        return context;
    }

    /** {@return the node's own inbox} */
    protected final Inbox inbox()
    {
        return inbox;
    }

    /**
     * Attaches a sender to a channel of a peer's inbox: to an exclusive queue while there is one, else to a shared one.
     *
     * @param peerInbox     of the destination.
     * @param sourceChannel that messages come from.
     * @param destination   endpoint and channel.
     * @param host          that rings doorbells, and learns of the end.
     * @return the next hop.
     * @throws GrimException if the channel has no queue left.
     */
    protected final Hop connect(
        final Inbox peerInbox, final int sourceChannel, final EndpointId destination, final SenderHost host)
    {
        final InboxGeometry geometry = peerInbox.geometry();
        if (destination.channel() >= geometry.channelCount())
        {
            throw new GrimException(NOT_FOUND, destination + " is unknown: channels=" + geometry.channelCount());
        }
        final Hop exclusive =
            ExclusiveSender.tryAttach(peerInbox, destination.channel(), sourceChannel, membership, host);
        final Hop hop = exclusive != null ? exclusive :
            SharedSender.tryAttach(peerInbox, destination.channel(), sourceChannel, membership, host);
        if (hop == null)
        {
            throw new GrimException(NO_ROOM, destination + " has no receive queue left: exclusive=" +
                geometry.exclusiveQueueCount() + " shared=" + geometry.sharedQueueCount() +
                " (grim.queue of that node), senders that share=" +
                (geometry.sharedQueueCount() == 0 ? 0 : geometry.sharedSenderCountMax()));
        }
        return hop;
    }

    @Override
    public final MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        return context.memory().connect(sourceChannel, destination.node(), hop);
    }

    @Override
    public final boolean mayHoldMessagesOf(final int node, final int incarnation)
    {
        return inbox.hasSender(node, incarnation);
    }

    @Override
    public final void attach(final int channel, final ArrivalQueues queues)
    {
        receivers[channel] = new ChannelReceiver(inbox, channel, membership, queues);
    }

    @Override
    public final void asleep(final int channel, final int bell)
    {
        inbox.asleep(channel, bell + 1);
    }

    @Override
    public final int housekeep(final int channel, final long epochMs)
    {
        return receivers[channel].housekeep(epochMs);
    }

    @Override
    public final void leave(final int channel)
    {
        if (receivers[channel] != null)
        {
            receivers[channel].leave();
        }
        for (int queue = 0; queue < inbox.geometry().queueCount(); queue++)
        {
            inbox.leave(channel, queue);            // Also those that nobody has read: all of them are undelivered.
        }
    }
}
