// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Path;
import java.util.BitSet;

import org.agrona.collections.IntObjConsumer;
import org.grim.NodeInfo;
import org.grim.NodeInfo.GoneReason;
import org.grim.NodeInfo.State;
import org.grim.transport.NodeFiles;

/**
 * A host's directory, as its agent sees it: reads what the nodes of this host say of themselves, writes the records of
 * the other hosts' nodes and the names of handlers, answers requests.
 * <p>Thread: the agent's, which holds the role; {@link #tryTakeAgentRole()} any.
 */
public final class HostDirectory
{
    private final ClusterFiles files;
    private final DirectorySegment segment;
    private final Liveness liveness;
    private final HandlerLog handlerLog;

    HostDirectory(final ClusterFiles files, final DirectorySegment segment, final Liveness liveness)
    {
        this.files = files;
        this.segment = segment;
        this.liveness = liveness;
        handlerLog = segment.handlerLog();
    }

    /** {@return most nodes of the cluster} */
    public int nodeCountMax()
    {
        return segment.nodeCountMax();
    }

    /** {@return the incarnation of a node whose number was never used in this cluster} */
    public int firstIncarnation()
    {
        return segment.firstIncarnation();
    }

    /** {@return whether the directory's files were removed: others cannot find this host's nodes any more} */
    public boolean isRemoved()
    {
        return !segment.isNamed() || !liveness.isNamed();
    }

    /** {@return the file that the agent keeps for its successor} */
    public Path registry()
    {
        return files.registry();
    }

    /** {@return what that file is written to before it is replaced as a whole} */
    public Path temporaryRegistry()
    {
        return files.temporaryRegistry();
    }

    /** {@return where the agent's socket is} */
    public Path agentSocket()
    {
        return files.agent();
    }

    /**
     * Where the counters of a node of this host are. Returns the file of its latest incarnation, which may not be
     * there.
     */
    public Path counters(final int node)
    {
        return files.ofNode(node, NodeRecord.incarnation(segment.record(node).status()), "counters");
    }

    /** {@return where the files of this host's nodes stand} */
    public NodeFiles nodeFiles()
    {
        return files::ofNode;
    }

    /**
     * Takes the agent's role, if no process holds it. The kernel releases it when the process dies. Returns whether
     * this process runs the agent from now on.
     */
    public boolean tryTakeAgentRole()
    {
        return liveness.tryHold(agentRoleOffset(segment));
    }

    /** Releases the agent's role. */
    public void leaveAgentRole()
    {
        liveness.letGo(agentRoleOffset(segment));
    }

    /** {@return what nodes of this host ask for} */
    public HostRequests requests()
    {
        return segment.requests();
    }

    /**
     * Returns a number that changes with a node's record: its status, whether its handlers are known, and its devices;
     * 0 if the node number was never used.
     */
    public long version(final int node)
    {
        final NodeRecord record = segment.record(node);
        return ((long)record.joined() << Integer.SIZE | record.status()) + record.devicesVersion();
    }

    /**
     * Returns whether a record is one of this host's: its node runs here, or ran here last. False also for a number
     * that was never used.
     */
    public boolean isLocal(final int node)
    {
        final NodeRecord record = segment.record(node);
        return NodeRecord.state(record.status()) != State.FREE && !record.isRemote();
    }

    /**
     * Reads a record.
     *
     * @param node its number.
     * @return what it says now.
     */
    public NodeReport report(final int node)
    {
        return segment.record(node).report(node);
    }

    /** Asks the kernel whether a node of this host is alive, and marks it as gone if not. */
    public void convictIfDead(final int node)
    {
        final NodeRecord record = segment.record(node);
        final int status = record.status();
        if (NodeRecord.isPresent(status) && !record.isRemote())
        {
            liveness.convictIfDead(node, record, status);
        }
    }

