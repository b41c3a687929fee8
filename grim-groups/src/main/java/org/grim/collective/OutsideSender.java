// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntArrayQueue;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.group.GroupSender;
import org.grim.wire.MessageHeader;

/**
 * Sends multicasts to a group as no member: to the group's owner, who sends them to all members. It asks all nodes who
 * the owner is, at first and whenever that one leaves, dies or ends the round.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: {@link Windows#LENGTH} bytes that the owner has not sent to all members yet, a longer message alone; and
 * the copy of one long message.
 */
final class OutsideSender implements GroupSender
{
    private static final long ASK_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ASK_NS_MAX = TimeUnit.SECONDS.toNanos(2);
    private static final int NOBODY = -1;
    private static final int NOT_ASKED = 0;

    private final String name;
    private final GroupTraffic traffic;
    private final ClusterDirectory directory;
    private final IntPredicate hasGroups;
    private final IntSupplier nextRound;
    private final Consumer<OutsideSender> onClose;
    private final Roster nobody;
    private final int lengthMax;
    private final long sender;
    private final Fragments fragments;
    private final LongMulticast longMulticast;
    private final DirectBuffer nameBytes;
    private final MutableDirectBuffer frame = Buffers.wrap(new byte[Multicasts.PREFIX_LENGTH + Multicasts.LENGTH_MAX]);
    private final Queue<Piece> unsent = new ArrayDeque<>();         // Cut for the link to the owner.
    private final Open plain = new Open();
    private final Open ordered = new Open();
    private final Int2IntHashMap asked = new Int2IntHashMap(NOT_ASKED);         // Incarnations, by node.
    private final Int2IntHashMap notThere = new Int2IntHashMap(NOT_ASKED);      // Incarnations, by node.
    private int owner = NOBODY;
    private int ownerStatus;
    private int ownerLengthMax;
    private int round;
    private long askNs;
    private long askDeadlineNs;
    private boolean hasEnded;               // All nodes have said that they do not belong to the group.
    private boolean isClosed;

    /**
     * Looks for nobody yet.
     *
     * @param hasGroups says whether a node may belong to groups.
     * @param nextRound gives numbers that rise for all senders of the node.
     * @param onClose   ends it.
     */
    OutsideSender(
        final String name, final GroupTraffic traffic, final int lengthMax, final IntPredicate hasGroups,
        final IntSupplier nextRound, final Consumer<OutsideSender> onClose)
    {
        this.name = name;
        this.traffic = traffic;
        this.lengthMax = lengthMax;
        this.hasGroups = hasGroups;
        this.nextRound = nextRound;
        this.onClose = onClose;
        directory = traffic.directory();
        nobody = new Roster(RosterMessages.id(name), 0, new int[0], new int[0], new int[0]);
        sender = Multicasts.outsideSender(traffic);
        fragments = new Fragments(traffic, nobody, lengthMax);
        longMulticast = new LongMulticast(fragments, Fragments.OUTSIDE, this::sendShort);
        nameBytes = Buffers.wrap(name.getBytes(StandardCharsets.UTF_8));
        search(System.nanoTime());
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public int multicastLengthMax()
    {
        return ownerLengthMax;
    }

    @Override
    public SendStatus multicast(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return multicast(
            handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length, false);
    }

    @Override
    public SendStatus multicastInTotalOrder(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return multicast(
            handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length, true);
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            if (!traffic.isClosed())
            {
                traffic.requireOutsideHandler("close");
            }
            isClosed = true;
            onClose.accept(this);
        }
    }

    int id()
    {
        return nobody.id();
    }

    boolean isConnected()
    {
        return owner != NOBODY;
    }

    /** Whether no node belongs to the group, as all have said. */
    boolean hasEnded()
    {
        return hasEnded;
    }

    /** Nodes whose answers are missing, for texts. */
    List<Integer> silent()
    {
        final List<Integer> nodes = new ArrayList<>();
        for (int node = 0; node < directory.nodeCountMax(); node++)
        {
            if (isAskable(node) && notThere.get(node) != incarnation(node))
            {
                nodes.add(node);
            }
        }
        return nodes;
    }

