// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.DmaRegionHeader;
import org.grim.board.SleepBell;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterFiles;
import org.grim.tools.observe.stall.Counters;
import org.grim.tools.observe.stall.SeenNode;

/**
 * Looks at the files of boards: memory, counters, and the DMA regions of those who use them.
 * <p>Thread: one.
 */
final class BoardSampler
{
    private static final String BOARD_KIND = "board";
    private static final String COUNTERS_KIND = "ni";

    private final ClusterFiles files;

    BoardSampler(final ClusterFiles files)
    {
        this.files = files;
    }

    /** A node's board; null if it has none. */
    BoardSample sample(final SeenNode node)
    {
        final Path board = files.ofNode(node.number(), node.incarnation(), BOARD_KIND);
        final Path counters = files.ofNode(node.number(), node.incarnation(), COUNTERS_KIND);
        if (!Files.exists(board) && !Files.exists(counters))
        {
            return null;
        }
        final List<String> missing = new ArrayList<>();
        final Counters countersSample = Counters.of(counters, "NI counters", missing);
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
                node, header, contexts, channels(sram, geometry, contexts, missing), countersSample, missing);
        }
        catch (final GrimException ex)
        {
            missing.add("board cannot be read: " + ex.getMessage());
            return new BoardSample(node, null, List.of(), List.of(), countersSample, missing);
        }
    }

    private List<ChannelSample> channels(
        final AtomicBuffer sram, final BoardGeometry geometry, final List<ContextSample> contexts,
        final List<String> missing)
    {
        final Map<ContextSample, MappedFile> regions = new HashMap<>();
        try
        {
            final List<ChannelSample> channels = new ArrayList<>();
            for (int number = 0; number < geometry.channelCount(); number++)
            {
                final ContextSample context = contextOf(contexts, number);
                final ChannelSample channel =
                    ChannelSample.of(sram, geometry, number, context, region(context, regions, missing));
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

    private AtomicBuffer region(
        final ContextSample context, final Map<ContextSample, MappedFile> regions, final List<String> missing)
    {
        if (context == null)
        {
            return null;
        }
        if (!regions.containsKey(context))
        {
            regions.put(context, open(context, missing));
        }
        final MappedFile region = regions.get(context);
        return region == null ? null : region.buffer();
    }

    private MappedFile open(final ContextSample context, final List<String> missing)
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
