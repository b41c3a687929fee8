// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * The directory's memory: a file that all nodes of the cluster map, or memory of one node's own.
 * <pre>
 *  +----------------+ 0
 *  | segment header |
 *  | node count max |                      creator writes
 *  | several hosts  |                      creator writes; the host's agent, when the host is fenced
 *  | first incarnation |                   creator writes: of each number's first node
 *  | next handler   |                      all get-and-add
 *  | keeper         |                      who takes over, by CAS: node (32) | incarnation (32)
 *  | labels         |                      all by CAS: whose the areas of node records are, 8 ASCII characters each
 *  +----------------+ NODES_OFFSET
 *  | node records   |
 *  +----------------+
 *  | handler log    |                      keeper writes: see {@link HandlerLog}
 *  +----------------+
 *  | requests       |                      to the host's agent: see {@link HostRequests}
 *  +----------------+
 * </pre>
 * <p>Thread: any.
 */
final class DirectorySegment implements AutoCloseable
{
    private static final long MAGIC = SegmentHeader.magic("GRIMDIRY");
    private static final int NODE_COUNT_MAX_OFFSET = SegmentHeader.LENGTH;                           // u32
    private static final int NETWORKED_OFFSET = NODE_COUNT_MAX_OFFSET + BitUtil.SIZE_OF_INT;                 // u32
    private static final int FIRST_INCARNATION_OFFSET = NETWORKED_OFFSET + BitUtil.SIZE_OF_INT;              // u32
    private static final int NEXT_HANDLER_OFFSET = NODE_COUNT_MAX_OFFSET + Buffers.CACHE_LINE_LENGTH;        // u32
    private static final int KEEPER_OFFSET = NEXT_HANDLER_OFFSET + BitUtil.SIZE_OF_LONG;              // u64
    private static final int SINGLE_HOST = 0;
    private static final int SEVERAL_HOSTS = 1;
    private static final int FENCED = 2;
    /** Greatest incarnation of a first node; at least half remain for the nodes that follow. */
    private static final int FIRST_INCARNATION_MAX = NodeRecord.INCARNATION_MAX / 2;
    private static final int LABELS_OFFSET = NEXT_HANDLER_OFFSET + Buffers.CACHE_LINE_LENGTH;         // 4 x u64
    private static final int LABEL_LENGTH_MAX = BitUtil.SIZE_OF_LONG;
    private static final int NODES_OFFSET = LABELS_OFFSET + Buffers.CACHE_LINE_LENGTH;

    private final MappedFile file;
    private final AtomicBuffer buffer;
    private final NodeRecord[] records;
    private final HostRequests requests;

    private DirectorySegment(final MappedFile file, final AtomicBuffer buffer)
    {
        this.file = file;
        this.buffer = buffer;
        final int nodeCountMax = buffer.getInt(NODE_COUNT_MAX_OFFSET);
        if (nodeCountMax < 1 || nodeCountMax > EndpointId.NODE_MAX + 1 || lengthOf(nodeCountMax) != buffer.capacity())
        {
            throw new GrimException(BAD_DATA,
                "cluster directory is corrupt: nodes=" + nodeCountMax + " do not fit length=" +
                buffer.capacity() + " bytes");
        }
        records = new NodeRecord[nodeCountMax];
        for (int node = 0; node < nodeCountMax; node++)
        {
            records[node] = new NodeRecord(buffer, NODES_OFFSET + node * NodeRecord.LENGTH);
        }
        requests = new HostRequests(buffer, lengthOf(nodeCountMax) - HostRequests.LENGTH);
    }

    /** Makes the file of a new cluster. */
    private static DirectorySegment create(final ClusterFiles files, final int nodeCountMax, final boolean isNetworked)
    {
        final MappedFile file = MappedFile.create(files.directory(), lengthOf(nodeCountMax));
        try
        {
            initialise(files.directoryMemory(file), nodeCountMax, isNetworked,
                ThreadLocalRandom.current().nextInt(FIRST_INCARNATION_MAX) + 1);
            file.publish();
        }
        catch (final RuntimeException | Error ex)
        {
            file.closeAndDelete();
            throw ex;
        }
        return of(files, file);
    }

    /**
     * Returns whether the next member makes the directory: there is none, or the liveness file was removed, or its host
     * was fenced. Only under the join lock.
     */
    static boolean isToBeMade(final ClusterFiles files)
    {
        if (!files.hasDirectory())
        {
            return true;
        }
        try (DirectorySegment segment = open(files, false))
        {
            return segment.isFenced() || !files.hasLiveness();
        }
    }

    /** Makes the directory, or maps the one that is there. Only under the join lock. */
    static DirectorySegment make(
        final ClusterFiles files, final int nodeCountMax, final boolean isNew, final boolean isNetworked)
    {
        files.deleteTemporary();
        if (isNew)
        {
            files.deleteCluster();          // Its nodes are gone, or have mapped all that they need.
        }
        return isNew ? create(files, nodeCountMax, isNetworked) : open(files, true);
    }

