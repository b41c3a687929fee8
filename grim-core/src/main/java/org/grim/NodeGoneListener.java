// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Learns that a node left or died.
 * <p>Thread: the owner of the endpoint that it was given to, while it polls. Must not poll or block.
 */
@FunctionalInterface
public interface NodeGoneListener
{
    /**
     * A node is gone. Every message that this endpoint sent to it, also on shared links, was handled there, or is in
     * one of the two figures.
     *
     * @param node        as the directory had it.
     * @param undelivered accepted messages that never reached it: they waited in the overflow queue.
     * @param unknown     messages that may have stood in its receive queues, of which it is not known whether it
     *                    handled them; through network interfaces at most as many as its queues hold.
     */
    void onNodeGone(NodeInfo node, long undelivered, long unknown);

    /**
     * A way to a node that may still be up was lost, because a network interface on it went. Every message that this
     * endpoint sent on that way was handled there, or is in one of the two figures. The next {@link Endpoint#link}
     * looks for another way.
     *
     * @param node        as the directory has it.
     * @param undelivered accepted messages that never reached it.
     * @param unknown     accepted messages of which it is not known whether they reached it.
     */
    default void onWayLost(final NodeInfo node, final long undelivered, final long unknown)
    {
        // The figures are counted for tools, too.
    }
}
