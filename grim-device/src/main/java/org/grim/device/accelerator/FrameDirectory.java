// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import org.agrona.concurrent.AtomicBuffer;

import static org.agrona.BitUtil.SIZE_OF_BYTE;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

/**
 * Forwarding directory of an accelerator in its registered memory. The device alone writes; peers read. Little endian.
 * <pre>
 *  0 state u8 (free, set, draining)   1 flags u8   2 stream u16    4 attempt u32
 *  8 owner u32, its incarnation u32                               16 next endpoint u32   20 next handler u32
 * 24 arguments 0 to 3 of the next message, u32 each               40 uses u32            44 kernel's handler u32
 * 48 items u64                                                    56 bytes u64
 * </pre>
 * <p>Thread: the runner's.
 */
class FrameDirectory
{
    static final int STATE_OFFSET = 0;
    static final int FLAGS_OFFSET = STATE_OFFSET + SIZE_OF_BYTE;
    static final int STREAM_OFFSET = FLAGS_OFFSET + SIZE_OF_BYTE;
    static final int ATTEMPT_OFFSET = STREAM_OFFSET + SIZE_OF_SHORT;
    static final int OWNER_OFFSET = ATTEMPT_OFFSET + SIZE_OF_INT;
    static final int INCARNATION_OFFSET = OWNER_OFFSET + SIZE_OF_INT;
    static final int NEXT_ENDPOINT_OFFSET = INCARNATION_OFFSET + SIZE_OF_INT;
    static final int NEXT_HANDLER_OFFSET = NEXT_ENDPOINT_OFFSET + SIZE_OF_INT;
    static final int ARGUMENTS_OFFSET = NEXT_HANDLER_OFFSET + SIZE_OF_INT;
    static final int USES_OFFSET = ARGUMENTS_OFFSET + 4 * SIZE_OF_INT;
    static final int KERNEL_OFFSET = USES_OFFSET + SIZE_OF_INT;
    static final int ITEMS_OFFSET = KERNEL_OFFSET + SIZE_OF_INT;
    static final int BYTES_OFFSET = ITEMS_OFFSET + SIZE_OF_LONG;
    static final int ENTRY_LENGTH = BYTES_OFFSET + SIZE_OF_LONG;
    static final int LENGTH = ENTRY_LENGTH * ItemFormat.ENTRY_COUNT;

    static final int FREE = 0;
    static final int SET = 1;
    static final int DRAINING = 2;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final AtomicBuffer buffer;
    private int lastEntry;

    /**
     * Makes a directory of free entries.
     *
     * @param buffer    zeros.
     * @param firstSlot slot that is given first. After a reset it is another one: slots from before mean nothing.
     */
    FrameDirectory(final AtomicBuffer buffer, final int firstSlot)
    {
        this.buffer = buffer;
        lastEntry = ItemFormat.entry(firstSlot - 1);
        for (int i = 0; i < ItemFormat.ENTRY_COUNT; i++)
        {
            buffer.putInt(i * ENTRY_LENGTH + USES_OFFSET, ItemFormat.use(firstSlot) - 1, ORDER);
        }
    }

    /** Sets the free entry that was used least recently. Returns its slot; -1 if none is free. */
    int set(final FrameEntry entry)
    {
        for (int i = 0; i < ItemFormat.ENTRY_COUNT; i++)
        {
            final int index = (lastEntry + 1 + i) % ItemFormat.ENTRY_COUNT;
            if (state(index) == FREE)
            {
                lastEntry = index;
                return set(index, entry);
            }
        }
        return -1;
    }

