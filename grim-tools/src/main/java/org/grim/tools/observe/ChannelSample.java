// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.QueueFormat;
import org.grim.board.StopReason;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.REFUSED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.grim.board.ChannelRegisters.UNKNOWN;

/**
 * An NI channel at one look.
 *
 * @param number      of the channel.
 * @param isEnabled   whether its host has set it up.
 * @param context     that has it; null for nobody.
 * @param queueLength bytes of its queue in SRAM.
 * @param front       position of the oldest message without an outcome.
 * @param next        position of the next message to be taken.
 * @param back        position behind the last whole message.
 * @param filled      bytes written of the message at the back; 0 if none was begun.
 * @param status      0 while the board serves it, otherwise why not.
 * @param outcomes       what became of messages.
 * @param queue       what stands in SRAM.
 * @param begun       the message at the back that is not complete; null if it is none that can be read.
 * @param arrivals    its arrival queue.
 */
record ChannelSample(
    int number, boolean isEnabled, ContextSample context, int queueLength, int front, int next, int back, int filled,
    int status, Outcomes outcomes, MessageQueue queue, MessageQueue.Head begun, ArrivalSample arrivals)
{
    /** Counts of messages: those that arrived for the channel, and those of it that were lost. */
    record Outcomes(long delivered, long undelivered, long unknown, long refused)
    {
    }

    /**
     * Reads a channel.
     *
     * @param region of the context that has it; null if it cannot be read.
     */
    static ChannelSample of(
        final AtomicBuffer sram, final BoardGeometry geometry, final int number, final ContextSample context,
        final AtomicBuffer region)
    {
        final ChannelRegisters registers = new ChannelRegisters(sram, geometry, number);
        final boolean isEnabled = registers.isEnabledAcquire();
        final int queueLength = geometry.queueLength();
        final int queueIndex = geometry.queueOffset(number);
        final int front = registers.getAcquire(FRONT);
        final long backAndFilled = registers.getAcquire(BACK_AND_FILLED);
        final int back = ChannelRegisters.back(backAndFilled);
        final int filled = ChannelRegisters.filled(backAndFilled);
        final Outcomes outcomes = new Outcomes(Integer.toUnsignedLong(registers.getAcquire(DELIVERED)),
            Integer.toUnsignedLong(registers.getAcquire(UNDELIVERED)),
            Integer.toUnsignedLong(registers.getAcquire(UNKNOWN)),
            Integer.toUnsignedLong(registers.getAcquire(REFUSED)));
        final int offset = QueueFormat.offset(back, queueLength);
        final MessageQueue.Head begun = filled < QueueFormat.MESSAGE_LENGTH_MIN ||
            offset % QueueFormat.ALIGNMENT != 0 ? null :
            MessageQueue.header(sram, queueIndex + offset, queueLength - offset);
        return new ChannelSample(number, isEnabled, context, queueLength, front, registers.get(NEXT), back, filled,
            registers.getAcquire(STATUS), outcomes, MessageQueue.read(sram, queueIndex, queueLength, front, back),
            begun, ArrivalSample.of(registers, region));
    }

    /** Channel of its owner; -1 for nobody's. */
    int ownerChannel()
    {
        return context == null ? -1 : number - context.firstChannel();
    }

    /** Bytes that stand in SRAM; -1 if the positions do not fit. */
    int queuedLength()
    {
        return MessageQueue.isWithin(front, back, queueLength) ? back - front : -1;
    }

    boolean isStopped()
    {
        return status != ChannelRegisters.STATUS_RUNNING;
    }

    boolean isStanding()
    {
        return back != front || filled != 0;
    }

    /** Whether nothing but a message that is not complete stands in SRAM. */
    boolean isIncomplete()
    {
        return back == front && filled != 0;
    }

    /** The message that must go before any other; null if it cannot be read. */
    MessageQueue.Head first()
    {
        return isIncomplete() ? begun : queue.head();
    }

    /** Whether one more message like the first finds no room. */
    boolean isFull()
    {
        final int length = queue.head() == null ? QueueFormat.MESSAGE_LENGTH_MIN : queue.head().length();
        return queuedLength() >= 0 &&
            queueLength - queuedLength() < QueueFormat.gapLength(back, queueLength, length) + length;
    }

    /** Whether all that ever arrived still stands in the arrival queue. */
    boolean isUntouched()
    {
        return arrivals.messageCount() > 0 && outcomes.delivered() == arrivals.messageCount();
    }

    /** The status in a word. */
    String statusText()
    {
        if (!isStopped())
        {
            return isEnabled ? "running" : "off";
        }
        final StopReason reason = StopReason.ofCode(status);
        return reason == null ? "corrupt " + status : reason.name();
    }
}
