// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Path;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.transport.Membership;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.FENCED;
import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * One node's membership of a cluster: its place in the directory, and the view of everybody else's.
 * <p>Thread: any. Owns: this node's byte of the liveness file while it is a member.
 */
public final class ClusterDirectory implements Membership, AutoCloseable
{
    static final int FIRST_HANDLER = 16;

    private static final long HOLD_TIMEOUT_MS = 1_000;
    private static final long REMOVAL_CHECK_INTERVAL_MS = 500;

    private final ClusterFiles files;
    private final DirectorySegment segment;
    private final Liveness liveness;
    private final HostNetwork network;

    private int self;
    private int incarnation;
    private volatile boolean isHolding;
    private boolean isMember;
    private boolean isRemovalReported;
    private long removalCheckMs;
    private boolean isClosed;

    private ClusterDirectory(
        final ClusterFiles files, final DirectorySegment segment, final Liveness liveness, final HostNetwork network)
    {
        this.files = files;
        this.segment = segment;
        this.liveness = liveness;
        this.network = network;
    }

    /**
     * {@return the membership of a cluster whose nodes share a directory; the node is joining until {@link #up()}}
     * @param files        of the cluster; made if this is its first node.
     * @param nodeCountMax most nodes, if this node makes the directory.
     * @param description  of this node.
     * @throws GrimException if the name is taken, the cluster is full, or the files cannot be made or are not GRIM's.
     */
    public static ClusterDirectory join(
        final ClusterFiles files, final int nodeCountMax, final NodeDescription description)
    {
        return join(files, nodeCountMax, description, null);
    }

    /**
     * {@return the membership of a cluster whose nodes share a directory; the node is joining until {@link #up()}}
     * @param files        of the cluster; made if this is its first node on this host.
     * @param nodeCountMax most nodes, if this node makes the directory.
     * @param description  of this node.
     * @param network      to other hosts, of whose cluster this host is a part; null if there are none.
     * @throws GrimException if the name is taken, the cluster is full, the files cannot be made or are not GRIM's, or
     *                       the cluster of several hosts gives no number in time.
     */
    public static ClusterDirectory join(
        final ClusterFiles files, final int nodeCountMax, final NodeDescription description, final HostNetwork network)
    {
        try
        {
            return tryJoin(files, nodeCountMax, description, network);
        }
        catch (final GrimException ex)
        {
            if (network == null || !files.hasDirectory() || !DirectorySegment.isToBeMade(files))
            {
                throw ex;
            }
            // The other hosts removed this one while it had no node: it learned of that just now, and begins again.
            return tryJoin(files, nodeCountMax, description, network);
        }
    }

    @SuppressWarnings("try")            // The lock is held, not used.
    private static ClusterDirectory tryJoin(
        final ClusterFiles files, final int nodeCountMax, final NodeDescription description, final HostNetwork network)
    {
        try (JoinLock lock = JoinLock.acquire(files, network))
        {
            boolean isNew = false;
            try
            {
                isNew = DirectorySegment.isToBeMade(files);
                final DirectorySegment segment = DirectorySegment.make(files, nodeCountMax, isNew, network != null);
                return new ClusterDirectory(files, segment, segment.liveness(files, true), network)
                    .entered(description);
            }
            catch (final RuntimeException | Error ex)
            {
                files.deleteAfterFailedJoin(isNew);
                throw ex;
            }
        }
    }

    /** {@return a cluster of one node, without files} */
    public static ClusterDirectory inPrivateMemory(final NodeDescription description)
    {
        final ClusterDirectory directory = new ClusterDirectory(null, DirectorySegment.inPrivateMemory(), null, null);
        directory.enter(description);
        return directory;
    }

    /**
     * {@return a view of a cluster, without joining it; only its queries may be called}
     * @param path of the cluster's directory.
     * @throws GrimException if there is no cluster, or its files are of another version, or another user's.
     */
    public static ClusterDirectory view(final Path path)
    {
        final ClusterFiles files = new ClusterFiles(path);
        files.requireCluster();
        final DirectorySegment segment = DirectorySegment.open(files, false);
        return new ClusterDirectory(files, segment, segment.liveness(files, false), null);
    }

    /**
     * Makes the node known as up: its transports are open.
     *
     * @throws GrimException if the node was convicted meanwhile.
     */
    public void up()
    {
        requireNotFenced();
        segment.record(self).up(incarnation);
    }

