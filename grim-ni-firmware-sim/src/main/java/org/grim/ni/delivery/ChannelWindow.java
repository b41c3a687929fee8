// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.MessageOutcome;
import org.grim.board.QueueFormat;
import org.grim.board.StopReason;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.multicast.TreeRule;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.STATUS;

/**
 * One channel's queue as the firmware sees it: what was taken and is not settled, between <em>front</em> and
 * <em>next</em>, and what the host has appended behind. Everything that the host wrote is read once and judged.
 * <p>Bounds: at most {@code quota} messages are taken and unsettled, so that a channel whose messages cannot leave
 * takes nothing from others. Thread: the board's stepper.
 */
public final class ChannelWindow
{
    /** Bytes of a message that must be there before it is begun while its host still writes. */
    static final int CUT_THROUGH_LENGTH_MIN = 48;

    private static final int GRIM_ID_SHIFT = 48;
    private static final long WORD_MASK = 0xFFFF_FFFFL;

    /** Triples of this channel that have something to send. */
    final ReadyTriples ready = new ReadyTriples();

    private final int channel;
    private final AtomicBuffer sram;
    private final ChannelRegisters registers;
    private final NiListener listener;
    private final int queueIndex;
    private final int queueLength;
    private final MessageRecord[] records;
    private final int recordMask;
    private final boolean hasHost;
    private int takenCount;             // Free-running.
    private int freedCount;             // Free-running.
    private int next;
    private int front;
    private State state = State.OPEN;
    private boolean isMarked;           // The message that locate() found has its outcome in its first word.
    private MessageRecord partial;      // Taken while its host still writes it: the queue ends before it.
    private long headerFirst;           // Of the message that locate() found.
    private long headerSecond;
    private int locatedLength;
    private boolean isLocatedPartial;

    /** Life cycle of a channel. */
    private enum State
    {
        /** Its next host says where positions begin, before it enables the channel. */
        NEW,
        /** Messages that an earlier firmware took are looked at again, with the outcomes that it left. */
        RECOVERING,
        /** Messages are taken. */
        OPEN,
        /** Its host wrote what cannot be: nothing is taken until the next host. */
        STOPPED,
        /** Its host is going: what is not taken is settled. */
        CLOSED;

        private boolean canBecome(final State next)
        {
            return switch (this)
            {
                case NEW -> next == OPEN;
                case RECOVERING -> next == OPEN || next == STOPPED;
                case OPEN -> next == RECOVERING || next == STOPPED || next == CLOSED;
                case STOPPED -> next == CLOSED;
                case CLOSED -> next == NEW;
            };
        }
    }

    ChannelWindow(
        final AtomicBuffer sram, final BoardGeometry geometry, final int channel, final int quota,
        final boolean hasHost, final NiListener listener)
    {
        if (!BitUtil.isPowerOfTwo(quota))
        {
            throw new IllegalArgumentException("channel quota=" + quota + " is not a power of two");
        }
        this.channel = channel;
        this.sram = sram;
        this.hasHost = hasHost;
        this.listener = listener;
        registers = new ChannelRegisters(sram, geometry, channel);
        queueIndex = geometry.queueOffset(channel);
        queueLength = geometry.queueLength();
        records = new MessageRecord[quota];
        recordMask = quota - 1;
        for (int i = 0; i < quota; i++)
        {
            records[i] = new MessageRecord(this);
        }
    }

    /** Goes on where an earlier firmware ended: what that had taken and not settled may have been delivered, or not. */
    void recover()
    {
        transition(State.RECOVERING);
        front = registers.get(FRONT);
        next = front;
        final int end = registers.get(NEXT);
        boolean isFound = locateBefore(end);
        while (isFound && !isLocatedPartial)
        {
            if (!isMarked)                  // Otherwise that firmware had counted it, and the front was to pass it.
            {
                registers.addRelease(ChannelRegisters.UNKNOWN, 1);
                QueueFormat.writeOutcome(sram, index(), Outcome.UNKNOWN.mark());
                listener.onSettled(channel, next, Outcome.UNKNOWN);
            }
            next += locatedLength;
            isFound = locateBefore(end);
        }
        if (state == State.RECOVERING)
        {
            transition(State.OPEN);
        }
        front = next;
        registers.put(NEXT, next);
        registers.putRelease(FRONT, front);
        if (isFound)
        {
            final MessageRecord record = take();        // Its host still writes it: the front waits before it.
            record.outcome = Outcome.UNKNOWN;
            listener.onSettled(channel, record.position, Outcome.UNKNOWN);
        }
    }

