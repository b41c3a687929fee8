// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.SendStatus;
import org.grim.myrinet.extension.NetworkInterface;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.transport.MulticastTrees;
import org.grim.transport.Transport;
import org.grim.wire.MulticastFormat;

/**
 * Stands between a node's groups and its board. It reaches no other node; the node's multicasts pass through it to a
 * tree's root. A test may delay the root's acceptances for the node, or have the root refuse messages.
 * <p>Thread: the node's owner.
 */
final class LateTrees implements Transport, MulticastTrees
{
    private MulticastTrees board;
    private LateHop latest;
    private boolean isLateWithTrees;

    /** Steps in, before the node belongs to a group. */
    static LateTrees of(final Grim grim)
    {
        final LateTrees trees = grim.extension(LateTrees.class);
        trees.board = (MulticastTrees)grim.extension(NetworkInterface.class);
        return trees;
    }

    /** Whether the node has to wait for the outcome of what it has sent to the present root, and sends. */
    void beLate(final boolean isLate)
    {
        latest.isLate = isLate;
    }

    /** The present root takes so many messages more, and refuses those that follow. */
    void refuseAfter(final int count)
    {
        latest.room = count;
    }

    /** Whether it never learns that trees are open which it opens from now on. */
    void beLateWithTrees(final boolean isLate)
    {
        isLateWithTrees = isLate;
    }

    /** Messages that have gone to the present root. */
    long passedCount()
    {
        return latest.passedCount;
    }

    @Override
    public Hop connectTree(final int sourceChannel, final int ni, final int kind)
    {
        final LateHop hop = new LateHop(board.connectTree(sourceChannel, ni, kind));
        if (kind == MulticastFormat.DATA)
        {
            latest = hop;
        }
        hop.isLate = isLateWithTrees && kind == MulticastFormat.OPEN;
        return hop;
    }

    @Override
    public <T> T extension(final Class<T> type)
    {
        return type == LateTrees.class || (type == MulticastTrees.class && board != null) ? type.cast(this) : null;
    }

    @Override
    public String name()
    {
        return LateTreesProvider.NAME;
    }

    @Override
    public boolean reaches(final int node)
    {
        return false;
    }

    @Override
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        throw new IllegalStateException("reaches nobody");
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        throw new IllegalStateException("reaches nobody");
    }

    @Override
    public void attach(final int channel, final ArrivalQueues queues)
    {
        // Nothing arrives.
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        // Nobody wakes it.
    }

    @Override
    public int housekeep(final int channel, final long epochMs)
    {
        return 0;
    }

    @Override
    public void close()
    {
        // The board is not its own.
    }

    /** To one root. */
    private static final class LateHop implements Hop
    {
        private final Hop hop;
        private boolean isLate;
        private int room = Integer.MAX_VALUE;
        private long passedCount;
        private long settledCount;
        private long refusedCount;

        LateHop(final Hop hop)
        {
            this.hop = hop;
        }

        @Override
        public SendStatus trySend(
            final int wordOne, final long extentWords, final long arguments01, final long arguments23,
            final DirectBuffer source, final int offset, final int length)
        {
            if (room == 0)
            {
                refusedCount++;
                return SendStatus.SENT;
            }
            final SendStatus status =
                hop.trySend(wordOne, extentWords, arguments01, arguments23, source, offset, length);
            if (status == SendStatus.SENT)
            {
                passedCount++;
                room--;
            }
            return status;
        }

        @Override
        public long unknownCount()
        {
            final long openCount = hop.unknownCount();
            settledCount = isLate ? settledCount : passedCount - openCount;
            return passedCount - settledCount;
        }

        @Override
        public long undeliveredCount()
        {
            return hop.undeliveredCount() + refusedCount;
        }

        @Override
        public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
        {
            return SendStatus.BACK_PRESSURED;
        }

        @Override
        public void publish(final HopClaim claim)
        {
            throw new IllegalStateException("nothing was claimed");
        }

        @Override
        public void abort(final HopClaim claim)
        {
            throw new IllegalStateException("nothing was claimed");
        }

        @Override
        public int payloadLengthMax()
        {
            return hop.payloadLengthMax();
        }

        @Override
        public boolean isPeerGone()
        {
            return hop.isPeerGone();
        }

        @Override
        public void close()
        {
            hop.close();
        }
    }
}
