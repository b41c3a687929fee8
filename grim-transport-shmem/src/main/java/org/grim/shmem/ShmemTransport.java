// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import org.grim.EndpointId;
import org.grim.buffer.MappedFile;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.queue.InboxTransport;
import org.grim.queue.SenderHost;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.MemoryHop;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;

/**
 * One node's side of shared memory: its own inbox, and the inboxes of the peers that it sends to.
 * <p>Owns: the inbox file, which it removes when it closes.
 */
final class ShmemTransport implements Transport
{
    private static final String INBOX_KIND = "inbox";

    private final TransportContext context;
    private final Membership membership;
    private final MappedFile file;
    private final Inbox inbox;
    private final InboxTransport queues;
    private final PeerInboxes peers;

    ShmemTransport(final TransportContext context)
    {
        this.context = context;
        membership = context.membership();
        final InboxGeometry geometry = InboxGeometry.of(context.settings());
        file = MappedFile.create(context.nodeFile(membership.self(), membership.incarnation(), INBOX_KIND),
            Inbox.lengthOf(geometry));
        try
        {
            inbox = Inbox.create(file.buffer(), geometry, membership.self(), membership.incarnation(),
                context.firstPosition());
            file.publish();
            queues = new InboxTransport(inbox, membership);
            peers = new PeerInboxes(
                (node, incarnation) -> context.nodeFile(node, incarnation, INBOX_KIND), Inbox.lengthMin());
        }
        catch (final RuntimeException | Error ex)
        {
            file.closeAndDelete();
            throw ex;
        }
    }

    @Override
    public String name()
    {
        return ShmemTransportProvider.NAME;
    }

    @Override
    public boolean reaches(final int node)
    {
        return membership.isUp(node) && membership.isSameHost(node) &&
            membership.hasTransport(node, ShmemTransportProvider.NAME);
    }

    @Override
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        final int node = destination.node();
        final PeerInboxes.PeerInbox peer =
            peers.acquire(node, membership.incarnationOf(membership.status(node)));
        try
        {
            return queues.connect(peer.inbox(), sourceChannel, destination, new PeerNode(peer));
        }
        catch (final RuntimeException ex)
        {
            peers.release(peer);
            throw ex;
        }
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        return context.memory().connect(sourceChannel, destination.node(), hop);
    }

    @Override
    public boolean sharesMemory(final int node)
    {
        return membership.isSameHost(node);
    }

    @Override
    public boolean mayHoldMessagesOf(final int node, final int incarnation)
    {
        return inbox.hasSender(node, incarnation);
    }

    @Override
    public void attach(final int channel, final ArrivalQueues arrivals)
    {
        queues.attach(channel, arrivals);
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        queues.asleep(channel, bell);
    }

    @Override
    public int housekeep(final int channel, final long epochMs)
    {
        return queues.housekeep(channel, epochMs);
    }

    @Override
    public void close()
    {
        peers.close();
        file.closeAndDelete();
    }

    /** The peer that a sender sends to, as long as it does. */
    private final class PeerNode implements SenderHost
    {
        private PeerInboxes.PeerInbox peer;             // null after the end

        PeerNode(final PeerInboxes.PeerInbox peer)
        {
            this.peer = peer;
        }

        @Override
        public void ring(final int bell)
        {
            context.ring(peer.inbox().node(), peer.inbox().incarnation(), bell);
        }

        @Override
        public void lent()
        {
            peers.lent(peer);
        }

        @Override
        public void closed()
        {
            peers.release(peer);
            peer = null;
        }
    }
}
