// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.Endpoint;
import org.grim.NodeInfo;

/**
 * Sends of an endpoint, by node, whose outcome it will never learn. They outlive the links that they
 * came from, until the listener has been called.
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

    boolean hasOpen(final int node)
    {
        return undelivered[node] > 0 || unknown[node] > 0;
    }

    /** Calls the listener, once, for a node that is gone. */
    void tell(final NodeInfo node, final Endpoint.NodeGoneListener listener)
    {
        final long undeliveredCount = undelivered[node.number()];
        final long unknownCount = unknown[node.number()];
        clear(node);
        listener.onNodeGone(node, undeliveredCount, unknownCount);
    }

    /** Calls the listener, once, for a lost path to a node. */
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
