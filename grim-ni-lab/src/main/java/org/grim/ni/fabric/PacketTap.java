// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.agrona.DirectBuffer;
import org.grim.ni.trace.PacketEvent;

/**
 * Receives the outcome of each packet in a {@link Fabric}, for traces. It sees the message inside, without an envelope,
 * as the event leaves it. Several faults of one packet are reported one by one.
 * <p>Thread: the fabric's. The bytes are good until the call returns.
 */
@FunctionalInterface
public interface PacketTap
{
    /**
     * Something happened to a packet.
     *
     * @param event         {@link PacketEvent#SENT} when its NI has put it on the wire, or as much of it as it had when
     *                      it gave it up; {@link PacketEvent#DELIVERED} when its last byte has come to the NI that it
     *                      is for; otherwise what a link has done to it.
     * @param sourceNi      that sent it.
     * @param destinationNi it goes to.
     * @param buffer        that holds the message.
     * @param offset        of its first byte.
     * @param length        in bytes; 0 if nothing behind the envelope is left.
     */
    void onPacket(PacketEvent event, int sourceNi, int destinationNi, DirectBuffer buffer, int offset, int length);
}
