// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.EndpointId;
import org.grim.transport.Hop;
import org.grim.transport.MemoryHop;
import org.grim.transport.Transport;

/**
 * The objects of one link that its large messages and its remote memory are given, too.
 * <p>Thread: the endpoint's owner.
 *
 * @param state         of the endpoint.
 * @param transport     that the hop belongs to.
 * @param sourceChannel that the link begins at.
 * @param destination   that it leads to.
 * @param incarnation   of the destination's node that it leads to.
 * @param hop           the next hop.
 * @param header        of the link's messages.
 * @param accounting    of the link's messages.
 * @param backlog       of the link.
 */
public record LinkContext(
    EndpointState state, Transport transport, int sourceChannel, EndpointId destination, int incarnation, Hop hop,
    LinkHeader header, LinkAccounting accounting, Backlog backlog)
{
    /** {@return most payload bytes of one message that the hop takes} */
    public int payloadLengthMax()
    {
        return Math.min(hop.payloadLengthMax(), Hop.PAYLOAD_LENGTH_MAX);
    }

    /** {@return true if the peer can look at this node's memory} */
    public boolean sharesMemory()
    {
        return transport.sharesMemory(destination.node());
    }

    /** {@return a remote-memory hop in one order with the link's messages} */
    public MemoryHop connectMemory()
    {
        return transport.connectMemory(sourceChannel, destination, hop);
    }
}
