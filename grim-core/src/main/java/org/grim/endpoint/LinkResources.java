// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.function.IntSupplier;

import org.grim.counters.NodeCounters;
import org.grim.queue.OverflowQueue;

/**
 * Objects that all links of one endpoint share.
 *
 * @param state    of the endpoint.
 * @param counters of the node.
 * @param ceiling  of the endpoint's overflow queues.
 * @param limits   of messages.
 * @param probe    of the other nodes.
 * @param poll     of the endpoint.
 * @param requests of the endpoint that have no answer yet.
 */
public record LinkResources(
    EndpointState state, NodeCounters counters, OverflowQueue.Ceiling ceiling, MessageLimits limits,
    LivenessProbe probe, IntSupplier poll, Requests requests)
{
    /** Shows how full the overflow queues are. */
    public void countOverflow()
    {
        counters.channel(state.id().channel()).overflowLength(ceiling.length(), ceiling.lengthMax());
    }
}