    /**
     * Ends a wait of a node that is out of the cluster: nothing comes any more.
     *
     * @throws GrimException if {@link #conviction()} is there.
     */
    public void requireNotFenced()
    {
        final GrimException conviction = conviction();
        if (conviction != null)
        {
            throw conviction;
        }
    }

    /** {@return that this node {@link #isFenced()}; null unless it is} */
    public GrimException conviction()
    {
        return !isFenced() ? null : new GrimException(FENCED, "node=" + self + " incarnation=" + incarnation +
            " was convicted " + (isNetworked() ? "by the cluster's other hosts" : "by another node") +
            " although it is alive: close it and join again");
    }

    /** Returns whether the other hosts of the cluster convicted this node although it is alive; true from then on. */
    public boolean isFenced()
    {
        return isMember && !NodeRecord.isPresent(status(self));
    }

    /**
     * Looks whether this node still is where others find it, and takes again what it has lost. Bounded; some times per
     * second.
     *
     * @param epochMs now.
     * @return what was found and not reported before; null if nothing was.
     */
    public synchronized GrimException findFault(final long epochMs)
    {
        if (!isHolding)
        {
            return null;
        }
        if (liveness.restore() > 0)
        {
            return new GrimException(SYSTEM_REFUSED, "node=" + self + " had lost its lock of the file liveness in " +
                files.path() + " and has taken it again: something in this process opened that file and closed it, " +
                "which releases all locks that the process has there; a node of another process namespace that " +
                "looked meanwhile took this one for dead");
        }
        if (isRemovalReported || epochMs - removalCheckMs < REMOVAL_CHECK_INTERVAL_MS)
        {
            return null;
        }
        removalCheckMs = epochMs;
        isRemovalReported = !segment.isNamed() || !liveness.isNamed();
        return !isRemovalReported ? null : new GrimException(FENCED, "node=" + self + " is in a cluster whose files " +
            "in " + files.path() + " were removed: nodes that are linked go on, others cannot find it, and the next " +
            "node begins another cluster; close it and join again. systemd-logind removes files in /dev/shm when " +
            "their user logs out, unless the user lingers or RemoveIPC=no is set");
    }

