// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;

/**
 * A connection that something made to this agent's port.
 * <p>Thread: the connections'.
 */
final class Inbound
{
    final SocketChannel channel;
    final InetAddress address;
    final Reception reception;
    final long acceptedNs;
    long heardNs;
    boolean isMember;

    Inbound(final SocketChannel channel, final InetAddress address, final Reception reception, final long nowNs)
    {
        this.channel = channel;
        this.address = address;
        this.reception = reception;
        acceptedNs = nowNs;
        heardNs = nowNs;
    }

    boolean isOpen()
    {
        return reception.state() == Reception.State.OPEN;
    }

    /** {@return what it counts as where places are limited} */
    Place place()
    {
        return !isOpen() ? Place.UNPROVEN : isMember ? Place.MEMBER : Place.PROVEN;
    }

    /** Kind of place that a connection takes. */
    enum Place
    {
        /** A connection of something that has not proved to be an agent. */
        UNPROVEN,
        /** A connection of an agent that is no member: it joins, or belongs to another part of the cluster. */
        PROVEN,
        /** A connection of a member, from which a message came. */
        MEMBER
    }
}
