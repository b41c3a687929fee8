// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.DirectBuffer;
import org.grim.SendStatus;
import org.grim.endpoint.Backlog;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkAccounting;
import org.grim.endpoint.LinkContext;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.wire.LargeMessageIds;

/**
 * Sends the messages of one link that the receiver reads in this node's memory: a block of the outbox, and a notice
 * that names it. The room for the notice is claimed with the block, so that publishing cannot fail.
 * <p>Thread: the endpoint's owner. Allocates nothing.
 */
final class InPlaceSender implements HopClaim.Publisher
{
    private final LinkContext link;
    private final Hop hop;
    private final EndpointState state;
    private final LinkAccounting accounting;
    private final Backlog backlog;
    private final LargeSends sends;
    private final HopClaim room = new HopClaim();
    private boolean isPossible;
    private Outbox.Block block;
    private int claimHandler;

    InPlaceSender(final LinkContext link, final LargeSends sends)
    {
        this.link = link;
        this.sends = sends;
        state = link.state();
        hop = link.hop();
        accounting = link.accounting();
        backlog = link.backlog();
        isPossible = link.sharesMemory();
    }

    /** Sends a message; nothing has happened unless it says {@link SendStatus#SENT}. */
    SendStatus trySend(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        final SendStatus status = claimBlock(length);
        if (status == SendStatus.SENT)
        {
            block.buffer().putBytes(block.payloadIndex(), source, offset, length);
            publish(handler, arguments01, arguments23, length);
        }
        return status;
    }

    /** Claims a block and room for its notice; nothing has happened unless it says {@link SendStatus#SENT}. */
    SendStatus claim(final int handler, final int length, final HopClaim claim)
    {
        final SendStatus status = claimBlock(length);
        if (status == SendStatus.SENT)
        {
            claimHandler = handler;
            claim.claimed(this, block.buffer(), 0, block.payloadIndex(), length, 0);
            claim.lend(this);
            backlog.claimBegun();
        }
        return status;
    }

    @Override
    public void checkThread()
    {
        state.checkOwner();
    }

    @Override
    public void publish(final HopClaim claim)
    {
        backlog.claimEnds();
        state.requireOpen();
        publish(claimHandler, claim.arguments01(), claim.arguments23(), claim.length());
    }

    @Override
    public void abort(final HopClaim claim)
    {
        backlog.claimEnds();
        if (!state.isClosed())
        {
            room.abort();
        }
        sends.outbox().abort(block);
    }

    private SendStatus claimBlock(final int length)
    {
        final SendStatus status = hop.tryClaim(FragmentDescriptor.IN_PLACE_LENGTH, room);
        if (status != SendStatus.SENT)
        {
            return status;
        }
        block = sends.outbox().tryClaim(length, this);
        if (block == null || !tryOffer())
        {
            room.abort();
            return SendStatus.BACK_PRESSURED;
        }
        return SendStatus.SENT;
    }

    private void publish(final int handler, final long arguments01, final long arguments23, final int length)
    {
        link.header().write(
            room, LargeMessageIds.IN_PLACE, arguments01, arguments23, FragmentDescriptor.IN_PLACE_LENGTH);
        InPlaceWords.write(room.buffer(), room.offset(), handler, length, block.areaId(), block.blockOffset(),
            block.sequence(), sends.incarnation());
        sends.outbox().send(block);
        sends.countOutbox();
        // The release store in it covers the block, too. Partner: the acquire load in the receiver's queue.
        room.publish();
        accounting.accepted(length);
        sends.sent();
    }

    /** The hop is no more. */
    void forget()
    {
        room.forget();
    }

    /** Returns whether a message of this length, above the MTU or not, can be read in place. */
    boolean canSend(final int length)
    {
        return isPossible && sends.outbox().canHold(length);
    }

    /** The receiver cannot look at a message; false if there is none. */
    boolean onNotInPlace(final int incarnation, final int sequence)
    {
        final boolean isKnown = incarnation == sends.incarnation() && sends.outbox().release(this, sequence);
        if (isKnown)
        {
            sends.countOutbox();
            accounting.lost(1);
        }
        return isKnown;
    }

    /** The receiver is gone: it reads and writes nothing any more. */
    void onPeerGone()
    {
        sends.outbox().releaseAll(this);
        sends.countOutbox();
    }

    /** Whether the receiver is gone, asked when the link may be no more. */
    boolean isReceiverGone()
    {
        return sends.isGone(link.destination().node(), link.incarnation());
    }

    private boolean tryOffer()
    {
        isPossible = sends.tryOffer(block, link.destination().node(), link.incarnation());
        if (!isPossible)
        {
            sends.outbox().abort(block);
        }
        return isPossible;
    }
}
