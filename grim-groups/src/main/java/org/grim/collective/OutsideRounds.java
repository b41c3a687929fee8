// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Messages of one group that senders without membership send by this node, while it owns the group. A sender that has
 * found the owner has a <em>round</em>, and learns how many bytes of it have gone to all members. When this node no
 * longer owns the group it passes on what it has, and then ends the rounds: the senders look for the next owner.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: {@link Windows#LENGTH} bytes of each sender; one that exceeds them is ended.
 */
final class OutsideRounds
{
    /** Bytes of a report: u64 without tickets, u64 with tickets. */
    static final int REPORT_LENGTH = Long.BYTES * 2;

    private final GroupTraffic traffic;
    private final MemberGroup group;
    private final GroupRole role;
    private final int groupId;
    private final Int2ObjectHashMap<Round> rounds = new Int2ObjectHashMap<>();      // By node.
    private final Queue<Frame> waiting = new ArrayDeque<>();
    private final MutableDirectBuffer report = Buffers.wrap(new byte[REPORT_LENGTH]);
    private Round queuedRound;              // Of the message that some members lack; null for none.
    private int queuedWeight;

    OutsideRounds(final GroupTraffic traffic, final MemberGroup group, final GroupRole role)
    {
        this.traffic = traffic;
        this.group = group;
        this.role = role;
        groupId = group.latest().id();
    }

    /** A sender looks for the owner. It asks again where it gets no answer. */
    void onFind(final int node, final int number)
    {
        if (!isServing())
        {
            return;
        }
        final Round known = rounds.get(node);
        if (known == null || !known.is(number, status(node)))
        {
            rounds.put(node, new Round(node, status(node), number, known == null ? 0 : known.orderedOpen()));
        }
        send(node, Multicasts.FOUND, number, group.multicastLengthMax(), report, 0);
    }

    /** A sender's message has come, behind its prefix. */
    void onFrame(
        final int node, final int number, final boolean isOrdered, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final Round round = rounds.get(node);
        if (round == null || !round.is(number, status(node)))
        {
            send(node, Multicasts.OUTSIDE_ENDED, number, 0, report, 0);
            return;
        }
        if (length < Multicasts.PREFIX_LENGTH || length > Multicasts.PREFIX_LENGTH + Multicasts.LENGTH_MAX ||
            buffer.getInt(offset + Multicasts.ORIGIN_OFFSET) != node || !Multicasts.isOutside(buffer, offset))
        {
            throw new GrimException(BAD_DATA, "multicast of length=" + length + " of node=" + node +
                ", which is no member, is not of its own");
        }
        if (!isServing())
        {
            return;                         // The end of the round follows what waits.
        }
        final int weight = Fragments.weight(buffer, offset, length);
        if (round.openLength > 0 && round.openLength + weight > Windows.LENGTH)
        {
            rounds.remove(node);
            send(node, Multicasts.OUTSIDE_ENDED, number, 0, report, 0);
            throw new GrimException(BAD_DATA, "multicasts of node=" + node + ", which is no member, of bytes=" +
                (round.openLength + weight) + " exceed max=" + Windows.LENGTH + " that wait at the owner");
        }
        round.openLength += weight;
        if (!waiting.isEmpty() || queuedRound != null || !tryPass(round, isOrdered, buffer, offset, length))
        {
            final byte[] copy = new byte[length];
            buffer.getBytes(offset, copy);
            waiting.add(new Frame(round, isOrdered, Buffers.wrap(copy)));
        }
    }

    /** A message of a sender got its ticket and has gone to all members. */
    void onOrderGone(final int node, final int weight)
    {
        final Round round = rounds.get(node);
        if (round != null)
        {
            round.orderGone(weight);
        }
    }

    /** Passes on what waits, as far as there is room, and reports; returns how many messages went. */
    int step()
    {
        if (rounds.isEmpty() && waiting.isEmpty() && queuedRound == null)
        {
            return 0;
        }
        int count = 0;
        settleQueued();
        while (!waiting.isEmpty() && queuedRound == null && tryPass(waiting.peek()))
        {
            waiting.remove();
            settleQueued();
            count++;
        }
        final boolean isOver =
            !isServing() && waiting.isEmpty() && queuedRound == null && group.order().isOwnerIdle();
        final Iterator<Round> each = rounds.values().iterator();
        while (each.hasNext())
        {
            final Round round = each.next();
            final boolean isGone = round.status != status(round.node);
            if (isGone ? round.openLength == 0 : tryReport(round) && isOver && tryEnd(round))
            {
                each.remove();
            }
        }
        return count;
    }

    /** Whether nothing waits, and no sender has to learn of the end. */
    boolean isEmpty()
    {
        return waiting.isEmpty() && queuedRound == null && rounds.isEmpty();
    }

    /** Gives up what waits: its senders count it when they learn of the end, or of this node's. */
    void drop()
    {
        waiting.clear();
        queuedRound = null;
        rounds.values().forEach(this::tryEnd);
        rounds.clear();
    }

    private boolean isServing()
    {
        return role.isOwner() && !group.isClosed();
    }

    private void settleQueued()
    {
        if (queuedRound != null && group.multicasts().isEmpty())
        {
            queuedRound.passed(queuedWeight, false);
            queuedRound = null;
        }
    }

    private boolean tryPass(final Frame frame)
    {
        return tryPass(frame.round, frame.isOrdered, frame.bytes, 0, frame.bytes.capacity());
    }

    /** Sends a message to all members of the latest epoch; false if there is no room. */
    private boolean tryPass(
        final Round round, final boolean isOrdered, final DirectBuffer bytes, final int offset, final int length)
    {
        final int weight = Fragments.weight(bytes, offset, length);
        if (!group.treeMember().isStraight())
        {
            final boolean isSent = group.treeMember().trySendFrame(bytes, offset, length, isOrdered);
            if (isSent)
            {
                round.passed(weight, isOrdered);
            }
            return isSent;
        }
        if (isOrdered)
        {
            round.orderedLength += weight;
            group.order().onOrder(group.latest(), bytes, offset, length);
            return true;
        }
        final SendStatus status = group.multicasts().sendOutside(group.latest(), bytes, offset, length);
        if (status == SendStatus.SENT)
        {
            round.passed(weight, false);
        }
        else if (status == SendStatus.QUEUED)
        {
            queuedRound = round;
            queuedWeight = weight;
        }
        return status.isAccepted();
    }

    private boolean tryReport(final Round round)
    {
        if (round.isReportDue)
        {
            report.putLong(0, round.passedLength);
            report.putLong(Long.BYTES, round.passedOrderedLength);
            round.isReportDue = !send(round.node, Multicasts.OUTSIDE_PASSED, round.number, 0, report, REPORT_LENGTH);
        }
        return !round.isReportDue;
    }

    private boolean tryEnd(final Round round)
    {
        return send(round.node, Multicasts.OUTSIDE_ENDED, round.number, 0, report, 0);
    }

    /** False if there is no room. */
    private boolean send(
        final int node, final int kind, final int number, final int extra, final DirectBuffer bytes, final int length)
    {
        return traffic.send(node, GroupTraffic.MULTICAST, MessageHeader.pair(groupId, number),
            MessageHeader.pair(kind, extra), bytes, 0, length) != SendStatus.BACK_PRESSURED;
    }

    private int status(final int node)
    {
        return traffic.directory().status(node);
    }

    private record Frame(Round round, boolean isOrdered, DirectBuffer bytes)
    {
    }

    /** Messages of one sender, from the time at which it found this owner. */
    private static final class Round
    {
        private final int node;
        private final int status;               // Of the node: one of its incarnations is up.
        private final int number;
        private int staleLength;                // With tickets, of an earlier round of the node.
        private int openLength;
        private int orderedLength;              // Of that: waits for tickets.
        private long passedLength;
        private long passedOrderedLength;
        private boolean isReportDue;

        Round(final int node, final int status, final int number, final int staleLength)
        {
            this.node = node;
            this.status = status;
            this.number = number;
            this.staleLength = staleLength;
        }

        boolean is(final int ofNumber, final int ofStatus)
        {
            return number == ofNumber && status == ofStatus;
        }

        /** Bytes without a ticket, of all rounds of the node. */
        int orderedOpen()
        {
            return staleLength + orderedLength;
        }

        void orderGone(final int weight)
        {
            final int stale = Math.min(staleLength, weight);
            staleLength -= stale;
            orderedLength -= weight - stale;
            if (weight > stale)
            {
                passed(weight - stale, true);
            }
        }

        void passed(final int weight, final boolean isOrdered)
        {
            openLength -= weight;
            assert openLength >= 0 : openLength;
            passedLength += isOrdered ? 0 : weight;
            passedOrderedLength += isOrdered ? weight : 0;
            isReportDue = true;
        }
    }
}
