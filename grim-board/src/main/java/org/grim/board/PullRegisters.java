// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Flyweight over a channel's pull slots: the host asks the board to bring bytes from the memory of the channel's
 * context into its queue. Pulls are done in order; pull number n stands in slot n modulo {@link #SLOT_COUNT}. Counts
 * run freely. What the firmware reads here was written by a host and is to be checked.
 * <p>Thread: any; slots and count are written by the host that sends, the rest by the firmware. Allocates nothing.
 */
public final class PullRegisters
{
    /** Pulls that may be under way. */
    public static final int SLOT_COUNT = ChannelDescriptor.PULL_SLOT_COUNT;

    private static final int SLOT_MASK = SLOT_COUNT - 1;

    private final AtomicBuffer sram;
    private final int offset;

    /**
     * Looks at the pull slots of a channel.
     *
     * @param sram     the board's memory.
     * @param geometry of the board.
     * @param channel  0 to one less than the geometry's count.
     */
    public PullRegisters(final AtomicBuffer sram, final BoardGeometry geometry, final int channel)
    {
        this.sram = sram;
        offset = geometry.channelOffset(channel);
    }

    /**
     * Asks for a pull; ring the channel's doorbell after it. Only while fewer than {@link #SLOT_COUNT} are under way.
     *
     * @param number   of the pull: the count before it.
     * @param source   physical address of the first byte.
     * @param position where in the channel's queue it goes: bytes, free-running.
     * @param length   bytes, which do not wrap at the queue's end.
     */
    public void askRelease(final int number, final long source, final int position, final int length)
    {
        final int slot = number & SLOT_MASK;
        BigEndian.putLong(sram, offset + ChannelDescriptor.PULL_SOURCE_OFFSET + slot * SIZE_OF_LONG, source);
        BigEndian.putInt(sram, offset + ChannelDescriptor.PULL_POSITION_OFFSET + slot * SIZE_OF_INT, position);
        BigEndian.putInt(sram, offset + ChannelDescriptor.PULL_LENGTH_OFFSET + slot * SIZE_OF_INT, length);
        // Partner: countAcquire().
        BigEndian.putIntRelease(sram, offset + ChannelDescriptor.PULL_COUNT_OFFSET, number + 1);
    }

    /** {@return pulls that the host has asked for} */
    public int countAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.PULL_COUNT_OFFSET);     // partner: askRelease()
    }

    /**
     * First byte of a pull.
     * @param number of the pull.
     * @return a physical address, unchecked.
     */
    public long source(final int number)
    {
        final int slot = number & SLOT_MASK;
        return BigEndian.getLong(sram, offset + ChannelDescriptor.PULL_SOURCE_OFFSET + slot * SIZE_OF_LONG);
    }

    /**
     * Where in the queue a pull goes.
     * @param number of the pull.
     * @return bytes, free-running, unchecked.
     */
    public int position(final int number)
    {
        final int slot = number & SLOT_MASK;
        return BigEndian.getInt(sram, offset + ChannelDescriptor.PULL_POSITION_OFFSET + slot * SIZE_OF_INT);
    }

    /**
     * Size of a pull.
     * @param number of the pull.
     * @return bytes, unchecked.
     */
    public int length(final int number)
    {
        final int slot = number & SLOT_MASK;
        return BigEndian.getInt(sram, offset + ChannelDescriptor.PULL_LENGTH_OFFSET + slot * SIZE_OF_INT);
    }

    /** {@return pulls that are done, the refused ones too: their slots are free, their bytes stand in the queue} */
    public int pulledAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.PULLED_COUNT_OFFSET);   // partner: its release
    }

    /**
     * A pull is done. By the firmware.
     * @param count of pulls that are done.
     */
    public void pulledRelease(final int count)
    {
        BigEndian.putIntRelease(sram, offset + ChannelDescriptor.PULLED_COUNT_OFFSET, count);   // partner: its acquire
    }

    /** {@return pulls that were refused; the channel was stopped} */
    public int refusedAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.PULL_REFUSED_OFFSET);   // partner: addRefused()
    }

    /** One pull more is refused; before it counts as done. By the firmware. */
    public void addRefused()
    {
        final int index = offset + ChannelDescriptor.PULL_REFUSED_OFFSET;
        BigEndian.putIntRelease(sram, index, BigEndian.getInt(sram, index) + 1);                // partner: its acquire
    }
}
