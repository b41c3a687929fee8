// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;

/**
 * A link that several threads may send on. It has a way of its own to the destination, so its messages have no order
 * with those of other links; among themselves they arrive in the order in which the sends returned.
 * <p>Thread: any. Costs an atomic operation per send. A thread that finds another one inside gets
 * {@link SendStatus#BACK_PRESSURED} after a short spin, so that none waits for one that was descheduled.
 */
public final class SharedLink implements Link, AutoCloseable
{
    private static final int SPIN_COUNT_MAX = 1_000;

    private final Link link;
    private final Runnable onClose;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile boolean isClosed;

    /**
     * Wraps a link that nobody else uses.
     *
     * @param link    to share.
     * @param onClose gives up the link's way; run once, when no send is under way.
     */
    public SharedLink(final Link link, final Runnable onClose)
    {
        this.link = link;
        this.onClose = onClose;
    }

    /** Gives up the way to the destination; what was sent is still delivered. Waits for sends that are under way. */
    @Override
    public void close()
    {
        while (!isClosed)
        {
            if (tryTake())
            {
                try
                {
                    if (!isClosed)
                    {
                        isClosed = true;
                        onClose.run();
                    }
                }
                finally
                {
                    isTaken.set(false);
                }
            }
        }
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
            return isClosed ? SendStatus.CLOSED : link.send(handler, a0, a1, a2, a3, source, offset, length);
        }
        finally
        {
            isTaken.set(false);
        }
    }

    /**
     * Not offered here: the claim would keep all other threads out while it is filled.
     *
     * @throws UnsupportedOperationException always.
     */
    @Override
    public SendStatus tryClaim(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int length,
        final FrameClaim claim)
    {
        throw new UnsupportedOperationException(
            "a shared link has no claims: use send(), or a link of the thread's own");
    }

    /**
     * Not offered here: the stream would keep all other threads out while it is open. Nor are messages above the MTU.
     *
     * @throws UnsupportedOperationException always.
     */
    @Override
    public SendStatus tryOpenStream(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int totalLength,
        final MessageStream stream)
    {
        throw new UnsupportedOperationException(
            "a shared link has no streams: use send(), or a link of the thread's own");
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
}
