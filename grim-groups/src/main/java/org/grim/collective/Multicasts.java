// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Multicasts of one group that leave this node: once into an outbox that all members of this host read; to another host
 * one message, whose first member there passes it on. A message that finds no room waits, in order.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: one message of this member's own, and {@link Windows} of the senders for which it passes on, which are in
 * no overflow queue.
 * <p>A message is the payload behind this; the arguments stand where a header has them:
 * <pre>
 *  +---------+--------+-------+--------+---------------------------+
 *  | handler | origin | since | unused | 4 arguments, big endian   |
 *  |   32    |   32   |  32   |   32   |           128             |
 *  +---------+--------+-------+--------+---------------------------+
 * </pre>
 * "Since" is the epoch in which the sender became a member: one that left and joined again is another member; 0 for a
 * sender that sent as no member.
 */
final class Multicasts
{
    /** From a sender: a message for the handler. */
    static final int PLAIN = 0;
    /** From a sender to a member of another host: a message for it and its neighbours. */
    static final int PASS_ON = 1;
    /** From a sender to the owner: a message that needs a ticket. */
    static final int ORDER = 2;
    /** From the owner: a message with its ticket. */
    static final int TICKET = 3;
    /** Along a tree: a message, or a fragment of one. */
    static final int TREE_DATA = 4;
    /** Along a tree: the last message of an epoch. */
    static final int TREE_CLOSE = 5;
    /** Along a tree: the first one. */
    static final int TREE_OPEN = 6;
    /** To the owner: this member has nothing under way; the ticket's place has the epoch that it has read whole. */
    static final int READY = 7;
    /** From the owner: the tree of an epoch. */
    static final int TREE = 8;
    /** To a member of this host: it may read the outbox. */
    static final int OUTBOX_OFFER = 9;
    /** Back: it has mapped it. */
    static final int OUTBOX_MAPPED = 10;
    /** To a reader of the outbox: what follows stands there. */
    static final int OUTBOX_LET_IN = 11;
    /** Back: it cannot read it any more. */
    static final int OUTBOX_LEFT = 12;
    /** To a reader of the outbox: the head that it wrote is none; it has to let go. */
    static final int OUTBOX_DROP = 13;
    /** A fragment, which is a multicast of its own; the ticket's place has the number of the message. */
    static final int FRAGMENT = 14;
    /** To a sender of another host: so many bytes more have been passed on; the ticket's place has them. */
    static final int PASSED = 15;
    /** From a sender that is no member: who owns the group? Its name follows; the epoch's place has a round. */
    static final int FIND = 16;
    /** Back from the owner: it takes messages of this round; the ticket's place has the length of the longest. */
    static final int FOUND = 17;
    /** Back from another node: it does not belong to the group. */
    static final int NOT_HERE = 18;
    /** From such a sender to the owner: a message for all members. */
    static final int OUTSIDE = 19;
    /** The same, for a ticket. */
    static final int OUTSIDE_ORDER = 20;
    /** Back: how many bytes of the round went to all members: two u64, without and with tickets. */
    static final int OUTSIDE_PASSED = 21;
    /** Back: the round is over; what was not passed on is lost. */
    static final int OUTSIDE_ENDED = 22;
    /** From a member to another endpoint of its node: a message for that; the epoch's place has the member's first. */
    static final int HANDED_OVER = 23;
    /** The same path: the members of an epoch; the ticket's place is 1 if there is another owner. */
    static final int HANDED_ROSTER = 24;

    static final int PREFIX_LENGTH = MessageHeader.LENGTH;
    static final int HANDLER_OFFSET = 0;
    static final int ORIGIN_OFFSET = Integer.BYTES;
    static final int SINCE_OFFSET = ORIGIN_OFFSET + Integer.BYTES;
    /** Most payload bytes without fragments, if links take it. */
    static final int LENGTH_MAX = 32_768;

    /** Stands for all nodes that read the outbox. */
    private static final int OUTBOX = -1;

    private final GroupTraffic traffic;
    private final HostMulticasts host;
    private final TotalOrder order;
    private final Fragments fragments;
    private final MutableDirectBuffer frame = Buffers.wrap(new byte[PREFIX_LENGTH + LENGTH_MAX]);
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final Windows windows;
    private final long sender;
    private Roster known;
    private boolean isByOutbox;             // All members read the outbox.
    private Targets hosts;                  // Members of this host, and the first one of each other host.
    private Targets outside;                // As hosts, for senders that are no members.
    private Targets neighbours;             // The others of this host.

    Multicasts(
        final GroupTraffic traffic, final HostMulticasts host, final TotalOrder order, final Fragments fragments,
        final Windows windows, final Roster first)
    {
        this.fragments = fragments;
        this.windows = windows;
        sender = sender(traffic, first);
        this.traffic = traffic;
        this.host = host;
        this.order = order;
    }

