// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.grim.node.ClusterNode;
import org.grim.node.Libraries;
import org.grim.node.NodeConfig;
import org.grim.node.OutsideView;

/**
 * This process's membership of a cluster: joins it, and gives access to endpoints, nodes and counters.
 * <p>Thread: any, unless a method says otherwise. Several may exist in one JVM; each is a node of its own.
 * <p>Owns: the node's files, until {@link #close()}; its memory stays mapped for as long as the application can reach
 * it.
 * <p>Afterwards: sends are {@link SendStatus#CLOSED}, polls do nothing, what has no such answer throws an
 * {@link IllegalStateException} that says that the node has left; counters, and bytes that it returned, stay
 * readable.
 */
public interface Grim extends AutoCloseable
{
    /**
     * Joins the cluster that is configured, {@code default} if none is, under a name, and otherwise configured as
     * {@link GrimConfig#load()} says otherwise.
     *
     * @param nodeName unique among live nodes.
     * @return the membership, up.
     * @throws GrimException            if it cannot join; nothing is left behind.
     * @throws IllegalArgumentException if a configured key is unknown or a value out of its range.
     */
    static Grim enable(final String nodeName)
    {
        return enable(GrimConfig.builder().nodeName(nodeName).build());
    }

    /**
     * Joins a cluster of one host under a name, configured as {@link GrimConfig#load()} says otherwise.
     *
     * @param clusterName the same for all nodes of the cluster; another cluster's nodes are not seen.
     * @param nodeName    unique among live nodes.
     * @return the membership, up.
     * @throws GrimException            if it cannot join; nothing is left behind.
     * @throws IllegalArgumentException if a configured key is unknown or a value out of its range.
     */
    static Grim enable(final String clusterName, final String nodeName)
    {
        return enable(GrimConfig.builder().clusterName(clusterName).nodeName(nodeName).build());
    }

    /**
     * Joins the cluster.
     *
     * @param config how.
     * @return the membership, up.
     * @throws GrimException if it cannot join, or a library is missing or too old; nothing is left behind.
     */
    static Grim enable(final GrimConfig config)
    {
        Objects.requireNonNull(config, "config");
        return Libraries.linked(() ->
            ClusterNode.join(new NodeConfig(config.settings(), config.errorHandler(), config.firstPosition())));
    }

    /**
     * Checks settings: what {@link GrimConfig.Builder#build()} does.
     *
     * @param settings to check.
     * @return the configuration.
     * @throws IllegalArgumentException if a key is unknown or a value out of its range.
     * @throws GrimException            if the file that {@code GRIM_CONFIG} names cannot be read.
     */
    static GrimConfig configure(final GrimConfig.Builder settings)
    {
        Objects.requireNonNull(settings, "settings");
        final NodeConfig checked = Libraries.linked(() ->
            NodeConfig.of(settings.values(), settings.errorHandler(), settings.firstPosition()));
        return new GrimConfig(checked.settings(), checked.errorHandler(), checked.firstPosition(), checked.nodeName(),
            checked.clusterDirectory(), checked.transports());
    }

    /**
     * Looks at a cluster of this host from outside, without joining it; for monitors.
     *
     * @param config of the cluster: its name and directory count.
     * @return a view, read-only.
     * @throws GrimException if there is no cluster, or its files are of another version, or another user's.
     */
    static ClusterView view(final GrimConfig config)
    {
        Objects.requireNonNull(config, "config");
        return Libraries.linked(() -> OutsideView.open(config.clusterDirectory()));
    }

    /**
     * Publishes this node's handlers to the cluster and makes the node available to {@link #awaitNode}. Waits until
     * every handler name that was registered here has its id, and polls meanwhile if the caller owns the endpoint or no
     * thread owns it. Call it again after later registrations. Handlers must not call it.
     *
     * @throws GrimException if the node that keeps the handler database does not answer in time; at once if there is
     *                       no room for a name, or this node is {@link GrimException.Reason#FENCED}.
     */
    void start();

    /** {@return this node; as the directory has it now} */
    NodeInfo node();

    /** {@return all nodes that are or were here; by number, as the directory has them now} */
    List<NodeInfo> nodes();

    /**
     * Waits until a node has called {@link #start}, so that its handlers are known, and polls meanwhile if the caller
     * owns the endpoint or no thread owns it. Use {@link #locate} if you need no handler of the node. Handlers must not
     * call it.
     *
     * @param name    of the node.
     * @param timeout longest wait; a negative one is none, one too long for nanoseconds lasts for ever.
     * @return the node, up.
     * @throws GrimException if no live node of the name has started in time; at once if this node is
     *                       {@link GrimException.Reason#FENCED}.
     */
    NodeInfo awaitNode(String name, Duration timeout);

    /**
     * Waits for a cluster of some size, as {@link #awaitNode} waits.
     *
     * @param count   nodes that must have started, this one included.
     * @param timeout longest wait, as for {@link #awaitNode}.
     * @return the nodes that have, by number: at least {@code count}.
     * @throws GrimException if fewer nodes have started in time: it names the nodes that have started, the nodes that
     *                       are up without {@link #start}, and the missing nodes, if they are known; at once if this
     *                       node is {@link GrimException.Reason#FENCED}.
     */
    List<NodeInfo> awaitNodes(int count, Duration timeout);

    /**
     * Waits for the whole cluster: for {@code grim.cluster.size} nodes, which a launcher may have set.
     *
     * @param timeout longest wait, as for {@link #awaitNode}.
     * @return the nodes that have started, by number.
     * @throws IllegalStateException if the size is not known.
     * @throws GrimException         as {@link #awaitNodes(int, Duration)}.
     */
    List<NodeInfo> awaitNodes(Duration timeout);

