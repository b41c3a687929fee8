// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;

/**
 * A link that several threads may send on. It has a way of its own to the destination, so its messages have no order with
 * those of other links; among themselves they arrive in the order in which the sends returned.
 * <p>Thread: any. Costs an atomic operation per send. A thread that finds another one inside gets
 * {@link SendStatus#BACK_PRESSURED} after a short spin, so that none waits for one that was descheduled.
 */
public final class SharedLink implements Link
{
    private static final int SPIN_COUNT_MAX = 1_000;

    private final Link link;
    private final AtomicBoolean isTaken = new AtomicBoolean();

    /**
     * Wraps a link that nobody else uses.
     *
     * @param link to share.
     */
    public SharedLink(final Link link)
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
            return link.send(handler, a0, a1, a2, a3, source, offset, length);
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
        throw new UnsupportedOperationException("a shared link has no claims: use send(), or a link of the thread's own");
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
