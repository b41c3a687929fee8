// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.NodeState;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.transport.Membership;

/**
 * One node's membership of a cluster: its place in the directory, and the view of everybody else's.
 * <pre>
 *  +----------------+ 0
 *  | segment header |
 *  | node count max |                      creator writes
 *  | next handler   |                      all get-and-add
 *  +----------------+ NODES_OFFSET
 *  | node records   |
 *  +----------------+
 * </pre>
 * <p>Thread: any. Owns: this node's byte of the liveness file while it is a member.
 */
public final class ClusterDirectory implements Membership, AutoCloseable
{
    private static final long MAGIC = SegmentHeader.magic("GRIMDIRY");
    private static final int NODE_COUNT_MAX_OFFSET = SegmentHeader.LENGTH;                           // u32
    private static final int NEXT_HANDLER_OFFSET = NODE_COUNT_MAX_OFFSET + Buffers.CACHE_LINE_LENGTH;        // u32
    private static final int NODES_OFFSET = NEXT_HANDLER_OFFSET + Buffers.CACHE_LINE_LENGTH;
    private static final int FIRST_HANDLER = 16;
    private static final long LOCK_TIMEOUT_MS = 10_000;
    private static final long HOLD_TIMEOUT_MS = 1_000;

    private final ClusterFiles files;
    private final MappedFile file;
    private final AtomicBuffer buffer;
    private final Liveness liveness;
    private final NodeRecord[] records;

    private int self;
    private int incarnation;
    private boolean isMember;
    private boolean isClosed;

