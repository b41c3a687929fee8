// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.board.QueueFormat;
import org.grim.wire.BigEndian;
import org.grim.wire.MessageHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.align;
import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;

/**
 * Arrivals in a queue of bytes, as {@link QueueFormat} says, with a pointer behind the last whole message that the
 * board brings by a transfer of its own. Positions count bytes.
 * <p>Thread: the endpoint's only. Never allocates after construction.
 */
public final class QueuePointerReader implements ArrivalReader
{
    private final AtomicBuffer region;
    private final int queueIndex;
    private final int queueLength;
    private final int pointerIndex;
    private ChannelRegisters registers;     // null when the channel was given back
    private int front;
    private int length;
    private boolean hasMessage;
    private boolean isCorrupt;

    /**
     * Begins where the last reader of the channel ended.
     *
     * @param region    memory of the context that owns the channel.
     * @param registers of the channel, set up.
     * @throws IllegalArgumentException if the queue is not possible, or does not lie in the region.
     */
    public QueuePointerReader(final AtomicBuffer region, final ChannelRegisters registers)
    {
        this.region = region;
        this.registers = registers;
        final long bytes = (long)registers.get(FRAME_LENGTH) * registers.get(FRAME_COUNT);
        if (registers.get(FRAME_LENGTH) <= 0 || bytes < QueueFormat.MESSAGE_LENGTH_MIN || bytes > region.capacity() ||
            !BitUtil.isPowerOfTwo(bytes))
        {
            throw new IllegalArgumentException("arrival queue of frame length=" + registers.get(FRAME_LENGTH) +
                " x frames=" + registers.get(FRAME_COUNT) + " is no power of two of bytes within the region's " +
                region.capacity());
        }
        queueLength = (int)bytes;
        queueIndex = PhysicalAddress.index("arrival", registers.get(ARRIVAL_ADDRESS), region, bytes);
        pointerIndex = PhysicalAddress.index("pointer", registers.get(POINTER_ADDRESS), region, SIZE_OF_INT);
        front = registers.getAcquire(ARRIVAL_FRONT);
    }

    @Override
    public boolean hasMessage()
    {
        if (!hasMessage && !isCorrupt)
        {
            // Partner: the board writes the pointer after the messages before it. Read once.
            final int back = BigEndian.getIntAcquire(region, pointerIndex);
            hasMessage = back != front && find(back - front);
        }
        return hasMessage;
    }

    @Override
    public int index()
    {
        return queueIndex + QueueFormat.offset(front, queueLength);
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public void release()
    {
        if (!hasMessage)
        {
            throw new IllegalStateException("release without a message");
        }
        hasMessage = false;
        front += length;
        publishFront();
    }

    @Override
    public void detach()
    {
        registers = null;
    }

    @Override
    public boolean isCorrupt()
    {
        return isCorrupt;
    }

    @Override
    public int notificationIndex()
    {
        return pointerIndex;
    }

    @Override
    public int notificationIdle()
    {
        return BigEndian.order(front);
    }

    private boolean find(final int arrivedLength)
    {
        if (arrivedLength < 0 || arrivedLength > queueLength || arrivedLength % QueueFormat.ALIGNMENT != 0)
        {
            return stop(arrivedLength);
        }
        final int gapLength = QueueFormat.readGapLength(region, queueIndex, front, queueLength);
        if (gapLength > arrivedLength)
        {
            return stop(arrivedLength);
        }
        front += gapLength;
        if (gapLength == arrivedLength)
        {
            // No message will release it: the board may wait for the room.
            publishFront();
            return false;
        }
        return measure(arrivedLength - gapLength);
    }

    /** The header's words are read once each: what was checked is what is used. */
    private boolean measure(final int availableLength)
    {
        final int endLength = QueueFormat.endLength(front, queueLength);
        if (availableLength < MessageHeader.LENGTH || endLength < MessageHeader.LENGTH)
        {
            return stop(availableLength);
        }
        final int index = index();
        final long first =
            MessageHeader.first(region.getInt(index), region.getInt(index + MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(region.getLong(index + MessageHeader.EXTENT_OFFSET));
        final int payloadLength = MessageHeader.payloadLength(first, second);
        final int messageLength = MessageHeader.LENGTH + align(payloadLength, QueueFormat.ALIGNMENT);
        if (MessageHeader.invalid(first, second, MessageHeader.PAYLOAD_LENGTH_MAX) != null ||
            messageLength > availableLength || messageLength > endLength)
        {
            return stop(messageLength);
        }
        length = messageLength;
        return true;
    }

    private void publishFront()
    {
        if (registers != null)
        {
            registers.putRelease(ARRIVAL_FRONT, front);   // Keeps what was read before it: the board may overwrite it.
        }
    }

    private boolean stop(final int badLength)
    {
        length = badLength;
        isCorrupt = true;
        return false;
    }
}
