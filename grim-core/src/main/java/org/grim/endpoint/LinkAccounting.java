// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.SendStatus;
import org.grim.counters.ChannelCounters;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.transport.Hop;

/**
 * Counts the messages of one link, and accounts for them when its peer is gone.
 * <p>Thread: as its link.
 */
public final class LinkAccounting
{
    private final int node;
    private final int incarnation;
    private final Hop hop;
    private final ChannelCounters counters;
    private final NodeCounters nodeCounters;
    private boolean isUsable = true;
    private boolean isSettled;
    private long undeliveredCount;

    LinkAccounting(
        final int node, final int incarnation, final Hop hop, final ChannelCounters counters,
        final NodeCounters nodeCounters)
    {
        this.node = node;
        this.incarnation = incarnation;
        this.hop = hop;
        this.counters = counters;
        this.nodeCounters = nodeCounters;
    }

    /** False after the hop said that nothing can be sent to this peer any more. */
    boolean isUsable()
    {
        return isUsable;
    }

    /** {@return counters of the link's channel} */
    public ChannelCounters counters()
    {
        return counters;
    }

    /**
     * Counts an accepted message.
     *
     * @param length bytes of the payload.
     */
    public void accepted(final long length)
    {
        counters.sent(length);
    }

    /** Counts what entered the overflow queue, or left it. */
    void overflowed(final int change)
    {
        if (change > 0)
        {
            counters.overflowed();
        }
        else
        {
            counters.overflowLeft();
        }
    }

    /** Counts a refusal, and notes if it is one for good. */
    void refused(final SendStatus status)
    {
        if (status == SendStatus.BACK_PRESSURED)
        {
            counters.backPressured();
            return;
        }
        isUsable = false;
        if (status == SendStatus.PEER_GONE)
        {
            nodeCounters.node(CounterKind.PEER_GONE).increment();
        }
    }

    /**
     * Counts accepted messages as undelivered.
     *
     * @param count of messages.
     */
    public void lost(final int count)
    {
        assert count >= 0;
        undeliveredCount += count;
        counters.lost(count);
    }

    /** Counts messages that waited in the overflow queue as undelivered: nothing can be sent any more. */
    void gaveUp(final int count)
    {
        isUsable = false;
        lost(count);
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
            final long unknownCount = hop.unknownCount();
            final long lostCount = hop.undeliveredCount();
            counters.lost((int)lostCount);
            accounts.add(node, incarnation, undeliveredCount + lostCount, unknownCount);
        }
    }
}
