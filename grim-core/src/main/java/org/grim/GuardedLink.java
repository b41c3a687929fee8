// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.DirectBuffer;
import org.grim.transport.FrameClaim;
import org.grim.transport.Link;
import org.grim.transport.MessageStream;

/**
 * A link that lets one thread in at a time: the senders of a shared link, the endpoint's owner that settles its
 * accounts, and whoever closes it.
 * <p>Thread: any. A sender that finds another thread inside gets {@link SendStatus#BACK_PRESSURED} after a short spin.
 */
final class GuardedLink implements Link
{
    private static final int SPIN_COUNT_MAX = 1_000;

    private final EndpointLink link;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private boolean isRefused;          // Guarded by isTaken.

    GuardedLink(final EndpointLink link)
    {
        this.link = link;
    }

    @Override
    public EndpointId destination()
    {
        return link.destination();
    }

    @Override
    public int payloadLengthMax()
    {
        return link.payloadLengthMax();
    }

    @Override
    public SendStatus send(
        final int handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        if (!tryTake())
        {
            return SendStatus.BACK_PRESSURED;
        }
        try
        {
            return isRefused ? SendStatus.CLOSED : link.send(handler, a0, a1, a2, a3, source, offset, length);
        }
        finally
        {
            giveBack();
        }
    }

    @Override
    public SendStatus tryClaim(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int length,
        final FrameClaim claim)
    {
        throw new UnsupportedOperationException("a shared link has no claims");
    }

    @Override
    public SendStatus tryOpenStream(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int totalLength,
        final MessageStream stream)
    {
        throw new UnsupportedOperationException("a shared link has no streams");
    }

    /** Accepts nothing from now on. */
    void refuse()
    {
        take();
        isRefused = true;
        giveBack();
    }

    /** Gives the hop up. */
    void close()
    {
        take();
        try
        {
            isRefused = true;
            link.close();
        }
        finally
        {
            giveBack();
        }
    }

    /** Accounts for what was sent if the peer is gone. Thread: the endpoint's owner. False: a sender is inside. */
    boolean trySettle(final LossAccounts accounts)
    {
        if (!tryTake())
        {
            return false;
        }
        try
        {
            if (link.isPeerGone())
            {
                link.settle(accounts);
            }
            return true;
        }
        finally
        {
            giveBack();
        }
    }

    /** Gives the hop up if nothing is to be accounted for any more: the peer is gone, or has taken everything. */
    boolean tryCloseOver()
    {
        if (!tryTake())
        {
            return false;
        }
        try
        {
            final boolean isOver = link.isOver() || (isRefused && !link.isPeerGone() && link.isEmpty());
            if (isOver)
            {
                link.close();
            }
            return isOver;
        }
        finally
        {
            giveBack();
        }
    }

    /** Whoever is inside leaves soon: no send waits. */
    private void take()
    {
        while (!tryTake())
        {
            Thread.onSpinWait();
        }
    }

    private boolean tryTake()
    {
        for (int i = 0; i < SPIN_COUNT_MAX; i++)
        {
            if (isTaken.compareAndSet(false, true))
            {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private void giveBack()
    {
        isTaken.set(false);
    }
}
