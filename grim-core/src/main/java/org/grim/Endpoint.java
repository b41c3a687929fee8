// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.loop.MessageLoop;
import org.grim.loop.NotificationTable;
import org.grim.memory.NodeMemory;
import org.grim.queue.OverflowQueue;
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
    private final NodeCounters counters;
    private final OverflowQueue.Ceiling overflowCeiling;
    private final LinkTable links;
    private final EndpointDoorbell doorbell;
    private final Dispatcher dispatcher;
    private final LargeArrivals arrivals;
    private final MessageLoop loop;
    private final EndpointDuties duties;
    private final PendingWork work = new PendingWork();
    private final RemoteMemory memory;
    private final Int2ObjectHashMap<EndpointId> ids = new Int2ObjectHashMap<>();

    private volatile Thread owner;
    private volatile boolean isClosed;

    Endpoint(final EndpointId id, final int[] channels, final NodeParts node)
    {
        final ClusterDirectory directory = node.directory();
        final List<Transport> transports = List.copyOf(node.transports());
        final GrimConfig config = node.config();
        final HandlerRegistry registry = node.registry();
        final NodeMemory nodeMemory = node.memory();
        counters = node.counters();
        this.id = id;
        overflowCeiling = new OverflowQueue.Ceiling(config.overflowCeiling());
        final MessageLimits limits = config.messageLimits();
        links = new LinkTable(this, channels, directory, transports, counters, overflowCeiling, limits,
            node.outboxes());
        countOverflow();
        dispatcher = new Dispatcher(this, registry, counters, config.errorHandler(), config.devices().size(),
            directory.nodeCountMax());
        memory = new RemoteMemory(this, links, nodeMemory, new RemoteRefusals(dispatcher, counters, work));
        arrivals = new LargeArrivals(this, dispatcher, registry, directory, links, node.outboxes(), counters,
            limits);
        final NotificationTable table = new NotificationTable(config.drainLimit(), config.channelWeights());
        duties = new EndpointDuties(this, channels, links, directory, transports, counters,
            id.channel() == 0 ? registry : null, nodeMemory, config.livenessIntervalNs());
        loop = new MessageLoop("grim-" + id.node() + "." + id.channel(), table, dispatcher, duties);
        duties.loop(loop);
        doorbell = new EndpointDoorbell(this, node.bells(), loop, transports, channels);
        for (final int channel : channels)
        {
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
     * The way to an endpoint, from this endpoint's channel of the same number if it has one, else from its first
     * channel. Made at the first call, which may take milliseconds; then cached.
     *
     * @param destination endpoint and channel.
     * @return the link.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    public Link link(final EndpointId destination)
    {
        return linkTo(destination);
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
     * A way to an endpoint that several threads may send on. Each call makes a new one, with an order of its own.
     * Handlers that use it get {@link SendStatus#BACK_PRESSURED} instead of the overflow queue.
     *
     * @param destination endpoint and channel.
     * @return the link.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    public SharedLink sharedLink(final EndpointId destination)
    {
        return links.openShared(destination);
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
        return BlockingSend.send(this, linkTo(destination), handler,
            arguments, source, offset, length, idleStrategy);
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
     * @throws IllegalArgumentException if the limit is below 1.
     * @throws IllegalStateException    inside a handler, or from a thread that is not the owner; but not after the node
     *                                  has left.
     */
    public int poll(final int limit)
    {
        if (limit < 1)
        {
            throw new IllegalArgumentException("limit=" + limit + " is below 1");
        }
        checkOwner();
        if (isClosed)
        {
            return 0;
        }
        requireOutsideHandler("poll");
        return loop.poll(limit);
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
     * An idle strategy for whoever polls this endpoint: spins, yields, and then sleeps on the doorbell, according to
     * the cores that this process may use and the nodes of the cluster.
     *
     * @return a new one, for the owner's thread only.
     */
    public IdleStrategy idleStrategy()
    {
        return new SleepingIdleStrategy(this);
    }

    /**
     * The bell that senders ring while this endpoint sleeps.
     *
     * @return the same object each time; the socket behind it is made when it is first used.
     */
    public EndpointDoorbell doorbell()
    {
        return doorbell;
    }

    /**
     * Says who learns that nodes left or died; replaces an earlier listener.
     *
     * @param listener run on the owner's thread.
     */
    public void onNodeGone(final NodeGoneListener listener)
    {
        duties.listener(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Registered memory, and remote memory in one order with this endpoint's messages.
     *
     * @return the same object each time.
     */
    public RemoteMemory memory()
    {
        return memory;
    }

    /**
     * Messages and remote-memory operations that wait in this endpoint's overflow queues.
     *
     * @return the count.
     */
    public int overflowDepth()
    {
        return work.overflowDepth();
    }

    /**
     * Gives the endpoint to the next thread that uses it. Only when the present owner no longer does.
     */
    public void releaseOwnership()
    {
        owner = null;
    }

    /** Gives the endpoint to a thread that has not started yet. */
    void giveTo(final Thread newOwner)
    {
        owner = newOwner;
    }

    EndpointLink linkTo(final EndpointId destination)
    {
        return linkByKey(links.sourceChannelTo(destination), destination.key());
    }

    EndpointLink linkByKey(final int sourceChannel, final int destinationKey)
    {
        checkOwner();
        return links.get(sourceChannel, destinationKey);
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
        if (owner != Thread.currentThread())
        {
            takeOwnership();
        }
    }

    boolean isClosed()
    {
        return isClosed;
    }

    PendingWork work()
    {
        return work;
    }

    boolean isOwned()
    {
        return owner != null && owner != Thread.currentThread();
    }

    boolean isOwnedBy(final Thread thread)
    {
        return owner == thread;
    }

    /** Refuses what has no other answer after the node left. */
    void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException(Grim.LEFT);
        }
    }

    boolean isInHandler()
    {
        return dispatcher.isInHandler();
    }

    void requireOutsideHandler(final String verb)
    {
        if (dispatcher.isInHandler())
        {
            throw new IllegalStateException(verb + " called inside a handler: handlers may send, not poll or block");
        }
    }

    boolean hasCoreToSpare()
    {
        return Runtime.getRuntime().availableProcessors() >= Math.max(2, duties.upCount());
    }

    void onOverflowed()
    {
        work.overflowed();
        countOverflow();
    }

    void onOverflowLeft()
    {
        work.overflowLeft();
        countOverflow();
    }

    /** Messages above the MTU that arrive. */
    LargeArrivals arrivals()
    {
        return arrivals;
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

    /** Accepts nothing from now on. */
    void refuse()
    {
        isClosed = true;
    }

    /**
     * Ends all links, accepts nothing from now on. If the owner is another thread, which may come back at any time, its
     * own links are left alone: peers take back what they hold when they see that the node is gone.
     *
     * @return false if the owner is in a handler, or in a send, and does not leave it.
     */
    boolean close()
    {
        refuse();
        links.closeShared();
        final Thread other = owner;
        final boolean isOwners = other == null || other == Thread.currentThread() || !other.isAlive();
        if (isOwners)
        {
            links.close();
            arrivals.close();
        }
        return isOwners || Bystanders.awaitOutside(other, dispatcher::isInHandler);
    }

    private void countOverflow()
    {
        counters.channel(id.channel()).overflowLength(overflowCeiling.length(), overflowCeiling.lengthMax());
    }

    private void takeOwnership()
    {
        final Thread current = Thread.currentThread();
        final Thread other = owner;
        if (isClosed)
        {
            return;                         // Whoever calls learns that it is.
        }
        if (other != null)
        {
            throw new IllegalStateException("thread=" + current.getName() + " used " + id + " of thread=" +
                other.getName() + ": open an endpoint of its own, or a shared link");
        }
        owner = current;
    }
}
