// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.SendStatus;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;

/**
 * The claims of messages that a link's hop can take, lent to an application one at a time. The room is the hop's, or
 * the overflow queue's; this class adds the checks and the header when the application ends its claim.
 * <p>Thread: the endpoint's owner.
 */
final class PlainClaims implements HopClaim.Publisher
{
    private final EndpointState state;
    private final Hop hop;
    private final LinkHeader header;
    private final LinkAccounting accounting;
    private final Backlog backlog;
    private int claimHandler;
    private boolean isLent;

    PlainClaims(final LinkContext link)
    {
        state = link.state();
        hop = link.hop();
        header = link.header();
        accounting = link.accounting();
        backlog = link.backlog();
    }

    /** Claims room for a message. Returns the outcome. */
    SendStatus tryClaim(final int handler, final int length, final HopClaim claim)
    {
        final SendStatus status = backlog.claim(length, claim);
        if (status.isAccepted())
        {
            claimHandler = handler;
            claim.lend(this);
            backlog.claimBegun();
            if (!isLent)
            {
                isLent = true;
                hop.lent();
            }
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
        state.requireOpen();                    // The peer may have taken the room back when this node left.
        header.write(claim, claimHandler, claim.arguments01(), claim.arguments23(), claim.length());
        claim.publishRoom();
        accounting.accepted(claim.length());
    }

    @Override
    public void abort(final HopClaim claim)
    {
        backlog.claimEnds();
        if (!state.isClosed())
        {
            claim.abortRoom();
        }
    }
}
