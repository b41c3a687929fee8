// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Multicasts of one group that leave this node: straight to each member of this host; to another host one message,
 * whose first member there passes it on. What finds no room waits, in order.
 * <p>Thread: the host endpoint's owner.
 * <p>A message is the payload behind this; the arguments stand where a header has them:
 * <pre>
 *  +---------+--------+---------------+---------------------------+
 *  | handler | origin |    unused     | 4 arguments, big endian   |
 *  |   32    |   32   |      64       |           128             |
 *  +---------+--------+---------------+---------------------------+
 * </pre>
 */
final class Multicasts
{
    /** From the sender, to be handed to the handler. */
    static final int PLAIN = 0;
    /** From the sender to a member of another host, for its neighbours, too. */
    static final int PASS_ON = 1;
    /** From the sender to the owner, who gives it a ticket. */
    static final int ORDER = 2;
    /** From the owner, with its ticket. */
    static final int TICKET = 3;

    static final int PREFIX_LENGTH = MessageHeader.LENGTH;
    static final int HANDLER_OFFSET = 0;
    static final int ORIGIN_OFFSET = Integer.BYTES;
    /** Most payload bytes: one message on every transport. */
    static final int LENGTH_MAX = 32_768;

    private final GroupTraffic traffic;
    private final BooleanSupplier isSpread;
    private final MutableDirectBuffer frame = Buffers.wrap(new byte[PREFIX_LENGTH + LENGTH_MAX]);
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private Roster known;
    private int[] targets;
    private int[] kinds;

    Multicasts(final GroupTraffic traffic, final BooleanSupplier isSpread)
    {
        this.traffic = traffic;
        this.isSpread = isSpread;
    }

    /** Sends to all members. */
    SendStatus send(
        final Roster roster, final HandlerId handler, final int a0, final int a1, final int a2, final int a3,
        final DirectBuffer source, final int offset, final int length)
    {
        fill(handler, a0, a1, a2, a3, source, offset, length);
        flush();
        if (!waiting.isEmpty())
        {
            return SendStatus.BACK_PRESSURED;
        }
        know(roster);
        return fanOut(roster, targets, kinds, 0, length);
    }

    /** Sends to the owner, who sends it to all. */
    SendStatus sendToOwner(
        final Roster roster, final HandlerId handler, final int a0, final int a1, final int a2, final int a3,
        final DirectBuffer source, final int offset, final int length)
    {
        fill(handler, a0, a1, a2, a3, source, offset, length);
        return sendFrame(roster, roster.nodes()[0], ORDER, 0, frame, PREFIX_LENGTH + length);
    }

    /** Passes on what came from another host to the members here. */
    void passOn(final Roster roster, final DirectBuffer buffer, final int offset, final int length)
    {
        final int[] neighbours = IntStream.of(roster.nodes()).filter(node -> node != traffic.self() &&
            traffic.directory().isSameHost(node)).toArray();
        frame.putBytes(0, buffer, offset, length);
        fanOut(roster, neighbours, new int[neighbours.length], 0, length - PREFIX_LENGTH);
    }

    /** Sends what has its ticket to all members, each straight: so it cannot pass the news of an epoch. */
    void sendTicket(
        final Roster roster, final int ticket, final DirectBuffer buffer, final int offset, final int length)
    {
        final int[] all = roster.nodes();
        final int[] ticketed = new int[all.length];
        Arrays.fill(ticketed, TICKET);
        frame.putBytes(0, buffer, offset, length);
        fanOut(roster, all, ticketed, ticket, length - PREFIX_LENGTH);
    }

    /** Sends what waits, as far as there is room; returns how many were sent. */
    int flush()
    {
        int count = 0;
        for (Waiting next = waiting.peek(); next != null && next.trySend(); next = waiting.peek())
        {
            waiting.remove();
            count++;
        }
        return count;
    }

    /** Nobody waits for it any more. */
    void drop()
    {
        waiting.clear();
    }

