// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.NodeState;
import org.grim.transport.Membership;

/**
 * One node's membership of a cluster: its place in the directory, and the view of everybody else's.
 * <p>Thread: any. Owns: this node's byte of the liveness file while it is a member.
 */
public final class ClusterDirectory implements Membership, AutoCloseable
{
    static final int FIRST_HANDLER = 16;

    private static final long LOCK_TIMEOUT_MS = 10_000;
    private static final long HOLD_TIMEOUT_MS = 1_000;

    private final ClusterFiles files;
    private final DirectorySegment segment;
    private final Liveness liveness;

    private int self;
    private int incarnation;
    private boolean isMember;
    private boolean isClosed;

    private ClusterDirectory(final ClusterFiles files, final DirectorySegment segment, final Liveness liveness)
    {
        this.files = files;
        this.segment = segment;
        this.liveness = liveness;
    }

    /**
     * Joins a cluster whose nodes share a directory in the file system. The node is joining until {@link #up()}.
     *
     * @param files        of the cluster; made if this is its first node.
     * @param nodeCountMax most nodes, if this node makes the directory.
     * @param description  of this node.
     * @return the membership.
     * @throws GrimException if the name is taken, the cluster is full, or the files cannot be made or are not GRIM's.
     */
    @SuppressWarnings("try")            // The lock is held, not used.
    public static ClusterDirectory join(
        final ClusterFiles files, final int nodeCountMax, final NodeDescription description)
    {
        try (JoinLock lock = JoinLock.acquire(files, LOCK_TIMEOUT_MS))
        {
            files.deleteTemporary();
            final boolean isNew = !Files.exists(files.directory());
            ClusterDirectory directory = null;
            try
            {
                directory = enterFiles(files, isNew ? DirectorySegment.create(files, nodeCountMax) :
                    DirectorySegment.open(files, true), description);
                return directory;
            }
            finally
            {
                if (directory == null)
                {
                    files.deleteAfterFailedJoin(isNew);
                }
            }
        }
    }

    /**
     * {@return a cluster of one node, without files}
     * @param description of the node.
     */
    public static ClusterDirectory inPrivateMemory(final NodeDescription description)
    {
        final ClusterDirectory directory = new ClusterDirectory(null, DirectorySegment.inPrivateMemory(), null);
        directory.enter(description);
        return directory;
    }

    /**
     * {@return a view of a cluster, without joining it; only its queries may be called}
     * @param path of the cluster's directory.
     * @throws GrimException if there is no cluster, or its files are of another version.
     */
    public static ClusterDirectory view(final Path path)
    {
        final ClusterFiles files = new ClusterFiles(path);
        if (!Files.exists(files.directory()))
        {
            throw new GrimException("no cluster at " + files.path() + ": no node has joined there");
        }
        return new ClusterDirectory(files, DirectorySegment.open(files, false), Liveness.open(files.liveness(), false));
    }

    /** Makes the node known as up: its transports are open. */
    public void up()
    {
        segment.record(self).up(incarnation);
    }

    /**
     * {@return the latest incarnation that was up before a status of its node, and is no more; 0 if none}
     * @param node   its number.
     * @param status as {@link #status} said.
     */
    public int latestUpBefore(final int node, final int status)
    {
        return segment.record(node).latestUpBefore(status);
    }

    /** Leaves: peers see the node as gone at once. The last node to leave removes the cluster's files. */
    @Override
    public void close()
    {
        if (isMember)
        {
            isMember = false;
            segment.record(self).statusRelease(NodeRecord.status(incarnation, NodeState.GONE));
            if (files != null)
            {
                leaveFiles();
            }
        }
        else if (liveness != null && !isClosed)         // A view.
        {
            liveness.close();
            segment.close();
        }
        isClosed = true;
    }

    /** {@return all nodes by number; those that are gone, too, unless their number was taken over} */
    public List<NodeInfo> nodes()
    {
        return segment.nodes();
    }

    /**
     * {@return one node as the directory has it now, whatever its state}
     * @param node its number.
     */
    public NodeInfo info(final int node)
    {
        return segment.record(node).info(node);
    }

    /**
     * {@return whether a process holds a node's byte of the liveness file; asks the kernel}
     * @param node its number.
     */
    public boolean isAlive(final int node)
    {
        return liveness == null || liveness.isAlive(node);
    }

    /** {@return a new handler id; beyond 65,535 there are none left, below 16 somebody scribbled over the counter} */
    public int nextHandlerId()
    {
        return FIRST_HANDLER + segment.nextHandler();
    }

    /** {@return who keeps the handler database, this node if nobody did; -1 while it is not up and nobody does} */
    public int keeper()
    {
        final long word = segment.keeper();
        final int node = (int)(word >>> Integer.SIZE);
        if (word != 0 && node >= 0 && node < segment.nodeCountMax() && status(node) == upStatus((int)word))
        {
            return node;
        }
        return isUp(self) && segment.tryKeeper(word, self, incarnation) ? self : -1;
    }

    /**
     * Says that this node still works.
     *
     * @param epochMs now.
     */
    public void heartbeat(final long epochMs)
    {
        segment.record(self).heartbeatMs(epochMs);
    }

