// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.grim.ni.event.Outcome;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.wire.MessageHeader;
import org.grim.wire.MulticastFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Record of multicasts: subscribers at the time of the ticket, and receivers: each subscriber gets the messages of an
 * epoch in the order of their tickets, each once, all from the first on; at rest all of them, unless an NI on the path
 * to it was cut out or began again.
 * <p>A message carries who sent it (argument 0: NI, channel, tree), the root's NI that it was sent to and its source's
 * incarnation (argument 1), its number among those of the pair (argument 2) and a seed (argument 3).
 * <p>Thread: the simulation's.
 */
public final class MulticastLedger
{
    private static final int NI_SHIFT = 16;
    private static final int CHANNEL_SHIFT = 8;
    private static final int BYTE_MASK = 0xFF;
    private static final int KEY_HALF = 32;
    private static final int NODE_SHIFT = 4;

    private final int nodeCount;
    private final boolean isUndisturbed;
    private final DeliveryLedger messages;
    private final Trace trace;
    private final Map<Long, Epoch> epochs = new HashMap<>();
    private final Map<Long, Position> positions = new HashMap<>();
    private final Map<Ticket, String> identities = new HashMap<>();
    private final Map<String, Ticket> tickets = new HashMap<>();
    private final List<PairLedger> pairs = new ArrayList<>();
    private long labelledCount;

    MulticastLedger(
        final DeliveryLedger messages, final Trace trace, final int nodeCount, final boolean isUndisturbed)
    {
        this.isUndisturbed = isUndisturbed;
        this.nodeCount = nodeCount;
        this.messages = messages;
        this.trace = trace;
    }

    private record Ticket(int tree, int epoch, int number)
    {
    }

    /** An epoch of a tree, as its owner has announced it. */
    private static final class Epoch
    {
        private final int[] subscribers;            // NI and channel each, by NI.
        private final int[] nis;
        private final BitSet closed = new BitSet();
        private final BitSet exempt = new BitSet();
        private final BitSet broken = new BitSet();
        private int labelledCount;

        Epoch(final int[] subscribers)
        {
            this.subscribers = subscribers.clone();
            nis = Arrays.stream(subscribers).map(each -> each >>> CHANNEL_SHIFT).distinct().toArray();
        }

        private int find(final int subscriber)
        {
            return IntStream.range(0, subscribers.length).filter(i -> subscribers[i] == subscriber).findFirst()
                .orElse(-1);
        }

        /** Whether all NIs from the root to one were there all the time. */
        private boolean isReached(final int ni)
        {
            int position = Arrays.binarySearch(nis, ni);
            while (position > 0 && !broken.get(nis[position]))
            {
                position = (position - 1) / 2;
            }
            return !broken.get(nis[position]);
        }
    }

    /** Progress of a subscriber in a tree. */
    private static final class Position
    {
        private int epoch;
        private int following;
        private boolean isClosed = true;
        private final Map<Long, Integer> missing = new HashMap<>();     // Bytes, by source and incarnation.
    }

    /** Names a subscriber. Returns a number by which subscribers are ordered as in an update. */
    public static int subscriber(final int ni, final int channel)
    {
        return ni << CHANNEL_SHIFT | channel;
    }

    /**
     * An owner announces an epoch: who has not confirmed the end of the one before need not get the rest of it.
     *
     * @param tree        number of it.
     * @param epoch       that begins.
     * @param subscribers of it, in order.
     */
    public void opened(final int tree, final int epoch, final int[] subscribers)
    {
        final Epoch before = epochs.get(key(tree, epoch - 1));
        if (before != null)
        {
            before.exempt.set(0, before.subscribers.length);
            before.exempt.andNot(before.closed);
        }
        epochs.put(key(tree, epoch), new Epoch(subscribers));
    }

    /**
     * An owner could not send the update that begins an epoch.
     *
     * @param tree  number of it.
     * @param epoch that did not begin.
     */
    public void withdrawn(final int tree, final int epoch)
    {
        epochs.remove(key(tree, epoch));
    }

    /**
     * Whether a subscriber has read the last message of an epoch. True if nothing of the epoch can come to it any more.
     */
    public boolean isClosed(final int tree, final int epoch, final int subscriber)
    {
        final Epoch known = epochs.get(key(tree, epoch));
        return known.closed.get(known.find(subscriber));
    }

    /** Returns the number of tickets of an epoch that a subscriber has seen; 0 if it is in another epoch. */
    public int seenCount(final int tree, final int epoch, final int subscriber)
    {
        final Position position = positions.get(key(tree, subscriber));
        return position == null || position.epoch != epoch ? 0 : position.following;
    }