    private void fill(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        if (length < 0 || length > LENGTH_MAX)
        {
            throw new IllegalArgumentException("length=" + length + " of a multicast is outside 0 to " + LENGTH_MAX);
        }
        frame.putInt(HANDLER_OFFSET, handler.number());
        frame.putInt(ORIGIN_OFFSET, traffic.self());
        final int arguments = MessageHeader.ARGUMENTS_OFFSET;
        frame.putInt(arguments, a0, BIG_ENDIAN);
        frame.putInt(arguments + Integer.BYTES, a1, BIG_ENDIAN);
        frame.putInt(arguments + Integer.BYTES * 2, a2, BIG_ENDIAN);
        frame.putInt(arguments + Integer.BYTES * 3, a3, BIG_ENDIAN);
        if (length > 0)
        {
            frame.putBytes(PREFIX_LENGTH, source, offset, length);
        }
    }

    private SendStatus fanOut(
        final Roster roster, final int[] to, final int[] kindsOf, final int ticket, final int length)
    {
        int done = 0;
        while (waiting.isEmpty() && done < to.length && mayGo(kindsOf[done]) &&
            isOver(sendFrame(roster, to[done], kindsOf[done], ticket, frame, PREFIX_LENGTH + length)))
        {
            done++;
        }
        if (done < to.length)
        {
            final byte[] copy = new byte[PREFIX_LENGTH + length];
            frame.getBytes(0, copy);
            waiting.add(new Waiting(roster, to, kindsOf, ticket, copy, done));
        }
        return done < to.length ? SendStatus.QUEUED : SendStatus.SENT;
    }

    private SendStatus sendFrame(
        final Roster roster, final int node, final int kind, final int ticket, final DirectBuffer bytes,
        final int length)
    {
        return traffic.send(node, GroupTraffic.MULTICAST, MessageHeader.pair(roster.id(), roster.epoch()),
            MessageHeader.pair(kind, ticket), bytes, 0, length);
    }

    /** A ticket must not come before the epoch that it is of. */
    private boolean mayGo(final int kind)
    {
        return kind != TICKET || isSpread.getAsBoolean();
    }

    private static boolean isOver(final SendStatus status)
    {
        return status != SendStatus.BACK_PRESSURED;
    }

    /** Works out who gets a message from here: members of this host, and the first one of each other host. */
    private void know(final Roster roster)
    {
        if (known == roster)
        {
            return;
        }
        known = roster;
        final int[] nodes = roster.nodes();
        targets = IntStream.range(0, nodes.length).filter(rank -> isHere(nodes[rank]) ||
            IntStream.range(0, rank).noneMatch(before -> isOneHost(nodes[before], nodes[rank])))
            .map(rank -> nodes[rank]).toArray();
        kinds = IntStream.of(targets).map(node -> isHere(node) ? PLAIN : PASS_ON).toArray();
    }

    private boolean isHere(final int node)
    {
        return traffic.directory().isSameHost(node);
    }

    private boolean isOneHost(final int one, final int other)
    {
        return traffic.directory().info(one).host().equals(traffic.directory().info(other).host());
    }

    /** One that has not gone to everybody yet. */
    private final class Waiting
    {
        private final Roster roster;
        private final int[] to;
        private final int[] kindsOf;
        private final int ticket;
        private final DirectBuffer bytes;
        private int done;

        Waiting(
            final Roster roster, final int[] to, final int[] kindsOf, final int ticket, final byte[] bytes,
            final int done)
        {
            this.roster = roster;
            this.to = to;
            this.kindsOf = kindsOf;
            this.ticket = ticket;
            this.bytes = Buffers.wrap(bytes);
            this.done = done;
        }

        boolean trySend()
        {
            while (done < to.length && mayGo(kindsOf[done]) &&
                isOver(sendFrame(roster, to[done], kindsOf[done], ticket, bytes, bytes.capacity())))
            {
                done++;
            }
            return done == to.length;
        }
    }
}
