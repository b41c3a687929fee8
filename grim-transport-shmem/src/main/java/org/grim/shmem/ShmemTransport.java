// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import org.grim.EndpointId;
import org.grim.buffer.Cleanup;
import org.grim.buffer.MappedFile;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.queue.InboxTransport;
import org.grim.queue.SenderHost;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.TransportContext;

/**
 * One node's side of shared memory: its own inbox, and the inboxes of the peers that it sends to.
 * <p>Owns: the inbox file, which it removes when it closes.
 */
final class ShmemTransport extends InboxTransport
{
    private static final String INBOX_KIND = "inbox";

    private final Membership membership;
    private final MappedFile file;
    private final PeerInboxes peers;

    private ShmemTransport(final TransportContext context, final MappedFile file, final Inbox inbox)
    {
        super(context, inbox);
        this.file = file;
        membership = context.membership();
        peers = new PeerInboxes(
            (node, incarnation) -> context.nodeFile(node, incarnation, INBOX_KIND), Inbox.lengthMin());
    }

    static ShmemTransport open(final TransportContext context)
    {
        final Membership membership = context.membership();
        final InboxGeometry geometry = InboxGeometry.of(context.settings());
        final MappedFile file = MappedFile.create(
            context.nodeFile(membership.self(), membership.incarnation(), INBOX_KIND), Inbox.lengthOf(geometry));
        try
        {
            final Inbox inbox = Inbox.create(file.buffer(), geometry, membership.self(), membership.incarnation(),
                context.firstPosition());
            file.publish();
            return new ShmemTransport(context, file, inbox);
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
            return connect(peer.inbox(), sourceChannel, destination, new PeerNode(peer));
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, () -> peers.release(peer));
            throw ex;
        }
    }

    @Override
    public boolean sharesMemory(final int node)
    {
        return membership.isSameHost(node);
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
            context().ring(peer.inbox().node(), peer.inbox().incarnation(), bell);
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
