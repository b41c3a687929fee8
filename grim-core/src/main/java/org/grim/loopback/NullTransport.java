// SPDX-License-Identifier: Apache-2.0
package org.grim.loopback;

import org.grim.EndpointId;
import org.grim.buffer.Buffers;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.queue.InboxTransport;
import org.grim.queue.SenderHost;
import org.grim.transport.Hop;
import org.grim.transport.TransportContext;

/** A node's way to itself: the same queues as in shared memory, in memory of its own. */
final class NullTransport extends InboxTransport implements SenderHost
{
    private final int self;

    NullTransport(final TransportContext context)
    {
        super(context, newInbox(context));
        self = context.membership().self();
    }

    @Override
    public String name()
    {
        return NullTransportProvider.NAME;
    }

    @Override
    public boolean reaches(final int node)
    {
        return node == self;
    }

    @Override
    public boolean sharesMemory(final int node)
    {
        return node == self;
    }

    @Override
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        return connect(inbox(), sourceChannel, destination, this);
    }

    @Override
    public void ring(final int bell)
    {
        context().ring(self, inbox().incarnation(), bell);
    }

    @Override
    public void closed()
    {
        // Sender and receiver are one node: they share the inbox, so that there is nothing to give up.
    }

    @Override
    public void close()
    {
        // The inbox is plain memory of this process: it goes when nobody refers to it any more.
    }

    private static Inbox newInbox(final TransportContext context)
    {
        final InboxGeometry geometry = InboxGeometry.of(context.settings());
        return Inbox.create(Buffers.allocate(Inbox.lengthOf(geometry)), geometry, context.membership().self(),
            context.membership().incarnation(), context.firstPosition());
    }
}
