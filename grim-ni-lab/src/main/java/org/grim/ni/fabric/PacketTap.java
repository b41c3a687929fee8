// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.agrona.DirectBuffer;

/**
 * Sees what becomes of packets in a {@link Fabric}, for traces. What it sees is the message inside, without an
 * envelope.
 * <p>Thread: the fabric's. The bytes are good until the call returns.
 */
public interface PacketTap
{
    /**
     * An NI has put a packet on its wire, or as much of it as it had when it gave it up.
     *
     * @param sourceNi      that sent it.
     * @param destinationNi it goes to.
     * @param buffer        that holds the message.
     * @param offset        of its first byte.
     * @param length        in bytes.
     */
    void onSent(int sourceNi, int destinationNi, DirectBuffer buffer, int offset, int length);

    /**
     * A link has done something to a packet. Several kinds may befall one packet; each is told.
     *
     * @param kind          what it did.
     * @param sourceNi      that sent the packet.
     * @param destinationNi it goes to.
     * @param buffer        that holds the message as the link leaves it.
     * @param offset        of its first byte.
     * @param length        in bytes; 0 if nothing behind the envelope is left.
     */
    void onFault(FaultKind kind, int sourceNi, int destinationNi, DirectBuffer buffer, int offset, int length);

    /**
     * The last byte has come to the NI that it is for, which has yet to judge the packet, or has dropped it already.
     *
     * @param sourceNi      that sent the packet.
     * @param destinationNi where it is.
     * @param buffer        that holds the message.
     * @param offset        of its first byte.
     * @param length        in bytes; 0 if nothing behind the envelope is left.
     */
    void onArrived(int sourceNi, int destinationNi, DirectBuffer buffer, int offset, int length);
}
