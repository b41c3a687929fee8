// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.util.ArrayList;
import java.util.List;

import org.grim.NodeInfo;
import org.grim.cluster.ClusterFiles;
import org.grim.tools.observe.stall.SeenNode;

/**
 * All boards of a cluster at one look.
 *
 * @param epochMs when.
 * @param nodes   of the cluster.
 * @param boards  those that have files.
 */
public record NiSample(long epochMs, List<SeenNode> nodes, List<BoardSample> boards)
{
    /**
     * Looks.
     *
     * @param files   of the cluster.
     * @param epochMs now.
     * @param nodes   of the cluster.
     * @return what there is.
     */
    public static NiSample of(final ClusterFiles files, final long epochMs, final List<SeenNode> nodes)
    {
        final BoardSampler sampler = new BoardSampler(files);
        final List<BoardSample> boards = new ArrayList<>();
        for (final SeenNode node : nodes)
        {
            final BoardSample board = sampler.sample(node);
            if (board != null)
            {
                boards.add(board);
            }
        }
        return new NiSample(epochMs, nodes, boards);
    }

    /** {@return what could not be read; in words} */
    public List<String> missing()
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

    /** The name of a node, whoever it is. */
    String nameOf(final int number)
    {
        final SeenNode node = node(number);
        return node == null ? "node " + number : node.name();
    }

    /** A node's own channel behind an NI channel; the NI channel itself if the node has no route. */
    static int endpointChannel(final SeenNode node, final int niChannel)
    {
        return node == null || node.info().niNumber() == NodeInfo.NI_NONE ? niChannel :
            niChannel - node.info().niFirstChannel();
    }
}
