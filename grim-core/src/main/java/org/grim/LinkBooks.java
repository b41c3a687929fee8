// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.grim.counters.ChannelCounters;
import org.grim.queue.OverflowQueue;
import org.grim.transport.Hop;

/**
 * What became of the messages of one link: counts them, and gives account when the way has ended.
 * <p>Thread: as its link.
 */
final class LinkBooks
{
    private final Endpoint endpoint;
    private final EndpointId destination;
    private final Hop hop;
    private final ChannelCounters counters;
    private final OverflowQueue overflow;
    private LargeLink large;
    private boolean isUsable = true;
    private boolean isSettled;
    private long undeliveredCount;

    LinkBooks(
        final Endpoint endpoint, final EndpointId destination, final Hop hop, final ChannelCounters counters,
        final OverflowQueue overflow)
    {
        this.endpoint = endpoint;
        this.destination = destination;
        this.hop = hop;
        this.counters = counters;
        this.overflow = overflow;
    }

    /** The link's long messages; null for a shared link. */
    void large(final LargeLink newLarge)
    {
        large = newLarge;
    }

    /** False after the hop said that nothing can go this way any more. */
    boolean isUsable()
    {
        return isUsable;
    }

    boolean isClosed()
    {
        return endpoint.isClosed();
    }

    /** Refuses to publish what was claimed before the node left. */
    void requireOpen()
    {
        endpoint.requireOpen();
    }

    boolean isInHandler()
    {
        return endpoint.isInHandler();
    }

    void accepted(final int length)
    {
        counters.sent(length);
    }

    void overflowed()
    {
        counters.overflowed();
        endpoint.onOverflowed();
    }

    void overflowLeft()
    {
        counters.overflowLeft();
        endpoint.onOverflowLeft();
    }

    /** Counts a refusal, and notes if it is one for good. */
    SendStatus refused(final SendStatus status)
    {
        if (status == SendStatus.BACK_PRESSURED)
        {
            counters.backPressured();
            endpoint.onBackPressure(overflow == null);
        }
        else
        {
            isUsable = false;
            endpoint.onRefused(status);
        }
        return status;
    }

    /** One that was accepted, and is nowhere any more, did not arrive. */
    void lost()
    {
        undeliveredCount++;
        counters.lost(1);
    }

    /** Discards what waits in the overflow queue. */
    int giveUp(final SendStatus reason)
    {
        isUsable = false;
        final int depth = overflow.depth();
        final int count = overflow.discard();
        large.parts().onGivenUp(reason);
        undeliveredCount += count;
        counters.lost(count);
        for (int i = 0; i < depth; i++)
        {
            overflowLeft();
        }
        return depth;
    }

    /** True after {@link #settle}. */
    boolean isSettled()
    {
        return isSettled;
    }

    /** Accounts, once, for all that was accepted and may not have been handled. Thread: the endpoint's owner. */
    void settle(final LossAccounts accounts)
    {
        if (!isSettled)
        {
            isSettled = true;
            isUsable = false;
            if (large != null)                  // A shared link keeps nothing on this side.
            {
                giveUp(SendStatus.PEER_GONE);
                large.onPeerGone();
            }
            final long lostCount = hop.undeliveredCount();
            counters.lost((int)lostCount);
            accounts.add(destination.node(), undeliveredCount + lostCount, hop.unknownCount());
        }
    }
}
