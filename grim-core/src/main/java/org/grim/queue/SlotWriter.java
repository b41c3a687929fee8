// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.wire.BigEndian;
import org.grim.wire.MessageHeader;

/**
 * Writes messages into slots. Plain memory is written by address: where slots lie follows from the geometry, which was
 * checked when the inbox was mapped, and to check each word again took longer than to write it (decision 18). Any other
 * buffer gets the same stores through itself: tests end a process's life between them.
 * <p>Thread: the sender's. Owns nothing.
 */
final class SlotWriter
{
    private final AtomicBuffer buffer;
    private final long address;

    SlotWriter(final AtomicBuffer buffer)
    {
        this.buffer = buffer;
        address = Buffers.plainAddress(buffer);
    }

    /** Words 1 to 7 of the header, in no order. */
    void header(
        final int slot, final int wordOne, final long extentWords, final long arguments01, final long arguments23)
    {
        if (address == 0)
        {
            MessageHeader.write(buffer, slot, wordOne, extentWords, arguments01, arguments23);
            return;
        }
        final long header = address + slot;
        Buffers.putInt(header + MessageHeader.TYPE_OFFSET, BigEndian.order(wordOne));
        Buffers.putLong(header + MessageHeader.EXTENT_OFFSET, BigEndian.order(extentWords));
        Buffers.putLong(header + MessageHeader.ARGUMENTS_OFFSET, BigEndian.order(arguments01));
        Buffers.putLong(header + MessageHeader.ARGUMENTS_TWO_OFFSET, BigEndian.order(arguments23));
    }

    /** A payload that fits the slot, in no order. The source's bounds have been checked. */
    void payload(final int slot, final DirectBuffer source, final int offset, final int length)
    {
        if (address == 0)
        {
            Buffers.copyWords(buffer, slot + MessageHeader.LENGTH, source, offset, length);
            return;
        }
        Buffers.copyWords(address + slot + MessageHeader.LENGTH, source, offset, length);
    }

    /** The slot's state, after all that was written before. Partner: the acquire load in QueueReceiver.drain(). */
    void publish(final int slot, final int state)
    {
        if (address == 0)
        {
            buffer.putIntRelease(slot, state);
            return;
        }
        Buffers.putIntRelease(address + slot, state);
    }
}