    /** Sends by the outbox alone, if all members read it, nothing waits, and it has room. */
    boolean tryPut(
        final Roster roster, final int handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        return known == roster && isByOutbox && !host.hasChanged() && waiting.isEmpty() && length >= 0 &&
            length <= LENGTH_MAX && host.tryPut(roster, handler, arguments01, arguments23, source, offset, length);
    }

    /** Sends to all members; if it is ordered, to the owner, who sends it to all. */
    SendStatus send(
        final Roster roster, final int handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length, final boolean isOrdered)
    {
        fill(frame, 0, sender, handler, arguments01, arguments23, source, offset, length);
        return sendFrame(roster, frame, 0, PREFIX_LENGTH + length, isOrdered);
    }

    /** Sends a message that stands behind its prefix. */
    SendStatus sendFrame(
        final Roster roster, final DirectBuffer bytes, final int offset, final int length, final boolean isOrdered)
    {
        if (isOrdered)
        {
            return order.send(roster, bytes, offset, length);
        }
        flush();
        if (!waiting.isEmpty())
        {
            return SendStatus.BACK_PRESSURED;
        }
        know(roster);
        return fanOut(roster, hosts, bytes, offset, length, null);
    }

    /** Sends the message of a sender that is no member to all members, if nothing waits; nothing of it overflows. */
    SendStatus sendOutside(final Roster roster, final DirectBuffer bytes, final int offset, final int length)
    {
        flush();
        if (!waiting.isEmpty())
        {
            return SendStatus.BACK_PRESSURED;
        }
        know(roster);
        return fanOut(roster, outside, bytes, offset, length, null);
    }

    /**
     * Passes on what came from a member of another host to the members here.
     *
     * @param passing of the message: done at once, or when the last of these members has got it.
     */
    void passOn(
        final Roster roster, final Windows.Passing passing, final DirectBuffer buffer, final int offset,
        final int length)
    {
        know(roster);
        if (fanOut(roster, neighbours, buffer, offset, length, passing) == SendStatus.SENT)
        {
            passing.done();
        }
    }

    /** Sends what waits, as far as there is room; returns how many were sent. */
    int flush()
    {
        int count = 0;
        for (Waiting next = waiting.peek(); next != null && next.trySend(); next = waiting.peek())
        {
            waiting.remove();
            if (next.passing != null)
            {
                next.passing.done();
            }
            count++;
        }
        return count;
    }

    /** Sends what waits, and what is due to members that will read the outbox. */
    int step(final Roster roster)
    {
        final int count = flush();
        windows.step();
        host.step(roster, waiting.isEmpty());
        return count;
    }

    boolean isEmpty()
    {
        return waiting.isEmpty();
    }

    /** Gives up what waits; returns how many messages some member lacks. */
    int drop()
    {
        final int count = waiting.size();
        waiting.clear();
        return count;
    }

    /** {@return origin and since, from the first roster of a membership} */
    static long sender(final GroupTraffic traffic, final Roster first)
    {
        return MessageHeader.pair(traffic.self(), first.epoch());
    }

    /** {@return origin and since of this node as no member} */
    static long outsideSender(final GroupTraffic traffic)
    {
        return MessageHeader.pair(traffic.self(), 0);
    }

    /** Whether the sender of a message behind its prefix sent it as no member. */
    static boolean isOutside(final DirectBuffer frame, final int offset)
    {
        return frame.getInt(offset + SINCE_OFFSET) == 0;
    }

    /** Writes a message and its prefix. */
    static void fill(
        final MutableDirectBuffer target, final int index, final long sender, final int handler, final long arguments01,
        final long arguments23, final DirectBuffer source, final int offset, final int length)
    {
        target.putInt(index + HANDLER_OFFSET, handler);
        target.putInt(index + ORIGIN_OFFSET, (int)(sender >> Integer.SIZE));
        target.putInt(index + SINCE_OFFSET, (int)sender);
        target.putLong(index + MessageHeader.ARGUMENTS_OFFSET, arguments01, BIG_ENDIAN);
        target.putLong(index + MessageHeader.ARGUMENTS_OFFSET + Long.BYTES, arguments23, BIG_ENDIAN);
        if (length > 0)
        {
            target.putBytes(index + PREFIX_LENGTH, source, offset, length);
        }
    }

    private SendStatus fanOut(
        final Roster roster, final Targets targets, final DirectBuffer bytes, final int offset, final int length,
        final Windows.Passing passing)
    {
        if (length > targets.frameLengthMax)
        {
            final Deque<DirectBuffer> pieces = new ArrayDeque<>();
            fragments.cut(roster, bytes, offset, length, targets.frameLengthMax, false, pieces::add);
            final DirectBuffer last = pieces.peekLast();
            pieces.forEach(piece ->
                waiting.add(new Waiting(roster, targets, piece, 0, piece == last ? passing : null)));
            flush();
            return SendStatus.QUEUED;
        }
        int done = 0;
        while (waiting.isEmpty() && done < targets.nodes.length &&
            trySend(roster, targets, done, bytes, offset, length))
        {
            done++;
        }
        if (done == targets.nodes.length)
        {
            return SendStatus.SENT;
        }
        final byte[] copy = new byte[length];
        bytes.getBytes(offset, copy);
        waiting.add(new Waiting(roster, targets, Buffers.wrap(copy), done, passing));
        return SendStatus.QUEUED;
    }

