// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

/**
 * Flyweight over the registers of one channel. Who may write which is said in {@code ChannelDescriptor}'s drawing:
 * the host sets up, the firmware keeps its own line, the host's sender and receiver have a line each.
 * <p>Thread: any; each register has one writer. Owns nothing; allocates nothing.
 */
public final class ChannelRegisters
{
    /** Arrival mode of a channel that takes nothing. */
    public static final int ARRIVAL_NONE = 0;
    /** Arrival mode in which the last word of each frame tells that it is there. */
    public static final int ARRIVAL_TAIL_FLAG = 1;
    /** Arrival mode in which a pointer in host memory tells how far messages have come. */
    public static final int ARRIVAL_QUEUE_POINTER = 2;
    /** Status of a channel that was not stopped. */
    public static final int STATUS_RUNNING = 0;

    private static final long FILLED_MASK = 0xFFFF_FFFFL;

    private final AtomicBuffer sram;
    private final int offset;

    /**
     * Looks at the registers of a channel.
     *
     * @param sram     the board's memory.
     * @param geometry of the board.
     * @param channel  0 to one less than the geometry's count.
     */
    public ChannelRegisters(final AtomicBuffer sram, final BoardGeometry geometry, final int channel)
    {
        this.sram = sram;
        offset = geometry.channelOffset(channel);
    }

