// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import org.grim.NodeInfo;

/**
 * Report of a host's agent to the other hosts about one of its nodes.
 *
 * @param info      of the node, as its host's directory has it.
 * @param hasJoined whether this incarnation's handlers are known to the cluster.
 * @param addresses of its transports: {@code transport=address}, comma between; up to 60 bytes of UTF-8.
 */
public record NodeReport(NodeInfo info, boolean hasJoined, String addresses)
{
    NodeDescription description()
    {
        return new NodeDescription(info.host(), info.name(), info.channelCount(), info.transports());
    }
}