    /** Sends to one of the targets; false if there is no room. */
    private boolean trySend(
        final Roster roster, final Targets targets, final int index, final DirectBuffer bytes, final int offset,
        final int length)
    {
        final int node = targets.nodes[index];
        final int kind = targets.kinds[index];
        if (node == OUTBOX)
        {
            return host.tryPut(roster, bytes, offset, length, targets.isPassedOn);
        }
        final boolean hasWindow = targets.haveWindows[index];
        if (hasWindow && !windows.hasRoom(node, length))
        {
            return false;
        }
        final long arguments01 = MessageHeader.pair(roster.id(), roster.epoch());
        final long arguments23 = MessageHeader.pair(kind, 0);
        final SendStatus status = traffic.send(node, GroupTraffic.MULTICAST, arguments01, arguments23, bytes, offset,
            length, targets.mayOverflow);
        if (hasWindow && status.isAccepted())
        {
            windows.sent(node, length);
        }
        return status != SendStatus.BACK_PRESSURED;
    }

    /** Works out who gets messages from here. */
    private void know(final Roster roster)
    {
        if (known == roster && !host.hasChanged())
        {
            return;
        }
        known = null;
        host.prepare(roster);
        final int[] nodes = roster.nodes();
        neighbours = new Targets(byOutbox(IntStream.of(nodes).filter(this::isHere))
            .filter(node -> node != traffic.self()).toArray(), node -> PLAIN, roster, false, true);
        final int[] firsts = byOutbox(IntStream.range(0, nodes.length).filter(rank -> isHere(nodes[rank]) ||
            IntStream.range(0, rank).noneMatch(before -> isOneHost(nodes[before], nodes[rank])))
            .map(rank -> nodes[rank])).toArray();
        final IntUnaryOperator kindOf = node -> node == OUTBOX || isHere(node) ? PLAIN : PASS_ON;
        hosts = new Targets(firsts, kindOf, roster, true, false);
        outside = new Targets(firsts, kindOf, roster, false, false);
        isByOutbox = hosts.nodes.length == 1 && hosts.nodes[0] == OUTBOX;
        known = roster;                                 // Last: all of the above is of it.
    }

    /** Returns the nodes, with those that read the outbox replaced by it, once. */
    private IntStream byOutbox(final IntStream nodes)
    {
        return nodes.map(node -> host.isReading(node) ? OUTBOX : node).distinct();
    }

    private boolean isHere(final int node)
    {
        return traffic.directory().isSameHost(node);
    }

    private boolean isOneHost(final int one, final int other)
    {
        return traffic.directory().info(one).host().equals(traffic.directory().info(other).host());
    }

    /** The receivers of a message, and its kind. */
    private final class Targets
    {
        private final int[] nodes;
        private final int[] kinds;
        private final boolean[] haveWindows;
        private final int frameLengthMax;
        private final boolean mayOverflow;      // Not for others: their windows bound only what waits in this class.
        private final boolean isPassedOn;       // This member has the message already.

        Targets(
            final int[] nodes, final IntUnaryOperator kindOf, final Roster roster, final boolean mayOverflow,
            final boolean isPassedOn)
        {
            this.nodes = nodes;
            this.mayOverflow = mayOverflow;
            this.isPassedOn = isPassedOn;
            frameLengthMax = Math.min(PREFIX_LENGTH + LENGTH_MAX,
                traffic.payloadLengthMax(IntStream.of(nodes).filter(node -> node != OUTBOX).toArray()));
            kinds = IntStream.of(nodes).map(kindOf).toArray();
            haveWindows = new boolean[nodes.length];
            for (int i = 0; i < nodes.length; i++)
            {
                final int rank = nodes[i] == OUTBOX ? -1 : roster.rankOf(nodes[i]);
                haveWindows[i] = kinds[i] == PASS_ON || (rank >= 0 && roster.hasReceiver(rank));
            }
        }
    }

    /** One that has not gone to everybody yet. */
    private final class Waiting
    {
        private final Roster roster;
        private final Targets targets;
        private final DirectBuffer bytes;
        private final Windows.Passing passing;      // Null for what no sender waits for.
        private int done;

        Waiting(
            final Roster roster, final Targets targets, final DirectBuffer bytes, final int done,
            final Windows.Passing passing)
        {
            this.passing = passing;
            this.roster = roster;
            this.targets = targets;
            this.bytes = bytes;
            this.done = done;
        }

        boolean trySend()
        {
            while (done < targets.nodes.length &&
                Multicasts.this.trySend(roster, targets, done, bytes, 0, bytes.capacity()))
            {
                done++;                     // One by one: where a send throws, those before have it.
            }
            return done == targets.nodes.length;
        }
    }
}
