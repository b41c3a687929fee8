// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.Arrays;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.QueueFormat;
import org.grim.board.StopReason;
import org.grim.buffer.Buffers;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.STATUS;

/**
 * Delivers active messages of all channels of a board into their arrival queues. A channel's set-up is read and checked
 * once, when it is opened.
 * <p>Thread: the board's stepper. Allocates when a channel is opened, and never else.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public class ActiveMessageDelivery implements Delivery
{
    private final HostAccess host;
    private final RefuseCounters refusals;
    private final AtomicBuffer scratch;
    private final ChannelRegisters[] registers;
    private final ArrivalQueue[] queues;
    private ArrivalQueue current;

    /**
     * A delivery with no channel open.
     *
     * @param sram     of the board.
     * @param geometry of it.
     * @param host     that takes the messages.
     * @param refusals to count in.
     */
    public ActiveMessageDelivery(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final RefuseCounters refusals)
    {
        this.host = host;
        this.refusals = refusals;
        queues = new ArrivalQueue[geometry.channelCount()];
        registers = new ChannelRegisters[queues.length];
        Arrays.setAll(registers, channel -> new ChannelRegisters(sram, geometry, channel));
        scratch = Buffers.allocate(queues.length * SIZE_OF_INT);         // A word for each channel that recovers.
    }

    /**
     * Opens a channel that a host has enabled, unless it is open, and learns what its queue holds. Messages open their
     * channel, too; doing it before them saves them a refusal.
     *
     * @param channel in range and enabled.
     * @return true when it is done; otherwise call again.
     */
    public boolean open(final int channel)
    {
        ArrivalQueue queue = queues[channel];
        if (queue == null)
        {
            if (whyClosed(channel) != null)
            {
                return true;
            }
            queue = queue(channel);
            if (queue == null)
            {
                registers[channel].putRelease(STATUS, StopReason.BAD_ARRIVAL_QUEUE.code());
                return true;
            }
            queues[channel] = queue;
        }
        return queue.recover();
    }

    /**
     * Forgets a channel that a host has disabled.
     *
     * @param channel in range, with no message being delivered.
     */
    public void close(final int channel)
    {
        queues[channel] = null;
    }

    @Override
    public Verdict begin(final int channel, final DirectBuffer packet, final int offset, final int length)
    {
        final Verdict verdict = judge(channel, length);
        if (verdict == Verdict.TAKE)
        {
            current = queues[channel];
            current.begin(packet, offset, length);
        }
        return verdict;
    }

    /**
     * Returns the outcome that a message would have.
     *
     * @param channel destination channel, in range and enabled.
     * @param length  bytes in all, a multiple of 4.
     * @return what {@link #begin} would say.
     */
    public Verdict judge(final int channel, final int length)
    {
        if (!open(channel))
        {
            return Verdict.NO_ROOM;
        }
        final ArrivalQueue queue = queues[channel];
        if (queue == null)
        {
            final RefuseReason reason = whyClosed(channel);
            return refusals.refuse(reason == null ? RefuseReason.CHANNEL_STOPPED : reason);
        }
        if (queue.isStopped())
        {
            return refusals.refuse(RefuseReason.CHANNEL_STOPPED);
        }
        if (!queue.canFit(length))
        {
            return refusals.refuse(RefuseReason.TOO_LONG);
        }
        if (!hasRoom(channel, length))
        {
            return queue.isStopped() ? refusals.refuse(RefuseReason.CHANNEL_STOPPED) : Verdict.NO_ROOM;
        }
        return Verdict.TAKE;
    }

    @Override
    public void advance(final int arrivedLength)
    {
        current.advance(arrivedLength);
    }

    @Override
    public boolean isComplete()
    {
        return current.isComplete();
    }

    @Override
    public void cancel()
    {
        current.cancel();
    }

    /**
     * Whether a message fits into a channel's arrival queue now.
     *
     * @param channel that is open.
     * @param length  bytes, which fit into the empty queue.
     * @return false if its host must read first, or has written a front that cannot be.
     */
    protected boolean hasRoom(final int channel, final int length)
    {
        return queues[channel].hasRoom(length);
    }

    /** Why a channel has no queue; null if it may be opened. */
    private RefuseReason whyClosed(final int channel)
    {
        if (!host.hasContext(host.contextOf(channel)))
        {
            return RefuseReason.NO_CONTEXT;
        }
        if (registers[channel].get(ARRIVAL_MODE) == ChannelRegisters.ARRIVAL_NONE)
        {
            return RefuseReason.NO_ARRIVAL_QUEUE;
        }
        return registers[channel].get(STATUS) == ChannelRegisters.STATUS_RUNNING ? null : RefuseReason.CHANNEL_STOPPED;
    }

    /** Returns the queue that a host has set up; null if its set-up is invalid. Checked values were read once. */
    private ArrivalQueue queue(final int channel)
    {
        final ChannelRegisters setUp = registers[channel];
        final int context = host.contextOf(channel);
        final int mode = setUp.get(ARRIVAL_MODE);
        final int frameLength = setUp.get(FRAME_LENGTH);
        final int frameCount = setUp.get(FRAME_COUNT);
        final long address = setUp.get(ARRIVAL_ADDRESS);
        final long queueLength = (long)frameLength * frameCount;
        if (frameLength <= 0 || frameCount <= 0 || queueLength > Integer.MAX_VALUE || !isAligned(address) ||
            !host.memory().isReachable(context, address, (int)queueLength))
        {
            return null;
        }
        final RecoveryWord word = new RecoveryWord(scratch, channel * SIZE_OF_INT);
        if (mode == ChannelRegisters.ARRIVAL_TAIL_FLAG)
        {
            return BitUtil.isPowerOfTwo(frameCount) && frameLength % Buffers.CACHE_LINE_LENGTH == 0 ?
                new TailFlagArrival(host, setUp, word, address, frameLength, frameCount) : null;
        }
        final long pointer = setUp.get(POINTER_ADDRESS);
        return mode == ChannelRegisters.ARRIVAL_QUEUE_POINTER && BitUtil.isPowerOfTwo(queueLength) &&
            isAligned(pointer) && host.memory().isReachable(context, pointer, SIZE_OF_INT) ?
            new QueuePointerArrival(host, setUp, word, address, (int)queueLength, pointer) : null;
    }

    private static boolean isAligned(final long address)
    {
        return (address & (QueueFormat.ALIGNMENT - 1)) == 0;
    }
}
