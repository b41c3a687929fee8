// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

/** Takes messages about one group to other nodes, in order for each of them. */
@FunctionalInterface
interface RosterSink
{
    /**
     * Sends a message.
     *
     * @param to      node that is up.
     * @param message to send.
     * @return false if there is no room now; true if it was sent, or the node cannot be reached any more.
     */
    boolean trySend(int to, RosterMessage message);
}