    /** Looks at the end twice: to locate a message may skip the gap before it, and so reach the end. */
    private boolean locateBefore(final int end)
    {
        return end - next > 0 && locate() && end - next > 0;
    }

    int channel()
    {
        return channel;
    }

    ChannelRegisters registers()
    {
        return registers;
    }

    /** Takes nothing more: what was not taken is settled. The front follows when what was taken is. */
    void close()
    {
        while (state != State.CLOSED && locate() && !isLocatedPartial)
        {
            registers.addRelease(ChannelRegisters.UNDELIVERED, 1);
            QueueFormat.writeOutcome(sram, index(), MessageOutcome.UNDELIVERED);
            listener.onSettled(channel, next, Outcome.UNDELIVERED);
            next += locatedLength;
        }
        if (state != State.CLOSED)
        {
            transition(State.CLOSED);
        }
        registers.put(NEXT, next);
        free();
    }

    /** The channel is as new: closed before, with nothing taken, its registers 0. */
    void reset()
    {
        assert takenCount == freedCount : unsettledCount();
        transition(State.NEW);
        partial = null;
    }

    /** Whether the quota is used up. A message that was settled before its host had completed it may count no more. */
    boolean isFull()
    {
        if (partial != null)
        {
            isBeforePartial(ChannelRegisters.back(registers.getAcquire(BACK_AND_FILLED)));
        }
        return takenCount - freedCount == records.length;
    }

    /** Whether so many messages can be taken. */
    boolean hasRoomFor(final int count)
    {
        return takenCount - freedCount <= records.length - count;
    }

    int unsettledCount()
    {
        return takenCount - freedCount;
    }

    /**
     * Looks at the message behind the last one taken, and reads its header. Returns false if there is none, or not
     * enough of it to judge.
     */
    boolean locate()
    {
        final long backAndFilled = registers.getAcquire(BACK_AND_FILLED);
        final int back = ChannelRegisters.back(backAndFilled);
        if (state == State.NEW)
        {
            transition(State.OPEN);
            front = registers.get(FRONT);
            next = front;
        }
        if (state == State.STOPPED || state == State.CLOSED || isBeforePartial(back))
        {
            return false;
        }
        if (back - front < 0 || back - front > queueLength || back - next < 0)
        {
            stop(StopReason.BAD_BACK);
            return false;
        }
        if (back != next && !skipGap(back))
        {
            return stop(StopReason.BAD_HEADER);
        }
        final int available = back - next;
        final int arrivedLength = available > 0 ? available : ChannelRegisters.filled(backAndFilled);
        isLocatedPartial = available == 0;
        if (arrivedLength < (available > 0 ? QueueFormat.MESSAGE_LENGTH_MIN : CUT_THROUGH_LENGTH_MIN))
        {
            return available > 0 && stop(StopReason.BAD_HEADER);
        }
        final int index = index();
        headerFirst = sram.getLong(index, BIG_ENDIAN);
        headerSecond = sram.getLong(index + SIZE_OF_LONG, BIG_ENDIAN);
        isMarked = state == State.RECOVERING && QueueFormat.outcome((int)(headerFirst >>> Integer.SIZE)) != null;
        if (isMarked)
        {
            headerFirst = (long)MessageHeader.GRIM_ID << GRIM_ID_SHIFT | (headerFirst & WORD_MASK);
        }
        if (MessageHeader.invalid(headerFirst, headerSecond, QueueFormat.MESSAGE_LENGTH_MAX) != null)
        {
            return stop(StopReason.BAD_HEADER);
        }
        locatedLength = QueueFormat.MESSAGE_LENGTH_MIN +
            BitUtil.align(MessageHeader.payloadLength(headerFirst, headerSecond), QueueFormat.ALIGNMENT);
        if ((available > 0 && locatedLength > available) ||
            locatedLength > QueueFormat.endLength(next, queueLength))
        {
            return stop(StopReason.BAD_HEADER);
        }
        return true;
    }

    /** Whether the host still writes the message that {@link #locate()} found. */
    boolean isLocatedPartial()
    {
        return isLocatedPartial;
    }

    long headerFirst()
    {
        return headerFirst;
    }

    long headerSecond()
    {
        return headerSecond;
    }

    /** Where the message that {@link #locate()} found stands in SRAM. */
    int locatedIndex()
    {
        return index();
    }

    /** A record of the message that {@link #locate()} found, which stays: it has another one, which follows. */
    MessageRecord takeFirstOfTwo(final TreeRule rule)
    {
        final MessageRecord record = records[takenCount++ & recordMask];
        assert unsettledCount() < records.length : "no record for the second";
        record.taken(next, rule.frontAfterFirst(next, next + locatedLength), index(), locatedLength);
        return record;
    }