    /**
     * Returns whether a node is on another host: nothing of it can be mapped, and its process id is another kernel's.
     *
     * @param node its number.
     * @return as its record says.
     */
    public boolean isRemote(final int node)
    {
        return segment.record(node).isRemote();
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

    /**
     * Returns why an incarnation of a node is gone.
     *
     * @param node        its number.
     * @param incarnation that was in the directory.
     * @return the reason; {@link NodeInfo.GoneReason#UNKNOWN} if several have followed.
     */
    public NodeInfo.GoneReason goneReason(final int node, final int incarnation)
    {
        return segment.record(node).goneReason(incarnation);
    }

    /** Leaves: peers see the node as gone at once. The last node to leave removes the cluster's files. */
    @Override
    public void close()
    {
        try
        {
            leave();
        }
        finally
        {
            release();
        }
    }

    /** {@return all nodes by number; those that are gone, too, unless their number was taken over} */
    public List<NodeInfo> nodes()
    {
        return segment.nodes();
    }

    /** {@return one node as the directory has it now, in any state} */
    public NodeInfo info(final int node)
    {
        return segment.record(node).info(node);
    }

    /** {@return the name of a node, for texts: with its number; "node=7" if no node has it or ever had} */
    public String label(final int node)
    {
        final String name = node < nodeCountMax() ? info(node).name() : "";
        return name.isEmpty() ? "node=" + node : "node=" + node + " name=" + name;
    }

    /**
     * {@return whether a process holds a node's byte of the liveness file, or has lost it and is alive; asks the
     * kernel. Of a node of another host, whether that host's agent says so}
     */
    public boolean isAlive(final int node)
    {
        return liveness == null || (isRemote(node) ? isPresent(node) : liveness.isAlive(node, segment.record(node)));
    }

    /** {@return whether any node of this host is alive, or its agent without a node; asks the kernel} */
    public boolean hasLive()
    {
        return liveness == null || segment.hasLive(liveness);
    }

    /** {@return whether the coordinator of several hosts assigns numbers and handler ids; as the node has learned} */
    public boolean isNetworked()
    {
        return network != null;
    }

    /** {@return what the host's agent is asked for} */
    HostRequests requests()
    {
        return segment.requests();
    }

    /** {@return a new handler id; beyond 65,535 there are none left, below 16 the counter is damaged} */
    public int nextHandlerId()
    {
        return FIRST_HANDLER + segment.nextHandler();
    }

    /** {@return who keeps the handler database, this node if nobody did; -1 while it is not up and nobody does} */
    public int keeper()
    {
        return segment.keeper(self, incarnation);
    }

    /** This node's handlers are known to the cluster. */
    public void joined()
    {
        segment.record(self).joined(incarnation);
    }

    /**
     * Returns whether a node's handlers are known to the cluster. True from its first {@link #joined()} on, for as long
     * as that incarnation is up.
     */
    public boolean hasJoined(final int node)
    {
        final NodeRecord record = segment.record(node);
        return record.status() == upStatus(record.joined());
    }

    /** Says that this node still works. */
    public void heartbeat(final long epochMs)
    {
        segment.record(self).heartbeatMs(epochMs);
    }

    /** {@return null if an endpoint's node is up and has device and channel; otherwise what is wrong, as a text} */
    public String reasonUnreachable(final EndpointId id)
    {
        return segment.reasonUnreachable(id);
    }

    /** {@return whether a device, which is no host CPU, is on a channel of a node, in any state but gone} */
    public boolean hasDevice(final EndpointId id)
    {
        return segment.hasDevice(id);
    }

    /**
     * {@return the lowest number that no device of this node has}
     * @throws GrimException if all are in use.
     */
    public int freeDevice()
    {
        for (int device = 1; device <= EndpointId.DEVICE_MAX; device++)
        {
            if (deviceState(device) == DeviceInfo.State.GONE)
            {
                return device;
            }
        }
        throw new GrimException(NO_ROOM, "this node has devices=" + EndpointId.DEVICE_MAX + ", which is the most");
    }

    /**
     * Enters a device of this node, starting: others find it from now on.
     *
     * @param id           of the device, on its first channel.
     * @param kind         of device.
     * @param channelCount channels of the device.
     */
    public void openDevice(final EndpointId id, final NodeInfo.Device kind, final int channelCount)
    {
        segment.record(self).openDevice(
            id.device(), kind, id.channel(), channelCount, DeviceInfo.State.STARTING);
    }

    /**
     * {@return the state of a device of this node}
     * @param device its number.
     */
    public DeviceInfo.State deviceState(final int device)
    {
        return segment.record(self).deviceState(device);
    }

    /** Says which state a device of this node is in. After {@link DeviceInfo.State#GONE} its number is free. */
    public void deviceState(final int device, final DeviceInfo.State state)
    {
        segment.record(self).deviceState(device, state);
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
        return NodeRecord.status(incarnationOfPeer, NodeInfo.State.UP);
    }

    @Override
    public int incarnationOf(final int status)
    {
        return NodeRecord.incarnation(status);
    }

    @Override
    public boolean isUp(final int node)
    {
        return NodeRecord.state(status(node)) == NodeInfo.State.UP;
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
        final NodeRecord record = segment.record(node);
        return node == self || (!record.isRemote() && record.host().equals(segment.record(self).host()));
    }

    /**
     * Where all transports of a node are reached from other hosts. Returns {@code transport=address}, comma between;
     * printable.
     */
    public String addresses(final int node)
    {
        return segment.record(node).addresses();
    }

    @Override
    public String address(final int node, final String transport)
    {
        final String prefix = transport + "=";
        for (final String address : segment.record(node).addresses().split(",", -1))
        {
            if (address.startsWith(prefix))
            {
                return address.substring(prefix.length());
            }
        }
        return "";
    }

    @Override
    public void publishAddress(final String transport, final String address)
    {
        final String others = segment.record(self).addresses();
        segment.record(self).addresses((others.isEmpty() ? "" : others + ",") + transport + "=" + address);
    }

    @Override
    public AtomicBuffer area(final int node, final String label)
    {
        final AtomicBuffer area = segment.area(node, label, isMember);
        if (area == null && isMember && node == self)
        {
            throw new GrimException(NO_ROOM, "cluster directory has no area left for label=" + label + ": labels=" +
                NodeRecord.AREA_COUNT + " are in use");
        }
        return area == null ? Buffers.allocate(AREA_LENGTH) : area;
    }

    @Override
    public boolean convictIfDead(final int node)
    {
        final int status = status(node);
        final NodeInfo.State state = NodeRecord.state(status);
        if (state == NodeInfo.State.GONE)
        {
            return true;
        }
        if (liveness == null || state == NodeInfo.State.FREE || (isMember && node == self) || isRemote(node))
        {
            return false;
        }
        return liveness.convictIfDead(node, segment.record(node), status);
    }

    /** Returns the state of the handler database for the next keeper. */
    HandlerLog handlerLog()
    {
        return segment.handlerLog();
    }

    private ClusterDirectory entered(final NodeDescription description)
    {
        try
        {
            if (segment.isNetworked() != (network != null))
            {
                throw new GrimException(UNAVAILABLE, "cluster directory " + files.path() + " belongs to a cluster of " +
                    (network == null ? "several hosts, and this node has no grim.network" :
                    "one host, and this node has grim.network") + ": all nodes of a host need the same");
            }
            sweep();
            if (network != null)
            {
                network.start(new HostDirectory(files, segment, liveness));
            }
            enter(description);
            return this;
        }
        finally
        {
            if (!isMember)
            {
                leaveNetwork(!segment.hasLive(liveness));
                release();
            }
        }
    }

    private void leaveNetwork(final boolean isLast)
    {
        if (network != null)
        {
            network.leave(isLast);
        }
    }

    private void release()
    {
        if (liveness != null && !isClosed)
        {
            isClosed = true;
            leaveNetwork(false);                // If the join lock was not to be had.
            if (isHolding)
            {
                liveness.letGo(self);           // Other nodes of this process may keep the file open.
            }
            liveness.close();
            segment.close();
        }
    }

    /** Convicts every node that died unnoticed and removes what it left. Only under the join lock. */
    private void sweep()
    {
        for (int node = 0; node < segment.nodeCountMax(); node++)
        {
            if (NodeRecord.state(status(node)) != NodeInfo.State.FREE && convictIfDead(node))
            {
                files.deleteOfNode(node);
            }
        }
    }

    private void enter(final NodeDescription description)
    {
        NodeRecord.requireFits(description);
        if (network == null)
        {
            self = segment.place(description.name());
            incarnation = segment.nextIncarnation(self);
        }
        else
        {
            awaitNumber(description.name());
        }
        if (liveness != null)
        {
            liveness.hold(self, HOLD_TIMEOUT_MS);
        }
        isHolding = liveness != null;
        if (NodeRecord.incarnation(status(self)) >= incarnation)
        {
            throw new GrimException(TIMED_OUT, "node=" + self + " incarnation=" + incarnation +
                " was given to this node, which did not take it in time");
        }
        segment.record(self).describe(description, ProcessIdentity.own(), System.currentTimeMillis());
        segment.record(self).statusRelease(NodeRecord.status(incarnation, NodeInfo.State.JOINING));
        isMember = true;
    }

    /** Waits for a number from the coordinator of several hosts. Only under the join lock. */
    private void awaitNumber(final String name)
    {
        final HostRequests requests = segment.requests();
        requests.awaitNumber(name, network.joinTimeoutNs());
        final int number = requests.number(HostRequests.NUMBER_SLOT);
        incarnation = requests.incarnation(HostRequests.NUMBER_SLOT);
        if (number < 0 || number >= segment.nodeCountMax() || incarnation < 1 ||
            incarnation > NodeRecord.INCARNATION_MAX)
        {
            throw new GrimException(BAD_DATA, "node name=" + name + " was given number=" + number + " max=" +
                (segment.nodeCountMax() - 1) + " incarnation=" + incarnation + " max=" + NodeRecord.INCARNATION_MAX);
        }
        self = number;
    }

    @SuppressWarnings("try")            // The lock is held, not used.
    private void leave()
    {
        if (!isMember)
        {
            return;
        }
        isMember = false;
        segment.record(self).leave(incarnation);
        if (files == null)
        {
            return;
        }
        liveness.letGo(self);           // Before the wait: who has the join lock may be taking this number over.
        isHolding = false;
        if (network != null)
        {
            network.stopFollowing();
        }
        try (JoinLock lock = JoinLock.acquire(files, network))
        {
            final boolean isOurs = segment.isNamed();
            final boolean isLast = (isOurs || !files.hasDirectory()) && !segment.hasLive(liveness);
            leaveNetwork(isLast);
            if (isOurs)                 // Otherwise the names may be another cluster's by now.
            {
                files.deleteOfIncarnation(self, incarnation);
            }
            if (isLast)
            {
                files.deleteAll();
            }
            else if (!isOurs)
            {
                files.deleteLockIfUnused();
            }
        }
    }
}
