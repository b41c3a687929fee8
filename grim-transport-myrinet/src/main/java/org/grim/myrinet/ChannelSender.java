// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.MessageOutcome;
import org.grim.board.QueueFormat;
import org.grim.board.host.ChannelAppender;
import org.grim.myrinet.injection.InjectionPlan;
import org.grim.myrinet.injection.InjectionResult;
import org.grim.myrinet.injection.InjectionTarget;
import org.grim.myrinet.injection.PlannedInjection;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.REFUSED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.grim.board.ChannelRegisters.UNKNOWN;

/**
 * The sending half of one NI channel, which all paths that begin there share: room in its queue in SRAM, and the owners
 * of the messages in the queue, so that each path learns the outcomes of its own.
 * <p>Thread: any, one at a time between {@link #tryTake()} and {@link #giveBack()}. Allocates nothing after
 * construction.
 * <p>Bounds: a queue of {@code n} bytes holds at most {@code n / 32} messages.
 */
final class ChannelSender
{
    private final AtomicBuffer sram;
    private final ChannelAppender appender;
    private final ChannelRegisters registers;
    private final PlannedInjection injection;
    private final InjectionTarget target;
    private final int queueIndex;
    private final int queueLength;
    private final int[] starts;
    private final int[] ends;
    private final OutcomeListener[] listeners;
    private final int mask;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private int first;
    private int next;
    private int back;
    private int front;
    private int claimedLength;
    private int segmentLength;
    private int lossCountSeen;
    /** Messages before this one may carry a mark: they stood here when a loss was counted. */
    private int markedUntil;
    private boolean isEnded;

    ChannelSender(
        final AtomicBuffer sram, final BoardGeometry geometry, final int niChannel, final PlannedInjection injection,
        final InjectionTarget target)
    {
        this.sram = sram;
        this.injection = injection;
        this.target = target;
        appender = new ChannelAppender(sram, geometry, niChannel);
        registers = new ChannelRegisters(sram, geometry, niChannel);
        queueIndex = geometry.queueOffset(niChannel);
        queueLength = geometry.queueLength();
        final int capacity = BitUtil.findNextPositivePowerOfTwo(queueLength / QueueFormat.MESSAGE_LENGTH_MIN);
        starts = new int[capacity];
        ends = new int[capacity];
        listeners = new OutcomeListener[capacity];
        mask = capacity - 1;
        back = ChannelRegisters.back(registers.getAcquire(BACK_AND_FILLED));
        front = back;
        lossCountSeen = lossCount();
    }

    /** Keeps other threads out; false if one is inside. A thread that was descheduled inside stops nobody else. */
    boolean tryTake()
    {
        return isTaken.compareAndSet(false, true);
    }

    /** Lets other threads in. */
    void giveBack()
    {
        isTaken.set(false);
    }

    /**
     * Claims room for a message. Returns the index of its first byte in SRAM, or {@link ChannelAppender#NO_ROOM}; see
     * {@link #isClosed()}.
     */
    int claim(final int messageLength)
    {
        return tryReserve(messageLength) ? claimed(appender.claim(messageLength), messageLength) :
            ChannelAppender.NO_ROOM;
    }

    /**
     * Claims room for a message whose payload is then injected as the plan says. Returns the index of its first byte in
     * SRAM, or {@link ChannelAppender#NO_ROOM}; see {@link #isClosed()}.
     */
    int claim(final int headerLength, final DirectBuffer source, final int offset, final int length)
    {
        segmentLength = length == 0 ? InjectionPlan.WHOLE : injection.segmentLength(target, source, offset, length);
        if (segmentLength == InjectionPlan.WHOLE)
        {
            return claim(headerLength + length);
        }
        return tryReserve(headerLength + length) ?
            claimed(appender.beginSegments(headerLength + length), headerLength + length) : ChannelAppender.NO_ROOM;
    }

