// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.counters.NodeCounters;
import org.grim.fragment.OutboxFiles;
import org.grim.memory.MemoryPeers;
import org.grim.memory.NodeMemory;
import org.grim.transport.Transport;
import org.grim.transport.TransportProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    /** What late calls are told. */
    static final String LEFT = "this node has left the cluster";

    private static final Logger LOGGER = LoggerFactory.getLogger(Grim.class);
    private static final String COUNTERS_KIND = "counters";

    private final GrimConfig config;
    private final List<AutoCloseable> opened = new ArrayList<>(32);     // Adding takes no memory: it cannot fail.
    private final List<Transport> transports = new ArrayList<>();
    private final Map<Integer, Endpoint> endpoints = new HashMap<>();
    private final BitSet channelsInUse = new BitSet();
    private final CountDownLatch left = new CountDownLatch(1);
    private ClusterDirectory directory;
    private NodeCounters counters;
    private Doorbells bells;
    private NodeMemory memory;
    private OutboxFiles outboxes;
    private HandlerRegistry handlers;
    private Endpoint host;
    private PollingThread polling;
    private volatile boolean isClosed;

    private Grim(final GrimConfig config)
    {
        this.config = config;
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
        Buffers.requireAccess();
        final Grim grim = new Grim(config);
        try
        {
            grim.open();
        }
        catch (final RuntimeException | Error ex)
        {
            ClosingOrder.closeAfter(grim, ex);
            throw ex;
        }
        return grim;
    }

    /**
     * This node.
     *
     * @return as the directory has it now.
     */
    public NodeInfo node()
    {
        return nodes().stream().filter(node -> node.number() == directory.self()).findFirst().orElseThrow();
    }

    /**
     * All nodes that are or were here.
     *
     * @return by number, as the directory has them now.
     */
    public List<NodeInfo> nodes()
    {
        requireOpen();
        return directory.nodes();
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
        return nodes().stream().filter(node -> node.state() == NodeState.UP && node.name().equals(name)).findFirst()
            .map(node -> EndpointId.of(node.number(), 0, 0))
            .orElseThrow(() -> new GrimException("node name=" + name + " is unknown: live nodes=" +
                nodes().stream().filter(node -> node.state() == NodeState.UP).map(NodeInfo::name).toList()));
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
        return nodes().stream()
            .filter(node -> node.state() == NodeState.UP && node.devices().contains(kind)).findFirst()
            .map(node -> EndpointId.of(node.number(), node.devices().indexOf(kind), 0))
            .orElseThrow(() -> new GrimException("device kind=" + kind.label() + " is unknown: no live node has one"));
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
        return nodes().stream()
            .filter(info -> info.number() == node && info.state() == NodeState.UP && info.devices().contains(kind))
            .findFirst().map(info -> EndpointId.of(node, info.devices().indexOf(kind), 0))
            .orElseThrow(() -> new GrimException("device kind=" + kind.label() + " is unknown on node=" + node));
    }

    /**
     * Handlers by name.
     *
     * @return the registry, the same for all endpoints of this node.
     */
    public HandlerRegistry handlers()
    {
        return handlers;
    }

    /**
     * The host CPU's endpoint, on channels 0 to {@code grim.channels.host} - 1.
     *
     * @return the endpoint; owned by the first thread that sends or polls on it.
     */
    public Endpoint host()
    {
        return host;
    }

    /**
     * Opens an endpoint for another thread, on channels that nobody has yet. Until then their messages wait.
     *
     * @param channels of this node, at least one.
     * @return the endpoint; owned by the first thread that sends or polls on it.
     * @throws IllegalArgumentException if a channel does not exist, is in use, or is named twice.
     */
    public synchronized Endpoint openEndpoint(final int... channels)
    {
        requireOpen();
        if (channels.length == 0)
        {
            throw new IllegalArgumentException("an endpoint needs at least one channel");
        }
        for (final int channel : channels)
        {
            requireFree(channel);
            if (IntStream.of(channels).filter(other -> other == channel).count() > 1)
            {
                throw new IllegalArgumentException("channel=" + channel + " is named twice");
            }
        }
        return newEndpoint(channels.clone());
    }

    /**
     * Polls the host endpoint once; see {@link Endpoint#poll()}.
     *
     * @return pieces of work done; 0 means idle.
     */
    public int poll()
    {
        return host.poll();
    }

    /**
     * Polls the host endpoint once; see {@link Endpoint#poll(int)}.
     *
     * @param limit most messages to handle.
     * @return pieces of work done; 0 means idle.
     */
    public int poll(final int limit)
    {
        return host.poll(limit);
    }

    /**
     * The host endpoint's loop; see {@link Endpoint#agent()}.
     *
     * @return an agent whose duty cycle polls once.
     */
    public Agent agent()
    {
        return host.agent();
    }

    /**
     * Starts a thread that polls the host endpoint and thereby owns it, until {@link #close()}; it sleeps while nothing
     * comes.
     *
     * @throws IllegalStateException if it was started before.
     */
    public void startPolling()
    {
        startPolling(host.idleStrategy());
    }

    /**
     * Starts a thread that polls the host endpoint and thereby owns it, until {@link #close()}.
     *
     * @param idleStrategy between polls that found nothing.
     * @throws IllegalStateException if it was started before.
     * @throws NullPointerException  if the strategy is null.
     */
    public synchronized void startPolling(final IdleStrategy idleStrategy)
    {
        Objects.requireNonNull(idleStrategy, "idleStrategy");
        requireOpen();
        if (polling != null)
        {
            throw new IllegalStateException("polling was started before: one thread owns the host endpoint");
        }
        polling = PollingThread.start(host, idleStrategy, config.errorHandler());
    }

    /**
     * Says who learns that nodes left or died; see {@link Endpoint#onNodeGone}, of the host endpoint.
     *
     * @param listener run on the thread that polls.
     */
    public void onNodeGone(final NodeGoneListener listener)
    {
        host.onNodeGone(listener);
    }

    /**
     * Remote memory of the host endpoint, and registration for the whole node.
     *
     * @return the same object each time.
     */
    public RemoteMemory memory()
    {
        return host.memory();
    }

    /**
     * Memory of this node's network interface that {@link GrimConfig.Builder#reserveNiMemory} reserved.
     *
     * @return a view of it, for any thread.
     * @throws GrimException if no transport of this node has an NI, or nothing was reserved.
     */
    public AtomicBuffer niMemory()
    {
        requireOpen();
        for (final Transport transport : transports)
        {
            final AtomicBuffer memory = transport.niMemory();
            if (memory != null && memory.capacity() > 0)
            {
                return memory;
            }
        }
        throw new GrimException("no NI memory is reserved: grim.ni.reserved-length=" + config.niReservedLength() +
            " transports=" + transports.stream().map(Transport::name).toList());
    }

    /**
     * What was counted, live.
     *
     * @return a reader, for any thread, at any time: after {@link #close()} it shows the last values. The labels say
     *     what each counter counts.
     */
    public CountersReader counters()
    {
        return counters.reader();
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
        final boolean isFirst;
        synchronized (this)
        {
            isFirst = !isClosed;
            isClosed = true;
        }
        if (isFirst)
        {
            try
            {
                leave();
            }
            finally
            {
                left.countDown();
            }
        }
        else if (!isOwner(Thread.currentThread()))      // Whom the first one may be waiting for.
        {
            Bystanders.awaitOpen(left);
        }
    }

    /** Nobody opens endpoints or starts polling any more. */
    private void leave()
    {
        endpoints.values().forEach(Endpoint::refuse);
        if (polling != null && polling.thread() != Thread.currentThread())
        {
            endPolling();
        }
        for (final Endpoint endpoint : endpoints.values())
        {
            if (!endpoint.close())
            {
                LOGGER.warn("leaving the cluster while a thread is in a handler of {}", endpoint.id());
            }
        }
        ClosingOrder.closeLastFirst(opened);
        LOGGER.info("left the cluster");
    }

    private void endPolling()
    {
        bells.ring(directory.self(), directory.incarnation(), host.id().channel());
        if (!Bystanders.awaitEnd(polling.thread()))
        {
            polling.interrupt();                        // It may sleep somewhere that only this ends.
        }
    }

    private boolean isOwner(final Thread thread)
    {
        return endpoints.values().stream().anyMatch(endpoint -> endpoint.isOwnedBy(thread));
    }

    private void open()
    {
        final List<TransportProvider> providers = TransportChoice.of(config);
        final boolean hasFiles = providers.stream().anyMatch(TransportProvider::needsClusterDirectory);
        final ClusterFiles files = hasFiles ? new ClusterFiles(config.clusterDirectory()) : null;
        Doorbells.requirePathsFit(files);
        final NodeDescription description = new NodeDescription(config.hostLabel(), config.nodeName(),
            config.channelCount(), providers.stream().map(TransportProvider::name).toList(), config.devices());
        directory = hasFiles ? ClusterDirectory.join(files, config.nodeCountMax(), description) :
            ClusterDirectory.inPrivateMemory(description);
        opened.add(directory);
        counters = hasFiles && config.hasCountersFile() ?
            NodeCounters.create(files.ofNode(directory.self(), directory.incarnation(), COUNTERS_KIND),
                config.channelCount()) :
            NodeCounters.inPrivateMemory(config.channelCount());
        opened.add(counters);
        bells = new Doorbells(directory, files);
        opened.add(bells);
        final NodeContext context = new NodeContext(directory, config, files, bells);
        for (final TransportProvider provider : providers)
        {
            final Transport transport = provider.open(context);
            opened.add(transport);
            transports.add(transport);
        }
        memory = MemorySetup.open(config, directory, hasFiles ? files : null, transports, counters);
        opened.add(memory);
        final MemoryPeers peers = new MemoryPeers(memory, directory, hasFiles ? files::ofNode : null);
        opened.add(peers);
        context.memory(peers);
        transports.forEach(transport -> transport.memoryReady(memory));
        outboxes = new OutboxFiles(directory, hasFiles ? files::ofNode : null, (node, incarnation) ->
            transports.stream().anyMatch(transport -> transport.mayHoldMessagesOf(node, incarnation)));
        opened.add(outboxes);
        handlers = new HandlerRegistry(config, directory);
        host = newEndpoint(IntStream.range(0, config.hostChannelCount()).toArray());
        handlers.host(host);
        directory.up();
        LOGGER.info("joined as {}", node());
    }

    private void requireFree(final int channel)
    {
        if (channel < 0 || channel >= config.channelCount())
        {
            throw new IllegalArgumentException(
                "channel=" + channel + " is outside 0 to " + (config.channelCount() - 1));
        }
        if (channelsInUse.get(channel))
        {
            throw new IllegalArgumentException("channel=" + channel + " belongs to another endpoint");
        }
    }

    private Endpoint newEndpoint(final int[] channels)
    {
        for (final int channel : channels)
        {
            channelsInUse.set(channel);
        }
        final Endpoint endpoint = new Endpoint(EndpointId.of(directory.self(), 0, channels[0]), channels,
            new NodeParts(directory, transports, counters, config, handlers, bells, memory, outboxes));
        endpoints.put(channels[0], endpoint);
        return endpoint;
    }

    private void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException(LEFT);
        }
    }
}
