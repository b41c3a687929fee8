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

    /** Takes the accounts with a node that is gone. */
    Death take(final NodeInfo node, final long deadlineNs)
    {
        final Death death = new Death(
            node, undelivered[node.number()], unknown[node.number()], deadlineNs);
        clear(node);
        return death;
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

    /**
     * A death that the listener does not know yet.
     *
     * @param node        as it was.
     * @param undelivered messages to it.
     * @param unknown     of messages to it, those without a known outcome.
     * @param deadlineNs  of {@link System#nanoTime()}, when shared queues are waited for no longer.
     */
    record Death(NodeInfo node, long undelivered, long unknown, long deadlineNs)
    {
    }
}