    /** Returns the number of tickets of an epoch; 0 if its update has not come to the root. */
    public int labelledCount(final int tree, final int epoch)
    {
        return epochs.get(key(tree, epoch)).labelledCount;
    }

    void labelled(final int tree, final int epoch)
    {
        labelledCount++;
        epochs.get(key(tree, epoch)).labelledCount++;
    }

    /** An NI is not the one any more that it was, or its parent in one tree takes it for gone. */
    void broken(final int tree, final int epoch, final int ni)
    {
        final Epoch known = epochs.get(key(tree, epoch));
        if (known != null)
        {
            known.broken.set(ni);
        }
    }

    /** An NI begins again, and knows no tree. */
    void broken(final int ni)
    {
        epochs.values().forEach(epoch -> epoch.broken.set(ni));
    }

    /** A host has sent a multicast. */
    void accepted(final PairLedger pair)
    {
        if (pair.nextNumber() == 1)
        {
            pairs.add(pair);
        }
    }

    /** A host has read a multicast. */
    void delivered(final int ni, final int channel, final DirectBuffer region, final int index, final int length)
    {
        final int tree = MulticastFormat.tree(region, index);
        final int epochNumber = MulticastFormat.epoch(region, index);
        final int ticket = MulticastFormat.ticket(region, index);
        final int subscriber = subscriber(ni, channel);
        final String text = "NI " + ni + " channel " + channel + ": ticket " + ticket + " of tree " + tree + " epoch " +
            epochNumber;
        trace.event(EventKind.MULTICAST, null, ni, channel, tree, epochNumber, ticket, length);
        trace.reach(Probe.MULTICAST_DELIVERED);
        final Epoch epoch = epochs.get(key(tree, epochNumber));
        if (epoch == null || epoch.find(subscriber) < 0)
        {
            throw new ViolationException("misdelivery", text + " is not for it");
        }
        checkOrder(tree, epochNumber, ticket, subscriber, MulticastFormat.kind(region, index), text);
        if (MulticastFormat.kind(region, index) == MulticastFormat.CLOSE)
        {
            epoch.closed.set(epoch.find(subscriber));
        }
        checkContent(region, index, length, text);
        if (MulticastFormat.kind(region, index) == MulticastFormat.DATA)
        {
            checkFragment(positions.get(key(tree, subscriber)), region, index, length, text);
        }
        checkIdentity(new Ticket(tree, epochNumber, ticket), region, index, text);
    }

    /** At rest: every subscriber of each tree's last epoch has all of it, and what was acknowledged has a ticket. */
    void checkAtRest()
    {
        epochs.forEach((key, epoch) ->
        {
            final int tree = (int)(key >>> KEY_HALF);
            final int number = (int)(long)key;
            if (!epochs.containsKey(key(tree, number + 1)))
            {
                Arrays.stream(epoch.subscribers).filter(each -> epoch.isReached(each >>> CHANNEL_SHIFT))
                    .forEach(each -> checkComplete(tree, number, each, epoch.labelledCount));
            }
        });
        long acknowledgedCount = 0;
        long unknownCount = 0;
        for (final PairLedger pair : pairs)
        {
            acknowledgedCount += pair.count(Outcome.ACKNOWLEDGED);
            unknownCount += pair.count(Outcome.UNKNOWN) + pair.count(null);
        }
        if (labelledCount < acknowledgedCount || labelledCount > acknowledgedCount + unknownCount)
        {
            throw new ViolationException("tickets", labelledCount + " were given, " + acknowledgedCount +
                " messages to roots are acknowledged and " + unknownCount + " unknown");
        }
    }

    private void checkComplete(final int tree, final int epoch, final int subscriber, final int count)
    {
        final int seenCount = seenCount(tree, epoch, subscriber);
        if (seenCount != count)
        {
            throw new ViolationException("multicast loss", "NI " + (subscriber >>> CHANNEL_SHIFT) + " channel " +
                (subscriber & BYTE_MASK) + " has " + seenCount + " of " + count + " messages of tree " + tree +
                " epoch " + epoch);
        }
    }

