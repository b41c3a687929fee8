// SPDX-License-Identifier: Apache-2.0
package org.grim.loopback;

import org.grim.EndpointId;
import org.grim.buffer.Buffers;
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

/** A node's way to itself: the same queues as in shared memory, in memory of its own. */
final class NullTransport implements Transport
{
    private final Inbox inbox;
    private final InboxTransport queues;
    private final TransportContext context;
    private final int self;

    NullTransport(final TransportContext context)
    {
        final Membership membership = context.membership();
        final InboxGeometry geometry = InboxGeometry.of(context.settings());
        this.context = context;
        self = membership.self();
        inbox = Inbox.create(Buffers.allocate(Inbox.lengthOf(geometry)), geometry, self, membership.incarnation(),
            context.firstPosition());
        queues = new InboxTransport(inbox, membership);
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
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        return queues.connect(inbox, sourceChannel, destination, new OwnNode());
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        return context.memory().connect(sourceChannel, self, hop);
    }

    @Override
    public boolean sharesMemory(final int node)
    {
        return node == self;
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
        // The inbox is plain memory of this process: it goes when nobody refers to it any more.
    }

    /** Sender and receiver are one node: they share the inbox, so that there is nothing to give up. */
    private final class OwnNode implements SenderHost
    {
        @Override
        public void ring(final int bell)
        {
            context.ring(self, inbox.incarnation(), bell);
        }

        @Override
        public void closed()
        {
            // The inbox is this node's own and stays.
        }
    }
}
