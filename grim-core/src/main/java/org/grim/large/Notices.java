// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.errors.DistinctErrorLog;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.cluster.ClusterDirectory;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkTable;
import org.grim.wire.FlowKey;
import org.grim.wire.LargeMessageIds;

/**
 * Answers to parts of long messages that could not be sent yet. They go past the overflow queues: what waits there may
 * wait for such an answer of the peer, which may wait for ours.
 * <p>Thread: the endpoint's owner. Bounds: {@value #COUNT_PER_NODE_MAX} for each node; what a peer asks beyond is not
 * answered. Allocates only while more answers wait than ever before.
 */
final class Notices
{
    /** For a notice to whichever incarnation of the node there is. */
    static final int ANY_INCARNATION = -1;

    private static final int COUNT_PER_NODE_MAX = 4096;

    private final EndpointState state;
    private final Unanswerable unanswerable;
    private final LinkTable links;
    private final ClusterDirectory directory;
    private final DistinctErrorLog errorLog;
    private final int[] countByNode;
    private final List<Notice> waiting = new ArrayList<>();
    private final List<Notice> free = new ArrayList<>();

    /** One answer that waits to be sent. */
    private static final class Notice
    {
        private int id;
        private long flowKey;
        private int incarnation;
        private long arguments01;
        private long arguments23;
        private boolean isPaused;                   // No path could be made: until retry()
    }

    /** Learns that nobody is there to be granted a transfer. */
    @FunctionalInterface
    interface Unanswerable
    {
        void onUnanswerable(long flowKey, long name);
    }

    Notices(
        final EndpointState state, final Unanswerable unanswerable, final LinkTable links,
        final ClusterDirectory directory, final DistinctErrorLog errorLog)
    {
        this.errorLog = errorLog;
        this.state = state;
        this.unanswerable = unanswerable;
        this.links = links;
        this.directory = directory;
        countByNode = new int[directory.nodeCountMax()];
    }

    /**
     * Answers, now or later, the endpoint at which a path begins.
     *
     * @param incarnation of that endpoint's node; nobody else gets the answer.
     */
    void add(final int id, final long flowKey, final int incarnation, final long arguments01, final long arguments23)
    {
        final Notice notice = free.isEmpty() ? new Notice() : free.remove(free.size() - 1);
        notice.id = id;
        notice.flowKey = flowKey;
        notice.incarnation = incarnation;
        notice.arguments01 = arguments01;
        notice.arguments23 = arguments23;
        notice.isPaused = false;
        if (countByNode[FlowKey.sourceNode(flowKey)] < COUNT_PER_NODE_MAX && !trySend(notice))
        {
            waiting.add(notice);
            countByNode[FlowKey.sourceNode(flowKey)]++;
            state.noticesWaiting(notice.isPaused ? 0 : 1);
        }
        else
        {
            free.add(notice);
        }
    }

    /** Sends what there is room for. */
    int flush()
    {
        int count = 0;
        for (int i = waiting.size() - 1; i >= 0; i--)
        {
            final Notice notice = waiting.get(i);
            if (notice.isPaused)
            {
                continue;
            }
            final boolean isOver = trySend(notice);
            if (isOver)
            {
                waiting.set(i, waiting.get(waiting.size() - 1));
                waiting.remove(waiting.size() - 1);
                countByNode[FlowKey.sourceNode(notice.flowKey)]--;
                free.add(notice);
                count++;
            }
            state.noticesWaiting(isOver || notice.isPaused ? -1 : 0);
        }
        return count;
    }

    /**
     * Has those go once more to which no path could be made: each attempt may cost a connection. Until then the
     * endpoint may sleep.
     */
    void retry()
    {
        for (int i = 0; i < waiting.size(); i++)
        {
            final Notice notice = waiting.get(i);
            state.noticesWaiting(notice.isPaused ? 1 : 0);
            notice.isPaused = false;
        }
    }

    /** False if it cannot be sent now; true also if nobody is there to be answered. */
    private boolean trySend(final Notice notice)
    {
        if (!isAddresseeUp(notice))
        {
            giveUp(notice);
            return true;
        }
        try
        {
            final EndpointLink link = linkFor(notice);
            SendStatus status = send(link, notice);
            if (status == SendStatus.PEER_GONE)
            {
                // The link led to an incarnation before, or its path was lost; the node is up: there is another one.
                status = send(linkFor(notice), notice);
            }
            notice.isPaused = status == SendStatus.PEER_GONE;
            return !notice.isPaused && status != SendStatus.BACK_PRESSURED;
        }
        catch (final GrimException ex)
        {
            // The peer has no room for one more sender now, or the path needs what this host has not got now.
            errorLog.record(ex);
            notice.isPaused = true;
            return false;
        }
    }

    private boolean isAddresseeUp(final Notice notice)
    {
        final int node = FlowKey.sourceNode(notice.flowKey);
        return notice.incarnation == ANY_INCARNATION ? directory.isUp(node) :
            directory.status(node) == directory.upStatus(notice.incarnation);
    }

    /** Gives up a notice. Only a grant names a transfer that comes to this node; other answers may have its number. */
    private void giveUp(final Notice notice)
    {
        if (notice.id == LargeMessageIds.GRANT)
        {
            unanswerable.onUnanswerable(notice.flowKey, notice.arguments01);
        }
    }

    private static SendStatus send(final EndpointLink link, final Notice notice)
    {
        return link.trySendNotice(notice.id, notice.arguments01, notice.arguments23);
    }

    private EndpointLink linkFor(final Notice notice)
    {
        return links.getBack(FlowKey.channelTo(notice.flowKey), FlowKey.sourceKey(notice.flowKey));
    }
}
