// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.SystemEpochClock;

/**
 * Services of a transport for the sending ends that it made.
 * <p>Thread: the link's owner.
 */
public interface SenderHost
{
    /**
     * Rings the doorbell that the receiver sleeps on. Must not block; a bell that is lost costs the receiver its
     * longest sleep, no message.
     *
     * @param bell number that the receiver gave: the first channel of its endpoint.
     */
    void ring(int bell);

    /**
     * The time, for tools: asked for when a queue has no room, not per message.
     *
     * @return ms since the epoch.
     */
    default long epochMs()
    {
        return SystemEpochClock.INSTANCE.time();
    }

    /** The application gets claims in the inbox, and may keep their buffer. */
    default void lent()
    {
        // An inbox that is never unmapped by hand.
    }

    /** The sender gave its queue up, and touches the inbox no more. */
    void closed();
}