    /** Maps the file of a cluster that exists. */
    static DirectorySegment open(final ClusterFiles files, final boolean isWritten)
    {
        return of(files, MappedFile.open(files.directory(), MAGIC, lengthOf(1), isWritten));
    }

    /** The directory of a cluster of one node. */
    static DirectorySegment inPrivateMemory()
    {
        final AtomicBuffer memory = Buffers.allocate(lengthOf(1));
        initialise(memory, 1, false, 1);
        return new DirectorySegment(null, memory);
    }

    /** Opens the liveness file that belongs to this one. If that fails, this one is closed. */
    Liveness liveness(final ClusterFiles files, final boolean isMade)
    {
        try
        {
            return Liveness.open(files.liveness(), isMade);
        }
        catch (final RuntimeException | Error ex)
        {
            close();
            throw ex;
        }
    }

    /** Returns whether the cluster's directory still is this file, and not one that was made again. */
    boolean isNamed()
    {
        return file != null && file.identity().isNamed();
    }

    /** The incarnation of a node whose number was never used in this cluster. */
    int firstIncarnation()
    {
        return Math.max(1, Math.min(FIRST_INCARNATION_MAX, buffer.getInt(FIRST_INCARNATION_OFFSET)));    // A peer's.
    }

    int nodeCountMax()
    {
        return records.length;
    }

    NodeRecord record(final int node)
    {
        return records[node];
    }

    /** All nodes that were ever here and whose number was not taken over, by number. */
    List<NodeInfo> nodes()
    {
        final List<NodeInfo> nodes = new ArrayList<>();
        for (int node = 0; node < records.length; node++)
        {
            if (NodeRecord.state(records[node].status()) != NodeInfo.State.FREE)
            {
                nodes.add(records[node].info(node));
            }
        }
        return nodes;
    }

    /** The node of a name that is joining or up; -1 if there is none. */
    int find(final String name)
    {
        for (int node = 0; node < records.length; node++)
        {
            if (NodeRecord.isPresent(records[node].status()) && records[node].name().equals(name))
            {
                return node;
            }
        }
        return -1;
    }

    /** Whether any node of this host that is joining or up is alive, or an agent without a node. */
    boolean hasLive(final Liveness liveness)
    {
        for (int node = 0; node < records.length; node++)
        {
            if (NodeRecord.isPresent(records[node].status()) && !records[node].isRemote() &&
                liveness.isAlive(node, records[node]))
            {
                return true;
            }
        }
        return isNetworked() && liveness.isHeld(HostDirectory.process(this));
    }

    /** Why an endpoint cannot be sent to, for an error's text; null if it can. */
    String reasonUnreachable(final EndpointId id)
    {
        if (id.node() >= records.length)
        {
            return "node=" + id.node() + " exceeds max=" + (records.length - 1);
        }
        final NodeRecord record = records[id.node()];
        final NodeInfo.State state = NodeRecord.state(record.status());
        if (state != NodeInfo.State.UP)
        {
            return "node=" + id.node() + " is " + (state == NodeInfo.State.FREE ? "unknown" : state);
        }
        if (id.device() != 0 && !hasDevice(id))
        {
            final DeviceInfo device = record.device(id.node(), id.device());
            return "node=" + id.node() + (device == null ? " has no device=" + id.device() :
                " has device=" + id.device() + " on channel=" + device.endpoint().channel() + " and " +
                (device.channelCount() - 1) + " behind it, not on channel=" + id.channel());
        }
        return id.channel() >= record.channelCount() ?
            "channel=" + id.channel() + " exceeds max=" + (record.channelCount() - 1) + " of node=" + id.node() : null;
    }

    /** Whether a node has a device on a channel, in any state. */
    boolean hasDevice(final EndpointId id)
    {
        final DeviceInfo device = records[id.node()].device(id.node(), id.device());
        final int index = device == null ? -1 : id.channel() - device.endpoint().channel();
        return index >= 0 && index < device.channelCount();
    }

    /**
     * Returns the keeper of the handler database: a node that asks takes it over if it is up and there is no keeper; -1
     * for none.
     */
    int keeper(final int asking, final int incarnation)
    {
        final long word = buffer.getLongVolatile(KEEPER_OFFSET);
        final int node = (int)(word >>> Integer.SIZE);
        if (word != 0 && node >= 0 && node < records.length &&
            records[node].status() == NodeRecord.status((int)word, NodeInfo.State.UP))
        {
            return node;
        }
        return NodeRecord.state(records[asking].status()) == NodeInfo.State.UP && buffer.compareAndSetLong(
            KEEPER_OFFSET, word, (long)asking << Integer.SIZE | incarnation) ? asking : -1;
    }

