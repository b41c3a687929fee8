// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Multicasts of one group that leave this node: once into an outbox that all members of this host read; to another host
 * one message, whose first member there passes it on. What finds no room waits, in order.
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
    /** To it: what follows stands there. */
    static final int OUTBOX_LET_IN = 11;
    /** Back: it cannot read it any more. */
    static final int OUTBOX_LEFT = 12;
    /** To it: the head that it wrote is none; it has to let go. */
    static final int OUTBOX_DROP = 13;

    static final int PREFIX_LENGTH = MessageHeader.LENGTH;
    static final int HANDLER_OFFSET = 0;
    static final int ORIGIN_OFFSET = Integer.BYTES;
    /** Most payload bytes: one message on every transport. */
    static final int LENGTH_MAX = 32_768;

    /** In place of a node: all that read the outbox. */
    private static final int OUTBOX = -1;

    private final GroupTraffic traffic;
    private final HostMulticasts host;
    private final TotalOrder order;
    private final MutableDirectBuffer frame = Buffers.wrap(new byte[PREFIX_LENGTH + LENGTH_MAX]);
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private Roster known;
    private boolean isByOutbox;             // All members read the outbox.
    private Targets hosts;                  // Members of this host, and the first one of each other host.
    private Targets neighbours;             // The others of this host.

    Multicasts(final GroupTraffic traffic, final HostMulticasts host, final TotalOrder order)
    {
        this.traffic = traffic;
        this.host = host;
        this.order = order;
    }

    /** Sends by the outbox alone, if all members read it, nothing waits, and it has room. */
    boolean tryPut(
        final Roster roster, final HandlerId handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        return known == roster && isByOutbox && !host.hasChanged() && waiting.isEmpty() && length >= 0 &&
            length <= LENGTH_MAX && host.tryPut(roster, handler, arguments01, arguments23, source, offset, length);
    }

    /** Sends to all members; if it is ordered, to the owner, who sends it to all. */
    SendStatus send(
        final Roster roster, final HandlerId handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length, final boolean isOrdered)
    {
        fill(frame, 0, traffic.self(), handler, arguments01, arguments23, source, offset, length);
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
        return fanOut(roster, hosts, bytes, offset, length);
    }

    /** Passes on what came from another host to the members here. */
    void passOn(final Roster roster, final DirectBuffer buffer, final int offset, final int length)
    {
        know(roster);
        if (neighbours.nodes.length > 0)
        {
            fanOut(roster, neighbours, buffer, offset, length);
        }
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

    /** Sends what waits, and what is due to members that will read the outbox. */
    int step(final Roster roster)
    {
        final int count = flush();
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

    static void requireLength(final int length)
    {
        if (length < 0 || length > LENGTH_MAX)
        {
            throw new IllegalArgumentException("length=" + length + " of a multicast is outside 0 to " + LENGTH_MAX);
        }
    }

    /** Writes a message and its prefix. */
    static void fill(
        final MutableDirectBuffer target, final int index, final int self, final HandlerId handler,
        final long arguments01, final long arguments23, final DirectBuffer source, final int offset, final int length)
    {
        target.putInt(index + HANDLER_OFFSET, handler.number());
        target.putInt(index + ORIGIN_OFFSET, self);
        target.putLong(index + MessageHeader.ARGUMENTS_OFFSET, arguments01, BIG_ENDIAN);
        target.putLong(index + MessageHeader.ARGUMENTS_OFFSET + Long.BYTES, arguments23, BIG_ENDIAN);
        if (length > 0)
        {
            target.putBytes(index + PREFIX_LENGTH, source, offset, length);
        }
    }

    private SendStatus fanOut(
        final Roster roster, final Targets targets, final DirectBuffer bytes, final int offset, final int length)
    {
        final int done = waiting.isEmpty() ? sendFrom(0, roster, targets, bytes, offset, length) : 0;
        if (done == targets.nodes.length)
        {
            return SendStatus.SENT;
        }
        final byte[] copy = new byte[length];
        bytes.getBytes(offset, copy);
        waiting.add(new Waiting(roster, targets, copy, done));
        return SendStatus.QUEUED;
    }

    /** Sends to those from one on, as far as there is room; returns how far it came. */
    private int sendFrom(
        final int first, final Roster roster, final Targets targets, final DirectBuffer bytes, final int offset,
        final int length)
    {
        int done = first;
        while (done < targets.nodes.length && send(
            roster, targets.nodes[done], targets.kinds[done], bytes, offset, length) != SendStatus.BACK_PRESSURED)
        {
            done++;
        }
        return done;
    }

    private SendStatus send(
        final Roster roster, final int node, final int kind, final DirectBuffer bytes, final int offset,
        final int length)
    {
        if (node == OUTBOX)
        {
            return host.tryPut(roster, bytes, offset, length) ? SendStatus.SENT : SendStatus.BACK_PRESSURED;
        }
        return traffic.send(node, GroupTraffic.MULTICAST, MessageHeader.pair(roster.id(), roster.epoch()),
            MessageHeader.pair(kind, 0), bytes, offset, length);
    }

    /** Works out who gets messages from here. */
    private void know(final Roster roster)
    {
        if (known == roster && !host.hasChanged())
        {
            return;
        }
        host.prepare(roster);
        final int[] nodes = roster.nodes();
        neighbours = new Targets(byOutbox(IntStream.of(nodes).filter(this::isHere))
            .filter(node -> node != traffic.self()).toArray(), node -> PLAIN);
        hosts = new Targets(byOutbox(IntStream.range(0, nodes.length).filter(rank -> isHere(nodes[rank]) ||
            IntStream.range(0, rank).noneMatch(before -> isOneHost(nodes[before], nodes[rank])))
            .map(rank -> nodes[rank])).toArray(), node -> node == OUTBOX || isHere(node) ? PLAIN : PASS_ON);
        isByOutbox = hosts.nodes.length == 1 && hosts.nodes[0] == OUTBOX;
        known = roster;                                 // Last: all of the above is of it.
    }

    /** Once the outbox for all that read it. */
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

    /** Who gets a message, and as what. */
    private static final class Targets
    {
        private final int[] nodes;
        private final int[] kinds;

        Targets(final int[] nodes, final IntUnaryOperator kindOf)
        {
            this.nodes = nodes;
            kinds = IntStream.of(nodes).map(kindOf).toArray();
        }
    }

    /** One that has not gone to everybody yet. */
    private final class Waiting
    {
        private final Roster roster;
        private final Targets targets;
        private final DirectBuffer bytes;
        private int done;

        Waiting(final Roster roster, final Targets targets, final byte[] bytes, final int done)
        {
            this.roster = roster;
            this.targets = targets;
            this.bytes = Buffers.wrap(bytes);
            this.done = done;
        }

        boolean trySend()
        {
            done = sendFrom(done, roster, targets, bytes, 0, bytes.capacity());
            return done == targets.nodes.length;
        }
    }
}
