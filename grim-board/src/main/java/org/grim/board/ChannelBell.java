// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

/**
 * Flyweight over the word by which a channel's reader says that it sleeps, and which doorbell wakes it. The sleeper
 * stores it, and then looks at its arrival queue once more for as long as a store may take to be seen; the board
 * delivers, and then looks at the word (decision 08).
 * <p>Thread: the channel's reader writes, the firmware's stepper reads and clears. Allocates nothing.
 */
public final class ChannelBell
{
    /** No bell: the reader is awake. */
    public static final int AWAKE = -1;

    private final AtomicBuffer sram;
    private final int index;

    /**
     * Looks at a channel's word.
     *
     * @param sram     the board's memory.
     * @param geometry of the board.
     * @param channel  0 to one less than the geometry's count.
     */
    public ChannelBell(final AtomicBuffer sram, final BoardGeometry geometry, final int channel)
    {
        this.sram = sram;
        index = geometry.channelOffset(channel) + ChannelDescriptor.ASLEEP_BELL_OFFSET;
    }

    /**
     * The reader is about to sleep, or wakes.
     *
     * @param bell number of its doorbell, or {@link #AWAKE}.
     */
    public void bell(final int bell)
    {
        sram.putIntVolatile(index, BigEndian.order(bell + 1));   // Full fence before the reader's last look.
    }

    /** {@return the bell to ring after a delivery: any number, unchecked; {@link #AWAKE} for none} */
    public int bellAcquire()
    {
        return BigEndian.getIntAcquire(sram, index) - 1;         // partner: the store in bell(int)
    }

    /**
     * Takes the bell of a reader that sleeps, so that it is rung once. By the firmware, after a delivery.
     *
     * @return the bell to ring: any number, unchecked; {@link #AWAKE} for none.
     */
    public int take()
    {
        final int word = sram.getIntAcquire(index);              // partner: the store in bell(int)
        // By CAS: the reader may wake at this moment, and sleep again with another bell.
        return word != 0 && sram.compareAndSetInt(index, word, 0) ? BigEndian.order(word) - 1 : AWAKE;
    }
}
