// SPDX-License-Identifier: Apache-2.0
package org.example.rings;

import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.MemoryHop;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;

import static org.grim.GrimException.Reason.UNREACHABLE;

/** Nodes of one process, each sender with a ring of its own. */
final class RingTransport implements Transport
{
    private static final ConcurrentHashMap<Path, RingTransport> OPEN = new ConcurrentHashMap<>();
    private static final int CHANNEL_COUNT = 256;
    private static final int AWAKE = -1;

    private final Membership membership;
    private final TransportContext context;
    private final Path name;
    private final AtomicIntegerArray bells = new AtomicIntegerArray(CHANNEL_COUNT);
    private final Queue<Ring>[] newRings;
    private final List<RingQueue> queues = new CopyOnWriteArrayList<>();
    private final ArrivalQueues[] loops = new ArrivalQueues[CHANNEL_COUNT];
    private volatile boolean isClosed;

    @SuppressWarnings({"unchecked", "rawtypes"})
    RingTransport(final TransportContext context)
    {
        this.context = context;
        membership = context.membership();
        newRings = new Queue[CHANNEL_COUNT];
        for (int i = 0; i < CHANNEL_COUNT; i++)
        {
            newRings[i] = new ConcurrentLinkedQueue<>();
            bells.set(i, AWAKE);
        }
        name = nameOf(membership.self(), membership.incarnation());
        OPEN.put(name, this);
    }

    @Override
    public String name()
    {
        return RingTransportProvider.NAME;
    }

    @Override
    public boolean reaches(final int node)
    {
        return membership.hasTransport(node, name()) && OPEN.containsKey(latestNameOf(node));
    }

    @Override
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        final RingTransport peer = OPEN.get(latestNameOf(destination.node()));
        if (peer == null)
        {
            throw new GrimException(UNREACHABLE, destination + " is not in this process");
        }
        final Ring ring = new Ring(membership.self(), membership.incarnation(), destination.channel(),
            context.settings().integer("queue.slot-count", 1, 1 << 16),
            (int)context.settings().bytes("queue.ring-length", 1, 1 << 26));
        peer.newRings[ring.channel].add(ring);
        peer.wake(ring.channel);
        return new RingHop(ring, peer, destination.node());
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        return context.memory().connect(sourceChannel, destination.node(), hop);
    }

    @Override
    public boolean sharesMemory(final int node)
    {
        return reaches(node);
    }

    @Override
    public boolean mayHoldMessagesOf(final int node, final int incarnation)
    {
        for (final RingQueue queue : queues)
        {
            if (isUnread(queue.ring(), node, incarnation))
            {
                return true;
            }
        }
        for (final Queue<Ring> rings : newRings)
        {
            for (final Ring ring : rings)
            {
                if (isUnread(ring, node, incarnation))
                {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void attach(final int channel, final ArrivalQueues loop)
    {
        loops[channel] = loop;
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        bells.set(channel, bell);
        VarHandle.fullFence();          // Partner: the fence in wake(): one of both sees the other.
    }

    @Override
    public int housekeep(final int channel, final long epochMs)
    {
        int workCount = 0;
        for (Ring ring = newRings[channel].poll(); ring != null; ring = newRings[channel].poll())
        {
            final RingQueue queue = new RingQueue(ring);
            queues.add(queue);
            loops[channel].add(queue);
            workCount++;
        }
        for (final RingQueue queue : new ArrayList<>(queues))
        {
            if (queue.channel() == channel && hasEnded(queue.ring()))
            {
                loops[channel].remove(queue);
                queues.remove(queue);
                workCount++;
            }
        }
        return workCount;
    }

    @Override
    public void close()
    {
        isClosed = true;
        OPEN.remove(name);
    }

    boolean isClosed()
    {
        return isClosed;
    }

    /** Rings the doorbell of a loop that sleeps, after something was written for it. */
    void wake(final int channel)
    {
        VarHandle.fullFence();          // Partner: the fence in asleep().
        final int bell = bells.get(channel);
        if (bell != AWAKE)
        {
            context.ring(membership.self(), membership.incarnation(), bell);
        }
    }

    private static boolean isUnread(final Ring ring, final int node, final int incarnation)
    {
        return ring.sourceNode == node && ring.sourceIncarnation == incarnation && !ring.isEmpty();
    }

    /** Nothing is left to read, and nobody is left to write. */
    private boolean hasEnded(final Ring ring)
    {
        final boolean isSenderGone = ring.isClosed ||
            membership.status(ring.sourceNode) != membership.upStatus(ring.sourceIncarnation);
        return isSenderGone && ring.isEmpty();
    }

    private Path latestNameOf(final int node)
    {
        return nameOf(node, membership.incarnationOf(membership.status(node)));
    }

    private Path nameOf(final int node, final int incarnation)
    {
        return context.nodeFile(node, incarnation, "x-" + RingTransportProvider.NAME);
    }
}
