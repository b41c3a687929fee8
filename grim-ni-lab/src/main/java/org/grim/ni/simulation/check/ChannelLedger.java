// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.agrona.DirectBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.MessageOutcome;
import org.grim.board.QueueFormat;
import org.grim.ni.event.Outcome;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Content of one channel's queue, by position, and the number of messages per outcome.
 * <p>Thread: the simulation's. Bounds: as many messages as the queue can hold.
 */
public final class ChannelLedger
{
    static final int NONE = -1;

    private static final int LENGTH_MIN = 32;

    private final int ni;
    private final int channel;
    private final int queueMask;
    private final Message[] messages;
    private int head;                   // Oldest message not passed by the channel's front; free-running.
    private int tail;
    private int queuedCount;
    private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    private final Map<MessageOutcome, Integer> markCounts = new EnumMap<>(MessageOutcome.class);

    ChannelLedger(final int ni, final int channel, final int queueLength)
    {
        this.ni = ni;
        this.channel = channel;
        queueMask = queueLength - 1;
        messages = new Message[queueLength / LENGTH_MIN];
    }

    private static final class Message
    {
        private final int position;
        private final PairLedger pair;
        private final int number;
        private Outcome outcome;
        private boolean isInFlight;
        private int token = NONE;
        private int sequence = NONE;

        private Message(final int position, final PairLedger pair)
        {
            this.position = position;
            this.pair = pair;
            number = pair.nextNumber();
        }

        private boolean isTo(final int destinationNi, final int destinationChannel)
        {
            return pair.destinationNi == destinationNi &&
                (destinationChannel < 0 || pair.destinationChannel == destinationChannel);
        }
    }

    private Message message(final int ordinal)
    {
        return messages[ordinal & messages.length - 1];
    }

    /** All that the front has not passed, in order. */
    private Stream<Message> unpassed()
    {
        return IntStream.range(0, tail - head).mapToObj(i -> message(head + i));
    }

    void accepted(final int position, final PairLedger pair, final MessageKind kind)
    {
        if (tail - head >= messages.length)
        {
            throw new ViolationException("queue overrun", this + " takes message " + tail + " at " + position +
                " although it holds " + (tail - head));
        }
        messages[tail++ & messages.length - 1] = new Message(position, pair);
        pair.accepted(kind);
        queuedCount++;
    }

