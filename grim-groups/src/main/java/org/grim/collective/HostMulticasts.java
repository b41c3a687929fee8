// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.IntHashSet;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.multicast.MulticastArrivals;
import org.grim.multicast.MulticastOutbox;
import org.grim.multicast.MulticastOutboxes;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * One group's multicasts within this host: this node's outbox, and those of other members that it reads. A member gets
 * messages of its own until it reads the outbox: it is offered one, says that it has mapped it, and is let in by a
 * message behind all those that went straight. A node that cannot map it goes on as before.
 * <p>Thread: the host endpoint's owner.
 */
final class HostMulticasts
{
    private static final int OFFER_LENGTH = Integer.BYTES * 2;
    private static final int CHECK_MASK = (1 << 10) - 1;

    private final GroupTraffic traffic;
    private final MulticastOutboxes outboxes;
    private final int groupId;
    private final int firstEpoch;
    private final MulticastArrivals.Taker taker;            // Null if handlers of this endpoint take messages.
    private final MutableDirectBuffer bytes = Buffers.wrap(new byte[OFFER_LENGTH]);
    private final IntHashSet toOffer = new IntHashSet();
    private final IntHashSet toLetIn = new IntHashSet();
    private final List<Reading> readings = new ArrayList<>();
    private MulticastOutbox outbox;
    private int stepCount;
    private boolean isUnavailable;
    private boolean hasChanged;
    private boolean hasEnded;

    HostMulticasts(final GroupTraffic traffic, final Roster first, final MulticastArrivals.Taker taker)
    {
        this.traffic = traffic;
        this.taker = taker;
        groupId = first.id();
        firstEpoch = first.epoch();
        outboxes = traffic.outboxes();
        isUnavailable = !outboxes.isEnabled();
    }

    /** Whether other members read the outbox than did when {@link #prepare} was called. */
    boolean hasChanged()
    {
        return hasChanged || (outbox != null && outbox.hasLostReader());
    }

    /** Offers the outbox to all members of this host that do not read it. */
    void prepare(final Roster roster)
    {
        hasChanged = false;
        toOffer.clear();
        if (isUnavailable || !hasReaders(roster))
        {
            return;
        }
        if (outbox == null)
        {
            outbox = outboxes.tryCreate();
            isUnavailable = outbox == null;
        }
        if (outbox != null)
        {
            outbox.forgetLost();
            for (final int node : roster.nodes())
            {
                if (canRead(node) && !isReading(node) &&
                    (reader(node) >= 0 || outbox.tryAdd(node, incarnation(node)) >= 0))
                {
                    toOffer.add(node);
                }
            }
            step(roster, false);
        }
    }

    /** Whether a member reads what is published here. */
    boolean isReading(final int node)
    {
        final int reader = reader(node);
        return reader >= 0 && outbox.isReading(reader);
    }

    /** Sends what is due to readers; lets them in only if nothing waits that goes straight to them. */
    void step(final Roster roster, final boolean mayLetIn)
    {
        if (!toOffer.isEmpty())
        {
            toOffer.removeIfInt(node -> tryOffer(roster, node));
        }
        if (mayLetIn && !toLetIn.isEmpty())
        {
            toLetIn.removeIfInt(node -> tryLetIn(roster, node));
        }
        stepCount++;
        if (outbox != null && (stepCount & CHECK_MASK) == 0)
        {
            checkReaders(roster);
        }
    }

    /** Readers that never go on would hold up all multicasts: a process may have scribbled on the outbox. */
    private void checkReaders(final Roster roster)
    {
        final int strange = outbox.check();
        if (strange != MulticastOutbox.NO_READER)
        {
            // If it finds no room a later check asks again.
            trySend(roster, outbox.node(strange), Multicasts.OUTBOX_DROP, outbox.offer(strange));
        }
    }

    /** Writes a message of this node for all that read the outbox; false if there is no room. */
    boolean tryPut(
        final Roster roster, final int handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        return outbox.tryPut(
            roster.epoch(), traffic.self(), handler, arguments01, arguments23, source, offset, length);
    }

