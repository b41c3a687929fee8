// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;

import org.grim.NodeInfo;

/**
 * Report of a host's agent to the other hosts about one of its nodes.
 *
 * @param info      of the node, as its host's directory has it.
 * @param hasJoined whether this incarnation's handlers are known to the cluster.
 * @param addresses of its transports: {@code transport=address}, comma between; up to 60 bytes of UTF-8.
 * @param ends      last statuses of earlier incarnations of the number, in no order; 0 for none.
 */
public record NodeReport(NodeInfo info, boolean hasJoined, String addresses, List<Integer> ends)
{
    /** Most ends in a report. */
    public static final int END_COUNT_MAX = NodeRecord.END_COUNT;

    /**
     * Makes a report of a node without earlier incarnations.
     *
     * @param info      of the node.
     * @param hasJoined whether its handlers are known to the cluster.
     * @param addresses of its transports.
     */
    public NodeReport(final NodeInfo info, final boolean hasJoined, final String addresses)
    {
        this(info, hasJoined, addresses, List.of());
    }

    NodeDescription description()
    {
        return new NodeDescription(info.host(), info.name(), info.channelCount(), info.transports());
    }
}
