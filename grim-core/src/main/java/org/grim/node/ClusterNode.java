// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.grim.DeviceEndpoint;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerRegistry;
import org.grim.LongWait;
import org.grim.NodeHealth;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.buffer.Cleanup;
import org.grim.buffer.Uninterrupted;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.HostNetwork;
import org.grim.cluster.NodeDescription;
import org.grim.counters.FlightEvents;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.ReceivedMessage;
import org.grim.endpoint.Requests;
import org.grim.extension.ExtensibleNode;
import org.grim.extension.NodeExtension;
import org.grim.extension.NodeExtensionProvider;
import org.grim.handlers.NodeHandlers;
import org.grim.large.OutboxFiles;
import org.grim.memory.MemoryPeers;
import org.grim.memory.NodeMemory;
import org.grim.thread.ErrorReports;
import org.grim.transport.Transport;
import org.grim.transport.TransportProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * A node of the cluster, as this process is one: joins, opens transports, assembles endpoints, and leaves.
 * <p>Thread: any, unless a method says otherwise. Owns: the node's files, until {@link #close()}.
 */
public final class ClusterNode implements Grim
{
    static final String COUNTERS_KIND = "counters";

    private static final Logger LOGGER = LoggerFactory.getLogger("org.grim.Grim");
    private static final long AWAIT_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Many nodes that wait for the last ones leave these the processors. */
    private static final long AWAIT_PAUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int AWAIT_PAUSE_PART = 32;         // Of the time that was waited.

    private final NodeConfig config;
    private final List<AutoCloseable> opened = new ArrayList<>(32);     // Adding takes no memory: it cannot fail.
    private final List<Transport> transports = new ArrayList<>();
    private final List<NodeExtension> extensions = new ArrayList<>();
    private final Map<Integer, NodeEndpoint> endpoints = new HashMap<>();
    private final NodeChannels channels;
    private final ErrorReports reports;
    private final CountDownLatch left = new CountDownLatch(1);
    private ClusterDirectory directory;
    private NodeCounters counters;
    private Doorbells bells;
    private NodeMemory memory;
    private OutboxFiles outboxes;
    private NodeHandlers handlers;
    private NodeEndpoint host;
    private PollingThread polling;
    private boolean isJoined;               // Otherwise joining failed, and nobody has seen the node.
    private volatile boolean isClosed;

    private ClusterNode(final NodeConfig config)
    {
        this.config = config;
        channels = new NodeChannels(config.keys().channels().channelCount());
        reports = new ErrorReports(config.errorHandler());
    }

