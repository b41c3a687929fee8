// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * Sending end of a frame window: writes frames into slots of a peer's registered memory, in order, as far as the peer
 * has released them ({@link FrameReceiver}). Made by {@link RemoteMemory#sendFrames}; a window has one sender, the
 * first that the receiver finds. Slots are there when it has: its {@code next} looks for that.
 * <p>Thread: the endpoint's owner; handlers may use it. A credit that comes wakes a sleeping owner. Allocates nothing
 * once warm.
 * <p>Owns: registered memory for the credits, until {@link #close()}.
 */
public interface FrameSender extends AutoCloseable
{
    /** {@return most bytes of a frame} */
    int frameLengthMax();

    /**
     * Writes a frame into the next slot and publishes it.
     *
     * @param source of the frame; free for reuse on return.
     * @param offset first byte.
     * @param length bytes, 0 to {@link #frameLengthMax()}.
     * @return outcome: {@link SendStatus#BACK_PRESSURED} if the peer has released no slot, or the hop is full: poll,
     *     and send it again; {@link SendStatus#CLOSED} if this end, the node or the receiver was closed.
     * @throws IllegalArgumentException if the length is out of range, or the window has frames of another length.
     * @throws IllegalStateException    if a slot is acquired and not published, or the window has another sender.
     * @throws GrimException            if the transport cuts frames, and the rest of this one can never wait in the
     *                                  overflow queue: {@code grim.overflow.ceiling}.
     */
    SendStatus send(DirectBuffer source, int offset, int length);

    /**
     * Returns the next slot, to be written by operations of {@link RemoteMemory#link(RemoteRegion)} and then published;
     * the same slot until then.
     *
     * @return the slot, of {@link #frameLengthMax()} bytes; null if the peer has released none, or nothing can be sent
     *     any more: {@link #send} says why.
     */
    RemoteRegion tryAcquire();

    /**
     * Publishes the slot that {@link #tryAcquire()} returned, behind all operations on it.
     *
     * @param length bytes of the frame, 0 to {@link #frameLengthMax()}.
     * @return outcome, as of {@link #send}.
     * @throws IllegalArgumentException if the length is out of range.
     * @throws IllegalStateException    if no slot was acquired.
     */
    SendStatus publish(int length);

    /** {@return frames that were published, and that the peer has not released} */
    int unreleasedCount();

    /** Frees the memory for credits. The peer can still read what was sent. Does nothing the second time. */
    @Override
    void close();
}
