// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.Map;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.grim.node.ClusterNode;
import org.grim.node.NodeConfig;

/**
 * This process's membership of a cluster: the way in, and what there is to see inside.
 * <p>Thread: any, unless a method says otherwise. Several may exist in one JVM; each is a node of its own.
 * <p>Owns: the node's files, until {@link #close()}; its memory stays mapped for as long as the application can reach
 * it.
 * <p>Afterwards: sends are {@link SendStatus#CLOSED}, polls do nothing, what has no such answer throws an
 * {@link IllegalStateException} that says that the node has left; counters, and bytes that were handed out, stay
 * readable.
 */
public final class Grim implements AutoCloseable
{
    private final ClusterNode member;

    private Grim(final ClusterNode member)
    {
        this.member = member;
    }

    /**
     * Joins the cluster.
     *
     * @param config how.
     * @return the membership, up.
     * @throws GrimException if it cannot join; nothing is left behind.
     */
    public static Grim enable(final GrimConfig config)
    {
        return new Grim(ClusterNode.join(
            new NodeConfig(config.raw(), config.errorHandler(), config.firstPosition())));
    }

    /** Checks settings: what the builder of configurations builds. */
    static GrimConfig configured(
        final Map<String, Object> values, final ErrorHandler errorHandler, final long firstPosition)
    {
        final NodeConfig checked = NodeConfig.of(values, errorHandler, firstPosition);
        return new GrimConfig(checked.raw(), errorHandler, firstPosition, checked.nodeName(),
            checked.clusterDirectory(), checked.transports());
    }

    /**
     * This node.
     *
     * @return as the directory has it now.
     */
    public NodeInfo node()
    {
        return member.info();
    }

    /**
     * All nodes that are or were here.
     *
     * @return by number, as the directory has them now.
     */
    public List<NodeInfo> nodes()
    {
        return member.nodes();
    }

    /**
     * Finds a node by its name.
     *
     * @param name of the node.
     * @return its host CPU's endpoint on channel 0.
     * @throws GrimException if no live node has the name.
     */
    public EndpointId locate(final String name)
    {
        return member.locate(name);
    }

    /**
     * Finds a device anywhere in the cluster.
     *
     * @param kind of device.
     * @return the first one's endpoint, by node and device number.
     * @throws GrimException if no live node has one.
     */
    public EndpointId locate(final DeviceKind kind)
    {
        return member.locate(kind);
    }

    /**
     * Finds a device of one node.
     *
     * @param kind of device.
     * @param node its number.
     * @return the first one's endpoint.
     * @throws GrimException if the node is not up or has none.
     */
    public EndpointId locate(final DeviceKind kind, final int node)
    {
        return member.locate(kind, node);
    }

    /**
     * Handlers by name.
     *
     * @return the registry, the same for all endpoints of this node.
     */
    public HandlerRegistry handlers()
    {
        return member.handlers();
    }

    /**
     * The host CPU's endpoint, on channels 0 to {@code grim.channels.host} - 1.
     *
     * @return the endpoint; owned by the first thread that sends or polls on it.
     */
    public Endpoint host()
    {
        return member.host();
    }

    /**
     * Opens an endpoint for another thread, on channels that nobody has yet. Until then their messages wait.
     *
     * @param channels of this node, at least one.
     * @return the endpoint; owned by the first thread that sends or polls on it.
     * @throws IllegalArgumentException if a channel does not exist, is in use, or is named twice.
     */
    public Endpoint openEndpoint(final int... channels)
    {
        return member.openEndpoint(channels);
    }

    /**
     * Polls the host endpoint once; see {@link Endpoint#poll()}.
     *
     * @return pieces of work done; 0 means idle.
     */
    public int poll()
    {
        return member.poll();
    }

    /**
     * Polls the host endpoint once; see {@link Endpoint#poll(int)}.
     *
     * @param limit most messages to handle.
     * @return pieces of work done; 0 means idle.
     */
    public int poll(final int limit)
    {
        return member.poll(limit);
    }

    /**
     * The host endpoint's loop; see {@link Endpoint#agent()}.
     *
     * @return an agent whose duty cycle polls once.
     */
    public Agent agent()
    {
        return member.agent();
    }

    /**
     * Starts a thread that polls the host endpoint and thereby owns it, until {@link #close()}; it sleeps while nothing
     * comes.
     *
     * @throws IllegalStateException if it was started before.
     */
    public void startPolling()
    {
        member.startPolling();
    }

    /**
     * Starts a thread that polls the host endpoint and thereby owns it, until {@link #close()}.
     *
     * @param idleStrategy between polls that found nothing.
     * @throws IllegalStateException if it was started before.
     * @throws NullPointerException  if the strategy is null.
     */
    public void startPolling(final IdleStrategy idleStrategy)
    {
        member.startPolling(idleStrategy);
    }

    /**
     * Says who learns that nodes left or died; see {@link Endpoint#onNodeGone}, of the host endpoint.
     *
     * @param listener run on the thread that polls.
     */
    public void onNodeGone(final Endpoint.NodeGoneListener listener)
    {
        member.onNodeGone(listener);
    }

    /**
     * Remote memory of the host endpoint, and registration for the whole node.
     *
     * @return the same object each time.
     */
    public RemoteMemory memory()
    {
        return member.memory();
    }

    /**
     * Memory of this node's network interface that {@link GrimConfig.Builder#reserveNiMemory} reserved.
     *
     * @return a view of it, for any thread.
     * @throws GrimException if no transport of this node has an NI, or nothing was reserved.
     */
    public AtomicBuffer niMemory()
    {
        return member.niMemory();
    }

    /**
     * What was counted, live.
     *
     * @return a reader, for any thread, at any time: after {@link #close()} it shows the last values. The labels say
     *     what each counter counts.
     */
    public CountersReader counters()
    {
        return member.counters();
    }

    /**
     * Leaves the cluster. Peers see this node as gone at once; what they had sent and was not yet handled is lost with
     * it.
     * <p>Any thread may call it at any time, also a handler, also several. From then on nothing is accepted. It waits
     * for sends that are under way, and for handlers on other threads, but for 2 s at most: then the node leaves
     * without them. In a handler it does not wait for that one: when it returns the node has left, the poll ends
     * without sending, and the thread of {@link #startPolling()} ends with it. Handlers of messages that the poll has
     * already begun to take may still run.
     *
     * @throws GrimException if something could not be given back; everything else was.
     */
    @Override
    public void close()
    {
        member.close();
    }
}