    /** Tries to put a message that stands behind its prefix: this node's, or one that it passes on and has itself. */
    boolean tryPut(
        final Roster roster, final DirectBuffer bytes, final int offset, final int length, final boolean isPassedOn)
    {
        final int sender = MulticastOutbox.sender(bytes.getInt(offset + Multicasts.ORIGIN_OFFSET), isPassedOn,
            Multicasts.isOutside(bytes, offset));
        return outbox.tryPut(roster.epoch(), sender,
            bytes.getInt(offset + Multicasts.HANDLER_OFFSET),
            bytes.getLong(offset + MessageHeader.ARGUMENTS_OFFSET, BIG_ENDIAN),
            bytes.getLong(offset + MessageHeader.ARGUMENTS_TWO_OFFSET, BIG_ENDIAN), bytes,
            offset + Multicasts.PREFIX_LENGTH, length - Multicasts.PREFIX_LENGTH);
    }

    /** A member of this host offers its outbox. */
    void onOffer(
        final int node, final int epoch, final int offer, final Roster roster, final DirectBuffer buffer,
        final int offset, final int length)
    {
        if (length != OFFER_LENGTH)
        {
            throw new GrimException(BAD_DATA, "offer of an outbox in bytes=" + length + " is not of " + OFFER_LENGTH);
        }
        if (hasEnded)
        {
            return;
        }
        if (reading(node, offer) == null)
        {
            final int number = buffer.getInt(offset);
            final MulticastArrivals arrivals =
                outboxes.tryOpen(node, number, buffer.getInt(offset + Integer.BYTES), offer, firstEpoch, taker);
            if (arrivals == null)
            {
                return;
            }
            readings.add(new Reading(node, number, epoch, arrivals));
        }
        // If it finds no room the member goes on sending straight, and offers again when the group changes.
        trySend(roster, node, Multicasts.OUTBOX_MAPPED, offer);
    }

    /** A member has mapped the outbox. */
    void onMapped(final int node, final int offer)
    {
        final int reader = reader(node);
        if (reader >= 0 && offer == outbox.offer(reader) && !outbox.isReading(reader))
        {
            toLetIn.add(node);
        }
    }

    /** Notes that a member's multicasts stand in its outbox from now on. */
    void onLetIn(final int node, final int offer)
    {
        final Reading next = reading(node, offer);
        if (next == null)
        {
            return;
        }
        for (final Reading reading : List.copyOf(readings))
        {
            // A member that lets in another time has taken this one for lost.
            if (reading.equals(next) ? !next.arrivals.tryBegin() :
                reading.node == node && reading.number == next.number &&
                reading.arrivals.incarnation() == next.arrivals.incarnation())
            {
                reading.arrivals.close();
                readings.remove(reading);
            }
        }
    }

    /** A member reads the outbox no more, and still belongs to the group. */
    void onLeft(final int node, final int offer)
    {
        final int reader = reader(node);
        if (reader >= 0 && offer == outbox.offer(reader))
        {
            outbox.letGo(reader);
        }
    }

    /** The sender cannot find out where this member reads its outbox. */
    void onDrop(final Roster roster, final int node, final int offer)
    {
        final Reading reading = reading(node, offer);
        if (reading == null)
        {
            trySend(roster, node, Multicasts.OUTBOX_LEFT, offer);       // If it finds no room the sender asks again.
        }
        else
        {
            reading.arrivals.close();
        }
    }

    /** Goes on reading what the taker refused before. */
    void resume()
    {
        for (int i = 0; i < readings.size(); i++)
        {
            readings.get(i).arrivals.resume();
        }
    }

    /** Lets go of the outboxes of those who have left, once all is read. */
    void follow(final Roster roster)
    {
        for (int i = readings.size() - 1; i >= 0; i--)
        {
            final Reading reading = readings.get(i);
            if (reading.arrivals.isClosed())
            {
                // It was corrupt: what was in it is lost; what comes shall not be.
                if (trySend(roster, reading.node, Multicasts.OUTBOX_LEFT, reading.arrivals.offer()))
                {
                    readings.remove(i);
                }
            }
            else if (reading.arrivals.isDrained() && isOver(reading, i, roster))
            {
                reading.arrivals.close();
                readings.remove(i);
            }
        }
    }

