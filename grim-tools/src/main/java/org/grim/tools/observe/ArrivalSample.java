// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.ByteOrder;
import java.util.Set;
import java.util.TreeSet;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.board.QueueFormat;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;

/**
 * The arrival queue of an NI channel at one look.
 *
 * @param mode         {@code none}, {@code tail-flag}, {@code queue-pointer}, or {@code corrupt} for a bad set-up.
 * @param front        of its host: frames or bytes.
 * @param back         of the board: frames or bytes.
 * @param unread       between the two; -1 if they do not fit.
 * @param capacity     frames or bytes.
 * @param messageCount messages that stand in it.
 * @param sources      nodes that sent them, of the first {@value #LOOK_LIMIT} frames.
 * @param isCorrupt    whether what stands at the front is no message.
 */
record ArrivalSample(
    String mode, int front, int back, int unread, int capacity, int messageCount, Set<Integer> sources,
    boolean isCorrupt)
{
    private static final String NONE = "none";
    private static final String TAIL_FLAG = "tail-flag";
    private static final String QUEUE_POINTER = "queue-pointer";
    private static final String CORRUPT = "corrupt";
    private static final int LOOK_LIMIT = 256;
    private static final int FRAME_COUNT_MAX = 1 << 20;

    /**
     * Reads a channel's registers, and the region that they lead to.
     *
     * @param region of the channel's context; null if it cannot be read.
     */
    static ArrivalSample of(final ChannelRegisters registers, final AtomicBuffer region)
    {
        final int mode = registers.get(ARRIVAL_MODE);
        final int frameLength = registers.get(FRAME_LENGTH);
        final int frameCount = registers.get(FRAME_COUNT);
        final int front = registers.getAcquire(ARRIVAL_FRONT);
        final int back = registers.get(ARRIVAL_BACK);
        final long length = (long)frameLength * frameCount;
        final boolean isPossible = frameLength > 0 && frameCount > 0 && frameCount <= FRAME_COUNT_MAX &&
            frameLength % QueueFormat.ALIGNMENT == 0 && length <= Integer.MAX_VALUE;
        if (mode == ChannelRegisters.ARRIVAL_TAIL_FLAG && isPossible && BitUtil.isPowerOfTwo(frameCount) &&
            frameLength > QueueFormat.MESSAGE_LENGTH_MIN)
        {
            final int unread = unread(front, back, frameCount);
            final int index = index(registers.get(ARRIVAL_ADDRESS), length, region);
            final TailFlags flags = index < 0 ? TailFlags.NONE :
                TailFlags.read(region, index, frameLength, frameCount, front, Math.min(unread, LOOK_LIMIT));
            return new ArrivalSample(TAIL_FLAG, front, back, unread, frameCount, Math.max(0, unread),
                flags.sources(), flags.isCorrupt());
        }
        if (mode == ChannelRegisters.ARRIVAL_QUEUE_POINTER && isPossible && BitUtil.isPowerOfTwo(length))
        {
            final int unread = unread(front, back, (int)length);
            final int index = index(registers.get(ARRIVAL_ADDRESS), length, region);
            final MessageQueue queue = index < 0 ? MessageQueue.EMPTY :
                MessageQueue.read(region, index, (int)length, front, back);
            return new ArrivalSample(QUEUE_POINTER, front, back, unread, (int)length, queue.messageCount(),
                queue.sources(),
                index >= 0 && unread > 0 && queue.head() == null && !isGap(unread, (int)length, front));
        }
        return new ArrivalSample(mode == ChannelRegisters.ARRIVAL_NONE ? NONE : CORRUPT, front, back, 0, 0, 0,
            Set.of(), false);
    }

    /** Whether a message of so many bytes finds no room. */
    boolean isFullFor(final int messageLength)
    {
        return switch (mode)
        {
            case TAIL_FLAG -> unread >= capacity;
            case QUEUE_POINTER -> unread >= 0 && QueueFormat.gapLength(back, capacity, messageLength) +
                messageLength > capacity - unread;
            default -> false;
        };
    }

    /** Describes its fill. */
    String fillText()
    {
        return unread + " of " + capacity + (mode.equals(QUEUE_POINTER) ? " bytes" : "") + " unread";
    }

    /** Messages that it holds at most. */
    int slots()
    {
        return mode.equals(QUEUE_POINTER) ? capacity / QueueFormat.MESSAGE_LENGTH_MIN : capacity;
    }

    /** Returns whether there is skipped space before the queue's end, which is no message and no fault. */
    private static boolean isGap(final int unread, final int queueLength, final int front)
    {
        return unread <= QueueFormat.endLength(front, queueLength);
    }

    private static int unread(final int front, final int back, final int capacity)
    {
        return MessageQueue.isWithin(front, back, capacity) ? back - front : -1;
    }

    /** Where the queue lies in the region; -1 if it does not. */
    private static int index(final long address, final long length, final AtomicBuffer region)
    {
        final long index = PhysicalAddress.offset(address);
        return region == null || index % QueueFormat.ALIGNMENT != 0 || index + length > region.capacity() ? -1 :
            (int)index;
    }

    /** Reads the sources of the frames, and whether the first frame holds no message. */
    private record TailFlags(Set<Integer> sources, boolean isCorrupt)
    {
        private static final TailFlags NONE = new TailFlags(Set.of(), false);

        static TailFlags read(
            final AtomicBuffer region, final int index, final int frameLength, final int frameCount, final int front,
            final int count)
        {
            final Set<Integer> sources = new TreeSet<>();
            for (int i = 0; i < count; i++)
            {
                final int frame = index + ((front + i) & (frameCount - 1)) * frameLength;
                final int tail = frame + frameLength - QueueFormat.ALIGNMENT;
                final int length = region.getInt(tail, ByteOrder.BIG_ENDIAN);
                final boolean isLength = length >= QueueFormat.MESSAGE_LENGTH_MIN && length <= tail - frame &&
                    length % QueueFormat.ALIGNMENT == 0;
                final MessageQueue.Head head = isLength ? MessageQueue.header(region, tail - length, length) : null;
                if (head == null)
                {
                    return new TailFlags(sources, i == 0 && length != 0 && !isLength);
                }
                sources.add(head.source());
            }
            return new TailFlags(sources, false);
        }
    }
}
