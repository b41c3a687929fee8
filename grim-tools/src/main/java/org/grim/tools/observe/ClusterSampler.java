// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.grim.queue.Inbox;
import org.grim.queue.InboxView;
import org.grim.tools.observe.ni.NiSample;
import org.grim.tools.observe.stall.ProcessState;
import org.grim.tools.observe.stall.SeenNode;

/**
 * Looks at all files of a cluster that say who waits, mapped read-only.
 * <p>Thread: one. Owns: its view of the directory.
 */
final class ClusterSampler implements AutoCloseable
{
    private final ClusterFiles files;
    private final ClusterDirectory directory;
    private final Set<String> missing = new TreeSet<>();

    ClusterSampler(final Path path)
    {
        files = new ClusterFiles(path);
        directory = ClusterDirectory.view(path);
    }

    ClusterSample sample()
    {
        final List<ClusterSample.Node> nodes = new ArrayList<>();
        for (final NodeInfo info : directory.nodes())
        {
            nodes.add(node(info));
        }
        final long epochMs = System.currentTimeMillis();
        final NiSample boards =
            NiSample.of(files, epochMs, nodes.stream().map(ClusterSample.Node::seen).toList());
        missing.addAll(boards.missing());
        return new ClusterSample(epochMs, nodes, boards);
    }

    /** What could not be read so far, in words. */
    List<String> missing()
    {
        return List.copyOf(missing);
    }

    @Override
    public void close()
    {
        directory.close();
    }

    private ClusterSample.Node node(final NodeInfo info)
    {
        final List<ClusterSample.Overflow> overflows = new ArrayList<>();
        final Map<String, Long> rejected = new LinkedHashMap<>();
        final List<ClusterSample.Channel> channels = new ArrayList<>();
        final List<ClusterSample.Queue> queues = new ArrayList<>();
        final long overflowDepth = readCounters(info, overflows, rejected);
        final ClusterSample.Frames frames = readInbox(info, channels, queues);
        final SeenNode seen =
            new SeenNode(info, directory.isAlive(info.number()), ProcessState.of(info.processId()));
        return new ClusterSample.Node(seen, overflowDepth, overflows, rejected, channels, queues, frames);
    }

    private long readCounters(
        final NodeInfo info, final List<ClusterSample.Overflow> overflows, final Map<String, Long> rejected)
    {
        final Path file = files.ofNode(info.number(), info.incarnation(), "counters");
        if (!Files.exists(file))
        {
            return 0;
        }
        final Map<Integer, Long> lengths = new TreeMap<>();
        final Map<Integer, Long> ceilings = new TreeMap<>();
        long depth = 0;
        try (CountersView view = new CountersView(file))
        {
            for (final CountersView.Reading reading : view.readings())
            {
                final CounterKind kind = reading.kind();
                if (kind == CounterKind.OVERFLOW_DEPTH)
                {
                    depth += reading.value();
                }
                else if (kind == CounterKind.OVERFLOW_LENGTH)
                {
                    lengths.put(reading.key(), reading.value());
                }
                else if (kind == CounterKind.OVERFLOW_CEILING)
                {
                    ceilings.put(reading.key(), reading.value());
                }
                else if (kind == CounterKind.REJECTED && reading.value() != 0)
                {
                    rejected.put(reading.label().replace(kind.label(), "").trim(), reading.value());
                }
            }
        }
        catch (final GrimException ex)
        {
            missing.add("counters of node " + info.number() + " cannot be read: " + ex.getMessage());
        }
        lengths.forEach((channel, length) ->
            overflows.add(new ClusterSample.Overflow(channel, length, ceilings.getOrDefault(channel, 0L))));
        return depth;
    }

    private ClusterSample.Frames readInbox(
        final NodeInfo info, final List<ClusterSample.Channel> channels, final List<ClusterSample.Queue> queues)
    {
        final Path file = files.ofNode(info.number(), info.incarnation(), "inbox");
        if (Files.exists(file))
        {
            try (MappedFile mapped = MappedFile.open(file, Inbox.MAGIC, Inbox.lengthMin(), false))
            {
                final InboxView view = new InboxView(Inbox.wrap(mapped.buffer()));
                for (int channel = 0; channel < view.geometry().channelCount(); channel++)
                {
                    channels.add(
                        new ClusterSample.Channel(channel, view.lastPollMs(channel), view.isAsleep(channel)));
                    readExclusive(view, channel, queues);
                    readShared(view, channel, queues);
                }
                return frames(view);
            }
            catch (final GrimException ex)
            {
                missing.add("inbox of node " + info.number() + " cannot be read: " + ex.getMessage());
            }
        }
        else if (info.state() != NodeInfo.State.GONE && info.transports().contains("shmem"))
        {
            missing.add("inbox of node " + info.number() + " is missing");
        }
        return new ClusterSample.Frames(0, 0, Map.of());
    }

    private static void readExclusive(
        final InboxView view, final int channel, final List<ClusterSample.Queue> queues)
    {
        for (int queue = 0; queue < view.geometry().exclusiveQueueCount(); queue++)
        {
            final long owner = view.owner(channel, queue);
            if (owner != 0)
            {
                queues.add(queue(view, channel, queue, false, List.of(owner)));
            }
        }
    }

    private static void readShared(final InboxView view, final int channel, final List<ClusterSample.Queue> queues)
    {
        final Map<Integer, List<Long>> owners = new TreeMap<>();
        for (int sender = 0; sender < view.senderCount(); sender++)
        {
            final long owner = view.sender(channel, sender);
            if (owner != 0)
            {
                owners.computeIfAbsent(view.queueOfSender(sender), key -> new ArrayList<>()).add(owner);
            }
        }
        owners.forEach((queue, list) -> queues.add(queue(view, channel, queue, true, list)));
    }

    private static ClusterSample.Queue queue(
        final InboxView view, final int channel, final int queue, final boolean isShared, final List<Long> owners)
    {
        final InboxView.Slots slots = view.slots(channel, queue);
        final long claimOwner = slots.claimant() < 0 ? 0 : view.sender(channel, slots.claimant());
        return new ClusterSample.Queue(channel, queue, isShared, owners, slots, view.geometry().slotCount(),
            view.roomOf(queue), view.isStopped(channel, queue), view.refusedSinceMs(channel, queue), claimOwner);
    }

    private static ClusterSample.Frames frames(final InboxView view)
    {
        final Map<Long, Integer> holders = new LinkedHashMap<>();
        int usedCount = 0;
        for (int frame = 0; frame < view.geometry().frameCount(); frame++)
        {
            if (view.isFrameUsed(frame))
            {
                usedCount++;
                holders.merge(view.holderOfFrame(frame), 1, Integer::sum);
            }
        }
        return new ClusterSample.Frames(view.geometry().frameCount(), usedCount, holders);
    }
}
