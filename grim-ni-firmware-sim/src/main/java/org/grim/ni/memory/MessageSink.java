// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Place of a message that the board sends by itself: the reply to a remote read, or a multicast that goes down a tree.
 * Room for one message in SRAM.
 * <p>Thread: the board's stepper. After a claim, exactly one of {@link #publish()} and {@link #abort()} follows.
 */
public interface MessageSink
{
    /** Value of {@link #claim} when there is no room now. */
    int NO_ROOM = -1;

    /**
     * The largest message that there can ever be room for.
     *
     * @return bytes of header and payload; 0 if this board makes no such messages.
     */
    int messageLengthMax();

    /**
     * Claims room.
     *
     * @param messageLength bytes of header and payload, a multiple of 4.
     * @return index of the header in {@link #buffer()}, or {@value #NO_ROOM}.
     */
    int claim(int messageLength);

    /** The channel that they leave by: their header's source channel. */
    int channel();

    /** {@return the memory that the room lies in} */
    AtomicBuffer buffer();

    /** The message that was claimed is complete: send it. */
    void publish();

    /** The message that was claimed will not be made. */
    void abort();
}
