// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.loop.MessageLoop;
import org.grim.loop.NotificationTable;
import org.grim.queue.OverflowQueue;
import org.grim.transport.FrameClaim;
import org.grim.transport.Link;
import org.grim.transport.SharedLink;
import org.grim.transport.Transport;

/**
 * What sends and receives: some of a node's logical channels, the links that go out from them, and the loop that polls
 * them.
 * <p>Thread: one, the owner: the first that sends or polls. Other threads open an endpoint of their own
 * ({@link Grim#openEndpoint}), or send on a {@link SharedLink}. A second thread gets an {@link IllegalStateException}.
 * <p>Owns: its links and overflow queues, until the node leaves the cluster.
 */
public final class Endpoint
{
    private final EndpointId id;
    private final int[] channels;
    private final ClusterDirectory directory;
    private final List<Transport> transports;
    private final NodeCounters counters;
    private final GrimConfig config;
    private final Dispatcher dispatcher;
    private final MessageLoop loop;
    private final OwnerDuties duties;
    private final OverflowQueue.Ceiling ceiling;
    private final Int2ObjectHashMap<Int2ObjectHashMap<EndpointLink>> linksByChannel = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<EndpointId> ids = new Int2ObjectHashMap<>();
    private final List<EndpointLink> links = new ArrayList<>();
    private final List<EndpointLink> sharedLinks = new ArrayList<>();

    private Thread owner;
    private int overflowDepth;
    private volatile boolean isClosed;

    Endpoint(
        final EndpointId id, final int[] channels, final ClusterDirectory directory, final List<Transport> transports,
        final NodeCounters counters, final GrimConfig config, final HandlerRegistry registry)
    {
        this.id = id;
        this.channels = channels.clone();
        this.directory = directory;
        this.transports = transports;
        this.counters = counters;
        this.config = config;
        ceiling = new OverflowQueue.Ceiling(config.overflowCeiling());
        dispatcher = new Dispatcher(this, registry, counters, config.errorHandler(), config.devices().size(),
            directory.nodeCountMax());
        final NotificationTable table = new NotificationTable(config.drainLimit(), config.channelWeights());
        duties = new OwnerDuties(id.channel() == 0 ? registry : null);
        loop = new MessageLoop("grim-" + id.node() + "." + id.channel(), table, dispatcher, duties);
        for (final int channel : channels)
        {
            linksByChannel.put(channel, new Int2ObjectHashMap<>());
            for (final Transport transport : transports)
            {
                transport.attach(channel, table);
            }
        }
    }

    /**
     * Name of this endpoint on its first channel.
     *
     * @return the name.
     */
    public EndpointId id()
    {
        return id;
    }

    /**
     * The way to an endpoint, from this endpoint's channel of the same number if it has one, else from its first channel.
     * Made at the first call, which may take milliseconds; then cached.
     *
     * @param destination endpoint and channel.
     * @return the link.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    public Link link(final EndpointId destination)
    {
        final boolean isOwn = linksByChannel.containsKey(destination.channel());
        return linkByKey(isOwn ? destination.channel() : channels[0], destination.key());
    }

    /**
     * The way to an endpoint from one of this endpoint's channels.
     *
     * @param sourceChannel that replies come to.
     * @param destination   endpoint and channel.
     * @return the link.
     * @throws GrimException            if the destination is unknown, gone, or cannot be reached.
     * @throws IllegalArgumentException if the channel is not this endpoint's.
     */
    public Link link(final int sourceChannel, final EndpointId destination)
    {
        return linkByKey(sourceChannel, destination.key());
    }

    /**
     * A way to an endpoint that several threads may send on. Each call makes a new one, with an order of its own. Handlers
     * that use it get {@link SendStatus#BACK_PRESSURED} instead of the overflow queue.
     *
     * @param destination endpoint and channel.
     * @return the link.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    public SharedLink sharedLink(final EndpointId destination)
    {
        final Transport transport = transportTo(destination);
        final EndpointLink link = new EndpointLink(this, channels[0], destination,
            transport.connect(channels[0], destination), counters.sharedLinks(), null);
        synchronized (sharedLinks)
        {
            sharedLinks.add(link);
        }
        return new SharedLink(link);
    }

    /**
     * Sends an active message; see {@link Link#send}. Finds the link by the destination each time: a caller that sends
     * often keeps the {@link #link}.
     *
     * @param destination endpoint and channel.
     * @param handler     to run there.
     * @param a0          argument 0.
     * @param a1          argument 1.
     * @param a2          argument 2.
     * @param a3          argument 3.
     * @param source      holding the payload.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload.
     * @return what became of it.
     * @throws GrimException if the destination is unknown, gone before a link was made, or cannot be reached.
     */
    public SendStatus send(
        final EndpointId destination, final int handler, final int a0, final int a1, final int a2, final int a3,
        final DirectBuffer source, final int offset, final int length)
    {
        return link(destination).send(handler, a0, a1, a2, a3, source, offset, length);
    }