    /** The message at a position: an ordinal, from which the other queries say more. */
    int find(final int position)
    {
        int low = head;
        int high = tail - 1;
        while (high - low >= 0)
        {
            final int middle = low + ((high - low) >>> 1);
            final int difference = position - message(middle).position;
            if (difference == 0)
            {
                return middle;
            }
            if (difference > 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }
        throw new ViolationException("phantom", this + " holds no message at " + position);
    }

    /**
     * The channel's front stands here now: what lies before it must be settled, and carry its outcome in its first word
     * unless it was acknowledged. It is forgotten.
     *
     * @param front      position, as in the channel's register.
     * @param sram       of the board.
     * @param queueIndex where the channel's queue begins there.
     */
    public void frontAt(final int front, final DirectBuffer sram, final int queueIndex)
    {
        while (tail != head && front - message(head).position > 0)
        {
            final Message message = message(head);
            if (message.outcome == null)
            {
                throw new ViolationException("front passed", this + " message " + head + " at " +
                    message.position + " has no outcome, and the front is " + front);
            }
            final MessageOutcome mark =
                QueueFormat.outcome(sram.getInt(queueIndex + (message.position & queueMask), BIG_ENDIAN));
            if (mark == null ? message.outcome != Outcome.ACKNOWLEDGED : !mark.name().equals(message.outcome.name()))
            {
                throw new ViolationException("outcome mark", this + " message " + head + " is " + message.outcome +
                    ", and its first word says " + mark);
            }
            if (mark != null)
            {
                markCounts.merge(mark, 1, Integer::sum);
            }
            messages[head++ & messages.length - 1] = null;
        }
    }

    void settled(final int ordinal, final Outcome outcome, final boolean isUndisturbed)
    {
        final Message message = message(ordinal);
        final Outcome before = message.outcome;
        if (before != null && (outcome != Outcome.UNKNOWN || isUndisturbed))
        {
            throw new ViolationException("settled twice", this + " message " + ordinal + " was " + before +
                " and is now " + outcome);
        }
        checkExpected(ordinal, outcome, isUndisturbed);
        if (before != null)
        {
            // A restarted NI does not know any more what was settled behind a message that was not.
            counts.merge(before, -1, Integer::sum);
        }
        else
        {
            message.pair.settled(message.number, outcome);
            queuedCount--;
        }
        message.outcome = outcome;
        message.isInFlight = false;
        counts.merge(outcome, 1, Integer::sum);
    }

    PairLedger pair(final int ordinal)
    {
        return message(ordinal).pair;
    }

    boolean isInFlight(final int ordinal)
    {
        return ordinal - head >= 0 && ordinal - tail < 0 && message(ordinal).isInFlight;
    }

    int token(final int ordinal)
    {
        return message(ordinal).token;
    }

    int sequence(final int ordinal)
    {
        return message(ordinal).sequence;
    }

    void transmitted(final int ordinal, final int token, final int sequence)
    {
        final Message message = message(ordinal);
        message.isInFlight = true;
        message.token = token;
        message.sequence = sequence;
    }

    /** A message that was being sent was cut: it is not in flight. */
    void held(final int ordinal)
    {
        message(ordinal).isInFlight = false;
    }

    /**
     * Returns the number of messages to a destination, or to all if that is negative, that will be sent again or never.
     */
    int recalled(final int destinationNi, final int destinationChannel)
    {
        int count = 0;
        for (int ordinal = head; ordinal != tail; ordinal++)
        {
            final Message message = message(ordinal);
            if (message.isInFlight && (destinationNi < 0 || message.isTo(destinationNi, destinationChannel)))
            {
                message.isInFlight = false;
                count++;
            }
        }
        return count;
    }

    /** A message of a pair was refused for good: those behind it get other sequences. */
    void renumbered(final int destinationNi, final int destinationChannel)
    {
        unpassed().filter(each -> each.isTo(destinationNi, destinationChannel)).forEach(each -> each.sequence = NONE);
    }

    int inFlightCount(final PairLedger pair)
    {
        int count = 0;
        for (int ordinal = head; ordinal != tail; ordinal++)
        {
            final Message message = message(ordinal);
            count += message.isInFlight && (pair == null || message.pair == pair) ? 1 : 0;
        }
        return count;
    }

    /** Whether another message of the pair in flight carries a sequence. */
    boolean isSequenceUsed(final int ordinal, final int sequence)
    {
        final Message message = message(ordinal);
        for (int other = head; other != tail; other++)
        {
            final Message each = message(other);
            if (each != message && each.isInFlight && each.sequence == sequence && each.pair == message.pair)
            {
                return true;
            }
        }
        return false;
    }

    /** {@return messages that wait for their outcome; 0 if none does} */
    public int queuedCount()
    {
        return queuedCount;
    }

    /** Messages that the host ever appended: the number of ordinals that were assigned. */
    int acceptedCount()
    {
        return tail;
    }

    /** {@return the oldest message without an outcome: its description, or null if all are settled} */
    public String oldestQueued()
    {
        return IntStream.range(0, tail - head).map(i -> head + i).filter(i -> message(i).outcome == null)
            .mapToObj(i -> this + " message " + i + " at " + message(i).position + " (" + pair(i) + " number " +
                message(i).number + ")").findFirst().orElse(null);
    }

    /**
     * At rest: what was accepted and what became of it adds up, also in the eyes of the NI.
     *
     * @param registers of the channel, or null if its NI cannot be asked.
     */
    public void checkAccounts(final ChannelRegisters registers)
    {
        final int undelivered = count(Outcome.UNDELIVERED);
        final int unknown = count(Outcome.UNKNOWN);
        final int refused = count(Outcome.REFUSED);
        final int settled = count(Outcome.ACKNOWLEDGED) + undelivered + unknown + refused;
        final boolean isCounted = registers == null ||
            (registers.getAcquire(ChannelRegisters.UNDELIVERED) == undelivered &&
            registers.getAcquire(ChannelRegisters.UNKNOWN) == unknown &&
            registers.getAcquire(ChannelRegisters.REFUSED) == refused &&
            markCounts.getOrDefault(MessageOutcome.UNDELIVERED, 0) == undelivered &&
            markCounts.getOrDefault(MessageOutcome.UNKNOWN, 0) == unknown &&
            markCounts.getOrDefault(MessageOutcome.REFUSED, 0) == refused);
        if (settled + queuedCount != tail || !isCounted)
        {
            throw new ViolationException("accounts", this + ": accepted " + tail + ", acknowledged " +
                count(Outcome.ACKNOWLEDGED) + ", undelivered " + undelivered + ", unknown " + unknown + ", refused " +
                refused + (registers == null ? "" : "; registers say undelivered " +
                registers.getAcquire(ChannelRegisters.UNDELIVERED) +
                ", unknown " + registers.getAcquire(ChannelRegisters.UNKNOWN) + ", refused " +
                registers.getAcquire(ChannelRegisters.REFUSED)));
        }
    }

    @Override
    public String toString()
    {
        return "NI " + ni + " channel " + channel;
    }

    private int count(final Outcome outcome)
    {
        return counts.getOrDefault(outcome, 0);
    }

    private void checkExpected(final int ordinal, final Outcome outcome, final boolean isUndisturbed)
    {
        final Message message = message(ordinal);
        final MessageKind kind = message.pair.kind(message.number);
        final boolean isGood = switch (outcome)
        {
            case ACKNOWLEDGED -> kind != MessageKind.MISGUIDED && kind != MessageKind.LOST;
            case REFUSED -> kind == MessageKind.MISGUIDED || kind == MessageKind.CHURN ||
                kind == MessageKind.MULTICAST;
            case UNDELIVERED -> kind == MessageKind.LOST || !isUndisturbed;
            case UNKNOWN -> !isUndisturbed;
        };
        if (!isGood)
        {
            throw new ViolationException("false outcome", this + " message " + ordinal + " of kind " + kind + " to " +
                message.pair + " number " + message.number + " is " + outcome);
        }
    }
}
