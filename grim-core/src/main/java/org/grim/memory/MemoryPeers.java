// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;
import org.grim.queue.QueueOwner;
import org.grim.transport.Hop;
import org.grim.transport.HostRegions;
import org.grim.transport.Membership;
import org.grim.transport.MemoryHop;
import org.grim.transport.NodeFiles;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * The memory of the nodes on this host that this process reaches: its own, and each peer's mapped once, for as long as
 * somebody uses it. Nobody else has a view of a peer's memory, so the end of the last use unmaps it (decision 20).
 * <p>Thread: any; a link's half is closed when no thread is in it. Owns: the mappings.
 */
public final class MemoryPeers implements HostRegions, AutoCloseable
{
    private final NodeMemory own;
    private final Membership membership;
    private final NodeFiles paths;               // null if nodes have no files
    private final List<PeerSpace> open = new ArrayList<>();

    /**
     * Begins with nothing mapped.
     *
     * @param own        memory of this node.
     * @param membership of this node.
     * @param paths      of files of nodes, or null if this node is alone.
     */
    public MemoryPeers(final NodeMemory own, final Membership membership, final NodeFiles paths)
    {
        this.own = own;
        this.membership = membership;
        this.paths = paths;
    }

    @Override
    public MemoryHop connect(final int sourceChannel, final int node, final Hop hop)
    {
        final int incarnation = membership.incarnationOf(membership.status(node));
        final PeerSpace peer = node == membership.self() ? null : acquire(node, incarnation);
        final NodeMemory.Space space = peer == null ? own.space() : peer.space();
        final long owner = QueueOwner.of(membership.self(), sourceChannel, membership.incarnation());
        // Asked after the incarnation was read: if the way is not gone now, it leads to that one.
        final InitiatorLine initiator = hop.isPeerGone() ? null : InitiatorLine.tryAttach(space.directory(), owner);
        if (initiator == null)
        {
            release(peer);
            throw hop.isPeerGone() ?
                new GrimException(UNREACHABLE, "memory of node=" + node + " cannot be reached: the node is gone") :
                noInitiator(space, node);
        }
        return new DirectHop(space, initiator, new LocalSide(own.space(), owner), membership.statusAddress(node),
            membership.upStatus(incarnation), () -> release(peer));
    }

    @Override
    public OwnRegions own(final int channel)
    {
        final LocalSide local = new LocalSide(
            own.space(), QueueOwner.of(membership.self(), channel, membership.incarnation()));
        if (!local.tryAttach())
        {
            throw noInitiator(own.space(), membership.self());
        }
        return local;
    }

    /** Lets go of everything; threads may still be inside. */
    @Override
    public synchronized void close()
    {
        open.forEach(PeerSpace::close);
        open.clear();
    }

    private static GrimException noInitiator(final NodeMemory.Space space, final int node)
    {
        return new GrimException(NO_ROOM, "memory of node=" + node + " cannot be reached: all initiators are in use, " +
            "grim.memory.initiators-max=" + space.directory().layout().initiatorCountMax() + " of that node");
    }

    private synchronized PeerSpace acquire(final int node, final int incarnation)
    {
        for (final PeerSpace peer : open)
        {
            if (peer.is(node, incarnation))
            {
                peer.used();
                return peer;
            }
        }
        if (paths == null)
        {
            throw new GrimException(UNREACHABLE, "memory of node=" + node + " cannot be reached: this node is alone");
        }
        final PeerSpace peer = PeerSpace.open(paths, node, incarnation);
        open.add(peer);
        return peer;
    }

    private synchronized void release(final PeerSpace peer)
    {
        if (peer != null && peer.unused() && open.remove(peer))
        {
            peer.unmap();
        }
    }
}
