// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;


import org.agrona.DirectBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.MessageFate;
import org.grim.board.QueueFormat;
import org.grim.ni.event.Fate;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * What one channel's queue holds, by position, and how many messages ended how.
 * <p>Thread: the simulation's. Bounds: as many messages as the queue can hold.
 */
public final class ChannelLedger
{
    static final int NONE = -1;

    private final int ni;
    private final int channel;
    private final int mask;
    private final int queueMask;
    private final int[] positions;
    private final int[] numbers;
    private final PairLedger[] pairs;
    private final Fate[] fates;
    private final boolean[] isInFlight;
    private final int[] tokens;
    private final int[] sequences;
    private int head;                   // Oldest message not passed by the channel's front; free-running.
    private int tail;
    private int queuedCount;
    private final long[] countsByFate = new long[4];
    private final long[] markCounts = new long[1 + MessageFate.values().length];

    ChannelLedger(final int ni, final int channel, final int queueLength)
    {
        this.ni = ni;
        this.channel = channel;
        final int capacity = queueLength / 32;
        mask = capacity - 1;
        queueMask = queueLength - 1;
        positions = new int[capacity];
        numbers = new int[capacity];
        pairs = new PairLedger[capacity];
        fates = new Fate[capacity];
        isInFlight = new boolean[capacity];
        tokens = new int[capacity];
        sequences = new int[capacity];
    }

