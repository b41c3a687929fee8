// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.counters.NodeCounters;
import org.grim.queue.OverflowQueue;

/**
 * What all links of one endpoint share.
 *
 * @param state    of the endpoint.
 * @param counters of the node.
 * @param ceiling  of the endpoint's overflow queues.
 * @param limits   of messages.
 * @param probe    of the other nodes.
 */
public record LinkResources(
    EndpointState state, NodeCounters counters, OverflowQueue.Ceiling ceiling, MessageLimits limits,
    LivenessProbe probe)
{
    /** Shows how full the overflow queues are. */
    public void countOverflow()
    {
        counters.channel(state.id().channel()).overflowLength(ceiling.length(), ceiling.lengthMax());
    }
}