    /**
     * Sends an active message, and polls while the next hop is full, so that two nodes that send to each other both
     * advance. Not for handlers.
     *
     * @param destination  endpoint and channel.
     * @param handler      to run there.
     * @param arguments    four arguments, or fewer: the rest are 0.
     * @param source       holding the payload.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @param idleStrategy between polls that found nothing.
     * @return anything but {@link SendStatus#BACK_PRESSURED}.
     */
    public SendStatus sendBlocking(
        final EndpointId destination, final int handler, final int[] arguments, final DirectBuffer source,
        final int offset, final int length, final IdleStrategy idleStrategy)
    {
        requireOutsideHandler("sendBlocking");
        final Link link = link(destination);
        while (true)
        {
            final SendStatus status = link.send(handler, argument(arguments, 0), argument(arguments, 1),
                argument(arguments, 2), argument(arguments, 3), source, offset, length);
            if (status != SendStatus.BACK_PRESSURED)
            {
                return status;
            }
            idleStrategy.idle(poll());
        }
    }

    /**
     * Runs the handlers of what has arrived, as far as the configured drain limits go.
     *
     * @return pieces of work done; 0 means idle.
     */
    public int poll()
    {
        return poll(Integer.MAX_VALUE);
    }

    /**
     * Runs the handlers of what has arrived.
     *
     * @param limit most messages to handle, 1 or more.
     * @return pieces of work done; 0 means idle.
     * @throws IllegalStateException inside a handler, or from a thread that is not the owner.
     */
    public int poll(final int limit)
    {
        checkOwner();
        requireOutsideHandler("poll");
        return isClosed ? 0 : loop.poll(limit);
    }

    /**
     * The endpoint's loop, for an {@link org.agrona.concurrent.AgentRunner} or invoker, whose thread becomes the owner.
     *
     * @return an agent whose duty cycle polls once.
     */
    public Agent agent()
    {
        return new PollingAgent(this, loop.roleName());
    }

    /**
     * Messages that wait in this endpoint's overflow queues.
     *
     * @return the count.
     */
    public int overflowDepth()
    {
        return overflowDepth;
    }

    /**
     * Gives the endpoint to the next thread that uses it. Only when the present owner no longer does.
     */
    public void releaseOwnership()
    {
        owner = null;
    }

    void ownBy(final Thread thread)
    {
        owner = thread;
    }

    Link linkByKey(final int sourceChannel, final int destinationKey)
    {
        checkOwner();
        final Int2ObjectHashMap<EndpointLink> byDestination = linksByChannel.get(sourceChannel);
        if (byDestination == null)
        {
            throw new IllegalArgumentException("channel=" + sourceChannel + " does not belong to " + id);
        }
        final EndpointLink link = byDestination.get(destinationKey);
        return link != null && link.isUsable() ? link : connect(sourceChannel, destinationKey, byDestination);
    }

    EndpointId idOf(final int key)
    {
        EndpointId found = ids.get(key);
        if (found == null)
        {
            found = EndpointId.ofKey(key);
            ids.put(key, found);
        }
        return found;
    }

    void checkOwner()
    {
        final Thread current = Thread.currentThread();
        if (owner != current)
        {
            if (owner != null)
            {
                throw new IllegalStateException("thread=" + current.getName() + " used " + id + " of thread=" +
                    owner.getName() + ": open an endpoint of its own, or a shared link");
            }
            owner = current;
        }
    }

    boolean isClosed()
    {
        return isClosed;
    }

    boolean isOwned()
    {
        return owner != null && owner != Thread.currentThread();
    }

    boolean isInHandler()
    {
        return dispatcher.isInHandler();
    }

    void onOverflowed()
    {
        overflowDepth++;
    }

    void onOverflowLeft()
    {
        overflowDepth--;
    }

    void onBackPressure(final boolean isShared)
    {
        if (!isShared)
        {
            duties.onBackPressure();
        }
    }

    void onRefused(final SendStatus status)
    {
        if (status == SendStatus.PEER_GONE)
        {
            counters.node(CounterKind.PEER_GONE).increment();
        }
    }

    /** Ends all sending. The owner has stopped, or is the caller. */
    void close()
    {
        isClosed = true;
        for (final EndpointLink link : links)
        {
            link.close();
        }
        synchronized (sharedLinks)
        {
            sharedLinks.forEach(EndpointLink::close);
        }
    }

