// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.grim.Endpoint;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterDirectory;
import org.grim.loop.NotificationTable;

/**
 * Notices, for one endpoint, that nodes are gone: compares what the directory says with what it said before.
 * <p>Thread: the endpoint's owner.
 */
public final class NodeWatch
{
    private static final long SHARED_QUEUES_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterDirectory directory;
    private final int[] statusSeen;
    private final NodeInfo[] infoSeen;
    private final int[] upReported;         // Latest incarnation that the listener knows as available.
    private final int[] reported;           // Latest incarnation that is noted as gone.
    private final ArrayDeque<LossAccounts.Death> deaths = new ArrayDeque<>();

    /** Notes who is there now. */
    public NodeWatch(final ClusterDirectory directory)
    {
        this.directory = directory;
        statusSeen = new int[directory.nodeCountMax()];
        infoSeen = new NodeInfo[statusSeen.length];
        upReported = new int[statusSeen.length];
        reported = new int[statusSeen.length];
        for (int node = 0; node < statusSeen.length; node++)
        {
            statusSeen[node] = directory.status(node);
            infoSeen[node] = statusSeen[node] == 0 ? null : directory.info(node);
            reported[node] = directory.latestUpBefore(node, statusSeen[node]);
        }
    }

    /**
     * Settles the accounts with every node that went since the last call, and calls the listener, once its messages
     * that had arrived were handled. Queues that it shared with others are waited for within a bounded time, as these
     * may fill them for ever.
     *
     * @param links    of the endpoint.
     * @param arrivals of the endpoint.
     * @param listener of the application.
     * @param nowNs    of {@link System#nanoTime()}.
     * @return the number of nodes that went and of calls of the listener.
     */
    public int settle(
        final LinkTable links, final NotificationTable arrivals, final Endpoint.NodeGoneListener listener,
        final long nowNs)
    {
        int count = 0;
        for (int node = 0; node < statusSeen.length; node++)
        {
            final int before = statusSeen[node];
            final int now = directory.status(node);
            // A thread that is in a shared link at this moment may keep its account back until the next time.
            if (before != now && trySettle(node, links))
            {
                count += follow(node, before, now, links.accounts(), nowNs) ? 1 : 0;
            }
        }
        return count + callListener(arrivals, listener, nowNs) + settleLostPaths(links, listener);
    }

    /** The next listener knows no node as available. */
    public void forgetUp()
    {
        Arrays.fill(upReported, 0);
    }

    /**
     * Reports nodes that have become available, if all that was before them is reported.
     *
     * @param listener of the application; not reported again to it.
     * @return nodes reported.
     */
    public int reportUp(final Consumer<NodeInfo> listener)
    {
        int count = 0;
        for (int node = 0; node < statusSeen.length; node++)
        {
            final int incarnation = directory.incarnationOf(statusSeen[node]);
            if (upReported[node] != incarnation && node != directory.self() && isAsSeen(node) &&
                directory.hasJoined(node) && !isDying(node))
            {
                upReported[node] = incarnation;
                listener.accept(infoSeen[node]);
                count++;
            }
        }
        return count;
    }

    private boolean isDying(final int node)
    {
        for (final LossAccounts.Death death : deaths)
        {
            if (death.node().number() == node)
            {
                return true;
            }
        }
        return false;
    }

    /** Calls the listener in the order of the deaths, so that those of one number are reported in order. */
    private int callListener(
        final NotificationTable arrivals, final Endpoint.NodeGoneListener listener, final long nowNs)
    {
        int count = 0;
        for (int i = deaths.size(); i > 0; i--)
        {
            final LossAccounts.Death death = deaths.remove();
            final int node = death.node().number();
            if (directory.incarnationOf(statusSeen[node]) != death.node().incarnation() ||       // It has a successor.
                arrivals.isSilent(node, death.deadlineNs() - nowNs <= 0))
            {
                listener.onNodeGone(death.node(), death.account().undelivered(), death.account().unknown());
                count++;
            }
            else
            {
                deaths.add(death);
            }
        }
        return count;
    }

    /** Reports what was lost on paths that ended before their node did: a hop has gone. */
    private int settleLostPaths(final LinkTable links, final Endpoint.NodeGoneListener listener)
    {
        links.trySettle(this::isAsSeen);
        final LossAccounts accounts = links.accounts();
        int count = 0;
        for (LossAccounts.Account lost = accounts.takeFirst(this::isOfSeen); lost != null;
            lost = accounts.takeFirst(this::isOfSeen))
        {
            listener.onPathLost(infoSeen[lost.node()], lost.undelivered(), lost.unknown());
            count++;
        }
        return count;
    }

    private boolean isOfSeen(final LossAccounts.Account account)
    {
        return isAsSeen(account.node()) && directory.incarnationOf(statusSeen[account.node()]) == account.incarnation();
    }

    private static boolean trySettle(final int node, final LinkTable links)
    {
        return links.trySettle(other -> other == node);
    }

    /** Returns whether a node is as last seen; if not, it has gone, and {@link #follow} has not reported it yet. */
    private boolean isAsSeen(final int node)
    {
        return directory.status(node) == statusSeen[node] && directory.isUp(node);
    }

    private boolean follow(
        final int node, final int before, final int now, final LossAccounts accounts, final long nowNs)
    {
        final NodeInfo infoBefore = infoSeen[node];
        final NodeInfo infoNow = directory.info(node);
        statusSeen[node] = now;
        infoSeen[node] = infoNow;
        if (node == directory.self())
        {
            return false;
        }
        final int incarnationBefore = directory.incarnationOf(before);
        final boolean wasUp = before == directory.upStatus(incarnationBefore);
        if (wasUp)
        {
            note(infoBefore, incarnationBefore, accounts, nowNs);
        }
        // Not up when last seen: it may have come, been sent to and gone since; so may others before it.
        final int between = directory.latestUpBefore(node, now);
        for (final int incarnation : accounts.openBetween(node, reported[node], between))
        {
            note(infoNow, incarnation, accounts, nowNs);
        }
        final boolean isUnreported = between > reported[node];
        if (isUnreported)
        {
            note(between == incarnationBefore ? infoBefore : infoNow, between, accounts, nowNs);
        }
        return wasUp || isUnreported;
    }

    /** A node as it was, but gone: its number may be another's by now. */
    private void note(
        final NodeInfo node, final int incarnation, final LossAccounts accounts, final long nowNs)
    {
        reported[node.number()] = incarnation;
        final NodeInfo.GoneReason reason = directory.goneReason(node.number(), incarnation);
        final NodeInfo gone = new NodeInfo(node.number(), node.name(), NodeInfo.State.GONE, incarnation,
            node.processId(), node.channelCount(), node.transports(), node.devices(), node.heartbeatMs(), node.host(),
            reason == NodeInfo.GoneReason.NONE ? NodeInfo.GoneReason.UNKNOWN : reason);     // A record may be damaged.
        deaths.add(new LossAccounts.Death(
            gone, accounts.take(node.number(), incarnation), nowNs + SHARED_QUEUES_WAIT_NS));
    }
}
