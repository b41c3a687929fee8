// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.DirectBuffer;

/**
 * Delivery of a message that is next in sequence, by the receiver of packets: {@link #begin}, then {@link #advance}
 * until {@link #isComplete()}, or {@link #cancel()}. One message at a time.
 * <p>The packet holds a {@link org.grim.wire.MessageHeader} and the payload padded to words; its GRIM id, type and
 * lengths were judged before. It stays in place until the host engine is idle.
 * <p>Thread: the board's stepper. Implementations allocate nothing per message.
 */
public interface Delivery
{
    /** Outcome of a message. */
    enum Verdict
    {
        /** It is being delivered. */
        TAKE,
        /** There is no room: nothing has happened, and a later attempt may succeed. */
        NO_ROOM,
        /** Never: nothing has happened, and the reason is counted. */
        REFUSE
    }

    /**
     * Judges the message; {@link Verdict#TAKE} also begins it. At least {@code min(length, 48)} bytes have arrived.
     *
     * @param channel destination channel, in range and enabled.
     * @param packet  that holds the message.
     * @param offset  of its header.
     * @param length  bytes in all, a multiple of 4.
     * @return what becomes of it.
     */
    Verdict begin(int channel, DirectBuffer packet, int offset, int length);

    /**
     * Starts DMA of what has arrived since; the notification only when all has arrived. May be called again with the
     * same length, to go on when the host engine had no room.
     *
     * @param arrivedLength bytes of the message that have arrived; grows up to its length.
     */
    void advance(int arrivedLength);

    /** {@return whether all DMA of the message has been started; true when nothing is left to do} */
    boolean isComplete();

    /**
     * The packet was cut: nothing of it may become visible. Called only before {@link #isComplete()} and before the
     * whole length was passed to {@link #advance}.
     */
    void cancel();
}