    /** {@return whether the channel was set up: true if the other registers may be read} */
    public boolean isEnabledAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.ENABLED_OFFSET) != 0; // partner: enableRelease
    }

    /** Hands the set-up over to the firmware: everything else must have been written before. */
    public void enableRelease()
    {
        BigEndian.putIntRelease(sram, offset + ChannelDescriptor.ENABLED_OFFSET, 1);  // partner: isEnabledAcquire()
    }

    /** Makes the channel as new: not enabled, all registers 0. The firmware calls it when nobody uses the channel. */
    public void reset()
    {
        disableRelease();
        sram.setMemory(offset, ChannelDescriptor.LENGTH, (byte)0);
    }

    /** Takes the channel away from the firmware, which may be using it until its next step. */
    public void disableRelease()
    {
        BigEndian.putIntRelease(sram, offset + ChannelDescriptor.ENABLED_OFFSET, 0);  // partner: isEnabledAcquire()
    }

    /** {@return context that owns the channel: its number} */
    public int context()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.CONTEXT_OFFSET);
    }

    /**
     * Context that owns the channel; before the channel is enabled.
     * @param value its number.
     * @return this.
     */
    public ChannelRegisters context(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.CONTEXT_OFFSET, value);
        return this;
    }

    /** {@return share of the outgoing link: see {@link ChannelWeight}} */
    public int weight()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.WEIGHT_OFFSET);
    }

    /**
     * Share of the outgoing link; before the channel is enabled.
     * @param value see {@link ChannelWeight}.
     * @return this.
     */
    public ChannelRegisters weight(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.WEIGHT_OFFSET, value);
        return this;
    }

    /** {@return endpoint that owns the channel: 16 bits: node (12), device (4)} */
    public int ownerAddress()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.OWNER_ADDRESS_OFFSET);
    }

    /**
     * Endpoint that owns the channel; before the channel is enabled.
     * @param value 16 bits: node (12), device (4).
     * @return this.
     */
    public ChannelRegisters ownerAddress(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.OWNER_ADDRESS_OFFSET, value);
        return this;
    }

    /** {@return how arrivals are told: one of the ARRIVAL constants} */
    public int arrivalMode()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.ARRIVAL_MODE_OFFSET);
    }

    /**
     * How arrivals are told; before the channel is enabled.
     * @param value one of the ARRIVAL constants.
     * @return this.
     */
    public ChannelRegisters arrivalMode(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.ARRIVAL_MODE_OFFSET, value);
        return this;
    }

    /** {@return size of an arrival frame: bytes, a multiple of 64} */
    public int frameLength()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.FRAME_LENGTH_OFFSET);
    }

    /**
     * Size of an arrival frame; before the channel is enabled.
     * @param value bytes, a multiple of 64.
     * @return this.
     */
    public ChannelRegisters frameLength(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.FRAME_LENGTH_OFFSET, value);
        return this;
    }

    /** {@return arrival frames: a power of two} */
    public int frameCount()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.FRAME_COUNT_OFFSET);
    }

    /**
     * Arrival frames; before the channel is enabled.
     * @param value a power of two.
     * @return this.
     */
    public ChannelRegisters frameCount(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.FRAME_COUNT_OFFSET, value);
        return this;
    }

    /** {@return first byte of the arrival queue: physical address} */
    public long arrivalAddress()
    {
        return BigEndian.getLong(sram, offset + ChannelDescriptor.ARRIVAL_ADDRESS_OFFSET);
    }

    /**
     * First byte of the arrival queue; before the channel is enabled.
     * @param value physical address.
     * @return this.
     */
    public ChannelRegisters arrivalAddress(final long value)
    {
        BigEndian.putLong(sram, offset + ChannelDescriptor.ARRIVAL_ADDRESS_OFFSET, value);
        return this;
    }

    /** {@return word that takes the arrival queue's back: physical address} */
    public long pointerAddress()
    {
        return BigEndian.getLong(sram, offset + ChannelDescriptor.POINTER_ADDRESS_OFFSET);
    }

    /**
     * Word that takes the arrival queue's back; before the channel is enabled.
     * @param value physical address.
     * @return this.
     */
    public ChannelRegisters pointerAddress(final long value)
    {
        BigEndian.putLong(sram, offset + ChannelDescriptor.POINTER_ADDRESS_OFFSET, value);
        return this;
    }

    /** {@return oldest message that is not acknowledged, for the firmware: bytes, free-running} */
    public int front()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.FRONT_OFFSET);
    }

    /**
     * Oldest message that is not acknowledged, for the host: what lies before is free.
     * @return bytes, free-running.
     */
    public int frontAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.FRONT_OFFSET);  // partner: frontRelease()
    }

    /**
     * Gives room back to the host.
     * @param value bytes, free-running.
     */
    public void frontRelease(final int value)
    {
        BigEndian.putIntRelease(sram, offset + ChannelDescriptor.FRONT_OFFSET, value);  // partner: frontAcquire()
    }

    /** {@return next message to send; the firmware's own: bytes, free-running} */
    public int next()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.NEXT_OFFSET);
    }

    /**
     * Next message to send; the firmware's own.
     * @param value bytes, free-running.
     */
    public void next(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.NEXT_OFFSET, value);
    }

    /** {@return where the next arrival goes; the firmware's own: frames or bytes, free-running} */
    public int arrivalBack()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.ARRIVAL_BACK_OFFSET);
    }

    /**
     * Where the next arrival goes; the firmware's own.
     * @param value frames or bytes, free-running.
     */
    public void arrivalBack(final int value)
    {
        BigEndian.putInt(sram, offset + ChannelDescriptor.ARRIVAL_BACK_OFFSET, value);
    }

    /** {@return whether the channel runs, for the firmware: {@link #STATUS_RUNNING}, or why it was stopped} */
    public int status()
    {
        return BigEndian.getInt(sram, offset + ChannelDescriptor.STATUS_OFFSET);
    }

    /** {@return whether the channel runs, for the host: {@link #STATUS_RUNNING}, or why it was stopped} */
    public int statusAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.STATUS_OFFSET);  // partner: statusRelease()
    }

    /**
     * Stops the channel, or lets it run.
     * @param value {@link #STATUS_RUNNING}, or why it is stopped.
     */
    public void statusRelease(final int value)
    {
        BigEndian.putIntRelease(sram, offset + ChannelDescriptor.STATUS_OFFSET, value);  // partner: statusAcquire()
    }

    /** {@return messages that certainly did not arrive: how many, modulo 2^32} */
    public int undelivered()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.UNDELIVERED_OFFSET);  // partner: addRelease()
    }

    /**
     * Messages that certainly did not arrive; called by the firmware.
     * @param count of them to add.
     */
    public void addUndelivered(final int count)
    {
        addRelease(ChannelDescriptor.UNDELIVERED_OFFSET, count);
    }

    /** {@return messages of which nobody knows whether they arrived: how many, modulo 2^32} */
    public int unknown()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.UNKNOWN_OFFSET);  // partner: addRelease()
    }

    /**
     * Messages of which nobody knows whether they arrived; called by the firmware.
     * @param count of them to add.
     */
    public void addUnknown(final int count)
    {
        addRelease(ChannelDescriptor.UNKNOWN_OFFSET, count);
    }

    /** {@return messages refused as bad: how many, modulo 2^32} */
    public int refused()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.REFUSED_OFFSET);  // partner: addRelease()
    }

    /**
     * Messages refused as bad; called by the firmware.
     * @param count of them to add.
     */
    public void addRefused(final int count)
    {
        addRelease(ChannelDescriptor.REFUSED_OFFSET, count);
    }

    /** {@return messages that arrived: how many, modulo 2^32} */
    public int delivered()
    {
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.DELIVERED_OFFSET);  // partner: addRelease()
    }

    /**
     * Messages that arrived; called by the firmware.
     * @param count of them to add.
     */
    public void addDelivered(final int count)
    {
        addRelease(ChannelDescriptor.DELIVERED_OFFSET, count);
    }

    /** {@return where the host appends and how much of the message there it has written; for back() and filled()} */
    public long backAndFilledAcquire()
    {
        // Partner: backAndFilledRelease().
        return BigEndian.getLongAcquire(sram, offset + ChannelDescriptor.BACK_AND_FILLED_OFFSET);
    }

    /**
     * Where the host appends.
     * @param backAndFilled from {@link #backAndFilledAcquire()}.
     * @return bytes, free-running.
     */
    public static int back(final long backAndFilled)
    {
        return (int)(backAndFilled >>> Integer.SIZE);
    }

    /**
     * How much of the message at the back has been written.
     * @param backAndFilled from {@link #backAndFilledAcquire()}.
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
        final long both = (long)back << Integer.SIZE | (filled & FILLED_MASK);
        // Partner: backAndFilledAcquire().
        BigEndian.putLongRelease(sram, offset + ChannelDescriptor.BACK_AND_FILLED_OFFSET, both);
    }

    /** {@return oldest arrival that the host has not released: frames or bytes, free-running} */
    public int arrivalFrontAcquire()
    {
        // Partner: arrivalFrontRelease().
        return BigEndian.getIntAcquire(sram, offset + ChannelDescriptor.ARRIVAL_FRONT_OFFSET);
    }

    /**
     * Gives room back to the firmware.
     * @param value frames or bytes, free-running.
     */
    public void arrivalFrontRelease(final int value)
    {
        // Partner: arrivalFrontAcquire().
        BigEndian.putIntRelease(sram, offset + ChannelDescriptor.ARRIVAL_FRONT_OFFSET, value);
    }

    /** One writer: a plain read and a release store are enough. Partner: the acquire in the counter's getter. */
    private void addRelease(final int counterOffset, final int count)
    {
        final int index = offset + counterOffset;
        BigEndian.putIntRelease(sram, index, BigEndian.getInt(sram, index) + count);
    }
}