    /** Reads nothing more. Multicasts of other hosts are still passed on. */
    void endReading()
    {
        readings.forEach(reading -> reading.arrivals.close());
        readings.clear();
        hasEnded = true;
    }

    /** Nothing is passed on any more. Others read what they have not read yet. */
    void close()
    {
        if (outbox != null)
        {
            outboxes.close(outbox);
        }
    }

    private boolean isOver(final Reading reading, final int index, final Roster roster)
    {
        final boolean isGone = traffic.directory().status(reading.node) !=
            traffic.directory().upStatus(reading.arrivals.incarnation());
        final boolean hasLeft = roster.epoch() - reading.sinceEpoch >= 0 && roster.rankOf(reading.node) < 0;
        return isGone || hasLeft || hasSuccessor(reading, index);
    }

    /** A member that has left and joined again has another outbox. */
    private boolean hasSuccessor(final Reading reading, final int index)
    {
        for (int i = index + 1; i < readings.size(); i++)
        {
            if (readings.get(i).node == reading.node)
            {
                return true;
            }
        }
        return false;
    }

    private Reading reading(final int node, final int offer)
    {
        for (int i = 0; i < readings.size(); i++)
        {
            final Reading reading = readings.get(i);
            if (reading.node == node && reading.arrivals.offer() == offer && !reading.arrivals.isClosed())
            {
                return reading;
            }
        }
        return null;
    }

    private boolean hasReaders(final Roster roster)
    {
        for (final int node : roster.nodes())
        {
            if (node != traffic.self() && canRead(node))
            {
                return true;
            }
        }
        return false;
    }

    private boolean canRead(final int node)
    {
        return node == traffic.self() || (traffic.directory().isSameHost(node) && traffic.sharesMemory(node));
    }

    private boolean tryLetIn(final Roster roster, final int node)
    {
        final int reader = reader(node);
        if (reader < 0 || outbox.isReading(reader) || !outbox.tryLetIn(reader))
        {
            return true;
        }
        // It never waits here: once anything is published, a reader can rely on it, even if this process is killed.
        if (!trySend(roster, node, Multicasts.OUTBOX_LET_IN, outbox.offer(reader), false))
        {
            outbox.holdBack(reader);
            return false;
        }
        hasChanged = true;
        return true;
    }

    private boolean tryOffer(final Roster roster, final int node)
    {
        final int reader = reader(node);
        bytes.putInt(0, outbox.number());
        bytes.putInt(Integer.BYTES, reader);
        return reader < 0 || traffic.send(node, GroupTraffic.MULTICAST, MessageHeader.pair(groupId, roster.epoch()),
            MessageHeader.pair(Multicasts.OUTBOX_OFFER, outbox.offer(reader)), bytes, 0, OFFER_LENGTH) !=
            SendStatus.BACK_PRESSURED;
    }

    /** True if it has gone, or there is nobody to whom it could. */
    private boolean trySend(final Roster roster, final int node, final int kind, final int offer)
    {
        return trySend(roster, node, kind, offer, true);
    }

    private boolean trySend(
        final Roster roster, final int node, final int kind, final int offer, final boolean mayQueue)
    {
        return traffic.send(node, GroupTraffic.MULTICAST, MessageHeader.pair(groupId, roster.epoch()),
            MessageHeader.pair(kind, offer), bytes, 0, 0, mayQueue) != SendStatus.BACK_PRESSURED;
    }

    /** A member's number in the outbox; negative if it has none. */
    private int reader(final int node)
    {
        return outbox == null ? MulticastOutbox.NO_READER : outbox.reader(node, incarnation(node));
    }

    private int incarnation(final int node)
    {
        return traffic.directory().incarnationOf(traffic.directory().status(node));
    }

    /** An outbox of a member, and since when that one belongs to the group. */
    private record Reading(int node, int number, int sinceEpoch, MulticastArrivals arrivals)
    {
    }
}
