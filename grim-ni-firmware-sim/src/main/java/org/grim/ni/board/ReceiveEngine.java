// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

import org.agrona.DirectBuffer;

/**
 * The receive DMA engine: wire to SRAM. Shows the oldest packet that has begun to arrive; the wire holds back what
 * follows once its buffers are full.
 * <p>Thread: the board's stepper.
 */
public interface ReceiveEngine
{
    /**
     * Whether a packet stands here, or at least so much of it that a control program can judge it: a message's header,
     * or the whole of a shorter packet. False when nothing has arrived.
     */
    boolean hasPacket();

    /** The memory that the packet stands in, valid until {@link #release()}. */
    DirectBuffer buffer();

    /** First byte of the packet in {@link #buffer()}. */
    int offset();

    /** {@return bytes that the packet has in all, as its sender announced; more than 0} */
    int length();

    /** {@return bytes that have arrived so far; at most {@link #length()}; grows while the packet arrives} */
    int arrivedLength();

    /**
     * Whether the packet ended before its announced length: no more bytes will come. True for a packet that its sender
     * gave up.
     */
    boolean isCut();

    /** Frees the packet's room. The rest of a packet that is still arriving is swallowed. */
    void release();
}