    /**
     * Writes what another host said of a node, unless that is older than what stands here.
     *
     * @param report of the node.
     * @throws IllegalArgumentException if it does not fit a record; nothing was written.
     */
    public void apply(final NodeReport report)
    {
        final NodeInfo info = report.info();
        final NodeRecord record = segment.record(info.number());
        final int status = record.status();
        final int incarnation = NodeRecord.incarnation(status);
        if (info.incarnation() > incarnation)
        {
            record.describe(report);
            record.statusRelease(NodeRecord.status(info.incarnation(), State.JOINING));
        }
        else if (info.incarnation() < incarnation || NodeRecord.state(status) == State.GONE || !record.isRemote())
        {
            return;
        }
        record.heartbeatMs(info.heartbeatMs());
        record.devices(info.devices());
        if (info.state() == State.UP && NodeRecord.state(record.status()) != State.UP)
        {
            record.addresses(report.addresses());           // Known since the node is up.
            record.up(info.incarnation());
        }
        if (report.hasJoined())
        {
            record.joined(info.incarnation());
        }
        if (info.state() == State.GONE)
        {
            convict(info.number(), info.goneReason());
        }
    }

    /** Marks a node of another host as gone, for a reason. */
    public void convict(final int node, final GoneReason reason)
    {
        final NodeRecord record = segment.record(node);
        final int status = record.status();
        if (NodeRecord.isPresent(status) && record.isRemote())
        {
            record.tryConvict(status, reason);
        }
    }

    /**
     * Marks a node of this host as gone, although it may live: for the other hosts it is gone already.
     *
     * @param node        its number.
     * @param incarnation the latest that is gone.
     */
    public void convictLocal(final int node, final int incarnation)
    {
        final NodeRecord record = segment.record(node);
        final int status = record.status();
        if (NodeRecord.isPresent(status) && !record.isRemote() && NodeRecord.incarnation(status) <= incarnation)
        {
            record.tryConvict(status, GoneReason.FENCED);
        }
    }

    /** Marks an incarnation as gone whose number was given to a node of this host that never took it: it died. */
    public void expire(final NodeReport report)
    {
        final NodeInfo info = report.info();
        final NodeRecord record = segment.record(info.number());
        liveness.runIfFree(info.number(), () ->
        {
            final boolean isNewer = NodeRecord.incarnation(record.status()) < info.incarnation();
            if (isNewer)
            {
                record.describe(
                    report.description(), ProcessIdentity.ofNumber(info.processId()), info.heartbeatMs());
                record.statusRelease(NodeRecord.goneStatus(info.incarnation(), GoneReason.DIED));
            }
            return isNewer;
        });
    }

    /** Reads the names of handlers that stand in the directory; once, before any is added. */
    public void readHandlers(final IntObjConsumer<String> consumer)
    {
        handlerLog.read(consumer);
    }

    /**
     * Adds a handler's name.
     *
     * @param name not there yet.
     * @param id   of it.
     * @throws org.grim.GrimException   if there is no room for it.
     * @throws IllegalArgumentException if the name is too long or empty.
     */
    public void addHandler(final String name, final int id)
    {
        handlerLog.requireRoom(name);
        handlerLog.append(name, id);
    }

    /**
     * Checks that a name can be added.
     *
     * @param name of a handler.
     * @throws org.grim.GrimException   if there is no room for it.
     * @throws IllegalArgumentException if the name is too long or empty.
     */
    public void requireRoom(final String name)
    {
        handlerLog.requireRoom(name);
    }

    /**
     * Ends this directory: the rest of the cluster convicted this host, or it met another cluster. All nodes in it are
     * gone, those of this host, too, although they are alive: they learn of it. The next node makes a new directory.
     * Returns whether a node of this host was alive.
     */
    public boolean fence()
    {
        segment.fence();                    // Before the states: who sees himself gone may join again at once.
        final BitSet hit = new BitSet();
        for (int node = 0; node < segment.nodeCountMax(); node++)
        {
            final NodeRecord record = segment.record(node);
            final int status = record.status();
            if (NodeRecord.isPresent(status) &&
                record.tryConvict(status, record.isRemote() ? GoneReason.UNREACHABLE : GoneReason.FENCED))
            {
                hit.set(node, !record.isRemote());
            }
        }
        return hit.stream().anyMatch(node -> liveness.isAlive(node, segment.record(node)));     // Last: it may throw.
    }

    /** The agent's byte of the liveness file: behind those of all nodes. */
    static int agentRoleOffset(final DirectorySegment segment)
    {
        return segment.nodeCountMax();
    }

    /** The byte of an agent that runs without a node, as long as its process is there. */
    static int process(final DirectorySegment segment)
    {
        return segment.nodeCountMax() + 1;
    }
}
