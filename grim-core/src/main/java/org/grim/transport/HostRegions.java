// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

/**
 * Registered memory of the nodes on this host, for transports whose nodes share memory: this node's own, and that of
 * peers in files that this process maps.
 * <p>Thread: any.
 */
public interface HostRegions
{
    /**
     * Makes the remote-memory half of a way to a node on this host, whose initiator executes every operation at once.
     *
     * @param sourceChannel that the operations come from.
     * @param node          whose memory is reached.
     * @param hop           the way of the messages, which says whether the peer is gone.
     * @return the remote-memory hop, to be closed before the way.
     * @throws org.grim.GrimException if the memory cannot be reached; the text says why.
     */
    MemoryHop connect(int sourceChannel, int node, Hop hop);
}