    void accepted(final int position, final PairLedger pair, final MessageKind kind)
    {
        if (tail - head > mask)
        {
            throw new ViolationException("queue overrun", this + " takes message " + tail + " at " + position +
                " although it holds " + (tail - head));
        }
        final int slot = tail++ & mask;
        positions[slot] = position;
        numbers[slot] = pair.nextNumber();
        pairs[slot] = pair;
        fates[slot] = null;
        isInFlight[slot] = false;
        tokens[slot] = NONE;
        sequences[slot] = NONE;
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
            final int difference = position - positions[middle & mask];
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
     * The channel's front stands here now: what lies before it must be settled, and carry its fate in its first word
     * unless it was acknowledged. It is forgotten.
     *
     * @param front      position, as in the channel's register.
     * @param sram       of the board.
     * @param queueIndex where the channel's queue begins there.
     */
    public void frontAt(final int front, final DirectBuffer sram, final int queueIndex)
    {
        while (tail != head && front - positions[head & mask] > 0)
        {
            if (fates[head & mask] == null)
            {
                throw new ViolationException("front passed", this + " message " + head + " at " +
                    positions[head & mask] + " has no fate, and the front is " + front);
            }
            checkMark(sram.getInt(queueIndex + (positions[head & mask] & queueMask), BIG_ENDIAN));
            pairs[head & mask] = null;
            head++;
        }
    }

    private void checkMark(final int word)
    {
        final MessageFate told = QueueFormat.fate(word);
        final Fate fate = fates[head & mask];
        final boolean isRight = told == null ? fate == Fate.ACKNOWLEDGED : told.name().equals(fate.name());
        if (!isRight)
        {
            throw new ViolationException("fate mark", this + " message " + head + " is " + fate +
                ", and its first word says " + told);
        }
        markCounts[told == null ? 0 : told.code()]++;
    }

    /** Messages that the front has passed and whose first word tells a fate. */
    private long markCount(final MessageFate mark)
    {
        return markCounts[mark.code()];
    }

    void settled(final int ordinal, final Fate fate, final boolean isUndisturbed)
    {
        final int slot = ordinal & mask;
        final Fate before = fates[slot];
        if (before != null && (fate != Fate.UNKNOWN || isUndisturbed))
        {
            throw new ViolationException("settled twice", this + " message " + ordinal + " was " + before +
                " and is now " + fate);
        }
        final PairLedger pair = pairs[slot];
        checkExpected(ordinal, pair.kind(numbers[slot]), fate, isUndisturbed);
        if (before != null)
        {
            // A restarted NI does not know any more what was settled behind a message that was not.
            countsByFate[index(before)]--;
            queuedCount++;
        }
        else
        {
            pair.settled(numbers[slot], fate);
        }
        fates[slot] = fate;
        isInFlight[slot] = false;
        countsByFate[index(fate)]++;
        queuedCount--;
    }

    PairLedger pair(final int ordinal)
    {
        return pairs[ordinal & mask];
    }

    boolean isInFlight(final int ordinal)
    {
        return ordinal - head >= 0 && ordinal - tail < 0 && isInFlight[ordinal & mask];
    }

    int token(final int ordinal)
    {
        return tokens[ordinal & mask];
    }

    int sequence(final int ordinal)
    {
        return sequences[ordinal & mask];
    }

    void transmitted(final int ordinal, final int token, final int sequence)
    {
        isInFlight[ordinal & mask] = true;
        tokens[ordinal & mask] = token;
        sequences[ordinal & mask] = sequence;
    }

    /** A message that was being sent was cut: it is not in flight. */
    void held(final int ordinal)
    {
        isInFlight[ordinal & mask] = false;
    }

    /** What was sent of a pair, or of all pairs if that is null, will be sent again or never. Returns how many. */
    int recalled(final int destinationNi, final int destinationChannel)
    {
        int count = 0;
        for (int ordinal = head; ordinal != tail; ordinal++)
        {
            final int slot = ordinal & mask;
            if (isInFlight[slot] && (destinationNi < 0 || (pairs[slot].destinationNi == destinationNi &&
                (destinationChannel < 0 || pairs[slot].destinationChannel == destinationChannel))))
            {
                isInFlight[slot] = false;
                count++;
            }
        }
        return count;
    }

    /** A message of a pair was refused for good: those behind it get other sequences. */
    void renumbered(final int destinationNi, final int destinationChannel)
    {
        for (int ordinal = head; ordinal != tail; ordinal++)
        {
            final PairLedger pair = pairs[ordinal & mask];
            if (pair.destinationNi == destinationNi && pair.destinationChannel == destinationChannel)
            {
                sequences[ordinal & mask] = NONE;
            }
        }
    }

    int inFlightCount(final PairLedger pair)
    {
        int count = 0;
        for (int ordinal = head; ordinal != tail; ordinal++)
        {
            if (isInFlight[ordinal & mask] && (pair == null || pairs[ordinal & mask] == pair))
            {
                count++;
            }
        }
        return count;
    }

    /** Whether another message of the pair in flight carries a sequence. */
    boolean isSequenceUsed(final int ordinal, final int sequence)
    {
        for (int other = head; other != tail; other++)
        {
            final int slot = other & mask;
            if (other != ordinal && isInFlight[slot] && sequences[slot] == sequence &&
                pairs[slot] == pairs[ordinal & mask])
            {
                return true;
            }
        }
        return false;
    }

    /** {@return messages that wait for their fate; 0 if none does} */
    public int queuedCount()
    {
        return queuedCount;
    }

    /** Messages that the host ever appended: as many ordinals are given out. */
    int acceptedCount()
    {
        return tail;
    }

    /** {@return the oldest message without a fate: its description, or null if all are settled} */
    public String oldestQueued()
    {
        for (int ordinal = head; ordinal != tail; ordinal++)
        {
            if (fates[ordinal & mask] == null)
            {
                return this + " message " + ordinal + " at " + positions[ordinal & mask] + " (" +
                    pairs[ordinal & mask] + " number " + numbers[ordinal & mask] + ")";
            }
        }
        return null;
    }

    /**
     * At rest: what was accepted and what became of it adds up, also in the eyes of the NI.
     *
     * @param registers of the channel, or null if its NI cannot be asked.
     */
    public void checkAccounts(final ChannelRegisters registers)
    {
        final long undelivered = count(Fate.UNDELIVERED);
        final long unknown = count(Fate.UNKNOWN);
        final long refused = count(Fate.REFUSED);
        final long settled = count(Fate.ACKNOWLEDGED) + undelivered + unknown + refused;
        final boolean isCounted = registers == null ||
            (registers.getAcquire(ChannelRegisters.UNDELIVERED) == undelivered &&
            registers.getAcquire(ChannelRegisters.UNKNOWN) == unknown &&
            registers.getAcquire(ChannelRegisters.REFUSED) == refused &&
            markCount(MessageFate.UNDELIVERED) == undelivered && markCount(MessageFate.UNKNOWN) == unknown &&
            markCount(MessageFate.REFUSED) == refused);
        if (settled + queuedCount != tail || !isCounted)
        {
            throw new ViolationException("accounts", this + ": accepted " + tail + ", acknowledged " +
                count(Fate.ACKNOWLEDGED) + ", undelivered " + undelivered + ", unknown " + unknown + ", refused " +
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

    private long count(final Fate fate)
    {
        return countsByFate[index(fate)];
    }

    private void checkExpected(
        final int ordinal, final MessageKind kind, final Fate fate, final boolean isUndisturbed)
    {
        final boolean isGood = switch (fate)
        {
            case ACKNOWLEDGED -> !kind.mustBeRefused() && !kind.mustBeUndelivered();
            case REFUSED -> kind.mustBeRefused() || kind == MessageKind.CHURN;
            case UNDELIVERED -> kind.mustBeUndelivered() || !isUndisturbed;
            case UNKNOWN -> !isUndisturbed;
        };
        if (!isGood)
        {
            throw new ViolationException("false fate", this + " message " + ordinal + " of kind " + kind + " to " +
                pairs[ordinal & mask] + " number " + numbers[ordinal & mask] + " is " + fate);
        }
    }

    private static int index(final Fate fate)
    {
        return switch (fate)
        {
            case ACKNOWLEDGED -> 0;
            case REFUSED -> 1;
            case UNDELIVERED -> 2;
            case UNKNOWN -> 3;
        };
    }
}
