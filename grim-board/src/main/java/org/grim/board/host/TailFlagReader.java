// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.board.QueueFormat;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Arrivals in frames. A message ends where the frame's last word begins; that word is its length, written by the same
 * DMA and last, so that one transfer brings both. 0 means that nothing has come. Positions count frames.
 * <pre>
 *  +--------------+------------------------+--------+
 *  | unused       | message (length bytes) | length |   frameLength bytes in all
 *  +--------------+------------------------+--------+
 * </pre>
 * <p>Thread: the endpoint's only. Never allocates after construction.
 */
public final class TailFlagReader implements ArrivalReader
{
    private final AtomicBuffer region;
    private final int framesIndex;
    private final int frameLength;
    private final int frameMask;
    private final int messageLengthMax;
    private ChannelRegisters registers;     // null when the channel was given back
    private int front;
    private int length;
    private boolean isCorrupt;

    /**
     * Begins where the last reader of the channel ended.
     *
     * @param region    memory of the context that owns the channel.
     * @param registers of the channel, set up.
     * @throws IllegalArgumentException if the frames are not possible, or do not lie in the region.
     */
    public TailFlagReader(final AtomicBuffer region, final ChannelRegisters registers)
    {
        this.region = region;
        this.registers = registers;
        frameLength = registers.get(FRAME_LENGTH);
        if (frameLength < CACHE_LINE_LENGTH || frameLength % CACHE_LINE_LENGTH != 0)
        {
            throw new IllegalArgumentException(
                "frame length=" + frameLength + " is not a multiple of " + CACHE_LINE_LENGTH);
        }
        final int frameCount = registers.get(FRAME_COUNT);
        if (!BitUtil.isPowerOfTwo(frameCount))
        {
            throw new IllegalArgumentException("frames=" + frameCount + " is not a power of two");
        }
        frameMask = frameCount - 1;
        framesIndex = PhysicalAddress.index(
            "arrival", registers.get(ARRIVAL_ADDRESS), region, (long)frameLength * frameCount);
        messageLengthMax = Math.min(frameLength - SIZE_OF_INT, QueueFormat.MESSAGE_LENGTH_MAX);
        front = registers.getAcquire(ARRIVAL_FRONT);
    }

    @Override
    public boolean hasMessage()
    {
        if (length == 0)
        {
            // Partner: the board writes this word last. Read once: what was checked is what is used.
            length = BigEndian.getIntAcquire(region, notificationIndex());
            isCorrupt = length != 0 && (length < QueueFormat.MESSAGE_LENGTH_MIN || length > messageLengthMax ||
                length % QueueFormat.ALIGNMENT != 0);
        }
        return length != 0 && !isCorrupt;
    }

    @Override
    public int index()
    {
        return notificationIndex() - length;
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public void release()
    {
        if (length == 0 || isCorrupt)
        {
            throw new IllegalStateException("release without a message");
        }
        BigEndian.putInt(region, notificationIndex(), 0);
        length = 0;
        front++;
        if (registers != null)
        {
            registers.putRelease(ARRIVAL_FRONT, front);   // Keeps the zero before it: the board may refill the frame.
        }
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
        return framesIndex + (front & frameMask) * frameLength + frameLength - SIZE_OF_INT;
    }

    @Override
    public int notificationIdle()
    {
        return 0;
    }
}
