// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelAppender;
import org.grim.board.ChannelRegisters;
import org.grim.board.MessageFate;
import org.grim.board.QueueFormat;

/**
 * The sending half of one NI channel, which all ways that begin there share: room in its queue in SRAM, and whose the
 * messages are that stand there, so that each way learns the fate of its own.
 * <p>Thread: any, one at a time between {@link #tryTake()} and {@link #giveBack()}. Allocates nothing after
 * construction.
 * <p>Bounds: a queue of {@code n} bytes holds at most {@code n / 32} messages.
 */
final class ChannelSender
{
    private final AtomicBuffer sram;
    private final ChannelAppender appender;
    private final ChannelRegisters registers;
    private final int queueIndex;
    private final int queueLength;
    private final int[] starts;
    private final int[] ends;
    private final MyrinetHop[] hops;
    private final int mask;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private int first;
    private int next;
    private int back;
    private int front;
    private int claimedLength;
    private int lossCountSeen;
    /** Messages before this one may carry a mark: they stood here when a loss was counted. */
    private int markedUntil;
    private boolean isEnded;

    ChannelSender(final AtomicBuffer sram, final BoardGeometry geometry, final int niChannel)
    {
        this.sram = sram;
        appender = new ChannelAppender(sram, geometry, niChannel);
        registers = new ChannelRegisters(sram, geometry, niChannel);
        queueIndex = geometry.queueOffset(niChannel);
        queueLength = geometry.queueLength();
        final int capacity = BitUtil.findNextPositivePowerOfTwo(queueLength / QueueFormat.MESSAGE_LENGTH_MIN);
        starts = new int[capacity];
        ends = new int[capacity];
        hops = new MyrinetHop[capacity];
        mask = capacity - 1;
        back = ChannelRegisters.back(registers.backAndFilledAcquire());
        front = back;
        lossCountSeen = lossCount();
    }

    /** Keeps other threads out; false if one is inside. A thread that was descheduled inside stops nobody else. */
    boolean tryTake()
    {
        return isTaken.compareAndSet(false, true);
    }

    /** True when there is no memory to send into any more. Only inside. */
    boolean isEnded()
    {
        return isEnded;
    }

    /** Lets other threads in. */
    void giveBack()
    {
        isTaken.set(false);
    }

    /**
     * Claims room for a message.
     *
     * @return index of its first byte in SRAM, or {@link ChannelAppender#NO_ROOM}.
     */
    int claim(final int messageLength)
    {
        // Room that the board gave back may hold marks of lost messages: it is not used before they were read.
        final int paddedLength = BitUtil.align(messageLength, QueueFormat.ALIGNMENT);
        if (!hasRoom(paddedLength))
        {
            settle();
            if (!hasRoom(paddedLength))
            {
                return ChannelAppender.NO_ROOM;
            }
        }
        final int index = appender.claim(messageLength);
        claimedLength = index == ChannelAppender.NO_ROOM ? 0 : paddedLength;
        return index;
    }

    /** Publishes what was claimed, as a message of a way. */
    void publish(final MyrinetHop hop)
    {
        final int position = appender.position();
        final int slot = next++ & mask;
        starts[slot] = position;
        back = position + claimedLength;
        ends[slot] = back;
        hops[slot] = hop;
        appender.publish();
    }

    /** Gives back what was claimed. */
    void abort()
    {
        appender.abort();
    }

    /** Tells each way what became of its messages that the board has settled. */
    void settle()
    {
        final int newFront = registers.frontAcquire();
        final int lossCount = lossCount();          // After the front: the board counts before it moves that.
        if (lossCount != lossCountSeen)
        {
            lossCountSeen = lossCount;
            markedUntil = next;
        }
        while (first != next && ends[first & mask] - newFront <= 0)
        {
            final int slot = first & mask;
            hops[slot].onSettled(first - markedUntil < 0 ? readFate(starts[slot]) : null);
            first++;
        }
        front = newFront;
    }

    /** As {@link #settle()}, unless somebody is inside, who will do it. */
    void settleIfFree()
    {
        if (tryTake())
        {
            if (!isEnded)
            {
                settle();
            }
            giveBack();
        }
    }

    /** Settles for the last time: the memory goes. False if somebody is inside; then call again. */
    boolean tryEnd()
    {
        if (!tryTake())
        {
            return false;
        }
        if (!isEnded)
        {
            settle();
            isEnded = true;
        }
        giveBack();
        return true;
    }

    /** Messages of all ways that the board has not settled. */
    int unsettledCount()
    {
        return next - first;
    }

    /** Largest message that the channel takes. */
    int messageLengthMax()
    {
        return appender.messageLengthMax();
    }

    /** True after the board has stopped the channel, or was found to write what cannot be. */
    boolean isStopped()
    {
        return appender.isCorrupt() || registers.statusAcquire() != ChannelRegisters.STATUS_RUNNING;
    }

    private boolean hasRoom(final int paddedLength)
    {
        final int gapLength = QueueFormat.gapLength(back, queueLength, paddedLength);
        return queueLength - (back - front) >= gapLength + paddedLength;
    }

    private int lossCount()
    {
        return registers.undelivered() + registers.unknown() + registers.refused();
    }

    private MessageFate readFate(final int position)
    {
        return QueueFormat.readFate(sram, queueIndex + QueueFormat.offset(position, queueLength));
    }
}
