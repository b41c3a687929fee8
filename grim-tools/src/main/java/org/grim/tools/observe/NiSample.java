// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.DmaRegionHeader;
import org.grim.board.SleepBell;
import org.grim.board.counters.NiCounterKind;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterFiles;
import org.grim.tools.report.Counters;

/**
 * All boards of a cluster at one look.
 *
 * @param epochMs when.
 * @param nodes   of the cluster.
 * @param boards  those that have files.
 */
record NiSample(long epochMs, List<SeenNode> nodes, List<BoardSample> boards)
{
    private static final String BOARD_KIND = "board";
    private static final String COUNTERS_KIND = "ni";

    /** Looks at all boards of a cluster's nodes. */
    static NiSample of(final ClusterFiles files, final long epochMs, final List<SeenNode> nodes)
    {
        return new NiSample(epochMs, nodes,
            nodes.stream().map(node -> board(files, node)).filter(Objects::nonNull).toList());
    }

    /** Describes the parts that could not be read. */
    List<String> missing()
    {
        return boards.stream().flatMap(board ->
            board.missing().stream().map(what -> "NI " + board.ni() + ": " + what)).toList();
    }

    /** A node; null if there is none of the number. */
    SeenNode node(final int number)
    {
        return nodes.stream().filter(node -> node.number() == number).findFirst().orElse(null);
    }

    /** The board of a number; null if there is none. */
    BoardSample board(final int ni)
    {
        return boards.stream().filter(board -> board.ni() == ni).findFirst().orElse(null);
    }

    /** The node that has a channel, in the life in which it got it; null if that is over, or nobody has it. */
    SeenNode ownerOf(final ChannelSample channel)
    {
        final SeenNode node = channel.context() == null ? null : node(channel.context().ownerNode());
        return channel.context() != null && channel.context().isOf(node) ? node : null;
    }

    /** The name of who has a channel. */
    String ownerName(final ChannelSample channel)
    {
        final SeenNode owner = ownerOf(channel);
        return owner != null ? owner.name() : channel.context() == null ? "the board" : "node " +
            channel.context().ownerNode() + " incarnation " + channel.context().ownerIncarnation();
    }

    /** Returns the name of any node. */
    String nameOf(final int number)
    {
        final SeenNode node = node(number);
        return node == null ? "node " + number : node.name();
    }

    /** A node's own channel behind an NI channel; the NI channel itself if the node has no route. */
    static int endpointChannel(final SeenNode node, final int niChannel)
    {
        return node == null || node.niNumber() == SeenNode.NI_NONE ? niChannel :
            niChannel - node.niFirstChannel();
    }

    /** A node's board; null if it has none. */
    private static BoardSample board(final ClusterFiles files, final SeenNode node)
    {
        final Path board = files.ofNode(node.number(), node.incarnation(), BOARD_KIND);
        final Path counters = files.ofNode(node.number(), node.incarnation(), COUNTERS_KIND);
        if (!Files.exists(board) && !Files.exists(counters))
        {
            return null;
        }
        final List<String> missing = new ArrayList<>();
        final Counters countersSample = Counters.of(counters, "NI counters", missing, NiCounterKind.values());
        if (!Files.exists(board))
        {
            missing.add("no board: it left");
            return new BoardSample(node, null, List.of(), List.of(), countersSample, missing);
        }
        // It has a board's header where other files have a segment's.
        try (MappedFile file = MappedFile.openForeign(board, 0, false))
        {
            final AtomicBuffer sram = file.buffer();
            // Read once: no offset that it gives lies outside.
            final BoardGeometry geometry = BoardGeometry.read(sram);
            final List<ContextSample> contexts = ContextSample.of(sram, geometry);
            final BoardSample.Header header = new BoardSample.Header(geometry.lanaiModel(), BoardDescriptor.epoch(sram),
                geometry.channelCount(), geometry.contextCount(),
                SleepBell.ofBoard(sram).bellVolatile() != SleepBell.AWAKE);
            return new BoardSample(
                node, header, contexts, channels(files, sram, geometry, contexts, missing), countersSample, missing);
        }
        catch (final GrimException ex)
        {
            missing.add("board cannot be read: " + ex.getMessage());
            return new BoardSample(node, null, List.of(), List.of(), countersSample, missing);
        }
    }

    private static List<ChannelSample> channels(
        final ClusterFiles files, final AtomicBuffer sram, final BoardGeometry geometry,
        final List<ContextSample> contexts, final List<String> missing)
    {
        final Map<ContextSample, MappedFile> regions = new HashMap<>();
        try
        {
            final List<ChannelSample> channels = new ArrayList<>();
            for (int number = 0; number < geometry.channelCount(); number++)
            {
                final ContextSample context = contextOf(contexts, number);
                final ChannelSample channel =
                    ChannelSample.of(sram, geometry, number, context, region(files, context, regions, missing));
                if (context != null || channel.isEnabled() || channel.isStopped() || channel.isStanding())
                {
                    channels.add(channel);
                }
            }
            return channels;
        }
        finally
        {
            regions.values().stream().filter(region -> region != null).forEach(MappedFile::close);
        }
    }

    private static ContextSample contextOf(final List<ContextSample> contexts, final int niChannel)
    {
        return contexts.stream().filter(context -> context.has(niChannel)).findFirst().orElse(null);
    }

    private static AtomicBuffer region(
        final ClusterFiles files, final ContextSample context, final Map<ContextSample, MappedFile> regions,
        final List<String> missing)
    {
        if (context == null)
        {
            return null;
        }
        if (!regions.containsKey(context))
        {
            regions.put(context, open(files, context, missing));
        }
        final MappedFile region = regions.get(context);
        return region == null ? null : region.buffer();
    }

    private static MappedFile open(final ClusterFiles files, final ContextSample context, final List<String> missing)
    {
        final Path file = files.ofNode(context.ownerNode(), context.ownerIncarnation(),
            DmaRegionHeader.fileKind(context.regionGeneration()));
        try
        {
            return MappedFile.open(file, DmaRegionHeader.MAGIC, DmaRegionHeader.REGION_LENGTH_MIN, false);
        }
        catch (final GrimException ex)
        {
            missing.add("DMA region of node " + context.ownerNode() + " cannot be read: " + ex.getMessage());
            return null;
        }
    }
}
