// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.IntArrayQueue;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Multicasts of one group that leave this node: once into an outbox that all members of this host read; to another host
 * one message, whose first member there passes it on. A message that finds no room waits, in order.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: one message of this member's own, and {@value #WINDOW_LENGTH} bytes of each sender of another host, which
 * are in no overflow queue.
 * <p>A message is the payload behind this; the arguments stand where a header has them:
 * <pre>
 *  +---------+--------+-------+--------+---------------------------+
 *  | handler | origin | since | unused | 4 arguments, big endian   |
 *  |   32    |   32   |  32   |   32   |           128             |
 *  +---------+--------+-------+--------+---------------------------+
 * </pre>
 * "Since" is the epoch in which the sender became a member: one that left and joined again is another member.
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

    static final int PREFIX_LENGTH = MessageHeader.LENGTH;
    static final int HANDLER_OFFSET = 0;
    static final int ORIGIN_OFFSET = Integer.BYTES;
    static final int SINCE_OFFSET = ORIGIN_OFFSET + Integer.BYTES;
    /** Most payload bytes without fragments, if links take it. */
    static final int LENGTH_MAX = 32_768;
    /** Most bytes of a sender that one member has not passed on yet, prefixes included; a longer one goes alone. */
    static final int WINDOW_LENGTH = 1 << 18;

    /** Stands for all nodes that read the outbox. */
    private static final int OUTBOX = -1;
    private static final int NOBODY = -1;
    private static final int PASSED_LENGTH_MIN = WINDOW_LENGTH / 4;

    private final GroupTraffic traffic;
    private final HostMulticasts host;
    private final TotalOrder order;
    private final Fragments fragments;
    private final MutableDirectBuffer frame = Buffers.wrap(new byte[PREFIX_LENGTH + LENGTH_MAX]);
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final Int2IntCounterMap openLengths = new Int2IntCounterMap(0);     // By members that pass on.
    private final Int2IntCounterMap passedLengths = new Int2IntCounterMap(0);   // By senders that do not know it yet.
    private final IntArrayQueue toTell = new IntArrayQueue();                   // Senders that are due to know it.
    private final long sender;
    private Roster latest;
    private Roster known;
    private boolean isByOutbox;             // All members read the outbox.
    private Targets hosts;                  // Members of this host, and the first one of each other host.
    private Targets neighbours;             // The others of this host.

    Multicasts(
        final GroupTraffic traffic, final HostMulticasts host, final TotalOrder order, final Fragments fragments,
        final Roster first)
    {
        this.fragments = fragments;
        sender = sender(traffic, first);
        latest = first;
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
        return fanOut(roster, hosts, bytes, offset, length, NOBODY);
    }

    /** Passes on what came from a member of another host to the members here. */
    void passOn(
        final Roster roster, final int sender, final DirectBuffer buffer, final int offset, final int length)
    {
        know(roster);
        if (fanOut(roster, neighbours, buffer, offset, length, sender) == SendStatus.SENT)
        {
            onPassed(sender, length);
        }
    }

    /** A member has passed on what it got from here. */
    void onPassedReport(final int node, final int length)
    {
        openLengths.getAndAdd(node, -Math.min(openLengths.get(node), Math.max(0, length)));
    }

    /** The membership has changed: members that pass on begin again with a whole window, as they may be others. */
    void follow(final Roster next)
    {
        latest = next;
        openLengths.clear();
    }

    /** Sends what waits, as far as there is room; returns how many were sent. */
    int flush()
    {
        int count = 0;
        for (Waiting next = waiting.peek(); next != null && next.trySend(); next = waiting.peek())
        {
            waiting.remove();
            if (next.sender != NOBODY)
            {
                onPassed(next.sender, next.passedLength);
            }
            count++;
        }
        return count;
    }

    /** Sends what waits, and what is due to members that will read the outbox. */
    int step(final Roster roster)
    {
        final int count = flush();
        for (int i = toTell.size(); i > 0; i--)
        {
            tell(toTell.pollInt());
        }
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
        final int sender)
    {
        if (length > targets.frameLengthMax)
        {
            fragments.cut(roster, bytes, offset, length, targets.frameLengthMax, false, piece -> waiting.add(
                new Waiting(roster, targets, piece, 0, Fragments.isLast(piece, 0, piece.capacity()) ? sender : NOBODY,
                length)));
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
        waiting.add(new Waiting(roster, targets, Buffers.wrap(copy), done, sender, length));
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
            return host.tryPut(roster, bytes, offset, length);
        }
        if (kind == PASS_ON && !hasWindow(node, length))
        {
            return false;
        }
        final long arguments01 = MessageHeader.pair(roster.id(), roster.epoch());
        final long arguments23 = MessageHeader.pair(kind, 0);
        final SendStatus status = traffic.send(node, GroupTraffic.MULTICAST, arguments01, arguments23, bytes, offset,
            length, targets.mayOverflow);
        if (kind == PASS_ON && status.isAccepted())
        {
            openLengths.getAndAdd(node, length);
        }
        return status != SendStatus.BACK_PRESSURED;
    }

    /** Whether a member has passed on so much that it takes a message more. One that has left says nothing. */
    private boolean hasWindow(final int node, final int length)
    {
        final int openLength = openLengths.get(node);
        return openLength == 0 || openLength + length <= WINDOW_LENGTH || latest.rankOf(node) < 0 ||
            !traffic.directory().isUp(node);
    }

    private void onPassed(final int sender, final int length)
    {
        final int before = passedLengths.getAndAdd(sender, length);
        if (before < PASSED_LENGTH_MIN && before + length >= PASSED_LENGTH_MIN)
        {
            tell(sender);
        }
    }

    /** Reports to a sender what was passed on, or notes that this is due. */
    private void tell(final int sender)
    {
        if (traffic.send(sender, GroupTraffic.MULTICAST, MessageHeader.pair(latest.id(), latest.epoch()),
            MessageHeader.pair(PASSED, passedLengths.get(sender)), frame, 0, 0) == SendStatus.BACK_PRESSURED)
        {
            toTell.addInt(sender);
        }
        else
        {
            passedLengths.remove(sender);
        }
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
            .filter(node -> node != traffic.self()).toArray(), node -> PLAIN, false, traffic);
        hosts = new Targets(byOutbox(IntStream.range(0, nodes.length).filter(rank -> isHere(nodes[rank]) ||
            IntStream.range(0, rank).noneMatch(before -> isOneHost(nodes[before], nodes[rank])))
            .map(rank -> nodes[rank])).toArray(), node -> node == OUTBOX || isHere(node) ? PLAIN : PASS_ON, true,
            traffic);
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
    private static final class Targets
    {
        private final int[] nodes;
        private final int[] kinds;
        private final int frameLengthMax;
        private final boolean mayOverflow;      // Not for others: their windows bound only what waits in this class.

        Targets(
            final int[] nodes, final IntUnaryOperator kindOf, final boolean mayOverflow, final GroupTraffic traffic)
        {
            this.nodes = nodes;
            this.mayOverflow = mayOverflow;
            frameLengthMax = Math.min(PREFIX_LENGTH + LENGTH_MAX,
                traffic.payloadLengthMax(IntStream.of(nodes).filter(node -> node != OUTBOX).toArray()));
            kinds = IntStream.of(nodes).map(kindOf).toArray();
        }
    }

    /** One that has not gone to everybody yet. */
    private final class Waiting
    {
        private final Roster roster;
        private final Targets targets;
        private final DirectBuffer bytes;
        private final int sender;           // Of another host, which gets a report that this was passed on; or none.
        private final int passedLength;
        private int done;

        Waiting(
            final Roster roster, final Targets targets, final DirectBuffer bytes, final int done, final int sender,
            final int passedLength)
        {
            this.sender = sender;
            this.passedLength = passedLength;
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
