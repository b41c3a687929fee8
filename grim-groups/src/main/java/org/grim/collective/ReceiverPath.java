// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.multicast.MulticastArrivals;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * The last hop of one group's multicasts at a member whose multicasts another endpoint of its node handles: from the
 * host endpoint to that one's channel. A message that finds no room there waits here, in order, and its sender learns
 * that it was passed on when it has gone.
 * <p>Thread: the host endpoint's owner; the other end is {@link Receivers}.
 * <p>Bounds: {@link Windows} of the senders that send straight; one message of all outboxes, which are not read while
 * something waits.
 */
final class ReceiverPath implements MulticastArrivals.Taker
{
    private static final int IS_MEMBER = 1;         // In place of the epoch in which the sender became one.

    private final GroupTraffic traffic;
    private final EndpointId receiver;
    private final Roster first;
    private final Fragments fragments;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final MutableDirectBuffer frame = Buffers.wrap(new byte[Multicasts.PREFIX_LENGTH + Multicasts.LENGTH_MAX]);

    ReceiverPath(
        final GroupTraffic traffic, final EndpointId receiver, final Roster first, final Fragments fragments)
    {
        this.traffic = traffic;
        this.receiver = receiver;
        this.first = first;
        this.fragments = fragments;
    }

    EndpointId receiver()
    {
        return receiver;
    }

    /**
     * Hands over a message that stands behind its prefix, now or later.
     *
     * @param passing of the message; null if no sender waits.
     */
    void handOver(final DirectBuffer bytes, final int offset, final int length, final Windows.Passing passing)
    {
        final int lengthMax = traffic.payloadLengthMax(receiver);
        if (length > lengthMax)
        {
            final Deque<DirectBuffer> pieces = new ArrayDeque<>();
            fragments.cut(first, bytes, offset, length, lengthMax, false, pieces::add);
            final DirectBuffer last = pieces.peekLast();
            pieces.forEach(piece -> waiting.add(new Waiting(piece, piece == last ? passing : null)));
            step();
        }
        else if (waiting.isEmpty() && trySend(bytes, offset, length))
        {
            done(passing);
        }
        else
        {
            final byte[] copy = new byte[length];
            bytes.getBytes(offset, copy);
            waiting.add(new Waiting(Buffers.wrap(copy), passing));
        }
    }

    @Override
    public boolean tryTake(
        final int origin, final boolean isOutside, final int handler, final DirectBuffer buffer, final int index,
        final int offset, final int length)
    {
        if (!waiting.isEmpty())
        {
            return false;
        }
        if (length > Multicasts.LENGTH_MAX)
        {
            traffic.lostMulticasts(1);              // A process has scribbled on the outbox.
            return true;
        }
        Multicasts.fill(frame, 0, MessageHeader.pair(origin, isOutside ? 0 : IS_MEMBER), handler,
            buffer.getLong(index + MessageHeader.ARGUMENTS_OFFSET, BIG_ENDIAN),
            buffer.getLong(index + MessageHeader.ARGUMENTS_TWO_OFFSET, BIG_ENDIAN), buffer, offset, length);
        handOver(frame, 0, Multicasts.PREFIX_LENGTH + length, null);
        return true;
    }

    /** Whether nothing waits. */
    boolean isEmpty()
    {
        return waiting.isEmpty();
    }

    /** Hands over what waits, as far as there is room; returns how many messages and fragments went. */
    int step()
    {
        int count = 0;
        for (Waiting next = waiting.peek(); next != null && trySend(next.bytes, 0, next.bytes.capacity());
            next = waiting.peek())
        {
            waiting.remove();
            done(next.passing);
            count++;
        }
        return count;
    }

    /** Gives up what waits: this node has left the group. */
    void drop()
    {
        waiting.forEach(each -> done(each.passing));
        waiting.clear();
    }

    /** False if there is no room. A message for an endpoint that is gone is lost, and counted. */
    private boolean trySend(final DirectBuffer bytes, final int offset, final int length)
    {
        final SendStatus status = traffic.sendTo(receiver, MessageHeader.pair(first.id(), first.epoch()),
            MessageHeader.pair(Multicasts.HANDED_OVER, 0), bytes, offset, length);
        if (status == SendStatus.PEER_GONE)
        {
            traffic.lostMulticasts(Fragments.isLast(bytes, offset, length) ? 1 : 0);
        }
        return status != SendStatus.BACK_PRESSURED;
    }

    private static void done(final Windows.Passing passing)
    {
        if (passing != null)
        {
            passing.done();
        }
    }

    private record Waiting(DirectBuffer bytes, Windows.Passing passing)
    {
    }
}