    /**
     * Finds a node by its name.
     *
     * @param name of the node.
     * @return its host CPU's endpoint on channel 0.
     * @throws GrimException if no live node has the name.
     */
    EndpointId locate(String name);

    /**
     * Finds a device that is up anywhere in the cluster.
     *
     * @param kind of device.
     * @return the endpoint of the first one, by node and device number, on its first channel.
     * @throws GrimException if no live node has one that is up.
     */
    EndpointId locate(NodeInfo.Device kind);

    /**
     * Finds a device of one node that is up.
     *
     * @param kind of device.
     * @param node its number.
     * @return the endpoint of the first one, on its first channel.
     * @throws GrimException if the node is not up or has none that is up.
     */
    EndpointId locate(NodeInfo.Device kind, int node);

    /**
     * Lists the devices of a kind on all live nodes, in any state.
     *
     * @param kind of device.
     * @return the devices by node and device number; as the directory has them now.
     */
    List<DeviceInfo> devices(NodeInfo.Device kind);

    /** {@return handlers by name: the registry, the same for all endpoints of this node} */
    HandlerRegistry handlers();

    /**
     * The host CPU's endpoint, on channels 0 to {@code grim.channels.host} - 1.
     *
     * @return the endpoint; owned by the first thread that sends or polls on it.
     */
    Endpoint endpoint();

    /**
     * Opens an endpoint for another thread, on channels that nobody has, or has any more. Until then their messages
     * wait.
     *
     * @param channels of this node, at least one.
     * @return the endpoint; owned by the first thread that sends or polls on it.
     * @throws IllegalArgumentException if a channel does not exist, is in use, or is named twice.
     */
    Endpoint openEndpoint(int... channels);

    /**
     * Opens a device of this node: an endpoint with a name, handlers and memory of its own. It has the lowest free
     * device number, and is starting until {@link DeviceEndpoint#state} says otherwise.
     *
     * @param spec of the device.
     * @return the device; owned by the first thread that sends or polls on it.
     * @throws IllegalArgumentException if a channel does not exist or is in use.
     * @throws GrimException            if there is no free run of channels, or the node has {@value
     *                                  EndpointId#DEVICE_MAX} devices.
     */
    DeviceEndpoint openDevice(DeviceSpec spec);

    /**
     * Polls the host endpoint until a time has passed or the node leaves; sleeps while nothing comes. To poll it in a
     * loop of your own: {@link Endpoint#poll()}, {@link Endpoint#agent()}.
     *
     * @param duration how long, as the wait of {@link #awaitNode}.
     */
    void run(Duration duration);

    /**
     * Starts a thread that polls the host endpoint and thereby owns it, until {@link #close()}; it sleeps while nothing
     * comes.
     *
     * @throws IllegalStateException if it was started before.
     */
    void startPolling();

    /**
     * Starts a thread that polls the host endpoint and thereby owns it, until {@link #close()}.
     *
     * @param idleStrategy between polls that found nothing.
     * @throws IllegalStateException if it was started before.
     * @throws NullPointerException  if the strategy is null.
     */
    void startPolling(IdleStrategy idleStrategy);

    /**
     * Has a task run on the thread that owns the host endpoint, between two of its polls: the path to everything that
     * is the owner's, such as links, remote memory and groups, beside {@link #startPolling()}. Tasks run in the
     * order of the calls, outside of handlers: a task may poll and block, and holds up the later ones meanwhile.
     * Its exceptions go to the configured error handler. Tasks that have not begun when the node leaves do not run.
     * <p>With a result: {@code CompletableFuture.supplyAsync(call, grim::execute)}.
     *
     * @param task to run; wakes the owner if it sleeps on the doorbell.
     * @throws IllegalStateException if the node has left.
     */
    void execute(Runnable task);

    /**
     * Finds what a module adds to this node, such as memory of a device that a transport drives, or groups.
     *
     * @param type interface of the module.
     * @param <T>  the same.
     * @return the object: the first transport's, in the order of the configuration, or that of another module.
     * @throws GrimException if no module of this node offers it.
     */
    <T> T extension(Class<T> type);

    /**
     * Returns the node's counters, live.
     *
     * @return a reader, for any thread, at any time: after {@link #close()} it shows the last values. The labels say
     *     what each counter counts. Messages of an endpoint are shown when its owner calls this, polls for 100 us, or
     *     has sent 1,024 more.
     */
    CountersReader counters();

    /**
     * Says what a thread of this node waits for, so that {@code ./grim why} can. For runtimes that stand on this
     * library and know more than its queues show, such as the source and the tag of the message that a receive
     * matches; and for waits that take a second and more: it takes a lock, and allocates. Any thread.
     *
     * @param what in words; cut to {@value LongWait#LENGTH_MAX} characters, and shown with
     *             printable ASCII characters alone.
     * @param node number of the node whose turn it is; -1 if that is not one alone.
     * @return the wait: close it when it has ended. It is not shown if {@value
     *     LongWait#COUNT_MAX} others are, or the node has left.
     * @throws NullPointerException if the text is null.
     */
    LongWait reportWait(String what, int node);

    /**
     * Judges this node: whether it is in its cluster, polls, and has room; for probes of orchestrators and load
     * balancers. Any thread, at any time; after {@link #close()} it is {@link NodeHealth.Status#DOWN}.
     *
     * @return the state at this moment.
     */
    NodeHealth health();

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
    void close();
}