    private Link connect(
        final int sourceChannel, final int destinationKey, final Int2ObjectHashMap<EndpointLink> byDestination)
    {
        final EndpointId destination = EndpointId.ofKey(destinationKey);
        final EndpointLink old = byDestination.get(destinationKey);
        final Transport transport;
        try
        {
            transport = transportTo(destination);
        }
        catch (final GrimException ex)
        {
            if (old == null)
            {
                throw ex;
            }
            return old;                     // The peer is gone and has not come back: the old link says so.
        }
        if (old != null)
        {
            links.remove(old);
            old.close();
        }
        final EndpointLink link = new EndpointLink(this, sourceChannel, destination,
            transport.connect(sourceChannel, destination), counters.channel(sourceChannel),
            new OverflowQueue(ceiling));
        byDestination.put(destinationKey, link);
        links.add(link);
        return link;
    }

    private Transport transportTo(final EndpointId destination)
    {
        if (isClosed)
        {
            throw new IllegalStateException(id + " is closed");
        }
        final String reason = directory.reasonUnreachable(destination);
        if (reason != null)
        {
            throw new GrimException(destination + " is unknown: " + reason);
        }
        for (final Transport transport : transports)
        {
            if (transport.reaches(destination.node()))
            {
                return transport;
            }
        }
        throw new GrimException(destination + " cannot be reached: this node has transports=" +
            config.transports() + ", that one has " + directory.nodes().stream()
            .filter(node -> node.number() == destination.node()).map(NodeInfo::transports).toList());
    }

    private void requireOutsideHandler(final String verb)
    {
        if (dispatcher.isInHandler())
        {
            throw new IllegalStateException(verb + " called inside a handler: handlers may send, not poll or block");
        }
    }

    private static int argument(final int[] arguments, final int index)
    {
        return index < arguments.length ? arguments[index] : 0;
    }

    /** What the endpoint does besides receiving. */
    private final class OwnerDuties implements MessageLoop.Duties
    {
        private static final int BACK_PRESSURES_PER_CHECK = 256;
        private static final int NODES_PER_CHECK = 16;

        private final HandlerRegistry registry;
        private long livenessDeadlineNs = System.nanoTime();
        private int backPressureCount;
        private int nextNode;

        OwnerDuties(final HandlerRegistry registry)
        {
            this.registry = registry;
        }

        @Override
        public int flush()
        {
            int count = 0;
            for (int i = links.size() - 1; i >= 0 && overflowDepth > 0; i--)
            {
                count += links.get(i).flush();
            }
            return count;
        }

        @Override
        public int housekeep()
        {
            final long nowNs = System.nanoTime();
            loop.table().release();
            counters.channel(channels[0]).polled(loop.pollCount(), loop.emptyPollCount());
            int workCount = registry == null ? 0 : registry.exchange(Endpoint.this, nowNs);
            if (livenessDeadlineNs - nowNs <= 0)
            {
                livenessDeadlineNs = nowNs + config.livenessIntervalNs();
                workCount += checkLiveness();
            }
            return workCount;
        }

        /** A sender that never polls still learns that its peer died. */
        void onBackPressure()
        {
            backPressureCount++;
            if (backPressureCount >= BACK_PRESSURES_PER_CHECK)
            {
                backPressureCount = 0;
                final long nowNs = System.nanoTime();
                if (livenessDeadlineNs - nowNs <= 0)
                {
                    livenessDeadlineNs = nowNs + config.livenessIntervalNs();
                    probe();
                }
            }
        }

        private int checkLiveness()
        {
            final long epochMs = SystemEpochClock.INSTANCE.time();
            directory.heartbeat(epochMs);
            probe();
            int workCount = 0;
            for (final int channel : channels)
            {
                for (int i = 0; i < transports.size(); i++)
                {
                    workCount += transports.get(i).housekeep(channel, epochMs);
                }
            }
            return workCount;
        }

        private void probe()
        {
            for (int i = Math.min(NODES_PER_CHECK, directory.nodeCountMax()); i > 0; i--)
            {
                nextNode = nextNode + 1 >= directory.nodeCountMax() ? 0 : nextNode + 1;
                directory.convictIfDead(nextNode);
            }
        }
    }

    /** The loop as an agent: checks ownership, as every other way of polling does. */
    private record PollingAgent(Endpoint endpoint, String name) implements Agent
    {
        @Override
        public int doWork()
        {
            return endpoint.poll();
        }

        @Override
        public String roleName()
        {
            return name;
        }
    }
}
