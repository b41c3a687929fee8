// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;

import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;

/**
 * The host's end of a channel's arrival queue, which a board fills by DMA. Messages are read in place, one at a time,
 * and released in order.
 * <p>Thread: the endpoint's only. Never allocates after construction.
 */
public interface ArrivalReader
{
    /**
     * Makes the reader that a channel's arrival mode asks for.
     *
     * @param region    memory of the context that owns the channel.
     * @param registers of the channel, set up.
     * @return the reader.
     * @throws IllegalArgumentException if the channel takes nothing, or its queue does not lie in the region.
     */
    static ArrivalReader of(final AtomicBuffer region, final ChannelRegisters registers)
    {
        final int mode = registers.get(ARRIVAL_MODE);
        return switch (mode)
        {
            case ChannelRegisters.ARRIVAL_TAIL_FLAG -> new TailFlagReader(region, registers);
            case ChannelRegisters.ARRIVAL_QUEUE_POINTER -> new QueuePointerReader(region, registers);
            default -> throw new IllegalArgumentException("arrival mode=" + mode + " is neither 1 nor 2");
        };
    }

    /**
     * Whether a whole message stands here. Its bytes are visible after this has said so. False when nothing has come,
     * and for ever after something corrupt has.
     */
    boolean hasMessage();

    /**
     * Where the message begins. Only after {@link #hasMessage()} was true. Returns the index of its header in the
     * region.
     */
    int index();

    /**
     * Returns the message's length. Only after {@link #hasMessage()} was true, or for the error's text when corrupt.
     *
     * @return bytes of header and payload, padded to words; checked, except when corrupt.
     */
    int length();

    /** Gives the message's room back to the board. */
    void release();

    /**
     * Notes that the channel was released: from now on a release says nothing to the board. The content of the region
     * can still be read.
     */
    void detach();

    /**
     * Whether what stands here cannot be a message. The queue is then stopped: its bytes cannot be trusted any more.
     * True once a length or position was found bad; {@link #length()} says which.
     */
    boolean isCorrupt();

    /**
     * The word that changes when the next message comes. Ask again after each release, and when
     * {@link #hasMessage()} was false although it had changed. Returns its index in the region.
     */
    int notificationIndex();

    /** {@return what that word holds until then: the value in the machine's byte order} */
    int notificationIdle();
}
