// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * Receiving end of a frame window: slots in registered memory of this node, which one peer fills in order
 * ({@link FrameSender}). No handler runs and nothing is copied here: frames are read where the peer wrote them. Each
 * release is a credit for the peer. Made by {@link RemoteMemory#receiveFrames}.
 * <p>Thread: the endpoint's owner; handlers may use it. A frame that arrives wakes a sleeping owner.
 * <p>Owns: the memory, until {@link #close()}.
 */
public interface FrameReceiver extends AutoCloseable
{
    /** {@return name of the window, for the peer that sends: the same object each time} */
    RemoteRegion remote();

    /**
     * Goes to the next frame, if it is complete. Looks for the sender, too, which cannot send before.
     *
     * @return false if it is not there yet: poll, and look again.
     * @throws IllegalStateException if the receiver was closed, or its node.
     * @throws GrimException ({@link GrimException.Reason#BAD_DATA}) once, if a peer wrote bytes that no sender
     *                       writes. The window is closed then.
     */
    boolean next();

    /**
     * Returns the memory of all slots. Read only from {@link #offset()} for {@link #length()} bytes, until the frame is
     * released.
     *
     * @return the same buffer each time; empty when the receiver was closed.
     */
    DirectBuffer buffer();

    /** {@return first byte of the frame that {@link #next()} went to} */
    int offset();

    /** {@return bytes of that frame; 0 or more} */
    int length();

    /**
     * Gives the slot of the oldest frame that was not released to the peer. Several frames may be held meanwhile.
     *
     * @throws IllegalStateException if all frames were released, or the receiver was closed, or its node.
     */
    void release();

    /** Frees the memory: the sender gets {@link SendStatus#CLOSED} from then on. Does nothing the second time. */
    @Override
    void close();
}