    /**
     * An area of a node's record by its label.
     *
     * @param node      its number.
     * @param label     of the area.
     * @param isWritten whether a label that is new in the cluster gets an area.
     * @return the area; null if the label has none.
     */
    AtomicBuffer area(final int node, final String label, final boolean isWritten)
    {
        final long word = labelWord(label);
        for (int i = 0; i < NodeRecord.AREA_COUNT; i++)
        {
            final int offset = LABELS_OFFSET + i * BitUtil.SIZE_OF_LONG;
            if (isWritten && buffer.getLongVolatile(offset) == 0)
            {
                buffer.compareAndSetLong(offset, 0, word);          // Another node's label may be first.
            }
            if (buffer.getLongVolatile(offset) == word)
            {
                return records[node].area(i);
            }
        }
        return null;
    }

    int nextHandler()
    {
        return buffer.getAndAddInt(NEXT_HANDLER_OFFSET, 1);
    }

    /** {@return a view of the log, which must be read before it is written} */
    HandlerLog handlerLog()
    {
        return new HandlerLog(buffer, NODES_OFFSET + records.length * NodeRecord.LENGTH);
    }

    /** {@return whether the cluster has several hosts, whose coordinator assigns numbers and handler ids} */
    boolean isNetworked()
    {
        return buffer.getInt(NETWORKED_OFFSET) != SINGLE_HOST;
    }

    /** {@return whether nobody may join any more, by {@link #fence()}} */
    boolean isFenced()
    {
        return buffer.getIntAcquire(NETWORKED_OFFSET) == FENCED;               // partner: fence()
    }

    void fence()
    {
        buffer.putIntRelease(NETWORKED_OFFSET, FENCED);                        // partner: isFenced()
    }

    HostRequests requests()
    {
        return requests;
    }

    /** The number that a node of this name had before, else one never used, else that of a node that is gone. */
    int place(final String name)
    {
        int same = -1;
        int free = -1;
        int gone = -1;
        for (int node = 0; node < records.length; node++)
        {
            final NodeInfo.State state = NodeRecord.state(records[node].status());
            final boolean isNamesake = state != NodeInfo.State.FREE && records[node].name().equals(name);
            if (isNamesake && state != NodeInfo.State.GONE)
            {
                throw new GrimException(NAME_TAKEN,
                    "node name=" + name + " is taken by live node=" + node + " (process " +
                    records[node].info(node).processId() + "): set grim.node.name to another");
            }
            same = isNamesake && same < 0 ? node : same;
            free = state == NodeInfo.State.FREE && free < 0 ? node : free;
            gone = state == NodeInfo.State.GONE && gone < 0 ? node : gone;
        }
        if (same >= 0)
        {
            return same;            // After all were seen: who died while it joined may have left a live one's name.
        }
        if (free < 0 && gone < 0)
        {
            throw new GrimException(NO_ROOM,
                "cluster is full: live nodes=" + records.length + " max=" + records.length +
                " (grim.cluster.nodes-max of the node that made it)");
        }
        return free >= 0 ? free : gone;
    }

    /** The incarnation of a node that takes a number. */
    int nextIncarnation(final int node)
    {
        final int latest = NodeRecord.incarnation(records[node].status());
        if (latest == NodeRecord.INCARNATION_MAX)
        {
            throw new GrimException(NO_ROOM, "node=" + node + " has had incarnations=" + latest +
                ", the maximum: start the cluster again");
        }
        return latest == 0 ? firstIncarnation() : latest + 1;
    }

    @Override
    public void close()
    {
        if (file != null)
        {
            file.close();
        }
    }

    private static DirectorySegment of(final ClusterFiles files, final MappedFile file)
    {
        try
        {
            return new DirectorySegment(file, files.directoryMemory(file));
        }
        catch (final RuntimeException | Error ex)
        {
            file.close();
            throw ex;
        }
    }

    private static void initialise(
        final AtomicBuffer memory, final int nodeCountMax, final boolean isNetworked, final int firstIncarnation)
    {
        memory.putInt(NODE_COUNT_MAX_OFFSET, nodeCountMax);
        memory.putInt(NETWORKED_OFFSET, isNetworked ? SEVERAL_HOSTS : SINGLE_HOST);
        memory.putInt(FIRST_INCARNATION_OFFSET, firstIncarnation);
        SegmentHeader.complete(memory, MAGIC);
    }

    private static long labelWord(final String label)
    {
        if (label.isEmpty() || label.length() > LABEL_LENGTH_MAX ||
            label.chars().anyMatch(each -> each == 0 || each > Byte.MAX_VALUE))
        {
            throw new IllegalArgumentException(
                "label of an area=" + label + " is not of 1 to " + LABEL_LENGTH_MAX + " ASCII characters");
        }
        return label.chars().asLongStream().reduce(0, (word, each) -> word << Byte.SIZE | each);
    }

    private static int lengthOf(final int nodeCountMax)
    {
        return NODES_OFFSET + nodeCountMax * NodeRecord.LENGTH + HandlerLog.LENGTH + HostRequests.LENGTH;
    }
}