    /** Takes the message that {@link #locate()} found. */
    MessageRecord take()
    {
        if (takenCount - freedCount == records.length)
        {
            throw new IllegalStateException("channel=" + channel + " has " + records.length +
                " messages under way already: one more would take the record of the oldest");
        }
        final MessageRecord record = records[takenCount++ & recordMask];
        record.taken(next, next + locatedLength, index(), locatedLength);
        next += locatedLength;
        registers.put(NEXT, next);
        if (isLocatedPartial)
        {
            partial = record;
        }
        return record;
    }

    /**
     * Bytes of a taken message that its host has written.
     *
     * @param record of this channel.
     * @return up to its length; -1 if the host wrote what cannot be: the channel is stopped.
     */
    int arrivedLength(final MessageRecord record)
    {
        if (record != partial)
        {
            return record.length;               // Complete when it was taken; later writes of its host do not matter.
        }
        final long backAndFilled = registers.getAcquire(BACK_AND_FILLED);
        final int beyond = ChannelRegisters.back(backAndFilled) - record.position;
        if (beyond != 0)
        {
            if (beyond >= record.length && beyond <= queueLength)
            {
                return record.length;
            }
            stop(StopReason.BAD_BACK);
            return -1;
        }
        final int filled = ChannelRegisters.filled(backAndFilled);
        if (filled < 0 || filled > record.length)
        {
            stop(StopReason.BAD_FILLED);
            return -1;
        }
        // A host that is going does not complete it.
        return state == State.CLOSED && filled < record.length ? -1 : filled & -QueueFormat.ALIGNMENT;
    }

    /** The message that was cut and is not complete, as far as is known; or null. */
    MessageRecord held()
    {
        return partial != null && partial.isHeld && !partial.isSettled() ? partial : null;
    }

    /**
     * A message is settled: front passes all settled messages at the queue's front; of a closed channel, what was
     * never taken, too. Returns whether it moved.
     */
    boolean free()
    {
        final int frontBefore = front;
        advanceFront();
        if (state == State.CLOSED && takenCount == freedCount)
        {
            front = next;
        }
        assert front - frontBefore >= 0 && next - front >= 0 : front + " of " + next;
        if (front != frontBefore)
        {
            registers.putRelease(FRONT, front);
        }
        return front != frontBefore;
    }

    /** The front stays before a message that is settled and not complete: its host still writes there. */
    private void advanceFront()
    {
        while (freedCount != takenCount && records[freedCount & recordMask].isSettled() &&
            (state == State.CLOSED || records[freedCount & recordMask] != partial))
        {
            final MessageRecord freed = records[freedCount++ & recordMask];
            front = freed.endPosition;
            assert unsettledCount() >= 0;
            final MessageOutcome mark = freed.outcome.mark();
            if (mark != null)
            {
                // Counted only now: an NI that starts again finds all messages that the front has not passed.
                Outcome.count(mark, registers);
                // The host reads it when the front has passed. Partner: its acquire of the front.
                // Not in a channel of the NI's own: a local subscriber may still be given a multicast from there.
                if (hasHost)
                {
                    QueueFormat.writeOutcome(sram, freed.index, mark);
                }
            }
        }
    }

    private boolean isBeforePartial(final int back)
    {
        if (partial == null || back == partial.position || held() != null)
        {
            return partial != null;
        }
        final boolean isSettled = partial.isSettled();
        partial = null;
        if (isSettled)
        {
            free();
        }
        return false;
    }

    /** Serves this channel no more. Returns false. */
    boolean stop(final StopReason reason)
    {
        if (state != State.STOPPED && state != State.CLOSED)
        {
            transition(State.STOPPED);
            registers.putRelease(STATUS, reason.code());
            listener.onChannelStopped(channel, reason.code());
        }
        return false;
    }

    private void transition(final State next)
    {
        if (!state.canBecome(next))
        {
            throw new IllegalStateException("channel=" + channel + " cannot become " + next + ": it is " + state);
        }
        state = next;
    }

    private boolean skipGap(final int back)
    {
        final int gapLength = QueueFormat.readGapLength(sram, queueIndex, next, queueLength);
        if (gapLength > back - next)
        {
            return false;
        }
        if (gapLength != 0)
        {
            next += gapLength;
            registers.put(NEXT, next);
            if (takenCount == freedCount)
            {
                front = next;               // Nothing before it will move the front past the gap.
                registers.putRelease(FRONT, front);
            }
        }
        return true;
    }

    private int index()
    {
        return queueIndex + QueueFormat.offset(next, queueLength);
    }
}
