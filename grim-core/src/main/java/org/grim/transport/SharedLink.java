// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

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
    private final Link link;
    private final Runnable onClose;

    /**
     * For endpoints: a link that any thread may send on.
     *
     * @param link    that lets one thread in at a time.
     * @param onClose gives up the link's way; may run more than once.
     */
    public SharedLink(final Link link, final Runnable onClose)
    {
        this.link = link;
        this.onClose = onClose;
    }

    /**
     * Gives up the way to the destination; what was sent is still delivered, or accounted for. Waits for a send that is
     * under way. Does nothing the second time.
     */
    @Override
    public void close()
    {
        onClose.run();
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
        return link.send(handler, a0, a1, a2, a3, source, offset, length);
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
}
