// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * What the receiver of an active message runs.
 * <p>Thread: the one that polls the endpoint. A handler may read the message, send and reply (with the overflow queue
 * behind it), and resolve nothing: it must not poll, block, or keep the message.
 */
@FunctionalInterface
public interface ActiveMessageHandler
{
    /**
     * Takes one message. What it throws goes to the configured error handler; the message counts as consumed.
     *
     * @param message a view that is valid only until this returns.
     */
    void onMessage(ActiveMessage message);
}
