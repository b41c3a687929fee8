// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

/**
 * A word in SRAM by which a thread says that it sleeps, and which doorbell wakes it. The sleeper stores it, and then
 * looks at its work once more for as long as a store may take to be seen; the other side makes work, and then looks at
 * the word (decision 08). A board's own word is its stepper's, see {@link Firmware#asleep}; a channel's is its
 * reader's.
 * <p>Thread: the sleeper writes, any reads; of a channel's, the firmware's stepper clears it, too. Allocates nothing.
 */
public final class SleepBell
{
    /** No bell: nobody sleeps. */
    public static final int AWAKE = -1;

    private final AtomicBuffer sram;
    private final int index;

    private SleepBell(final AtomicBuffer sram, final int index)
    {
        this.sram = sram;
        this.index = index;
    }

    /** Looks at the word of the board's stepper. Returns the word. */
    public static SleepBell ofBoard(final AtomicBuffer sram)
    {
        return new SleepBell(sram, BoardDescriptor.ASLEEP_BELL_OFFSET);
    }

    /**
     * Looks at the word of a channel's reader.
     *
     * @param sram     the board's memory.
     * @param geometry of the board.
     * @param channel  0 to one less than the geometry's count.
     * @return the word.
     */
    public static SleepBell ofChannel(final AtomicBuffer sram, final BoardGeometry geometry, final int channel)
    {
        return new SleepBell(sram, geometry.channelOffset(channel) + ChannelRegisters.ASLEEP_BELL.offset());
    }

    /**
     * The sleeper is about to sleep, or wakes.
     *
     * @param bell number of its doorbell, or {@link #AWAKE}.
     */
    public void bell(final int bell)
    {
        sram.putIntVolatile(index, BigEndian.order(bell + 1));   // Full fence before the sleeper's last look.
    }

    /** {@return the bell to ring after new work: any number, unchecked; {@link #AWAKE} for none} */
    public int bellVolatile()
    {
        return BigEndian.order(sram.getIntVolatile(index)) - 1;  // partner: bell(int), after the doorbell's swap
    }

    /** {@return the bell to ring after a delivery: any number, unchecked; {@link #AWAKE} for none} */
    public int bellAcquire()
    {
        return BigEndian.getIntAcquire(sram, index) - 1;         // partner: the store in bell(int)
    }

    /**
     * Takes the bell of a sleeper, so that it is rung once. By the firmware, after a delivery. Returns the bell to
     * ring: any number, unchecked; {@link #AWAKE} for none.
     */
    public int take()
    {
        final int word = sram.getIntAcquire(index);              // partner: the store in bell(int)
        // By CAS: the reader may wake at this moment, and sleep again with another bell.
        return word != 0 && sram.compareAndSetInt(index, word, 0) ? BigEndian.order(word) - 1 : AWAKE;
    }
}
