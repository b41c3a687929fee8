// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Registers of one logical channel in SRAM. Big endian; one writer per line of 64 bytes.
 * <pre>
 *   0            4            8            12           16           20           24           28
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | enabled    | context    | weight     | owner      | arr. mode  | frame len. | frames     |
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | (32) arrival address    | (40) pointer address    |                              host, set-up
 *  +------------+------------+------------+------------+------------+------------+------------+-64-
 *  | front      | next       | arr. back  | status     | undeliv.   | unknown    | refused    | delivered
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | (96) pulled| pull ref.  |                                                        firmware -128-
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | back, filled (one word) | pull source 0           | pull source 1           | position 0 | position 1
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | (160) length 0 | length 1 | pull count |                                       host's sender -192-
 *  | arr. front | bell       |                                                   host's receiver -256-
 *  +------------+------------+
 * </pre>
 * Positions run freely through all 32-bit values and are compared by subtraction. Positions of the channel queue count
 * bytes; positions of arrivals count frames with tail flags, and bytes with a queue pointer.
 * <p>A <em>pull</em> brings bytes from the memory of the channel's context into its queue. Pulls are done in order; the
 * host asks with {@link #askPull}, and pull number n stands in slot {@link #pullSlot}(n).
 */
public final class ChannelRegisters extends RegisterBlock<ChannelRegisters>
{
    /** Arrival mode of a channel that takes nothing. */
    public static final int ARRIVAL_NONE = 0;
    /** Arrival mode in which the last word of each frame shows that it is there. */
    public static final int ARRIVAL_TAIL_FLAG = 1;
    /** Arrival mode in which a pointer in host memory shows how far messages have come. */
    public static final int ARRIVAL_QUEUE_POINTER = 2;
    /** Status of a channel that was not stopped. */
    public static final int STATUS_RUNNING = 0;
    /** Pulls that may be under way. */
    public static final int PULL_SLOT_COUNT = 2;

    /** Context that owns the channel: its number. Host, set-up. */
    public static final Word<ChannelRegisters> CONTEXT = new Word<>(SIZE_OF_INT);
    /** Share of the outgoing link: see {@link ChannelWeight}. Host, set-up. */
    public static final Word<ChannelRegisters> WEIGHT = new Word<>(CONTEXT.end());
    /** Endpoint that owns the channel, 16 bits: node (12), device (4). Host, set-up. */
    public static final Word<ChannelRegisters> OWNER_ADDRESS = new Word<>(WEIGHT.end());
    /** Arrival mode: one of the ARRIVAL constants. Host, set-up. */
    public static final Word<ChannelRegisters> ARRIVAL_MODE = new Word<>(OWNER_ADDRESS.end());
    /** Size of an arrival frame: bytes, a multiple of 64. Host, set-up. */
    public static final Word<ChannelRegisters> FRAME_LENGTH = new Word<>(ARRIVAL_MODE.end());
    /** Arrival frames: a power of two. Host, set-up. */
    public static final Word<ChannelRegisters> FRAME_COUNT = new Word<>(FRAME_LENGTH.end());
    /** First byte of the arrival queue: physical address. Host, set-up. */
    public static final DoubleWord<ChannelRegisters> ARRIVAL_ADDRESS =
        new DoubleWord<>(FRAME_COUNT.offset() + SIZE_OF_LONG);
    /** Word that takes the arrival queue's back: physical address. Host, set-up. */
    public static final DoubleWord<ChannelRegisters> POINTER_ADDRESS = new DoubleWord<>(ARRIVAL_ADDRESS.end());

    /** Oldest message that is not acknowledged, bytes; what lies before is free. Firmware, release. */
    public static final Word<ChannelRegisters> FRONT = new Word<>(CACHE_LINE_LENGTH);
    /** Next message to send, bytes. Firmware's own. */
    public static final Word<ChannelRegisters> NEXT = new Word<>(FRONT.end());
    /** Where the next arrival goes, frames or bytes. Firmware's own. */
    public static final Word<ChannelRegisters> ARRIVAL_BACK = new Word<>(NEXT.end());
    /** {@link #STATUS_RUNNING}, or the code of the {@link StopReason}. Firmware, release. */
    public static final Word<ChannelRegisters> STATUS = new Word<>(ARRIVAL_BACK.end());
    /** Messages that certainly did not arrive, modulo 2^32. Firmware, {@link #addRelease}. */
    public static final Word<ChannelRegisters> UNDELIVERED = new Word<>(STATUS.end());
    /** Messages of which nobody knows whether they arrived, modulo 2^32. Firmware, {@link #addRelease}. */
    public static final Word<ChannelRegisters> UNKNOWN = new Word<>(UNDELIVERED.end());
    /** Messages refused as bad, modulo 2^32. Firmware, {@link #addRelease}. */
    public static final Word<ChannelRegisters> REFUSED = new Word<>(UNKNOWN.end());
    /** Messages that arrived, modulo 2^32. Firmware, {@link #addRelease}. */
    public static final Word<ChannelRegisters> DELIVERED = new Word<>(REFUSED.end());
    /** Pulls that are done, the refused ones too: their slots are free, their bytes in the queue. Firmware, release. */
    public static final Word<ChannelRegisters> PULLED_COUNT = new Word<>(DELIVERED.end());
    /** Pulls that were refused; the channel was stopped. Firmware, {@link #addRelease} before it counts as done. */
    public static final Word<ChannelRegisters> PULL_REFUSED = new Word<>(PULLED_COUNT.end());

    /**
     * Where the host appends, and how much it has written of the message there: for {@link #back} and {@link #filled}.
     * Host's sender, {@link #backAndFilledRelease}.
     */
    public static final DoubleWord<ChannelRegisters> BACK_AND_FILLED = new DoubleWord<>(CACHE_LINE_LENGTH * 2);
    /** First byte of a pull, a physical address: one for each slot. Host's sender. */
    public static final DoubleWord<ChannelRegisters> PULL_SOURCES = new DoubleWord<>(BACK_AND_FILLED.end());
    /** Where in the channel's queue a pull goes, bytes: one for each slot. Host's sender. */
    public static final Word<ChannelRegisters> PULL_POSITIONS =
        new Word<>(PULL_SOURCES.offset() + PULL_SLOT_COUNT * SIZE_OF_LONG);
    /** Bytes of a pull: one for each slot. Host's sender. */
    public static final Word<ChannelRegisters> PULL_LENGTHS =
        new Word<>(PULL_POSITIONS.offset() + PULL_SLOT_COUNT * SIZE_OF_INT);
    /** Pulls that the host has asked for. Host's sender, release. */
    public static final Word<ChannelRegisters> PULL_COUNT =
        new Word<>(PULL_LENGTHS.offset() + PULL_SLOT_COUNT * SIZE_OF_INT);

    /** Oldest arrival that the host has not released, frames or bytes. Host's receiver, release. */
    public static final Word<ChannelRegisters> ARRIVAL_FRONT = new Word<>(CACHE_LINE_LENGTH * 3);

    static final Word<ChannelRegisters> ENABLED = new Word<>(0);            // 1 from the end of the set-up on
    static final Word<ChannelRegisters> ASLEEP_BELL = new Word<>(ARRIVAL_FRONT.end());       // see SleepBell
    static final int LENGTH = CACHE_LINE_LENGTH * 4;

    private static final long FILLED_MASK = 0xFFFF_FFFFL;

    /**
     * Looks at the registers of a channel.
     *
     * @param sram     the board's memory.
     * @param geometry of the board.
     * @param channel  0 to one less than the geometry's count.
     */
    public ChannelRegisters(final AtomicBuffer sram, final BoardGeometry geometry, final int channel)
    {
        super(sram, geometry.channelOffset(channel));
    }

    /** {@return whether the channel was set up: true if the other registers may be read} */
    public boolean isEnabledAcquire()
    {
        return getAcquire(ENABLED) != 0;
    }

    /** Hands the set-up over to the firmware: everything else must have been written before. */
    public void enableRelease()
    {
        putRelease(ENABLED, 1);
    }

    /** Takes the channel away from the firmware, which may be using it until its next step. */
    public void disableRelease()
    {
        putRelease(ENABLED, 0);
    }

    /** Makes the channel as new: not enabled, all registers 0. The firmware calls it when nobody uses the channel. */
    public void reset()
    {
        disableRelease();
        sram.setMemory(offset, LENGTH, (byte)0);
    }

    /**
     * Where the host appends.
     *
     * @param backAndFilled value of {@link #BACK_AND_FILLED}.
     * @return bytes, free-running.
     */
    public static int back(final long backAndFilled)
    {
        return (int)(backAndFilled >>> Integer.SIZE);
    }

    /**
     * Returns the written length of the message at the back.
     *
     * @param backAndFilled value of {@link #BACK_AND_FILLED}.
     * @return bytes; 0 if none was begun.
     */
    public static int filled(final long backAndFilled)
    {
        return (int)backAndFilled;
    }

    /**
     * Makes visible what the host has written.
     *
     * @param back   bytes, free-running: behind the last whole message.
     * @param filled bytes written of the message there; 0 if none was begun.
     */
    public void backAndFilledRelease(final int back, final int filled)
    {
        putRelease(BACK_AND_FILLED, (long)back << Integer.SIZE | (filled & FILLED_MASK));
    }

    /**
     * Asks for a pull; ring the channel's doorbell after it. Only while fewer than {@link #PULL_SLOT_COUNT} are
     * under way.
     *
     * @param number   of the pull: the count before it.
     * @param source   physical address of the first byte.
     * @param position where in the channel's queue it goes: bytes, free-running.
     * @param length   bytes, which do not wrap at the queue's end.
     */
    public void askPull(final int number, final long source, final int position, final int length)
    {
        final int slot = pullSlot(number);
        put(PULL_SOURCES, slot, source);
        put(PULL_POSITIONS, slot, position);
        put(PULL_LENGTHS, slot, length);
        putRelease(PULL_COUNT, number + 1);
    }

    /**
     * Slot of a pull.
     *
     * @param number of the pull: the count before it.
     * @return index in {@link #PULL_SOURCES}, {@link #PULL_POSITIONS} and {@link #PULL_LENGTHS}.
     */
    public static int pullSlot(final int number)
    {
        return number & PULL_SLOT_COUNT - 1;
    }

    @Override
    ChannelRegisters self()
    {
        return this;
    }
}
