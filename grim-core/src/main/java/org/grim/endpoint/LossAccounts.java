// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.Endpoint;
import org.grim.NodeInfo;

/**
 * What an endpoint had sent to nodes, by number, and will never learn the outcome of. It outlives the links that it
 * came from, until the listener has been told.
 * <p>Thread: the endpoint's owner.
 */
final class LossAccounts
{
    private final long[] undelivered;
    private final long[] unknown;

    LossAccounts(final int nodeCountMax)
    {
        undelivered = new long[nodeCountMax];
        unknown = new long[nodeCountMax];
    }

    void add(final int node, final long undeliveredCount, final long unknownCount)
    {
        undelivered[node] += undeliveredCount;
        unknown[node] += unknownCount;
    }

    boolean isOwed(final int node)
    {
        return undelivered[node] > 0 || unknown[node] > 0;
    }

    /** Tells the listener, once, that a node is gone. */
    void tell(final NodeInfo node, final Endpoint.NodeGoneListener listener)
    {
        final long undeliveredCount = undelivered[node.number()];
        final long unknownCount = unknown[node.number()];
        clear(node);
        listener.onNodeGone(node, undeliveredCount, unknownCount);
    }

    /** Tells the listener, once, that the way to a node was lost. */
    void reportPathLost(final NodeInfo node, final Endpoint.NodeGoneListener listener)
    {
        final long undeliveredCount = undelivered[node.number()];
        final long unknownCount = unknown[node.number()];
        clear(node);
        listener.onPathLost(node, undeliveredCount, unknownCount);
    }

    private void clear(final NodeInfo node)
    {
        undelivered[node.number()] = 0;
        unknown[node.number()] = 0;
    }
}
