// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.DirectBuffer;
import org.grim.SendStatus;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.Membership;

/** The path of the messages to a node, of which remote memory asks one thing: whether the node is gone. Thread: one. */
record PathToNode(Membership membership, int node, int status) implements Hop
{
    PathToNode(final Membership membership, final int node)
    {
        this(membership, node, membership.status(node));
    }

    @Override
    public boolean isPeerGone()
    {
        return membership.status(node) != status;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
    {
        return SendStatus.CLOSED;
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        return SendStatus.CLOSED;
    }

    @Override
    public int payloadLengthMax()
    {
        return 0;
    }

    @Override
    public long unknownCount()
    {
        return 0;
    }

    @Override
    public void close()
    {
        throw new UnsupportedOperationException("the link closes its path");
    }

    @Override
    public void publish(final HopClaim claim)
    {
        throw new UnsupportedOperationException("no claim was given");
    }

    @Override
    public void abort(final HopClaim claim)
    {
        throw new UnsupportedOperationException("no claim was given");
    }
}
