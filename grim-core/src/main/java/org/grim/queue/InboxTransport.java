// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.Membership;

import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * What transports over inboxes have in common: the receiving side of this node's inbox, and attaching to a peer's.
 * <p>Thread: as {@link org.grim.transport.Transport} says.
 */
public final class InboxTransport
{
    private final Inbox inbox;
    private final Membership membership;
    private final ChannelReceiver[] receivers;

    /**
     * Begins to serve an inbox.
     *
     * @param inbox      of this node.
     * @param membership of this node.
     */
    public InboxTransport(final Inbox inbox, final Membership membership)
    {
        this.inbox = inbox;
        this.membership = membership;
        receivers = new ChannelReceiver[inbox.geometry().channelCount()];
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
    public Hop connect(
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

    /**
     * Begins delivery of a channel's arrivals.
     *
     * @param channel of this node.
     * @param queues  of the loop.
     */
    public void attach(final int channel, final ArrivalQueues queues)
    {
        receivers[channel] = new ChannelReceiver(inbox, channel, membership, queues);
    }

    /**
     * The loop of a channel is about to sleep, or wakes.
     *
     * @param channel attached by the calling thread.
     * @param bell    that senders are to ring, or -1 for awake.
     */
    public void asleep(final int channel, final int bell)
    {
        inbox.asleep(channel, bell + 1);
    }

    /**
     * Does the slow work of a channel.
     *
     * @param channel attached by the calling thread.
     * @param epochMs now.
     * @return queues taken back.
     */
    public int housekeep(final int channel, final long epochMs)
    {
        return receivers[channel].housekeep(epochMs);
    }
}
