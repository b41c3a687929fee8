// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.grim.DeviceKind;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.grim.queue.Inbox;
import org.grim.queue.QueueOwner;
import org.grim.tools.observe.ni.NiReport;
import org.grim.tools.observe.ni.NiSample;
import org.grim.tools.observe.stall.Age;
import org.grim.tools.observe.stall.ProcessState;
import org.grim.tools.observe.stall.SeenNode;

/**
 * Reads a cluster's files, mapped read-only. Of nodes that left while it reads, it says what is missing.
 * <p>Thread: one. Owns: its view of the directory.
 */
public final class ClusterObserver implements AutoCloseable
{
    private static final String COUNTERS_KIND = "counters";
    private static final String INBOX_KIND = "inbox";

    private final Path path;
    private final ClusterFiles files;
    private final ClusterDirectory directory;

    /**
     * Opens a cluster's directory.
     *
     * @param path of it.
     * @throws GrimException if there is no cluster.
     */
    public ClusterObserver(final Path path)
    {
        this.path = path;
        files = new ClusterFiles(path);
        directory = ClusterDirectory.view(path);
    }

    /**
     * The nodes.
     *
     * @return as they are now.
     */
    public NodesReport nodes()
    {
        final long nowMs = System.currentTimeMillis();
        final List<NodesReport.Node> nodes = new ArrayList<>();
        for (final NodeInfo info : directory.nodes())
        {
            nodes.add(new NodesReport.Node(info.number(), info.name(), word(info.state()),
                directory.isAlive(info.number()), info.processId(), info.incarnation(), info.channelCount(),
                info.transports(), devices(info), Age.sinceMs(info.heartbeatMs(), nowMs), info.host(),
                info.niNumber(), info.niFirstChannel()));
        }
        return new NodesReport("nodes", path.toString(), nodes);
    }

    /**
     * What the nodes counted, and what stands in their queues.
     *
     * @return as it is now.
     */
    public StatReport stat()
    {
        final long nowMs = System.currentTimeMillis();
        final List<StatReport.Node> nodes = new ArrayList<>();
        final List<SeenNode> seen = new ArrayList<>();
        for (final NodeInfo info : directory.nodes())
        {
            seen.add(new SeenNode(info, directory.isAlive(info.number()), ProcessState.of(info.processId())));
        }
        final NiSample boards = NiSample.of(files, nowMs, seen);
        for (final SeenNode node : seen)
        {
            nodes.add(node(node, nowMs, boards));
        }
        return new StatReport("stat", path.toString(), nowMs, nodes);
    }

    @Override
    public void close()
    {
        directory.close();
    }

    private StatReport.Node node(final SeenNode node, final long nowMs, final NiSample boards)
    {
        final NodeInfo info = node.info();
        final Map<Integer, Map<String, Long>> channels = new TreeMap<>();
        final Map<String, Long> counters = new LinkedHashMap<>();
        final Map<String, Long> rejected = new LinkedHashMap<>();
        final Map<String, Long> memoryRefused = new LinkedHashMap<>();
        final List<StatReport.DistinctError> errors = new ArrayList<>();
        final List<String> missing = new ArrayList<>();
        readCounters(info, channels, counters, rejected, memoryRefused, errors, missing);
        final List<StatReport.Channel> channelList = new ArrayList<>();
        channels.forEach((channel, values) -> channelList.add(new StatReport.Channel(channel, values)));
        return new StatReport.Node(info.number(), info.name(), word(info.state()), node.isAlive(),
            info.incarnation(), devices(info), channelList, counters, rejected, memoryRefused,
            inbox(info, nowMs, missing), NiReport.of(boards, info.number()), errors, missing);
    }

    private void readCounters(
        final NodeInfo info, final Map<Integer, Map<String, Long>> channels, final Map<String, Long> counters,
        final Map<String, Long> rejected, final Map<String, Long> memoryRefused,
        final List<StatReport.DistinctError> errors, final List<String> missing)
    {
        final Path file = files.ofNode(info.number(), info.incarnation(), COUNTERS_KIND);
        if (!Files.exists(file))
        {
            missing.add("no counters: it left, or has grim.counters.file=false");
            return;
        }
        try (CountersView view = new CountersView(file))
        {
            for (final CountersView.Reading reading : view.readings())
            {
                final CounterKind kind = reading.kind();
                switch (kind.scope())
                {
                    case CHANNEL -> channels.computeIfAbsent(reading.key(), key -> new LinkedHashMap<>())
                        .put(kind.label(), reading.value());
                    case NODE -> counters.put(kind.label(), reading.value());
                    case REJECT_REASON -> putReason(rejected, reading);
                    case REMOTE_REFUSAL -> putReason(memoryRefused, reading);
                    case NI, NI_DROP_REASON, NI_CHANNEL, NI_TRIPLE ->
                    {
                        // They stand in a board's own file, never in a node's.
                    }
                }
            }
            view.errors().forEach(error -> errors.add(new StatReport.DistinctError(error.observationCount(),
                error.firstMs(), error.lastMs(), error.text())));
        }
        catch (final GrimException ex)
        {
            missing.add("counters cannot be read: " + ex.getMessage());
        }
    }

    /** Those that are not zero. */
    private static void putReason(final Map<String, Long> counts, final CountersView.Reading reading)
    {
        if (reading.value() != 0)
        {
            counts.put(reading.label().replace(reading.kind().label(), "").trim(), reading.value());
        }
    }

    private StatReport.Inbox inbox(final NodeInfo info, final long nowMs, final List<String> missing)
    {
        final Path file = files.ofNode(info.number(), info.incarnation(), INBOX_KIND);
        if (!Files.exists(file))
        {
            return null;                // It left, or has no transport with queues in shared memory.
        }
        try (MappedFile mapped = MappedFile.open(file, Inbox.MAGIC, Inbox.lengthMin(), false))
        {
            final Inbox inbox = Inbox.wrap(mapped.buffer());
            final List<StatReport.Queue> queues = new ArrayList<>();
            for (int channel = 0; channel < inbox.geometry().channelCount(); channel++)
            {
                for (int queue = 0; queue < inbox.geometry().exclusiveQueueCount(); queue++)
                {
                    final long owner = inbox.owner(channel, queue);
                    if (owner != 0)
                    {
                        queues.add(new StatReport.Queue(channel, queue, QueueOwner.node(owner),
                            QueueOwner.channel(owner), QueueOwner.isDetached(owner), inbox.unreadCount(channel, queue),
                            inbox.geometry().slotCount(), inbox.isStopped(channel, queue)));
                    }
                }
            }
            return new StatReport.Inbox(Age.sinceMs(inbox.lastPollMs(), nowMs), queues);
        }
        catch (final GrimException ex)
        {
            missing.add("inbox cannot be read: " + ex.getMessage());
            return null;
        }
    }

    private static List<String> devices(final NodeInfo info)
    {
        return info.devices().stream().map(DeviceKind::label).toList();
    }

    private static String word(final Enum<?> state)
    {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