    /** Sends what waits, looks whether the owner is there, and asks for another one; returns pieces of work done. */
    int step(final long nowNs)
    {
        if (owner != NOBODY && directory.status(owner) != ownerStatus)
        {
            disconnect(nowNs);
        }
        if (owner == NOBODY)
        {
            stepSearch(nowNs);
            return 0;
        }
        return isSent() ? longMulticast.step(nobody) : 0;
    }

    /** Whether all that was accepted has gone to all members. */
    boolean isFlushed()
    {
        return unsent.isEmpty() && longMulticast.isEmpty() && plain.isEmpty() && ordered.isEmpty();
    }

    /** Gives up what has not, or is not known to have; counts it. */
    void drop()
    {
        traffic.lostMulticasts(longMulticast.drop() + plain.drop() + ordered.drop());
        unsent.clear();
    }

    /** A node owns the group, and takes messages of a round. */
    void onFound(final int node, final int ofRound, final int lengthMaxThere)
    {
        if (owner == NOBODY && ofRound == round && directory.isUp(node))
        {
            owner = node;
            ownerStatus = directory.status(node);
            ownerLengthMax = Math.max(0, Math.min(lengthMax, lengthMaxThere));
            hasEnded = false;
        }
    }

    /** A node does not belong to the group. */
    void onNotHere(final int node, final int ofRound)
    {
        if (ofRound == round)
        {
            notThere.put(node, incarnation(node));
        }
    }

    /** The owner has sent so many bytes of a round to all members. */
    void onPassed(final int node, final int ofRound, final long length, final long orderedLength)
    {
        if (node == owner && ofRound == round)
        {
            plain.passed(length);
            ordered.passed(orderedLength);
        }
    }

    /** The owner takes no more messages of a round. */
    void onEnded(final int node, final int ofRound)
    {
        if (node == owner && ofRound == round)
        {
            disconnect(System.nanoTime());
        }
    }

    private SendStatus multicast(
        final HandlerId handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        final int number = handler.number();
        if (isClosed || traffic.isClosed())
        {
            return SendStatus.CLOSED;
        }
        traffic.requireOwner();
        if (length < 0 || length > ownerLengthMax)
        {
            throw new IllegalArgumentException("length=" + length + " of a multicast is outside 0 to " +
                ownerLengthMax + " (grim.message.length-max)");
        }
        if (owner != NOBODY && directory.status(owner) != ownerStatus)
        {
            disconnect(System.nanoTime());
        }
        if (owner == NOBODY)
        {
            return hasEnded ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED;
        }
        if (!longMulticast.isEmpty())
        {
            return SendStatus.BACK_PRESSURED;
        }
        if (length <= Multicasts.LENGTH_MAX)
        {
            return sendShort(number, arguments01, arguments23, source, offset, length, isOrdered);
        }
        longMulticast.begin(number, arguments01, arguments23, source, offset, length, isOrdered);
        if (!traffic.isInHandler())
        {
            longMulticast.step(nobody);
        }
        return SendStatus.QUEUED;
    }

    private SendStatus sendShort(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        final int frameLength = Multicasts.PREFIX_LENGTH + length;
        final int openLength = plain.length() + ordered.length();
        if (owner == NOBODY || !isSent() || (openLength > 0 && openLength + frameLength > Windows.LENGTH))
        {
            return SendStatus.BACK_PRESSURED;
        }
        Multicasts.fill(frame, 0, sender, handler, arguments01, arguments23, source, offset, length);
        final int linkLengthMax = traffic.payloadLengthMax(owner);
        final SendStatus status;
        if (frameLength > linkLengthMax)
        {
            fragments.cut(nobody, frame, 0, frameLength, linkLengthMax, isOrdered,
                piece -> unsent.add(new Piece(piece, isOrdered)));
            status = SendStatus.QUEUED;
        }
        else
        {
            status = send(frame, frameLength, isOrdered);
        }
        if (status.isAccepted())
        {
            (isOrdered ? ordered : plain).add(Fragments.weight(frame, 0, frameLength),
                Fragments.isLast(frame, 0, frameLength));
        }
        // If the owner is gone: the next call, or step, looks for another one.
        return status == SendStatus.PEER_GONE ? SendStatus.BACK_PRESSURED : status;
    }