    private void checkOrder(
        final int tree, final int epoch, final int ticket, final int subscriber, final int kind, final String text)
    {
        final Position position = positions.computeIfAbsent(key(tree, subscriber), each -> new Position());
        if (epoch < position.epoch || (epoch == position.epoch && ticket < position.following))
        {
            throw new ViolationException("multicast order", text + " comes after ticket " + (position.following - 1) +
                " of epoch " + position.epoch);
        }
        if (epoch > position.epoch)
        {
            final Epoch before = epochs.get(key(tree, position.epoch));
            if (!position.isClosed && !before.exempt.get(before.find(subscriber)))
            {
                throw new ViolationException("multicast gap", text + " comes before the end of epoch " +
                    position.epoch);
            }
            position.epoch = epoch;
            position.following = 0;
            position.missing.clear();       // Senders send what is left of a message no more.
        }
        if (ticket != position.following || (ticket == 0) != (kind == MulticastFormat.OPEN))
        {
            throw new ViolationException("multicast gap", text + " comes instead of ticket " + position.following);
        }
        position.following++;
        position.isClosed = kind == MulticastFormat.CLOSE;
    }

    private static void checkContent(
        final DirectBuffer region, final int index, final int length, final String text)
    {
        final long first = MessageHeader.arguments01(region, index);
        final long second = MessageHeader.arguments23(region, index);
        final int seed = DeliveryLedger.seed(first, (int)(second >>> KEY_HALF));
        final long words = region.getLong(index, BIG_ENDIAN);
        final int payloadLength = MessageHeader.payloadLength(words, region.getLong(index + SIZE_OF_LONG, BIG_ENDIAN));
        final int dataLength = payloadLength - MulticastFormat.EXTENSION_LENGTH;
        if (seed != (int)second || length != MessageHeader.LENGTH + BitUtil.align(payloadLength, SIZE_OF_INT) ||
            (MulticastFormat.kind(region, index) == MulticastFormat.DATA &&
            MessagePattern.mismatch(region, index + MulticastFormat.DATA_OFFSET, dataLength, seed) >= 0))
        {
            throw new ViolationException("content", text + " of length " + length + " was changed");
        }
    }

    /** Of each source the fragments of a message follow one another, unless NIs may be lost. */
    private void checkFragment(
        final Position position, final DirectBuffer region, final int index, final int length, final String text)
    {
        final long source = MessageHeader.arguments01(region, index);
        final int total = MulticastFormat.totalLength(region, index);
        final int offset = MulticastFormat.fragmentOffset(region, index);
        final int missing = position.missing.getOrDefault(source, 0);
        if (isUndisturbed && (missing == 0 ? offset != 0 : offset != total - missing))
        {
            throw new ViolationException("fragment", text + " begins at " + offset + " of " + total + ", and " +
                missing + " bytes of a message were missing");
        }
        final long words = region.getLong(index, BIG_ENDIAN);
        final int dataLength = MessageHeader.payloadLength(words,
            region.getLong(index + SIZE_OF_LONG, BIG_ENDIAN)) - MulticastFormat.EXTENSION_LENGTH;
        final int stillMissing = total - offset - dataLength;
        if (stillMissing < 0)
        {
            throw new ViolationException("content", text + " of length " + length + " goes beyond its message");
        }
        position.missing.put(source, stillMissing);
        if (offset > 0 && stillMissing == 0)
        {
            trace.reach(Probe.FRAGMENTS_COMPLETE);
        }
    }

    /** A ticket stands for one message, and a message has one ticket. */
    private void checkIdentity(final Ticket ticket, final DirectBuffer region, final int index, final String text)
    {
        final long first = MessageHeader.arguments01(region, index);
        final int number = (int)(MessageHeader.arguments23(region, index) >>> KEY_HALF);
        final int sender = (int)(first >>> KEY_HALF);
        final int sourceNi = sender >>> NI_SHIFT;
        final int sourceChannel = sender >>> CHANNEL_SHIFT & BYTE_MASK;
        final PairLedger pair =
            messages.pair(sourceNi, sourceChannel, (int)first >>> NI_SHIFT, MulticastFormat.INJECTION_CHANNEL);
        final String identity = pair + " number " + number;
        final String known = identities.putIfAbsent(ticket, identity);
        final Ticket other = tickets.putIfAbsent(identity, ticket);
        if (number >= pair.nextNumber() || (known != null && !known.equals(identity)) ||
            (other != null && !other.equals(ticket)))
        {
            throw new ViolationException("multicast identity", text + " is " + identity + ", elsewhere " + known);
        }
        if (MulticastFormat.originChannel(region, index) != sourceChannel ||
            MulticastFormat.originAddress(region, index) != (nodeCount - 1 - sourceNi) << NODE_SHIFT)
        {
            throw new ViolationException("content", text + " of " + identity + " names another origin");
        }
        final Outcome outcome = pair.outcome(number);
        if (outcome == Outcome.REFUSED || outcome == Outcome.UNDELIVERED)
        {
            throw new ViolationException("false outcome", text + " was reported as " + outcome);
        }
    }

    private static long key(final int tree, final int number)
    {
        return (long)tree << KEY_HALF | number;
    }
}