    private ClusterDirectory(
        final ClusterFiles files, final MappedFile file, final AtomicBuffer buffer, final Liveness liveness)
    {
        this.files = files;
        this.file = file;
        this.buffer = buffer;
        this.liveness = liveness;
        final int nodeCountMax = buffer.getInt(NODE_COUNT_MAX_OFFSET);
        if (nodeCountMax < 1 || nodeCountMax > EndpointId.NODE_MAX + 1 || lengthOf(nodeCountMax) != buffer.capacity())
        {
            throw new GrimException("cluster directory is corrupt: nodes=" + nodeCountMax + " do not fit length=" +
                buffer.capacity() + " bytes");
        }
        records = new NodeRecord[nodeCountMax];
        for (int node = 0; node < nodeCountMax; node++)
        {
            records[node] = new NodeRecord(buffer, NODES_OFFSET + node * NodeRecord.LENGTH);
        }
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
                directory = enterFiles(files, isNew ? create(files, nodeCountMax) : open(files, true), description);
                return directory;
            }
            finally
            {
                if (directory == null)
                {
                    cleanUp(files, isNew);
                }
            }
        }
    }

    /**
     * A cluster of one node, without files.
     *
     * @param description of the node.
     * @return the membership.
     */
    public static ClusterDirectory inPrivateMemory(final NodeDescription description)
    {
        final AtomicBuffer memory = Buffers.allocate(lengthOf(1));
        initialise(memory, 1);
        final ClusterDirectory directory = new ClusterDirectory(null, null, memory, null);
        directory.enter(description);
        return directory;
    }

    /**
     * Looks at a cluster without joining it.
     *
     * @param path of the cluster's directory.
     * @return a view; only its queries may be called.
     * @throws GrimException if there is no cluster, or its files are of another version.
     */
    public static ClusterDirectory view(final Path path)
    {
        final ClusterFiles files = new ClusterFiles(path);
        if (!Files.exists(files.directory()))
        {
            throw new GrimException("no cluster at " + files.path() + ": no node has joined there");
        }
        return new ClusterDirectory(files, null, open(files, false).buffer(), Liveness.open(files.liveness()));
    }

    /** Makes the node known as up: its transports are open. */
    public void up()
    {
        records[self].statusRelease(NodeRecord.status(incarnation, NodeState.UP));
    }

    /** Leaves: peers see the node as gone at once. The last node to leave removes the cluster's files. */
    @Override
    public void close()
    {
        if (isMember)
        {
            isMember = false;
            records[self].statusRelease(NodeRecord.status(incarnation, NodeState.GONE));
            if (files != null)
            {
                leaveFiles();
            }
        }
        else if (liveness != null && !isClosed)
        {
            liveness.close();
        }
        isClosed = true;
    }

    /**
     * All nodes that were ever here and whose number was not taken over.
     *
     * @return by number; those that are gone included.
     */
    public List<NodeInfo> nodes()
    {
        final List<NodeInfo> nodes = new ArrayList<>();
        for (int node = 0; node < records.length; node++)
        {
            if (NodeRecord.state(records[node].status()) != NodeState.FREE)
            {
                nodes.add(records[node].info(node));
            }
        }
        return nodes;
    }

    /**
     * Asks the kernel about a node, and changes nothing.
     *
     * @param node its number.
     * @return true if a process holds the node's byte of the liveness file.
     */
    public boolean isAlive(final int node)
    {
        return liveness == null || liveness.isAlive(node);
    }

    /**
     * Takes a handler id that no node of the cluster has had.
     *
     * @return 16 or more; beyond 65,535 there are none left.
     */
    public int nextHandlerId()
    {
        return FIRST_HANDLER + buffer.getAndAddInt(NEXT_HANDLER_OFFSET, 1);
    }

    /**
     * Says that this node still works.
     *
     * @param epochMs now.
     */
    public void heartbeat(final long epochMs)
    {
        records[self].heartbeatMs(epochMs);
    }

    /**
     * Tells whether a name of an endpoint means something now.
     *
     * @param id of the endpoint.
     * @return null if its node is up and has the device and channel; otherwise what is wrong, for an error's text.
     */
    public String reasonUnreachable(final EndpointId id)
    {
        if (id.node() >= records.length)
        {
            return "node=" + id.node() + " exceeds max=" + (records.length - 1);
        }
        final NodeRecord record = records[id.node()];
        final NodeState state = NodeRecord.state(record.status());
        if (state != NodeState.UP)
        {
            return "node=" + id.node() + " is " + (state == NodeState.FREE ? "unknown" : state);
        }
        if (!record.hasDevice(id.device()))
        {
            return "node=" + id.node() + " has no device=" + id.device();
        }
        return id.channel() >= record.channelCount() ?
            "channel=" + id.channel() + " exceeds max=" + (record.channelCount() - 1) + " of node=" + id.node() : null;
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
        return records.length;
    }

    @Override
    public int status(final int node)
    {
        return records[node].status();
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
    public boolean hasTransport(final int node, final String transport)
    {
        return records[node].hasTransport(transport);
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
        return liveness.runIfDead(node, () -> records[node].tryStatus(status, gone));
    }

    private static ClusterDirectory enterFiles(
        final ClusterFiles files, final MappedFile file, final NodeDescription description)
    {
        final Liveness liveness = Liveness.open(files.liveness());
        try
        {
            final ClusterDirectory directory = new ClusterDirectory(files, file, file.buffer(), liveness);
            directory.sweep();
            directory.enter(description);
            return directory;
        }
        catch (final RuntimeException ex)
        {
            liveness.close();
            file.close();
            throw ex;
        }
    }

    /** After a join that failed: what it made goes, what was there stays. Removing the lock's file is safe: see there. */
    private static void cleanUp(final ClusterFiles files, final boolean isNew)
    {
        if (isNew)
        {
            files.deleteAll();
        }
        else if (!Files.exists(files.liveness()))
        {
            MappedFile.delete(files.lock());
        }
    }

    private static MappedFile create(final ClusterFiles files, final int nodeCountMax)
    {
        final MappedFile file = MappedFile.create(files.directory(), lengthOf(nodeCountMax));
        initialise(file.buffer(), nodeCountMax);
        file.publish();
        return file;
    }

    private static MappedFile open(final ClusterFiles files, final boolean isWritten)
    {
        return MappedFile.open(files.directory(), MAGIC, lengthOf(1), isWritten);
    }

    private static void initialise(final AtomicBuffer memory, final int nodeCountMax)
    {
        memory.putInt(NODE_COUNT_MAX_OFFSET, nodeCountMax);
        SegmentHeader.complete(memory, MAGIC);
    }

    private static int lengthOf(final int nodeCountMax)
    {
        return NODES_OFFSET + nodeCountMax * NodeRecord.LENGTH;
    }

    /** Convicts every node that died unnoticed and removes what it left. Only under the join lock. */
    private void sweep()
    {
        for (int node = 0; node < records.length; node++)
        {
            if (NodeRecord.state(status(node)) != NodeState.FREE && convictIfDead(node))
            {
                files.deleteOfNode(node);
            }
        }
    }

    private void enter(final NodeDescription description)
    {
        self = place(description.name());
        incarnation = NodeRecord.incarnation(status(self)) + 1;
        if (incarnation > NodeRecord.INCARNATION_MAX)
        {
            throw new GrimException("node=" + self + " has had incarnations=" + NodeRecord.INCARNATION_MAX +
                ", the maximum: start the cluster anew");
        }
        if (liveness != null)
        {
            hold();
        }
        records[self].describe(description, ProcessHandle.current().pid(), System.currentTimeMillis());
        records[self].statusRelease(NodeRecord.status(incarnation, NodeState.JOINING));
        isMember = true;
    }

    /** The number that a node of this name had before, else one never used, else that of a node that is gone. */
    private int place(final String name)
    {
        int free = -1;
        int gone = -1;
        for (int node = 0; node < records.length; node++)
        {
            final NodeState state = NodeRecord.state(status(node));
            if (state == NodeState.FREE)
            {
                free = free < 0 ? node : free;
            }
            else if (records[node].name().equals(name))
            {
                if (state != NodeState.GONE)
                {
                    throw new GrimException("node name=" + name + " is taken by live node=" + node + " (process " +
                        records[node].info(node).processId() + "): set grim.node.name to another");
                }
                return node;
            }
            else if (state == NodeState.GONE)
            {
                gone = gone < 0 ? node : gone;
            }
        }
        if (free < 0 && gone < 0)
        {
            throw new GrimException("cluster is full: live nodes=" + records.length + " max=" + records.length +
                " (grim.cluster.nodes-max of the node that made it)");
        }
        return free >= 0 ? free : gone;
    }

    /** Takes this node's byte; somebody who probes it may hold it for microseconds. */
    private void hold()
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HOLD_TIMEOUT_MS);
        while (!liveness.tryHold(self))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException("byte=" + self + " of " + files.liveness() + " is held by another process: " +
                    "waited=" + HOLD_TIMEOUT_MS + " ms");
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
        }
    }

    @SuppressWarnings("try")            // The lock is held, not used.
    private void leaveFiles()
    {
        try (JoinLock lock = JoinLock.acquire(files, LOCK_TIMEOUT_MS))
        {
            liveness.letGo(self);
            files.deleteOfNode(self);
            final boolean isEmpty = isEmpty();
            liveness.close();
            file.close();
            if (isEmpty)
            {
                files.deleteAll();
            }
        }
    }

    private boolean isEmpty()
    {
        for (int node = 0; node < records.length; node++)
        {
            final NodeState state = NodeRecord.state(status(node));
            if ((state == NodeState.UP || state == NodeState.JOINING) && liveness.isAlive(node))
            {
                return false;
            }
        }
        return true;
    }
}
