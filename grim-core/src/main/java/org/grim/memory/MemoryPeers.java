// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
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
 * it is used. Nobody else has a view of a peer's memory, so the end of the last use unmaps it (decision 20).
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
        // Asked after the incarnation was read: if the path is not gone now, it leads to that one.
        final InitiatorLine initiator = hop.isPeerGone() ? null : InitiatorLine.tryAttach(space.directory(), owner);
        if (initiator == null)
        {
            release(peer);
            throw hop.isPeerGone() ?
                new GrimException(UNREACHABLE, "memory of node=" + node + " cannot be reached: the node is gone") :
                noInitiator(space, node);
        }
        return new DirectHop(space, initiator, new LocalSide(own.space(), owner), membership.statusAddress(node),
            membership.upStatus(incarnation), hop::wakeReceiver, () -> release(peer));
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

    /**
     * Begins to read a peer's memory where it stands.
     *
     * @param node the peer, on this host.
     * @return the reader.
     * @throws GrimException if the memory cannot be reached; the text says why.
     */
    public Reader reader(final int node)
    {
        final PeerSpace peer = acquire(node, membership.incarnationOf(membership.status(node)));
        final InitiatorLine initiator = InitiatorLine.tryAttach(
            peer.space().directory(), QueueOwner.of(membership.self(), 0, membership.incarnation()));
        if (initiator == null)
        {
            release(peer);
            throw noInitiator(peer.space(), node);
        }
        return new Reader(peer.space().physicalLookup(), initiator, () -> release(peer));
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

    /**
     * Reads the registered memory of a node on this host where it stands. Bytes that were found are not given to
     * another region until {@link #end()}; whether their owner changes them is for others to settle.
     * <p>Thread: one at a time. Allocates nothing unless an arena came. Owns: a line in the node's memory directory,
     * and a use of the mapping, until {@link #close()}.
     */
    public static final class Reader implements AutoCloseable
    {
        private final Lookup lookup;
        private final InitiatorLine initiator;
        private final Runnable onClosed;
        private boolean isClosed;

        Reader(final Lookup lookup, final InitiatorLine initiator, final Runnable onClosed)
        {
            this.lookup = lookup;
            this.initiator = initiator;
            this.onClosed = onClosed;
        }

        /**
         * Finds bytes that peers may read.
         *
         * @param address physical address of the first, not checked; see {@link NodeMemory#readableAddress}.
         * @param length  1 or more.
         * @return true if they are there, from {@link #index()} of {@link #buffer()} on: {@link #end()} follows.
         */
        public boolean tryBegin(final long address, final int length)
        {
            initiator.begin();
            final boolean isFound = !InitiatorLine.isWrapping(address, length) &&
                lookup.find(address, length, Lookup.READ) == null;
            if (!isFound)
            {
                initiator.end();
            }
            return isFound;
        }

        /** {@return memory with the bytes that were found} */
        public DirectBuffer buffer()
        {
            return lookup.buffer();
        }

        /** {@return the first of them in it} */
        public int index()
        {
            return lookup.index();
        }

        /** Ends a read, after the last access to what was found. */
        public void end()
        {
            initiator.end();
        }

        /** Does nothing the second time. */
        @Override
        public void close()
        {
            if (!isClosed)
            {
                isClosed = true;
                initiator.close();
                onClosed.run();
            }
        }
    }
}
