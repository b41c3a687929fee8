// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

import org.agrona.DirectBuffer;

/**
 * The send DMA engine: SRAM to wire, one packet at a time. A packet is begun with its full length and fed as its bytes
 * come (cut-through); the last byte ends it.
 * <p>Thread: the board's stepper. The bytes fed are read before {@code feed} returns.
 */
public interface SendEngine
{
    /**
     * Whether a packet can begin: the one before has left, and the outgoing link has room. False while the wire pushes
     * back.
     */
    boolean isIdle();

    /**
     * Begins a packet.
     *
     * @param destinationNi NI number that it goes to; it may be the sender's own.
     * @param packetLength  bytes, more than 0, that will be fed in all.
     */
    void begin(int destinationNi, int packetLength);

    /**
     * The packet's next bytes.
     *
     * @param source holding them.
     * @param offset of the first.
     * @param length bytes, at most what is missing; the packet is complete when nothing is missing.
     */
    void feed(DirectBuffer source, int offset, int length);

    /** Gives up the packet that was begun and is not complete: the receiver sees it cut. */
    void abort();
}
