// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * A link that several threads may send on. It has a path of its own to the destination, so its messages have no order
 * with those of other links; among themselves they arrive in the order in which the sends returned. It has no claims,
 * no streams, and no messages above the MTU: they would keep all other threads out.
 * <p>Thread: any. Costs an atomic operation per send. A thread that finds another one inside gets
 * {@link SendStatus#BUSY} after a short spin, so that none waits for one that was descheduled.
 */
public interface SharedLink extends Endpoint.Sender, AutoCloseable
{
    /**
     * Gives up the path to the destination; sent messages are still delivered, or accounted for. Waits for a send that
     * is under way. Does nothing the second time.
     */
    @Override
    void close();
}
