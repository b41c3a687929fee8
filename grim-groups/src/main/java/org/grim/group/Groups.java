// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.time.Duration;

import org.grim.Grim;
import org.grim.GrimException;

/**
 * Groups of nodes: multicast and collective operations.
 * <p>Thread: the host endpoint's owner; not in handlers.
 */
public interface Groups
{
    /** Longest name of a group, in bytes of UTF-8. */
    int NAME_LENGTH_MAX = 200;

    /**
     * Returns the groups that a node can join. Thread: any.
     *
     * @param grim the node.
     * @return its groups, the same object each time.
     * @throws GrimException         if core did not find the module grim-groups when the node joined.
     * @throws IllegalStateException if the node has left its cluster.
     */
    static Groups of(final Grim grim)
    {
        return grim.extension(Groups.class);
    }

    /**
     * Makes this node a member of a group, and polls until it is one. The first node that joins an unknown name creates
     * the group. All nodes that have {@linkplain Grim#start() started} are asked and have to poll.
     *
     * @param name    of the group, for the whole cluster.
     * @param timeout longest wait.
     * @return the group, the same object until it is closed.
     * @throws GrimException            ({@link GrimException.Reason#TIMED_OUT}) with the nodes that did not answer;
     *     ({@link GrimException.Reason#UNAVAILABLE}) if settings that must be equal at all members are different, with
     *     both values; ({@link GrimException.Reason#FENCED}) at once if this node is out of its cluster;
     *     ({@link GrimException.Reason#NAME_TAKEN}) if messages could not tell the name from that of
     *     another group of this node.
     * @throws IllegalArgumentException if the name is empty or too long, or has a line break.
     */
    Group join(String name, Duration timeout);
}
