// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.board.ChannelRegisters;
import org.grim.board.StopReason;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;

/**
 * Arrivals in frames: each message ends where its frame's last word begins, and that word is its length, written by the
 * same transfer as the message's last bytes. Positions count frames.
 */
final class TailFlagArrival extends ArrivalQueue
{
    private final int frameLength;
    private final int frameCount;
    private int candidate;
    private boolean isSearching;
    private boolean isFrontLate;

    TailFlagArrival(
        final HostAccess host, final ChannelRegisters registers, final RecoveryWord recoveryWord,
        final long queueAddress, final int frameLength, final int frameCount)
    {
        super(host, registers, recoveryWord, queueAddress);
        this.frameLength = frameLength;
        this.frameCount = frameCount;
    }

    @Override
    boolean canFit(final int messageLength)
    {
        return messageLength <= frameLength - SIZE_OF_INT;
    }

    @Override
    boolean hasRoom(final int front, final int messageLength)
    {
        if (isFrontLate && front - back == 1)
        {
            published(front);           // The last message before the start was being released while we looked.
        }
        isFrontLate = false;
        final int usedCount = back - front;
        if (Integer.compareUnsigned(usedCount, frameCount) > 0)
        {
            stop(StopReason.BAD_ARRIVAL_FRONT);
        }
        return usedCount != frameCount;
    }

    @Override
    void place()
    {
        address = tailAddress(back) - length;
    }

    @Override
    boolean transfer(final int arrivedLength)
    {
        final int segmentLength = arrivedLength - startedLength;
        if (host.engine().room() == 0 || segmentLength <= 0)
        {
            return false;
        }
        final long segmentAddress = address + startedLength;
        if (arrivedLength == length)
        {
            host.engine()
                .writeWithTail(segmentAddress, packet, packetOffset + startedLength, segmentLength, length);
            startedLength = length;
            back++;
            return true;
        }
        host.engine().write(segmentAddress, packet, packetOffset + startedLength, segmentLength);
        startedLength = arrivedLength;
        return false;
    }

    /**
     * Unread messages stand in the frames from the front on, each with a tail, and nothing behind them has one: the
     * receiver clears a tail before it releases the frame. The register is at most one behind, and may be ahead; so the
     * frames are looked at from the one it names down to the front, and the first tail found is the last message.
     */
    @Override
    long recoveryAddress()
    {
        if (!isSearching)
        {
            isSearching = true;
            final int usedCount = back - registers.getAcquire(ARRIVAL_FRONT);
            // A full queue has no frame behind its back: that one is the front's.
            candidate = usedCount == frameCount ? back - 1 : back;
        }
        return tailAddress(candidate);
    }

    @Override
    void recovered(final int tail)
    {
        final int front = registers.getAcquire(ARRIVAL_FRONT);
        final int usedCount = candidate - front;
        if (usedCount < -1 || usedCount >= frameCount)
        {
            stop(StopReason.BAD_ARRIVAL_FRONT);
        }
        else if (tail != 0 && usedCount >= 0)
        {
            ready(candidate + 1);
        }
        else if (usedCount > 0)
        {
            candidate--;
        }
        else
        {
            // All is read, or was never published. The receiver clears a tail before it moves its front: should it be
            // between the two now, the front moves before the first message comes, and the back follows.
            isFrontLate = true;
            ready(front);
        }
    }

    private long tailAddress(final int position)
    {
        return queueAddress + (long)(position & (frameCount - 1)) * frameLength + frameLength - SIZE_OF_INT;
    }
}
