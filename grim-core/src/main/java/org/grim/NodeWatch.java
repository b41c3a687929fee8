// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;

import org.grim.cluster.ClusterDirectory;

/**
 * Notices, for one endpoint, that nodes are gone: asks the kernel about some of them each time, and compares what the
 * directory says of all with what it said before.
 * <p>Thread: the endpoint's owner.
 */
final class NodeWatch
{
    private static final int PROBE_COUNT_MAX = 64;

    private final ClusterDirectory directory;
    private final int[] statusSeen;
    private int nextNode;

    NodeWatch(final ClusterDirectory directory)
    {
        this.directory = directory;
        statusSeen = new int[directory.nodeCountMax()];
        for (int node = 0; node < statusSeen.length; node++)
        {
            statusSeen[node] = directory.status(node);
        }
    }

    /** Has the kernel say which nodes live. About a microsecond for each that is up; the others cost a load. */
    void probe()
    {
        int probeCount = 0;
        for (int i = statusSeen.length; i > 0 && probeCount < PROBE_COUNT_MAX; i--)
        {
            nextNode = nextNode + 1 >= statusSeen.length ? 0 : nextNode + 1;
            if (directory.isUp(nextNode))
            {
                directory.convictIfDead(nextNode);
                probeCount++;
            }
        }
    }

    int upCount()
    {
        int count = 0;
        for (int node = 0; node < statusSeen.length; node++)
        {
            count += directory.isUp(node) ? 1 : 0;
        }
        return count;
    }

    /**
     * Settles the accounts with every node that went since the last call, and tells the listener.
     *
     * @return nodes that went.
     */
    int settle(final List<EndpointLink> links, final NodeGoneListener listener)
    {
        int count = 0;
        for (int node = 0; node < statusSeen.length; node++)
        {
            final int before = statusSeen[node];
            final int now = directory.status(node);
            if (before != now)
            {
                statusSeen[node] = now;
                if (before == directory.upStatus(directory.incarnationOf(before)))
                {
                    settle(node, links, listener);
                    count++;
                }
            }
        }
        return count;
    }

    private void settle(final int node, final List<EndpointLink> links, final NodeGoneListener listener)
    {
        long undelivered = 0;
        long unknown = 0;
        for (int i = 0; i < links.size(); i++)
        {
            final EndpointLink link = links.get(i);
            if (link.destination().node() == node && link.isPeerGone())
            {
                unknown += link.unknownCount();
                undelivered += link.giveUp();
            }
        }
        if (node != directory.self())
        {
            listener.onNodeGone(directory.info(node), undelivered, unknown);
        }
    }
}
