// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.queue.Inbox;
import org.grim.queue.InboxView;

/**
 * Looks at all files of a cluster that say who waits, mapped read-only.
 * <p>Thread: one. Owns: its view of the directory.
 */
final class ClusterSampler implements AutoCloseable
{
    private final ClusterFiles files;
    private final ClusterDirectory directory;

    ClusterSampler(final Path path)
    {
        files = new ClusterFiles(path);
        directory = ClusterDirectory.view(path);
    }

    ClusterSample sample()
    {
        final List<ClusterSample.Node> nodes = new ArrayList<>();
        for (final SeenNode seen : nodes())
        {
            final List<String> missing = new ArrayList<>();
            final Path counters = files.ofNode(seen.number(), seen.incarnation(), "counters");
            nodes.add(new ClusterSample.Node(seen, Counters.of(counters, "counters", missing),
                inbox(seen.info(), missing), missing));
        }
        final long epochMs = System.currentTimeMillis();
        return new ClusterSample(epochMs, nodes,
            NiSample.of(files, epochMs, nodes.stream().map(ClusterSample.Node::seen).toList()));
    }

    /** The nodes alone. */
    List<SeenNode> nodes()
    {
        return directory.nodes().stream().map(info ->
            new SeenNode(info, directory.isAlive(info.number()), directory.isRemote(info.number()) ?
                SeenNode.ProcessState.UNKNOWN : SeenNode.ProcessState.of(info.processId()),
                directory.niRoute(info.number()))).toList();
    }

    @Override
    public void close()
    {
        directory.close();
    }

    private ClusterSample.Inbox inbox(final NodeInfo info, final List<String> missing)
    {
        final Path file = files.ofNode(info.number(), info.incarnation(), "inbox");
        if (Files.exists(file))
        {
            try (MappedFile mapped = MappedFile.open(file, Inbox.MAGIC, Inbox.lengthMin(), false))
            {
                final Inbox inbox = Inbox.wrap(mapped.buffer());
                final InboxView view = new InboxView(inbox);
                final List<ClusterSample.Channel> channels = new ArrayList<>();
                final List<ClusterSample.Queue> queues = new ArrayList<>();
                for (int channel = 0; channel < view.geometry().channelCount(); channel++)
                {
                    channels.add(
                        new ClusterSample.Channel(channel, view.lastPollMs(channel), view.isAsleep(channel)));
                    readExclusive(view, channel, queues);
                    readShared(view, channel, queues);
                }
                return new ClusterSample.Inbox(inbox.lastPollMs(), channels, queues, frames(view));
            }
            catch (final GrimException ex)
            {
                missing.add("inbox cannot be read: " + ex.getMessage());
            }
        }
        else if (info.state() != NodeInfo.State.GONE && info.transports().contains("shmem"))
        {
            missing.add("no inbox");
        }
        return ClusterSample.Inbox.NONE;
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
