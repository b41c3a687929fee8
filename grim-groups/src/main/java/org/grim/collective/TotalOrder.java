// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.function.BooleanSupplier;

import org.agrona.DirectBuffer;
import org.agrona.collections.IntIntConsumer;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Multicasts of one group that arrive in one order at all members. A member sends each to the owner as an order; the
 * owner gives it a ticket and sends it to all. Tickets of an epoch are 0, 1, and so on.
 * <p>A ticket is given when the message's fan-out begins, and one fan-out is under way at a time. It is remembered
 * until every member of its epoch has the message or belongs to the group no more, so no member gets a later one
 * before. The bytes that a member has sent and not got back with a ticket are bounded: otherwise it gets back pressure
 * before a ticket exists.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: {@value #WINDOW_LENGTH} bytes for each member, and each sender that is none, wait at the owner; they are
 * in no overflow queue.
 */
final class TotalOrder
{
    /** Most bytes of a member's orders without a ticket, their prefixes included; a longer one goes alone. */
    static final int WINDOW_LENGTH = 1 << 18;

    private final GroupTraffic traffic;
    private final Fragments fragments;
    private final BooleanSupplier isSpread;
    private final Windows windows;
    private final IntIntConsumer onOutside;
    private final int since;
    private final Queue<DirectBuffer> unsent = new ArrayDeque<>();      // Fragments of orders of this member.
    private final Deque<DirectBuffer> waiting = new ArrayDeque<>();     // At the owner; the first perhaps in fan-out.
    private Roster frameRoster;             // The roster of the next frame.
    private int frameLengthMax;
    private Roster fanOutRoster;            // Null while no fan-out is under way.
    private int fanOutTicket;
    private int fanOutDone;                 // Members that have got the message.
    private int ticketEpoch;
    private int nextTicket;
    private int expectedEpoch;
    private int expectedTicket;
    private Roster orderRoster;             // The roster whose owner has the open orders.
    private long openLength;                // Of this member's orders that have not come back.
    private int openCount;
    private boolean isLastOwn;              // Of the owner's tickets the latest that came was this member's message.

    /**
     * No order yet.
     *
     * @param isSpread  whether all members have been sent the latest roster.
     * @param windows   of members that have receivers.
     * @param onOutside learns that an order of a sender that is no member has gone to all: its node, and the bytes.
     */
    TotalOrder(
        final GroupTraffic traffic, final Fragments fragments, final Roster first, final BooleanSupplier isSpread,
        final Windows windows, final IntIntConsumer onOutside)
    {
        this.windows = windows;
        this.onOutside = onOutside;
        this.fragments = fragments;
        this.traffic = traffic;
        this.isSpread = isSpread;
        since = first.epoch();
        orderRoster = first;
    }

    /** Sends an order to the owner, if that is still the owner of the epoch that this member goes on with. */
    SendStatus send(final Roster roster, final DirectBuffer bytes, final int offset, final int length)
    {
        if (!isOwnerKnown(roster))
        {
            return SendStatus.PEER_GONE;
        }
        if (!isFlushed() || (openLength > 0 && openLength + length > WINDOW_LENGTH))
        {
            return SendStatus.BACK_PRESSURED;
        }
        final int lengthMax = traffic.payloadLengthMax(owner(roster));
        final boolean isCut = length > lengthMax;
        final SendStatus status = isCut ? SendStatus.QUEUED : sendOrder(bytes, offset, length);
        if (isCut)
        {
            fragments.cut(roster, bytes, offset, length, lengthMax, true, unsent::add);
        }
        if (status.isAccepted())
        {
            openLength += Fragments.weight(bytes, offset, length);
            openCount += Fragments.isLast(bytes, offset, length) ? 1 : 0;
        }
        return status;
    }

    /** Whether the owner of the epoch that this member goes on with is still the owner. */
    boolean isOwnerKnown(final Roster roster)
    {
        return isOneOwner(roster, orderRoster);
    }

    /** Sends fragments of orders, as far as there is room; true if none is left. */
    private boolean isFlushed()
    {
        while (!unsent.isEmpty() &&
            sendOrder(unsent.peek(), 0, unsent.peek().capacity()) != SendStatus.BACK_PRESSURED)
        {
            unsent.remove();
        }
        return unsent.isEmpty();
    }

    private SendStatus sendOrder(final DirectBuffer bytes, final int offset, final int length)
    {
        return traffic.send(owner(orderRoster), GroupTraffic.MULTICAST,
            MessageHeader.pair(orderRoster.id(), orderRoster.epoch()), MessageHeader.pair(Multicasts.ORDER, 0), bytes,
            offset, length);
    }

    /** An order has come. A node that is not the owner drops it: the sender counts it when it hears of the owner. */
    void onOrder(final Roster latest, final DirectBuffer buffer, final int offset, final int length)
    {
        if (owner(latest) != traffic.self())
        {
            return;
        }
        step(latest);
        if (waiting.isEmpty() && length <= frameLengthMax(latest) && tryBegin(latest) &&
            trySend(latest, buffer, offset, length))
        {
            fanOutRoster = null;
            hasGone(buffer, offset, length);
            return;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        waiting.add(Buffers.wrap(copy));
    }

    /** Goes on with what waits at the owner, as far as there is room; returns the messages that all members have. */
    int step(final Roster latest)
    {
        isFlushed();
        int count = 0;
        while (!waiting.isEmpty() && (fanOutRoster != null || (cutFirst(latest) && tryBegin(latest))) &&
            trySend(latest, waiting.peek(), 0, waiting.peek().capacity()))
        {
            final DirectBuffer gone = waiting.remove();
            fanOutRoster = null;
            hasGone(gone, 0, gone.capacity());
            count++;
        }
        return count;
    }

    private void hasGone(final DirectBuffer bytes, final int offset, final int length)
    {
        if (Multicasts.isOutside(bytes, offset))
        {
            onOutside.accept(bytes.getInt(offset + Multicasts.ORIGIN_OFFSET), Fragments.weight(bytes, offset, length));
        }
    }

    /**
     * An owner sent a message and its ticket. Returns false if it is of an epoch before the latest that came. Orders at
     * an earlier owner are not open: they were counted.
     */
    boolean tryTake(
        final int from, final int epoch, final int ticket, final DirectBuffer buffer, final int offset,
        final int length)
    {
        if (from == owner(orderRoster))
        {
            final boolean isOwn = isOwn(buffer, offset);
            isLastOwn = isOwn && Fragments.isLast(buffer, offset, length);
            openCount = Math.max(0, openCount - (isLastOwn ? 1 : 0));
            openLength = Math.max(0, openLength - (isOwn ? Fragments.weight(buffer, offset, length) : 0));
        }
        if (epoch - expectedEpoch < 0)
        {
            traffic.lostMulticasts(1);                  // An owner that died had sent it, and its successor others.
            return false;
        }
        if (epoch != expectedEpoch)
        {
            expectedEpoch = epoch;
            expectedTicket = 0;
        }
        if (ticket != expectedTicket)
        {
            throw new GrimException(BAD_DATA, "ticket=" + ticket + " of epoch=" + epoch + " is not the expected=" +
                expectedTicket);
        }
        expectedTicket++;
        return true;
    }

    /**
     * The membership has changed. If there is another owner, nobody knows what has become of the open orders; and of
     * the latest ticket of one that died, whether it came to all: a later one would say so. Returns whether there is.
     */
    boolean follow(final Roster latest)
    {
        final boolean isAnother = !isOneOwner(latest, orderRoster);
        if (isAnother)
        {
            traffic.lostMulticasts(openCount + (isLastOwn && !orderRoster.isUp(traffic.directory(), 0) ? 1 : 0));
            isLastOwn = false;
            openCount = 0;
            openLength = 0;
            unsent.clear();
        }
        orderRoster = latest;
        if (owner(latest) != traffic.self())
        {
            endOwning();
        }
        return isAnother;
    }

    /** Whether no order waits for a ticket here, or for members that lack it. */
    boolean isOwnerIdle()
    {
        return waiting.isEmpty();
    }

    /** Whether nothing waits at this node. */
    boolean isEmpty()
    {
        return waiting.isEmpty() && unsent.isEmpty();
    }

    /** Gives up what waits at this node; returns how many messages some member lacks. */
    int drop()
    {
        final int count = messageCount(waiting) + messageCount(unsent);
        waiting.clear();
        unsent.clear();
        fanOutRoster = null;
        return count;
    }

    /** Ends this node's ownership: another gives tickets. Senders count what has none; a fan-out goes on. */
    private void endOwning()
    {
        final DirectBuffer first = fanOutRoster == null ? null : waiting.peek();
        waiting.clear();
        if (first != null)
        {
            waiting.add(first);
        }
    }

    /** Whether this member sent it, not the node as an earlier member. */
    private boolean isOwn(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + Multicasts.ORIGIN_OFFSET) == traffic.self() &&
            buffer.getInt(offset + Multicasts.SINCE_OFFSET) == since;
    }

    private static int messageCount(final Queue<DirectBuffer> frames)
    {
        return (int)frames.stream().filter(frame -> Fragments.isLast(frame, 0, frame.capacity())).count();
    }

    /** Makes fragments of the first message that waits, if links to members do not take it whole; always true. */
    private boolean cutFirst(final Roster latest)
    {
        final DirectBuffer first = waiting.peek();
        if (first.capacity() > frameLengthMax(latest))
        {
            waiting.remove();
            final Deque<DirectBuffer> pieces = new ArrayDeque<>();
            fragments.cut(latest, first, 0, first.capacity(), frameLengthMax, true, pieces::push);
            pieces.forEach(waiting::addFirst);
        }
        return true;
    }

    /** Most bytes of a message and its prefix that links to all members take. */
    private int frameLengthMax(final Roster latest)
    {
        if (frameRoster != latest)
        {
            frameLengthMax = traffic.payloadLengthMax(latest.nodes());
            frameRoster = latest;
        }
        return frameLengthMax;
    }

    /** Gives the next ticket, unless some member does not know the epoch that it is of. */
    private boolean tryBegin(final Roster latest)
    {
        if (!isSpread.getAsBoolean())
        {
            return false;
        }
        if (ticketEpoch != latest.epoch())
        {
            ticketEpoch = latest.epoch();
            nextTicket = 0;
        }
        fanOutRoster = latest;
        fanOutTicket = nextTicket;
        fanOutDone = 0;
        nextTicket++;
        return true;
    }

    /** Goes on with the fan-out that is under way; false if some member has no room for the message now. */
    private boolean trySend(final Roster latest, final DirectBuffer bytes, final int offset, final int length)
    {
        final long arguments01 = MessageHeader.pair(fanOutRoster.id(), fanOutRoster.epoch());
        final long arguments23 = MessageHeader.pair(Multicasts.TICKET, fanOutTicket);
        while (fanOutDone < fanOutRoster.size())
        {
            final int node = fanOutRoster.nodes()[fanOutDone];
            if (isStillMember(latest, node) && !trySendTicket(node, arguments01, arguments23, bytes, offset, length))
            {
                return false;
            }
            fanOutDone++;
        }
        assert fanOutDone == fanOutRoster.size() : fanOutDone;
        return true;
    }

    private boolean trySendTicket(
        final int node, final long arguments01, final long arguments23, final DirectBuffer bytes, final int offset,
        final int length)
    {
        final boolean hasWindow = fanOutRoster.hasReceiver(fanOutDone);
        if (hasWindow && !windows.hasRoom(node, length))
        {
            return false;
        }
        final SendStatus status =
            traffic.send(node, GroupTraffic.MULTICAST, arguments01, arguments23, bytes, offset, length, false);
        if (hasWindow && status.isAccepted())
        {
            windows.sent(node, length);
        }
        return status != SendStatus.BACK_PRESSURED;
    }

    /** A member that has left may poll no more. */
    private boolean isStillMember(final Roster latest, final int node)
    {
        if (latest == fanOutRoster)
        {
            return true;
        }
        return latest.names(node, fanOutRoster.incarnation(fanOutDone), fanOutRoster.session(fanOutDone));
    }

    private static int owner(final Roster roster)
    {
        return roster.nodes()[0];
    }

    private static boolean isOneOwner(final Roster one, final Roster other)
    {
        return other.rankOf(owner(one)) == 0 && other.names(owner(one), one.incarnation(0), one.session(0));
    }
}
