// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

/**
 * What a sending end asks of the transport that made it.
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

    /** The sender gave its queue up. */
    void closed();
}
