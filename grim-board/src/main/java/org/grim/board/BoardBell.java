// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

/**
 * The word in which a board whose stepper sleeps asks hosts to ring: see {@link Firmware#asleep}. In SRAM, for hosts in
 * other processes.
 * <p>Thread: one writes, any reads.
 */
public final class BoardBell
{
    /** No bell: the stepper is awake. */
    public static final int AWAKE = -1;

    private final AtomicBuffer sram;

    /**
     * Looks at a board's word.
     *
     * @param sram the board's memory.
     */
    public BoardBell(final AtomicBuffer sram)
    {
        this.sram = sram;
    }

    /**
     * The stepper is about to sleep, or wakes.
     *
     * @param bell number of the doorbell, or {@link #AWAKE}.
     */
    public void bell(final int bell)
    {
        // Full fence before the stepper's last look. Partner: bellVolatile(), after the swap of the channel's doorbell.
        sram.putIntVolatile(BoardDescriptor.ASLEEP_BELL_OFFSET, BigEndian.order(bell + 1));
    }

    /**
     * The bell to ring after the doorbell of a channel was rung.
     *
     * @return any number, unchecked; {@link #AWAKE} for none.
     */
    public int bellVolatile()
    {
        return BigEndian.order(sram.getIntVolatile(BoardDescriptor.ASLEEP_BELL_OFFSET)) - 1;
    }
}
