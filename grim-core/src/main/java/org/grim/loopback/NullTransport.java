// SPDX-License-Identifier: Apache-2.0
package org.grim.loopback;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.buffer.Buffers;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.queue.InboxTransport;
import org.grim.queue.SenderHost;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.MemoryHop;
import org.grim.transport.MessageSink;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * A node's path to itself: the same queues as in shared memory, in memory of its own, which the first link to the node
 * itself allocates. Until then a loop looks at one word that says when there is an inbox.
 * <p>Thread: as the SPI says; the inbox is made under the lock of this object.
 */
final class NullTransport implements Transport
{
    private static final int AWAKE = -1;
    private static final int CLOSED = 0;
    private static final int OPEN = 1;

    private final TransportContext context;
    private final int self;
    private final AtomicBuffer word = Buffers.allocate(SIZE_OF_INT);
    private final Waiting[] waiting;            // Each entry is its channel's loop's once it has been attached.
    private final int[] bells;
    private volatile SelfTransport opened;

    NullTransport(final TransportContext context)
    {
        this.context = context;
        self = context.membership().self();
        final int channelCount = InboxGeometry.of(context.settings()).channelCount();
        waiting = new Waiting[channelCount];
        bells = new int[channelCount];
        Arrays.fill(bells, AWAKE);
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
        return open().connect(sourceChannel, destination);
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        return open().connectMemory(sourceChannel, destination, hop);
    }

    @Override
    public boolean mayHoldMessagesOf(final int node, final int incarnation)
    {
        final SelfTransport current = opened;
        return current != null && current.mayHoldMessagesOf(node, incarnation);
    }

    @Override
    public void attach(final int channel, final ArrivalQueues queues)
    {
        waiting[channel] = new Waiting(channel, queues);
        queues.add(waiting[channel]);
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        final SelfTransport current = opened;
        if (current != null)
        {
            current.asleep(channel, bell);
        }
        else
        {
            asleepBeforeOpen(channel, bell);
        }
    }

    @Override
    public int housekeep(final int channel, final long epochMs)
    {
        final SelfTransport current = opened;
        if (current == null)
        {
            return 0;
        }
        if (waiting[channel] != null)
        {
            waiting[channel].end();
            waiting[channel] = null;
        }
        return current.housekeep(channel, epochMs);
    }

    @Override
    public void close()
    {
        // The inbox is plain memory of this process: it goes when nobody refers to it any more.
    }

    private synchronized void asleepBeforeOpen(final int channel, final int bell)
    {
        if (opened != null)
        {
            opened.asleep(channel, bell);
        }
        else
        {
            bells[channel] = bell;
        }
    }

    private synchronized SelfTransport open()
    {
        if (opened == null)
        {
            final SelfTransport made = new SelfTransport(context);
            for (int channel = 0; channel < bells.length; channel++)
            {
                made.asleep(channel, bells[channel]);
            }
            opened = made;
            // Partner: the loops' look at the word, before drain() of those that wait.
            word.putIntRelease(0, OPEN);
        }
        return opened;
    }

    /** Stands for the queues of a channel until there is an inbox. Thread: the loop's. */
    private final class Waiting extends ArrivalQueue
    {
        private final ArrivalQueues queues;
        private boolean isAttached;

        Waiting(final int channel, final ArrivalQueues queues)
        {
            super(channel, -1);
            this.queues = queues;
            expect(word.addressOffset(), CLOSED);
        }

        @Override
        public int drain(final MessageSink sink, final int limit)
        {
            attach();
            expect(word.addressOffset(), OPEN);
            return 0;
        }

        void end()
        {
            attach();
            queues.remove(this);
        }

        private void attach()
        {
            if (!isAttached)
            {
                opened.attach(channel(), queues);
                isAttached = true;              // Only now: where the heap was full, the next poll tries again.
            }
        }
    }

    /** The transport over the inbox. */
    private static final class SelfTransport extends InboxTransport implements SenderHost
    {
        SelfTransport(final TransportContext context)
        {
            super(context, newInbox(context));
        }

        @Override
        public String name()
        {
            return NullTransportProvider.NAME;
        }

        @Override
        public boolean reaches(final int node)
        {
            return node == inbox().node();
        }

        @Override
        public boolean sharesMemory(final int node)
        {
            return node == inbox().node();
        }

        @Override
        public Hop connect(final int sourceChannel, final EndpointId destination)
        {
            return connect(inbox(), sourceChannel, destination, this);
        }

        @Override
        public void ring(final int bell)
        {
            context().ring(inbox().node(), inbox().incarnation(), bell);
        }

        @Override
        public void closed()
        {
            // Sender and receiver are one node: they share the inbox, so that there is nothing to give up.
        }

        @Override
        public void close()
        {
            // As of the transport.
        }

        private static Inbox newInbox(final TransportContext context)
        {
            final InboxGeometry geometry = InboxGeometry.of(context.settings());
            final AtomicBuffer memory = Buffers.allocate(Inbox.lengthOf(geometry), Buffers.CACHE_LINE_LENGTH,
                ", or lower grim.queue.slot-count or grim.queue.ring-length: a node that sends to itself needs an " +
                "inbox of its own");
            return Inbox.create(memory, geometry, context.membership().self(), context.membership().incarnation(),
                context.firstPosition());
        }
    }
}
