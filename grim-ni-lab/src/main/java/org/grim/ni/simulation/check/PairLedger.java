// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import org.grim.ni.event.Outcome;

/**
 * State of the messages of one (source NI, source channel, destination NI, destination channel): each has a number, a
 * kind, later an outcome, and perhaps was delivered. Reports a contradiction at once.
 * <p>Thread: the simulation's.
 */
public final class PairLedger
{
    /** NI of the sender. */
    public final int sourceNi;
    /** Channel of the sender. */
    public final int sourceChannel;
    /** NI of the receiver. */
    public final int destinationNi;
    /** Channel of the receiver. */
    public final int destinationChannel;
    private final List<MessageKind> kinds = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();             // Null where none is known.
    private final BitSet delivered = new BitSet();
    private int lastDelivered = -1;

    PairLedger(final int sourceNi, final int sourceChannel, final int destinationNi, final int destinationChannel)
    {
        this.sourceNi = sourceNi;
        this.sourceChannel = sourceChannel;
        this.destinationNi = destinationNi;
        this.destinationChannel = destinationChannel;
    }

    /** {@return the number that the next message gets; messages so far} */
    public int nextNumber()
    {
        return kinds.size();
    }

    void accepted(final MessageKind kind)
    {
        kinds.add(kind);
        outcomes.add(null);
    }

    /** {@return how a message ended; null while it has no outcome} */
    public Outcome outcome(final int number)
    {
        return outcomes.get(number);
    }

    /** Messages with an outcome; null for those that have none. */
    long count(final Outcome outcome)
    {
        return outcomes.stream().filter(each -> each == outcome).count();
    }

    /** Returns the kind of a message. */
    public MessageKind kind(final int number)
    {
        return kinds.get(number);
    }

    void settled(final int number, final Outcome outcome)
    {
        final boolean isDelivered = delivered.get(number);
        if (isDelivered && (outcome == Outcome.UNDELIVERED || outcome == Outcome.REFUSED))
        {
            throw violation("false outcome", number, "was delivered and is reported as " + outcome);
        }
        if (outcome == Outcome.ACKNOWLEDGED && kind(number).isArriving() && !isDelivered && number < lastDelivered)
        {
            throw violation("loss", number, "is acknowledged, but number " + lastDelivered + " was delivered before");
        }
        outcomes.set(number, outcome);
    }

    void delivered(final int number)
    {
        if (number < 0 || number >= nextNumber())
        {
            throw violation("phantom", number, "was never sent; " + nextNumber() + " were");
        }
        if (delivered.get(number))
        {
            throw violation("copy", number, "is delivered a second time");
        }
        if (number < lastDelivered)
        {
            throw violation("order", number, "is delivered after number " + lastDelivered);
        }
        final Outcome outcome = outcome(number);
        if (outcome == Outcome.UNDELIVERED || outcome == Outcome.REFUSED)
        {
            throw violation("false outcome", number, "was reported as " + outcome + " and is delivered");
        }
        for (int i = lastDelivered + 1; i < number; i++)
        {
            final Outcome skipped = outcome(i);
            if (kind(i).isArriving() && (skipped == null || skipped == Outcome.ACKNOWLEDGED))
            {
                throw violation("gap", number, "is delivered, but number " + i + " was not, which is " +
                    (skipped == null ? "still under way" : skipped.toString()));
            }
        }
        delivered.set(number);
        lastDelivered = number;
    }

    /** At rest: what is acknowledged was delivered. */
    void checkAtRest()
    {
        for (int number = 0; number < nextNumber(); number++)
        {
            if (outcome(number) == Outcome.ACKNOWLEDGED && kind(number).isArriving() && !delivered.get(number))
            {
                throw violation("loss", number, "is acknowledged and was never delivered");
            }
        }
    }

    /** {@return number of the last message of a kind that was acknowledged; -1 if none was} */
    public int lastAcknowledged(final MessageKind kind)
    {
        int number = nextNumber() - 1;
        while (number >= 0 && (kind(number) != kind || outcome(number) != Outcome.ACKNOWLEDGED))
        {
            number--;
        }
        return number;
    }

    @Override
    public String toString()
    {
        return "NI " + sourceNi + " channel " + sourceChannel + " to NI " + destinationNi + " channel " +
            destinationChannel;
    }

    private ViolationException violation(final String promise, final int number, final String text)
    {
        return new ViolationException(promise, this + ": number " + number + " " + text);
    }
}