    /**
     * {@return null if an endpoint's node is up and has device and channel; otherwise what is wrong, as a text}
     * @param id of the endpoint.
     */
    public String reasonUnreachable(final EndpointId id)
    {
        return segment.reasonUnreachable(id);
    }

    @Override
    public int self()
    {
        return self;
    }

    @Override
    public int incarnation()
    {
        return incarnation;
    }

    @Override
    public int nodeCountMax()
    {
        return segment.nodeCountMax();
    }

    @Override
    public int status(final int node)
    {
        return segment.record(node).status();
    }

    @Override
    public long statusAddress(final int node)
    {
        return segment.record(node).statusAddress();
    }

    @Override
    public int upStatus(final int incarnationOfPeer)
    {
        return NodeRecord.status(incarnationOfPeer, NodeState.UP);
    }

    @Override
    public int incarnationOf(final int status)
    {
        return NodeRecord.incarnation(status);
    }

    @Override
    public boolean isUp(final int node)
    {
        return NodeRecord.state(status(node)) == NodeState.UP;
    }

    @Override
    public boolean isPresent(final int node)
    {
        return NodeRecord.isPresent(status(node));
    }

    @Override
    public boolean hasTransport(final int node, final String transport)
    {
        return segment.record(node).hasTransport(transport);
    }

    @Override
    public int find(final String name)
    {
        return segment.find(name);
    }

    @Override
    public boolean isSameHost(final int node)
    {
        return node == self || segment.record(node).host().equals(segment.record(self).host());
    }

    @Override
    public int niRoute(final int node)
    {
        return segment.record(node).niRoute();
    }

    @Override
    public int niIncarnation(final int node)
    {
        return segment.record(node).niIncarnation();
    }

    @Override
    public int niArrivalCountMax(final int node)
    {
        return segment.record(node).niArrivalCountMax();
    }

    @Override
    public int niReplyLengthMax(final int node)
    {
        return segment.record(node).niReplyLengthMax();
    }

    @Override
    public void publishNiReplyLengthMax(final int length)
    {
        segment.record(self).niReplyLengthMax(length);
    }

    @Override
    public void publishNiRoute(final int route, final int niIncarnation, final int arrivalCountMax)
    {
        segment.record(self).niRoute(route, niIncarnation, arrivalCountMax);
    }

    @Override
    public boolean convictIfDead(final int node)
    {
        final int status = status(node);
        final NodeState state = NodeRecord.state(status);
        if (state == NodeState.GONE)
        {
            return true;
        }
        if (liveness == null || state == NodeState.FREE || (isMember && node == self))
        {
            return false;
        }
        final int gone = NodeRecord.status(NodeRecord.incarnation(status), NodeState.GONE);
        return liveness.runIfDead(node, () -> segment.record(node).tryStatus(status, gone));
    }

    /** What keepers of the handler database leave to the next one. */
    HandlerLog handlerLog()
    {
        return segment.handlerLog();
    }

    private static ClusterDirectory enterFiles(
        final ClusterFiles files, final DirectorySegment segment, final NodeDescription description)
    {
        final Liveness liveness = Liveness.open(files.liveness(), true);
        try
        {
            final ClusterDirectory directory = new ClusterDirectory(files, segment, liveness);
            directory.sweep();
            directory.enter(description);
            return directory;
        }
        catch (final RuntimeException ex)
        {
            liveness.close();
            segment.close();
            throw ex;
        }
    }

    /** Convicts every node that died unnoticed and removes what it left. Only under the join lock. */
    private void sweep()
    {
        for (int node = 0; node < segment.nodeCountMax(); node++)
        {
            if (NodeRecord.state(status(node)) != NodeState.FREE && convictIfDead(node))
            {
                files.deleteOfNode(node);
            }
        }
    }

    private void enter(final NodeDescription description)
    {
        NodeRecord.requireFits(description);
        self = segment.place(description.name());
        incarnation = NodeRecord.incarnation(status(self)) + 1;
        if (incarnation > NodeRecord.INCARNATION_MAX)
        {
            throw new GrimException("node=" + self + " has had incarnations=" + NodeRecord.INCARNATION_MAX +
                ", the maximum: start the cluster anew");
        }
        if (liveness != null)
        {
            liveness.hold(self, HOLD_TIMEOUT_MS);
        }
        segment.record(self).describe(description, ProcessHandle.current().pid(), System.currentTimeMillis());
        segment.record(self).statusRelease(NodeRecord.status(incarnation, NodeState.JOINING));
        isMember = true;
    }

    @SuppressWarnings("try")            // The lock is held, not used.
    private void leaveFiles()
    {
        liveness.letGo(self);           // Before the wait: who has the join lock may be taking this number over.
        try (JoinLock lock = JoinLock.acquire(files, LOCK_TIMEOUT_MS))
        {
            final boolean isOurs = segment.isNamed(files);
            final boolean isLast = isOurs ? !segment.hasLive(liveness::isAlive) : !Files.exists(files.directory());
            if (isOurs)                 // Else the names may be another cluster's by now, begun while this node waited.
            {
                files.deleteOfIncarnation(self, incarnation);
            }
            liveness.close();
            segment.close();
            if (isLast)
            {
                files.deleteAll();
            }
        }
    }
}