    private int set(final int index, final FrameEntry entry)
    {
        final int base = index * ENTRY_LENGTH;
        final int uses = buffer.getInt(base + USES_OFFSET, ORDER) + 1;
        buffer.putByte(base + FLAGS_OFFSET, (byte)entry.flags());
        buffer.putShort(base + STREAM_OFFSET, (short)entry.stream(), ORDER);
        buffer.putInt(base + ATTEMPT_OFFSET, entry.attempt(), ORDER);
        buffer.putInt(base + OWNER_OFFSET, entry.owner(), ORDER);
        buffer.putInt(base + INCARNATION_OFFSET, entry.incarnation(), ORDER);
        buffer.putInt(base + NEXT_ENDPOINT_OFFSET, entry.nextEndpoint(), ORDER);
        buffer.putInt(base + NEXT_HANDLER_OFFSET, entry.nextHandler(), ORDER);
        buffer.putInt(base + ARGUMENTS_OFFSET, entry.nextA0(), ORDER);
        buffer.putInt(base + ARGUMENTS_OFFSET + 2 * SIZE_OF_INT, entry.nextConstant(), ORDER);
        buffer.putInt(base + USES_OFFSET, uses, ORDER);
        buffer.putInt(base + KERNEL_OFFSET, entry.kernel(), ORDER);
        buffer.putLong(base + ITEMS_OFFSET, 0, ORDER);
        buffer.putLong(base + BYTES_OFFSET, 0, ORDER);
        state(index, SET);
        return ItemFormat.slot(index, uses);
    }

    /** Returns the index of a slot; -1 if it is free, or was set again since. */
    int index(final int slot)
    {
        final int index = ItemFormat.entry(slot);
        return state(index) != FREE && isCurrent(index, slot) ? index : -1;
    }

    /** Returns the index of an item's slot; -1 also if that entry is for another kernel. */
    int index(final int slot, final int kernel)
    {
        final int index = index(slot);
        return index >= 0 && isFor(index, kernel) ? index : -1;
    }

    /** Says whether an entry was not set again since its slot was named. */
    boolean isCurrent(final int index, final int slot)
    {
        return ItemFormat.slot(index, buffer.getInt(index * ENTRY_LENGTH + USES_OFFSET, ORDER)) ==
            ItemFormat.slot(slot);
    }

    boolean isFor(final int index, final int kernel)
    {
        return kernel(index) == kernel;
    }

    int state(final int index)
    {
        return buffer.getByte(index * ENTRY_LENGTH + STATE_OFFSET);
    }

    void state(final int index, final int state)
    {
        VarHandle.releaseFence();               // Partner: a remote read of the entry, which orders nothing but bytes.
        buffer.putByte(index * ENTRY_LENGTH + STATE_OFFSET, (byte)state);
    }

    int stream(final int index)
    {
        return buffer.getShort(index * ENTRY_LENGTH + STREAM_OFFSET, ORDER) & 0xFFFF;
    }

    int attempt(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + ATTEMPT_OFFSET, ORDER);
    }

    int kernel(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + KERNEL_OFFSET, ORDER);
    }

    int owner(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + OWNER_OFFSET, ORDER);
    }

    int incarnation(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + INCARNATION_OFFSET, ORDER);
    }

    int flags(final int index)
    {
        return buffer.getByte(index * ENTRY_LENGTH + FLAGS_OFFSET);
    }

    int nextEndpoint(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + NEXT_ENDPOINT_OFFSET, ORDER);
    }

    int nextHandler(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + NEXT_HANDLER_OFFSET, ORDER);
    }

    int nextA0(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + ARGUMENTS_OFFSET, ORDER);
    }

    int nextConstant(final int index)
    {
        return buffer.getInt(index * ENTRY_LENGTH + ARGUMENTS_OFFSET + 2 * SIZE_OF_INT, ORDER);
    }

    long items(final int index)
    {
        return buffer.getLong(index * ENTRY_LENGTH + ITEMS_OFFSET, ORDER);
    }

    void count(final int index, final int length)
    {
        final int base = index * ENTRY_LENGTH;
        buffer.putLong(base + ITEMS_OFFSET, buffer.getLong(base + ITEMS_OFFSET, ORDER) + 1, ORDER);
        buffer.putLong(base + BYTES_OFFSET, buffer.getLong(base + BYTES_OFFSET, ORDER) + length, ORDER);
    }
}
