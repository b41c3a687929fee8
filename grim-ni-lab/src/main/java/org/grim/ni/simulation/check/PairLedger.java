// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;


import java.util.Arrays;

import org.grim.ni.event.Fate;

/**
 * What is known of the messages of one (source NI, source channel, destination NI, destination channel): each has a
 * number, a kind, later a fate, and perhaps was delivered. Says at once when these contradict each other.
 * <p>Thread: the simulation's. One byte for each message.
 */
public final class PairLedger
{
    private static final int KIND_MASK = 7;
    private static final int FATE_SHIFT = 3;
    private static final int FATE_MASK = 7;
    private static final int DELIVERED = 1 << 6;
    private static final int CAPACITY = 64;
    private static final Fate[] FATES = {null, Fate.ACKNOWLEDGED, Fate.REFUSED, Fate.UNDELIVERED, Fate.UNKNOWN};

    /** NI of the sender. */
    public final int sourceNi;
    /** Channel of the sender. */
    public final int sourceChannel;
    /** NI of the receiver. */
    public final int destinationNi;
    /** Channel of the receiver. */
    public final int destinationChannel;
    private byte[] states = new byte[CAPACITY];
    private int count;
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
        return count;
    }

    void accepted(final MessageKind kind)
    {
        if (count == states.length)
        {
            states = Arrays.copyOf(states, count * 2);
        }
        states[count++] = (byte)kind.code();
    }

    /**
     * How a message ended.
     *
     * @param number of the message.
     * @return its fate, or null while it has none.
     */
    public Fate fate(final int number)
    {
        return FATES[states[number] >>> FATE_SHIFT & FATE_MASK];
    }

    /**
     * What a message is.
     *
     * @param number of the message.
     * @return as it was appended.
     */
    public MessageKind kind(final int number)
    {
        return MessageKind.ofCode(states[number] & KIND_MASK);
    }

    void settled(final int number, final Fate fate)
    {
        final MessageKind kind = kind(number);
        final boolean isDelivered = (states[number] & DELIVERED) != 0;
        if (isDelivered && (fate == Fate.UNDELIVERED || fate == Fate.REFUSED))
        {
            throw violation("false fate", number, "was delivered and is reported as " + fate);
        }
        if (fate == Fate.ACKNOWLEDGED && kind.isArriving() && !isDelivered && number < lastDelivered)
        {
            throw violation("loss", number, "is acknowledged, but number " + lastDelivered + " was delivered before");
        }
        states[number] = (byte)((states[number] & ~(FATE_MASK << FATE_SHIFT)) | (code(fate) << FATE_SHIFT));
    }

    void delivered(final int number)
    {
        if (number < 0 || number >= count)
        {
            throw violation("phantom", number, "was never sent; " + count + " were");
        }
        if ((states[number] & DELIVERED) != 0)
        {
            throw violation("copy", number, "is delivered a second time");
        }
        if (number < lastDelivered)
        {
            throw violation("order", number, "is delivered after number " + lastDelivered);
        }
        final Fate fate = fate(number);
        if (fate == Fate.UNDELIVERED || fate == Fate.REFUSED)
        {
            throw violation("false fate", number, "was reported as " + fate + " and is delivered");
        }
        for (int i = lastDelivered + 1; i < number; i++)
        {
            final Fate skipped = fate(i);
            if (kind(i).isArriving() && (skipped == null || skipped == Fate.ACKNOWLEDGED))
            {
                throw violation("gap", number, "is delivered, but number " + i + " was not, which is " +
                    (skipped == null ? "still under way" : skipped.toString()));
            }
        }
        states[number] |= DELIVERED;
        lastDelivered = number;
    }

    /** At rest: what is acknowledged was delivered. */
    void checkAtRest()
    {
        for (int number = 0; number < count; number++)
        {
            if (fate(number) == Fate.ACKNOWLEDGED && kind(number).isArriving() && (states[number] & DELIVERED) == 0)
            {
                throw violation("loss", number, "is acknowledged and was never delivered");
            }
        }
    }

    /**
     * The last message of a kind that was acknowledged.
     *
     * @param kind asked for.
     * @return its number, or -1 if none was.
     */
    public int lastAcknowledged(final MessageKind kind)
    {
        int number = count - 1;
        while (number >= 0 && (kind(number) != kind || fate(number) != Fate.ACKNOWLEDGED))
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

    private static int code(final Fate fate)
    {
        return switch (fate)
        {
            case ACKNOWLEDGED -> 1;
            case REFUSED -> 2;
            case UNDELIVERED -> 3;
            case UNKNOWN -> 4;
        };
    }
}