    private SendStatus send(final DirectBuffer bytes, final int length, final boolean isOrdered)
    {
        return traffic.send(owner, GroupTraffic.MULTICAST, MessageHeader.pair(nobody.id(), round),
            MessageHeader.pair(isOrdered ? Multicasts.OUTSIDE_ORDER : Multicasts.OUTSIDE, 0), bytes, 0, length);
    }

    /** Sends pieces, as far as there is room; true if none is left. */
    private boolean isSent()
    {
        while (!unsent.isEmpty() && send(unsent.peek().bytes, unsent.peek().bytes.capacity(),
            unsent.peek().isOrdered) != SendStatus.BACK_PRESSURED)
        {
            unsent.remove();
        }
        return unsent.isEmpty();
    }

    /** Nobody knows what has become of the messages that the owner has not reported. A long one begins again. */
    private void disconnect(final long nowNs)
    {
        traffic.lostMulticasts(plain.drop() + ordered.drop());
        unsent.clear();
        longMulticast.restart();
        owner = NOBODY;
        search(nowNs);
    }

    private void search(final long nowNs)
    {
        round = nextRound.getAsInt();
        hasEnded = false;
        asked.clear();
        notThere.clear();
        askNs = ASK_NS_MIN;
        askDeadlineNs = nowNs + askNs;
    }

    /** Asks nodes that were not asked yet, and all of them when none has turned out to be the owner for a while. */
    private void stepSearch(final long nowNs)
    {
        if (silent().isEmpty())
        {
            hasEnded = true;
        }
        if (askDeadlineNs - nowNs <= 0)
        {
            asked.clear();
            notThere.clear();
            askNs = Math.min(askNs * 2, ASK_NS_MAX);
            askDeadlineNs = nowNs + askNs;
        }
        for (int node = 0; node < directory.nodeCountMax(); node++)
        {
            if (isAskable(node) && asked.get(node) != incarnation(node) &&
                traffic.send(node, GroupTraffic.MULTICAST, MessageHeader.pair(nobody.id(), round),
                MessageHeader.pair(Multicasts.FIND, 0), nameBytes, 0, nameBytes.capacity(), false) !=
                SendStatus.BACK_PRESSURED)
            {
                asked.put(node, incarnation(node));
            }
        }
    }

    private boolean isAskable(final int node)
    {
        return directory.isUp(node) && hasGroups.test(node);
    }

    private int incarnation(final int node)
    {
        return directory.incarnationOf(directory.status(node));
    }

    private record Piece(DirectBuffer bytes, boolean isOrdered)
    {
    }

    /** Messages without tickets, or with them, that the owner has not reported; in the order in which it gets them. */
    private static final class Open
    {
        private final IntArrayQueue weights = new IntArrayQueue();      // Twice the bytes; 1 more for a last fragment.
        private int length;
        private long passedLength;              // Of this round, of messages that are not open.

        void add(final int weight, final boolean isLast)
        {
            weights.addInt(weight << 1 | (isLast ? 1 : 0));
            length += weight;
        }

        void passed(final long newPassedLength)
        {
            while (!weights.isEmpty() && passedLength + (weights.peekInt() >> 1) <= newPassedLength)
            {
                final int weight = weights.pollInt() >> 1;
                passedLength += weight;
                length -= weight;
            }
        }

        int length()
        {
            return length;
        }

        boolean isEmpty()
        {
            return weights.isEmpty();
        }

        /** Forgets all, and the round; returns how many messages were open. */
        int drop()
        {
            int count = 0;
            while (!weights.isEmpty())
            {
                count += weights.pollInt() & 1;
            }
            length = 0;
            passedLength = 0;
            return count;
        }
    }
}