    /**
     * Moves a payload behind the header that was written into the room claimed for both. Returns false if the board did
     * not do its part: the claim has ended, and nothing was published that would be sent.
     */
    boolean tryInject(
        final int payloadIndex, final int headerLength, final DirectBuffer source, final int offset, final int length)
    {
        target.at(payloadIndex, appender.position() + headerLength);
        final InjectionResult result = segmentLength == InjectionPlan.WHOLE ?
            injection.inject(target, source, offset, length) :
            injection.injectSegments(target, appender, source, offset, length, segmentLength);
        if (result == InjectionResult.COMPLETE)
        {
            return true;
        }
        if (appender.isPartlyPublished())
        {
            appender.publish();             // Into a channel that the board has stopped.
        }
        else
        {
            appender.abort();
        }
        return false;
    }

    private boolean tryReserve(final int messageLength)
    {
        if (isClosed() || !target.isSettled())
        {
            return false;
        }
        // Room that the board gave back may hold marks of lost messages: it is not used before they were read.
        final int paddedLength = BitUtil.align(messageLength, QueueFormat.ALIGNMENT);
        if (!hasRoom(paddedLength))
        {
            settle();
        }
        return hasRoom(paddedLength);
    }

    private int claimed(final int index, final int messageLength)
    {
        claimedLength = index == ChannelAppender.NO_ROOM ? 0 : BitUtil.align(messageLength, QueueFormat.ALIGNMENT);
        return index;
    }

    /** Receiver of the outcomes of messages. Thread: the one inside. */
    @FunctionalInterface
    interface OutcomeListener
    {
        /** One of its messages, in the order in which they were published, was settled; null means acknowledged. */
        void onSettled(MessageOutcome outcome);
    }

    /** Publishes the claim, as a message of a path. */
    void publish(final OutcomeListener listener)
    {
        assert next - first >= 0 && next - first <= mask : unsettledCount();
        final int position = appender.position();
        final int slot = next++ & mask;
        starts[slot] = position;
        back = position + claimedLength;
        ends[slot] = back;
        listeners[slot] = listener;
        appender.publish();
    }

    /** Gives back what was claimed. */
    void abort()
    {
        appender.abort();
    }

    /** Reports to each path the outcomes of its messages that the board has settled. */
    void settle()
    {
        final int newFront = registers.getAcquire(FRONT);
        final int lossCount = lossCount();          // After the front: the board counts before it moves that.
        if (lossCount != lossCountSeen)
        {
            lossCountSeen = lossCount;
            markedUntil = next;
        }
        while (first != next && ends[first & mask] - newFront <= 0)
        {
            final int slot = first & mask;
            listeners[slot].onSettled(first - markedUntil < 0 ? readOutcome(starts[slot]) : null);
            first++;
        }
        assert next - first >= 0 : unsettledCount();
        front = newFront;
    }

    /** Settles as {@link #settle()} does, unless another thread is inside, which will do it. */
    void settleIfFree()
    {
        if (tryTake())
        {
            settleInside();
            giveBack();
        }
    }

    /** Settles as {@link #settle()} does, for a caller that is inside already: the memory may have gone. */
    void settleInside()
    {
        if (!isEnded)
        {
            settle();
        }
    }

    /** Settles for the last time: the memory goes. Returns false if another thread is inside; then call again. */
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

    /** Messages of all paths that the board has not settled. */
    int unsettledCount()
    {
        return next - first;
    }

    /** Largest message that the channel takes. */
    int messageLengthMax()
    {
        return appender.messageLengthMax();
    }

    /** True when nothing can be sent any more: the memory went, or the board has stopped the channel. */
    boolean isClosed()
    {
        return isEnded || appender.isCorrupt() || registers.getAcquire(STATUS) != ChannelRegisters.STATUS_RUNNING;
    }

    private boolean hasRoom(final int paddedLength)
    {
        final int gapLength = QueueFormat.gapLength(back, queueLength, paddedLength);
        return queueLength - (back - front) >= gapLength + paddedLength;
    }

    private int lossCount()
    {
        return registers.getAcquire(UNDELIVERED) + registers.getAcquire(UNKNOWN) + registers.getAcquire(REFUSED);
    }

    private MessageOutcome readOutcome(final int position)
    {
        return QueueFormat.readOutcome(sram, queueIndex + QueueFormat.offset(position, queueLength));
    }
}
