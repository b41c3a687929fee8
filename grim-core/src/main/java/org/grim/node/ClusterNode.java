// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

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
import org.grim.DeviceKind;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerRegistry;
import org.grim.NodeInfo;
import org.grim.RemoteMemory;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.EndpointState;
import org.grim.handlers.NodeHandlers;
import org.grim.large.OutboxFiles;
import org.grim.memory.MemoryPeers;
import org.grim.memory.NodeMemory;
import org.grim.transport.Transport;
import org.grim.transport.TransportProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the cluster, as this process is one: joins, opens transports, assembles endpoints, and leaves.
 * <p>Thread: any, unless a method says otherwise. Owns: the node's files, until {@link #close()}.
 */
public final class ClusterNode implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger("org.grim.Grim");
    private static final String COUNTERS_KIND = "counters";

    private final NodeConfig config;
    private final List<AutoCloseable> opened = new ArrayList<>(32);     // Adding takes no memory: it cannot fail.
    private final List<Transport> transports = new ArrayList<>();
    private final Map<Integer, NodeEndpoint> endpoints = new HashMap<>();
    private final BitSet channelsInUse = new BitSet();
    private final CountDownLatch left = new CountDownLatch(1);
    private ClusterDirectory directory;
    private NodeCounters counters;
    private Doorbells bells;
    private NodeMemory memory;
    private OutboxFiles outboxes;
    private NodeHandlers handlers;
    private NodeEndpoint host;
    private PollingThread polling;
    private volatile boolean isClosed;

    private ClusterNode(final NodeConfig config)
    {
        this.config = config;
    }

    /** See {@code Grim}. */
    public static ClusterNode join(final NodeConfig config)
    {
        Buffers.requireAccess();
        final ClusterNode node = new ClusterNode(config);
        try
        {
            node.open();
        }
        catch (final RuntimeException | Error ex)
        {
            ClosingOrder.closeAfter(node, ex);
            throw ex;
        }
        return node;
    }

    /** See {@code Grim}. */
    public NodeInfo info()
    {
        return nodes().stream().filter(node -> node.number() == directory.self()).findFirst().orElseThrow();
    }

    /** See {@code Grim}. */
    public List<NodeInfo> nodes()
    {
        requireOpen();
        return directory.nodes();
    }

    /** See {@code Grim}. */
    public EndpointId locate(final String name)
    {
        return nodes().stream()
            .filter(node -> node.state() == NodeInfo.State.UP && node.name().equals(name)).findFirst()
            .map(node -> EndpointId.of(node.number(), 0, 0))
            .orElseThrow(() -> new GrimException("node name=" + name + " is unknown: live nodes=" +
                nodes().stream().filter(node -> node.state() == NodeInfo.State.UP).map(NodeInfo::name).toList()));
    }

    /** See {@code Grim}. */
    public EndpointId locate(final DeviceKind kind)
    {
        return nodes().stream()
            .filter(node -> node.state() == NodeInfo.State.UP && node.devices().contains(kind)).findFirst()
            .map(node -> EndpointId.of(node.number(), node.devices().indexOf(kind), 0))
            .orElseThrow(() -> new GrimException("device kind=" + kind.label() + " is unknown: no live node has one"));
    }

    /** See {@code Grim}. */
    public EndpointId locate(final DeviceKind kind, final int node)
    {
        return nodes().stream()
            .filter(info -> info.number() == node && info.state() == NodeInfo.State.UP && info.devices().contains(kind))
            .findFirst().map(info -> EndpointId.of(node, info.devices().indexOf(kind), 0))
            .orElseThrow(() -> new GrimException("device kind=" + kind.label() + " is unknown on node=" + node));
    }

    /** See {@code Grim}. */
    public HandlerRegistry handlers()
    {
        return handlers;
    }

    /** See {@code Grim}. */
    public Endpoint host()
    {
        return host;
    }

    /** See {@code Grim}. */
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

    /** See {@code Grim}. */
    public int poll()
    {
        return host.poll();
    }

    /** See {@code Grim}. */
    public int poll(final int limit)
    {
        return host.poll(limit);
    }

    /** See {@code Grim}. */
    public Agent agent()
    {
        return host.agent();
    }

    /** See {@code Grim}. */
    public void startPolling()
    {
        startPolling(host.idleStrategy());
    }

    /** See {@code Grim}. */
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

    /** See {@code Grim}. */
    public void onNodeGone(final Endpoint.NodeGoneListener listener)
    {
        host.onNodeGone(listener);
    }

    /** See {@code Grim}. */
    public RemoteMemory memory()
    {
        return host.memory();
    }

    /** See {@code Grim}. */
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

    /** See {@code Grim}. */
    public CountersReader counters()
    {
        return counters.reader();
    }

    /** See {@code Grim}. */
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
        endpoints.values().forEach(endpoint -> endpoint.state().close());
        if (polling != null && polling.thread() != Thread.currentThread())
        {
            endPolling();
        }
        for (final NodeEndpoint endpoint : endpoints.values())
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
        return endpoints.values().stream().anyMatch(endpoint -> endpoint.state().owner() == thread);
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
        handlers = new NodeHandlers(config.resolveTimeoutNs(), config.devices().size(), directory);
        host = newEndpoint(IntStream.range(0, config.hostChannelCount()).toArray());
        handlers.host(host.state(), host.links(), host::poll);
        directory.up();
        LOGGER.info("joined as {}", info());
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

    private NodeEndpoint newEndpoint(final int[] channels)
    {
        for (final int channel : channels)
        {
            channelsInUse.set(channel);
        }
        final NodeEndpoint endpoint = new NodeEndpoint(EndpointId.of(directory.self(), 0, channels[0]), channels,
            new NodeParts(directory, transports, counters, config, handlers, bells, memory, outboxes));
        endpoints.put(channels[0], endpoint);
        return endpoint;
    }

    private void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException(EndpointState.LEFT);
        }
    }
}
