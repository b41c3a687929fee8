// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.time.Duration;

import org.grim.EndpointId;
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

    /**
     * As {@link #join(String, Duration)}, but another endpoint of this node gets the group's multicasts, on one of its
     * channels: its owner's thread runs their handlers, those of the device if it is one. The host endpoint has to be
     * polled all the same, and everything else of the group stays with it.
     * <p>While the endpoint does not take messages, as its channel is paused or no endpoint is open there, senders to
     * this member get {@link org.grim.SendStatus#BACK_PRESSURED} after 256 KiB each, or an outbox on this host; the
     * host endpoint goes on, unless a board is the only path of the node to itself. Messages for a device that is gone
     * are lost, and counted ({@code multicasts-lost}). A group with such a member uses no trees of network interfaces.
     *
     * @param name     of the group, for the whole cluster.
     * @param receiver endpoint of this node, on the channel that gets the multicasts.
     * @param timeout  longest wait.
     * @return the group, the same object until it is closed.
     * @throws GrimException            as {@link #join(String, Duration)}.
     * @throws IllegalArgumentException if the name is empty or too long, or has a line break; if there is no such
     *                                  device or channel of this node.
     * @throws IllegalStateException    if this node is a member, and another endpoint gets the multicasts.
     */
    Group join(String name, EndpointId receiver, Duration timeout);

    /**
     * Makes what sends multicasts to a group to which this node need not belong, and polls until the group's owner is
     * known. All nodes that have {@linkplain Grim#start() started} are asked and have to poll.
     *
     * @param name    of the group, for the whole cluster.
     * @param timeout longest wait.
     * @return the sender, the same object until it is closed.
     * @throws GrimException            ({@link GrimException.Reason#NOT_FOUND}) if all nodes have answered, and none
     *     belongs to the group; ({@link GrimException.Reason#TIMED_OUT}) with the nodes that did not answer;
     *     ({@link GrimException.Reason#FENCED}) at once if this node is out of its cluster;
     *     ({@link GrimException.Reason#NAME_TAKEN}) as {@link #join(String, Duration)}.
     * @throws IllegalArgumentException if the name is empty or too long, or has a line break.
     */
    GroupSender openSender(String name, Duration timeout);
}
