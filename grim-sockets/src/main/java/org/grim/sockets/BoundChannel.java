// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import org.grim.sockets.node.SocketNode;

/**
 * A bound server channel, which clients of the cluster find while it is entered in the process's node.
 * <p>Thread: any, under the keeper's lock.
 */
interface BoundChannel
{
    /** {@return false if it is closed} */
    boolean isOpen();

    /**
     * Lets clients of the cluster find the channel. If that fails its connections are TCP.
     *
     * @param node of the process.
     */
    void enter(SocketNode node);

    /** Takes the channel out of its node, if it is in one. */
    void leave();

    /** The node ends, with all its connections. */
    void forgetNode();

    /** {@return whether clients of the cluster find the channel; any thread, without the lock} */
    boolean isEntered();
}
