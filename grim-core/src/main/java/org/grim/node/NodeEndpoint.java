// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.Link;
import org.grim.MessageStream;
import org.grim.NodeInfo;
import org.grim.RemoteMemory;
import org.grim.Reply;
import org.grim.SharedLink;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.Dispatcher;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.LinkResources;
import org.grim.endpoint.LinkTable;
import org.grim.endpoint.LivenessProbe;
import org.grim.endpoint.Requests;
import org.grim.extension.ExtensibleNode;
import org.grim.extension.NodeExtension;
import org.grim.large.LargeArrivals;
import org.grim.large.LargeLink;
import org.grim.large.LargeSends;
import org.grim.large.OutgoingStream;
import org.grim.loop.MessageLoop;
import org.grim.loop.NotificationTable;
import org.grim.queue.OverflowQueue;
import org.grim.remote.EndpointMemory;
import org.grim.remote.RemoteRefusals;
import org.grim.transport.HopClaim;
import org.grim.transport.Transport;

/**
 * An endpoint of this node, of its host CPU or a device: assembles its links, dispatch, large messages, remote memory
 * and message loop.
 * <p>Thread: the owner, as {@link EndpointState} checks.
 */
abstract class NodeEndpoint implements Endpoint
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);

    private final EndpointState state;
    private final int[] channels;
    private final Consumer<NodeEndpoint> onClose;
    private final List<Transport> transports;
    private final LinkTable links;
    private final LivenessProbe probe;
    private final LargeSends sends;
    private final LargeArrivals arrivals;
    private final MessageLoop loop;
    private final Housekeeping housekeeping;
    private final EndpointMemory memory;
    private final HandlerTable handlers;
    private final HandlerErrors errors;
    private final Requests requests;
    private final Tasks tasks;
    private final SleepingDoorbell doorbell;
    private final List<NodeExtension> extensions;       // Of the node, if this is the host's endpoint.
    private final IntSupplier poll = this::poll;

    /**
     * Opens an endpoint.
     *
     * @param id       of it on its first channel.
     * @param channels of the node.
     * @param node     that it belongs to.
     * @param onClose  has the node call {@link #dismantle()}, unless it leaves; null for the host's endpoint.
     */
    NodeEndpoint(
        final EndpointId id, final int[] channels, final NodeParts node, final Consumer<NodeEndpoint> onClose)
    {
        this.channels = channels;
        this.onClose = onClose;
        transports = node.transports();
        final NodeConfig config = node.config();
        final NodeCounters counters = node.counters();
        state = new EndpointState(id);
        probe = new LivenessProbe(node.directory(), config.keys().livenessIntervalNs());
        handlers = node.handlers().table();
        errors = new HandlerErrors(node.directory(), handlers, counters, node.reports());
        requests = new Requests(state, poll, errors);
        final LinkResources resources = new LinkResources(state, counters,
            new OverflowQueue.Ceiling(config.keys().overflowCeiling()), config.keys().messages(), probe, poll,
            requests);
        resources.countOverflow();
        sends = new LargeSends(resources.limits(), counters, node.outboxes(), node.directory().incarnation());
        links = new LinkTable(channels, node.directory(), node.transports(), resources,
            link -> new LargeLink(link, sends));
        final Dispatcher dispatcher = new Dispatcher(links, resources, handlers, errors,
            node.directory().nodeCountMax());
        arrivals = new LargeArrivals(dispatcher, resources, handlers, node.directory(), links, node.outboxes());
        dispatcher.parts(arrivals);
        final RemoteRefusals refusals = new RemoteRefusals(dispatcher, counters, state);
        memory = new EndpointMemory(state, poll, links, node.memory(), refusals);
        housekeeping = new Housekeeping(resources, channels, links, arrivals, refusals,
            id.channel() == 0 ? node.handlers() : null, errors, node);
        final NotificationTable table = new NotificationTable(
            config.keys().drainLimit(), config.keys().channels().weights());
        loop = new MessageLoop("grim-" + id.node() + "." + id.channel(), table, dispatcher, housekeeping);
        housekeeping.loop(loop);
        extensions = onClose == null ? node.extensions() : List.of();
        tasks = new Tasks(state, node.reports());
        doorbell = new SleepingDoorbell(state, node.bells(), loop, tasks, node.transports(), channels, extensions,
            node.reports());
        for (final int channel : channels)
        {
            if (onClose == null)
            {
                transports.forEach(transport -> transport.attach(channel, table));
            }
            else
            {
                node.channels().attach(channel, table, transports);
            }
        }
    }

    @Override
    public EndpointId id()
    {
        return state.id();
    }

    @Override
    public Link link(final EndpointId destination)
    {
        return links.get(links.sourceChannelTo(destination), destination.key());
    }

    @Override
    public Link link(final int sourceChannel, final EndpointId destination)
    {
        return links.get(sourceChannel, Objects.requireNonNull(destination, "destination").key());
    }

    @Override
    public SharedLink sharedLink(final EndpointId destination)
    {
        return links.openShared(Objects.requireNonNull(destination, "destination"));
    }

    @Override
    public int poll()
    {
        return poll(Integer.MAX_VALUE);
    }

    @Override
    public int poll(final int limit)
    {
        if (limit < 1)
        {
            throw new IllegalArgumentException("limit=" + limit + " is below 1");
        }
        if (!state.isOpenToCaller())
        {
            state.checkOwner();
            if (state.isClosed())
            {
                return 0;
            }
        }
        state.requireOutsideHandler("poll");
        final int workCount = pollLoop(limit);
        return tasks.isEmpty() ? workCount : workCount + tasks.run();
    }

    private int pollLoop(final int limit)
    {
        if (!state.tryBeginPoll())
        {
            return 0;
        }
        try
        {
            return loop.poll(limit);
        }
        finally
        {
            state.pollEnded();
        }
    }

    @Override
    public Agent agent()
    {
        return new PollingAgent(this, loop.roleName());
    }

    @Override
    public IdleStrategy idleStrategy()
    {
        return new SleepingIdleStrategy(probe, doorbell);
    }

    @Override
    public Endpoint.Doorbell doorbell()
    {
        return doorbell;
    }

    @Override
    public FrameClaim newClaim()
    {
        return new HopClaim();
    }

    @Override
    public MessageStream newStream()
    {
        return new OutgoingStream();
    }

    @Override
    public Reply newReply(final Consumer<Reply> listener)
    {
        return requests.newReply(listener);
    }

    @Override
    public void onNodeUp(final Consumer<NodeInfo> listener)
    {
        housekeeping.upListener(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void onNodeGone(final Endpoint.NodeGoneListener listener)
    {
        housekeeping.listener(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public RemoteMemory memory()
    {
        return memory;
    }

    @Override
    public int overflowDepth()
    {
        return state.overflowDepth();
    }

    @Override
    public void bind()
    {
        state.checkOwner();
        state.requireOpen();
    }

    @Override
    public void releaseOwnership()
    {
        state.owner(null);
    }

    @Override
    public void close()
    {
        if (onClose == null)
        {
            throw new IllegalStateException("the host endpoint is closed by Grim.close(), with its node");
        }
        state.checkOwner();
        if (!state.isClosed())
        {
            state.requireOutsideHandler("close");
            links.prepareToClose();
            drain();
            loop.housekeep();
            if (!state.isClosed())
            {
                links.prepareToClose();             // A handler may have begun something meanwhile.
                arrivals.refuseAll();
                reportRefusals();
            }
            onClose.accept(this);
        }
    }

    /** Goes on until nothing waits, or too long. */
    private void drain()
    {
        final long deadlineNs = System.nanoTime() + DRAIN_NS;
        final IdleStrategy idleStrategy = new BackoffIdleStrategy();
        while (state.hasPendingWork() && !state.isClosed() && System.nanoTime() - deadlineNs < 0)
        {
            idleStrategy.idle(pollLoop(Integer.MAX_VALUE));
        }
    }

    /** A sender that does not learn that its message was refused waits for the answer for ever. */
    private void reportRefusals()
    {
        final long deadlineNs = System.nanoTime() + DRAIN_NS;
        final IdleStrategy idleStrategy = new BackoffIdleStrategy();
        while (state.hasNoticesWaiting() && !state.isClosed() && System.nanoTime() - deadlineNs < 0)
        {
            idleStrategy.idle(arrivals.flush());
        }
    }

    /** Ends everything that is this endpoint's alone, and runs no handler. Thread: the owner. The node stays. */
    void dismantle()
    {
        doorbell.close();
        state.close(state.id() + " is closed");
        ClosingOrder.closeLastFirst(List.of(this::publishCounters, housekeeping::endStalls, memory::close,
            arrivals::close, sends::closeWhenRead, links::close, links::closeShared));
    }

    /** Has a task run on the owner's thread. Thread: any. Returns whether the owner sleeps: then it needs a ring. */
    boolean execute(final Runnable task)
    {
        tasks.add(task);
        return doorbell.isAnnounced();
    }

    /** Shows others what was sent and received until now. Thread: the owner; any that waited for it. */
    void publishCounters()
    {
        housekeeping.publishCounters();
    }

    /** {@return the queues that are polled} */
    final NotificationTable table()
    {
        return loop.table();
    }

    /** {@return channels of the node} */
    final int[] channels()
    {
        return channels;
    }

    /** {@return what extensions of the node use of it} */
    ExtensibleNode.Host parts()
    {
        return new ExtensibleNode.Host(state, links, poll, loop.table(), handlers, errors);
    }

    final EndpointState state()
    {
        return state;
    }

    LinkTable links()
    {
        return links;
    }

    /**
     * Ends all links, accepts nothing from now on. If the owner is another thread, which may come back at any time, its
     * own links are left alone: peers take back what they hold when they see that the node is gone. Returns false if
     * the owner is in a handler, or in a send, and does not leave it.
     */
    boolean leave()
    {
        state.close(EndpointState.LEFT);
        final Thread other = state.owner();
        final boolean isOwners = other == null || other == Thread.currentThread() || !other.isAlive();
        final boolean isOutside =
            isOwners || NodeWatchers.awaitOutside(other, () -> state.isInHandler() || state.isPolling());
        final List<AutoCloseable> steps = new ArrayList<>(List.of(this::publishCounters));
        if (isOutside)
        {
            steps.add(this::leaveTransports);
        }
        if (isOwners)
        {
            steps.addAll(List.of(housekeeping::endStalls, arrivals::close, sends::close, links::close));
            extensions.forEach(extension -> steps.add(extension::leave));
        }
        steps.add(links::closeShared);
        ClosingOrder.closeLastFirst(steps);
        return isOutside;
    }

    private void leaveTransports()
    {
        for (final int channel : channels)
        {
            transports.forEach(transport -> transport.leave(channel));
        }
    }

    /** The loop of an endpoint as an agent: checks ownership, as every other kind of polling does. */
    private record PollingAgent(NodeEndpoint endpoint, String roleName) implements Agent
    {
        @Override
        public int doWork()
        {
            return endpoint.poll();
        }
    }
}