    /**
     * Joins the cluster.
     *
     * @param config of the node.
     * @return the node, up.
     * @throws GrimException if it cannot join; nothing is left behind.
     */
    public static ClusterNode join(final NodeConfig config)
    {
        Buffers.requireAccess();
        WarmUp.run(config);
        final ClusterNode node = new ClusterNode(config);
        try
        {
            node.open();
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, node);
            throw ex;
        }
        return node;
    }

    /** Handlers of the host's messages, by id. */
    HandlerTable handlerTable()
    {
        return handlers.table();
    }

    @Override
    public void start()
    {
        requireOpen();
        handlers.synchronise();
        directory.joined();
    }

    @Override
    public NodeInfo node()
    {
        return nodes().stream().filter(node -> node.number() == directory.self()).findFirst().orElseThrow();
    }

    @Override
    public NodeInfo awaitNode(final String name, final Duration timeout)
    {
        return awaitJoined(timeout, joined -> joined.stream().anyMatch(node -> node.name().equals(name)),
            "node name=" + name).stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
    }

    @Override
    public List<NodeInfo> awaitNodes(final int count, final Duration timeout)
    {
        return awaitJoined(timeout, joined -> joined.size() >= count, "a cluster of nodes=" + count);
    }

    @Override
    public List<NodeInfo> awaitNodes(final Duration timeout)
    {
        if (config.keys().clusterSize() == 0)
        {
            throw new IllegalStateException("grim.cluster.size is not set: neither does a launcher say it " +
                "(grim.launcher)");
        }
        return awaitNodes(config.keys().clusterSize(), timeout);
    }

    /** Waits for a state of the nodes that have joined, and says who they are. */
    private List<NodeInfo> awaitJoined(
        final Duration timeout, final Predicate<List<NodeInfo>> isAwaited, final String awaited)
    {
        host.state().requireOutsideHandler("await");
        final long timeoutNs = lengthNs(timeout);
        final long deadlineNs = System.nanoTime() + timeoutNs;
        List<NodeInfo> joined = joinedNodes();
        while (!isAwaited.test(joined))
        {
            directory.requireNotFenced();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException(TIMED_OUT, awaited + " did not come within " +
                    TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms: " +
                    AwaitedNodes.text(directory.self(), config.keys().clusterSize(), joined, liveNodes()));
            }
            if (!host.state().isOwnedByAnother())
            {
                host.poll();
            }
            final long waitedNs = System.nanoTime() - (deadlineNs - timeoutNs);
            Uninterrupted.park(Math.min(AWAIT_PAUSE_NS_MAX, Math.max(AWAIT_PAUSE_NS, waitedNs / AWAIT_PAUSE_PART)));
            joined = joinedNodes();
        }
        return joined;
    }

    /** Negative ones are over at once, and what no long holds lasts longer than anybody waits. */
    private static long lengthNs(final Duration duration)
    {
        return Math.max(0, TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(duration, "duration")));
    }

    private List<NodeInfo> joinedNodes()
    {
        return nodes().stream().filter(node -> directory.hasJoined(node.number())).toList();
    }

    private List<NodeInfo> liveNodes()
    {
        return nodes().stream().filter(node -> node.state() == NodeInfo.State.UP).toList();
    }

    @Override
    public List<NodeInfo> nodes()
    {
        requireOpen();
        return directory.nodes();
    }

    @Override
    public EndpointId locate(final String name)
    {
        return liveNodes().stream().filter(node -> node.name().equals(name)).findFirst().map(NodeInfo::endpoint)
            .orElseThrow(() -> new GrimException(NOT_FOUND, "node name=" + name + " is unknown: live nodes=" +
                liveNodes().stream().map(NodeInfo::name).toList()));
    }

    @Override
    public EndpointId locate(final NodeInfo.Device kind)
    {
        return devicesUp(kind).findFirst().orElseThrow(() -> new GrimException(NOT_FOUND,
            "device kind=" + kind.label() + " is unknown: no live node has one that is up"));
    }

    @Override
    public EndpointId locate(final NodeInfo.Device kind, final int node)
    {
        return devicesUp(kind).filter(device -> device.node() == node).findFirst()
            .orElseThrow(() -> new GrimException(NOT_FOUND,
                "device kind=" + kind.label() + " is unknown on node=" + node + ", or not up"));
    }

    @Override
    public List<DeviceInfo> devices(final NodeInfo.Device kind)
    {
        Objects.requireNonNull(kind, "kind");
        return liveNodes().stream().flatMap(node -> node.devices().stream()).filter(device -> device.kind() == kind)
            .toList();
    }

    private Stream<EndpointId> devicesUp(final NodeInfo.Device kind)
    {
        return devices(kind).stream().filter(device -> device.state() == DeviceInfo.State.UP)
            .map(DeviceInfo::endpoint);
    }

    @Override
    public HandlerRegistry handlers()
    {
        return handlers;
    }

    @Override
    public Endpoint endpoint()
    {
        return host;
    }

    @Override
    public synchronized Endpoint openEndpoint(final int... channels)
    {
        requireOpen();
        this.channels.take(channels);
        boolean isOpened = false;
        try
        {
            final Endpoint opened = newEndpoint(channels.clone(), this::close);
            isOpened = true;
            return opened;
        }
        finally
        {
            if (!isOpened)                  // Too little memory, for example.
            {
                this.channels.giveBack(channels);
            }
        }
    }

    @Override
    public synchronized DeviceEndpoint openDevice(final DeviceSpec spec)
    {
        requireOpen();
        final int number = directory.freeDevice();
        final int[] own = channels.takeRun(Objects.requireNonNull(spec, "spec").firstChannel(), spec.channelCount());
        boolean isOpened = false;
        try
        {
            final NodeDevice device = new NodeDevice(
                EndpointId.of(directory.self(), number, own[0]), spec.kind(), own, parts(), this::close);
            endpoints.put(own[0], device);
            directory.openDevice(device.id(), spec.kind(), own.length);
            isOpened = true;
            return device;
        }
        finally
        {
            if (!isOpened)
            {
                channels.giveBack(own);
            }
        }
    }

    @Override
    public void run(final Duration duration)
    {
        final long deadlineNs = System.nanoTime() + lengthNs(duration);
        final IdleStrategy idleStrategy = host.idleStrategy();
        while (!isClosed && System.nanoTime() - deadlineNs < 0)
        {
            idleStrategy.idle(host.poll());
        }
    }

    @Override
    public void startPolling()
    {
        startPolling(host.idleStrategy());
    }

    @Override
    public synchronized void startPolling(final IdleStrategy idleStrategy)
    {
        Objects.requireNonNull(idleStrategy, "idleStrategy");
        requireOpen();
        if (polling != null)
        {
            throw new IllegalStateException("polling was started before: one thread owns the host endpoint");
        }
        polling = PollingThread.start(host, idleStrategy, reports);
    }

    @Override
    public void execute(final Runnable task)
    {
        if (host.execute(task))
        {
            bells.ring(directory.self(), directory.incarnation(), host.id().channel());
        }
    }

    @Override
    public <T> T extension(final Class<T> type)
    {
        requireOpen();
        Objects.requireNonNull(type, "type");
        return Stream.concat(transports.stream().map(transport -> transport.extension(type)),
            extensions.stream().map(extension -> extension.extension(type))).filter(Objects::nonNull).findFirst()
            .orElseThrow(() -> new GrimException(UNAVAILABLE, "no module of this node offers " + type.getName() +
                ": transports=" + transports.stream().map(Transport::name).toList() + ", others=" +
                extensions.stream().map(extension -> extension.getClass().getName()).toList()));
    }

    @Override
    public CountersReader counters()
    {
        publishCounters();
        return counters.reader();
    }

    @Override
    public LongWait reportWait(final String what, final int node)
    {
        return counters.reportWait(what, node);
    }

    @Override
    public NodeHealth health()
    {
        return isClosed ? HealthCheck.left(counters, EndpointState.LEFT) :
            HealthCheck.of(directory, counters, config.keys(), System.currentTimeMillis());
    }

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
            NodeWatchers.awaitOpen(left);
        }
    }

    /** Nobody opens endpoints or starts polling any more. */
    private void leave()
    {
        endpoints.values().forEach(endpoint -> endpoint.state().close(EndpointState.LEFT));
        final List<AutoCloseable> steps = new ArrayList<>(opened);
        steps.add(() -> channels.free().forEach(channel -> transports.forEach(transport -> transport.leave(channel))));
        endpoints.values().forEach(endpoint -> steps.add(() -> leave(endpoint)));
        if (polling != null && polling.thread() != Thread.currentThread())
        {
            steps.add(this::endPolling);
        }
        ClosingOrder.closeLastFirst(steps);
        if (isJoined)
        {
            LOGGER.info("left the cluster");
        }
    }

    private static void leave(final NodeEndpoint endpoint)
    {
        if (!endpoint.leave())
        {
            LOGGER.warn("leaving the cluster while a thread is in a handler of {}", endpoint.id());
        }
    }

    private void endPolling()
    {
        bells.ring(directory.self(), directory.incarnation(), host.id().channel());
        if (!NodeWatchers.awaitEnd(polling.thread()))
        {
            polling.interrupt();                        // It may sleep somewhere that only this ends.
        }
    }

    /** Publishes only the counters of the caller's own endpoints: other owners do it while they poll. */
    private synchronized void publishCounters()
    {
        for (final NodeEndpoint endpoint : endpoints.values())
        {
            if (endpoint.state().owner() == Thread.currentThread())
            {
                endpoint.publishCounters();
            }
        }
    }

    private boolean isOwner(final Thread thread)
    {
        return endpoints.values().stream().anyMatch(endpoint -> endpoint.state().owner() == thread);
    }

    private void open()
    {
        final List<TransportProvider> providers = TransportChoice.of(config);
        EarlyClasses.loadBeside(ClusterNode.class);
        providers.forEach(provider -> EarlyClasses.loadBeside(provider.getClass()));
        final List<NodeExtensionProvider> extensionProviders = Extensions.known();
        extensionProviders.forEach(provider -> EarlyClasses.loadBeside(provider.getClass()));
        final HostNetwork network = NetworkChoice.of(config, reports);
        final boolean hasFiles =
            network != null || providers.stream().anyMatch(TransportProvider::needsClusterDirectory);
        final ClusterFiles files = hasFiles ? new ClusterFiles(config.clusterDirectory()) : null;
        Doorbells.requirePathsFit(files);
        final NodeKeys keys = config.keys();
        final NodeDescription description = new NodeDescription(keys.hostLabel(), config.nodeName(),
            keys.channels().channelCount(), providers.stream().map(TransportProvider::name).toList());
        directory = hasFiles ? ClusterDirectory.join(files, keys.nodeCountMax(), description, network) :
            ClusterDirectory.inPrivateMemory(description);
        opened.add(directory);
        counters = hasFiles && keys.hasCountersFile() ?
            NodeCounters.create(files.ofNode(directory.self(), directory.incarnation(), COUNTERS_KIND),
                keys.channels().channelCount()) :
            NodeCounters.inPrivateMemory(keys.channels().channelCount());
        opened.add(counters);
        reports.recordIn(counters.errorLog()::record);
        bells = new Doorbells(directory, files);
        opened.add(bells);
        final NodeContext context = new NodeContext(directory, config, files, bells, reports);
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
        handlers = new NodeHandlers(config.keys().resolveTimeoutNs(), directory);
        handlers.table().bindAll(Requests.ANSWER, ReceivedMessage::onAnswer);
        handlers.table().name(Requests.ANSWER, "answer to a request");
        final int[] hostChannels = IntStream.range(0, config.keys().channels().hostChannelCount()).toArray();
        channels.take(hostChannels);
        host = newEndpoint(hostChannels, null);
        handlers.host(host.state(), host.links(), host::poll);
        final ExtensibleNode extensible = new ExtensibleNode(context, directory, hasFiles ? files::ofNode : null,
            memory, peers, counters, host.parts());
        for (final NodeExtensionProvider provider : extensionProviders)
        {
            final NodeExtension extension = provider.open(extensible);
            opened.add(extension);
            extensions.add(extension);
        }
        Extensions.answerForAbsent(handlers.table());
        if (keys.hasBean())
        {
            opened.add(NodeBean.register(keys, config.nodeName(), directory.self(), directory.incarnation(), counters,
                this::health));
        }
        directory.up();
        isJoined = true;
        logJoined(hasFiles);
    }

    /** One line for each start, and one for what a newcomer cannot see. */
    private void logJoined(final boolean hasFiles)
    {
        final NodeInfo own = node();
        final String cluster = config.keys().cluster();
        FlightEvents.joined(cluster, own);
        LOGGER.info("joined cluster={}{} directory={} node={} number={} incarnation={} transports={} version={}",
            cluster, NodeKeys.CLUSTER_UNNAMED.equals(cluster) ? " (as every node without grim.cluster.name)" : "",
            hasFiles ? config.clusterDirectory() : "none", own.name(), own.number(), own.incarnation(),
            own.transports(), LibraryVersion.TEXT);
        if (!hasFiles && config.transports().isEmpty())
        {
            LOGGER.warn("node={} reaches no other node: transports={} is all that the class path has; add " +
                "grim-transport-shmem, or set grim.transports to null if this is meant", own.name(), own.transports());
        }
    }

    private NodeEndpoint newEndpoint(final int[] own, final Consumer<NodeEndpoint> onClose)
    {
        final NodeEndpoint endpoint =
            new HostEndpoint(EndpointId.of(directory.self(), 0, own[0]), own, parts(), onClose);
        endpoints.put(own[0], endpoint);
        return endpoint;
    }

    private NodeParts parts()
    {
        return new NodeParts(directory, transports, channels, counters, config, reports, handlers, extensions, bells,
            memory, outboxes);
    }

    /** The owner of an endpoint closes it. If the node leaves, that has closed it. */
    private synchronized void close(final NodeEndpoint endpoint)
    {
        if (!isClosed)
        {
            endpoint.dismantle();
            endpoints.remove(endpoint.id().channel());
            channels.giveBack(endpoint.channels());
        }
    }

    private void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException(EndpointState.LEFT);
        }
    }
}
