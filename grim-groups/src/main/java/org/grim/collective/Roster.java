// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.GrimException;
import org.grim.group.Group;
import org.grim.transport.Membership;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * The members of a group in one epoch, in the order in which they joined. A member is a node, its incarnation, and the
 * session: its attempt to join, by which it knows a membership that is over.
 * <p>Thread: any; immutable.
 */
final class Roster
{
    /** Bytes of a member in a message. */
    static final int ENTRY_LENGTH = Integer.BYTES * 3;

    private static final int INCARNATION_OFFSET = Integer.BYTES;
    private static final int SESSION_OFFSET = INCARNATION_OFFSET + Integer.BYTES;

    private final int id;
    private final int epoch;
    private final int[] nodes;
    private final int[] incarnations;
    private final int[] sessions;

    /**
     * Names the members of an epoch.
     *
     * @param id           of the group: a number that its name gives.
     * @param epoch        1 or more, rising; {@link MakerEpochNumbers}.
     * @param nodes        numbers of the members; not copied.
     * @param incarnations of the members; not copied.
     * @param sessions     of the members; not copied.
     */
    Roster(final int id, final int epoch, final int[] nodes, final int[] incarnations, final int[] sessions)
    {
        this.id = id;
        this.epoch = epoch;
        this.nodes = nodes;
        this.incarnations = incarnations;
        this.sessions = sessions;
    }

    int id()
    {
        return id;
    }

    int epoch()
    {
        return epoch;
    }

    /** Numbers of the members, by rank; not to be changed. */
    int[] nodes()
    {
        return nodes;
    }

    int incarnation(final int rank)
    {
        return incarnations[rank];
    }

    int session(final int rank)
    {
        return sessions[rank];
    }

    /** Whether another endpoint of a member's node handles its multicasts: it takes no more than a window of them. */
    boolean hasReceiver(final int rank)
    {
        return (sessions[rank] & NodeSessions.RECEIVER) != 0;
    }

    /** Whether some member has a receiver. */
    boolean hasReceivers()
    {
        return IntStream.range(0, nodes.length).anyMatch(this::hasReceiver);
    }

    int size()
    {
        return nodes.length;
    }

    /** Rank of a node; -1 if it is no member. */
    int rankOf(final int node)
    {
        for (int rank = 0; rank < nodes.length; rank++)
        {
            if (nodes[rank] == node)
            {
                return rank;
            }
        }
        return -1;
    }

    /** Rank of an incarnation of a node; -1 if it is no member. */
    int rankOf(final int node, final int incarnation)
    {
        final int rank = rankOf(node);
        return rank >= 0 && incarnations[rank] == incarnation ? rank : -1;
    }

    /** Whether an incarnation of a node is a member by an attempt to join. */
    boolean names(final int node, final int incarnation, final int session)
    {
        final int rank = rankOf(node, incarnation);
        return rank >= 0 && sessions[rank] == session;
    }

    boolean isUp(final Membership membership, final int rank)
    {
        return membership.status(nodes[rank]) == membership.upStatus(incarnations[rank]);
    }

    boolean areAllUp(final Membership membership)
    {
        for (int rank = 0; rank < nodes.length; rank++)
        {
            if (!isUp(membership, rank))
            {
                return false;
            }
        }
        return true;
    }

    /** Number of the first member that is up; -1 if none is. */
    int owner(final Membership membership)
    {
        for (int rank = 0; rank < nodes.length; rank++)
        {
            if (isUp(membership, rank))
            {
                return nodes[rank];
            }
        }
        return -1;
    }

    /** A later epoch, of the members whose ranks stay. */
    Roster next(final int nextEpoch, final IntPredicate stays)
    {
        return part(id, nextEpoch, IntStream.range(0, nodes.length).filter(stays).toArray());
    }

    /** Some of the members, by their ranks here, as those of another group. */
    Roster part(final int ofId, final int ofEpoch, final int[] ranks)
    {
        return new Roster(ofId, ofEpoch, pick(nodes, ranks), pick(incarnations, ranks), pick(sessions, ranks));
    }

    /** Returns the same epoch with another member, which is the last one. */
    Roster with(final int node, final int incarnation, final int session)
    {
        return new Roster(
            id, epoch, append(nodes, node), append(incarnations, incarnation), append(sessions, session));
    }

    /** Writes the members; returns the bytes. */
    int writeTo(final MutableDirectBuffer target, final int offset)
    {
        for (int rank = 0; rank < nodes.length; rank++)
        {
            final int entry = offset + rank * ENTRY_LENGTH;
            target.putInt(entry, nodes[rank]);
            target.putInt(entry + INCARNATION_OFFSET, incarnations[rank]);
            target.putInt(entry + SESSION_OFFSET, sessions[rank]);
        }
        return nodes.length * ENTRY_LENGTH;
    }

    /** Reads what {@link #writeTo} wrote. */
    static Roster readFrom(
        final int id, final int epoch, final int nodeCountMax, final DirectBuffer source, final int offset,
        final int length)
    {
        final int size = length / ENTRY_LENGTH;
        if (length % ENTRY_LENGTH != 0 || size > Group.SIZE_MAX || epoch < 0)
        {
            throw new GrimException(BAD_DATA, "members of a group in bytes=" + length + ", epoch=" + epoch);
        }
        final int[] nodes = new int[size];
        final int[] incarnations = new int[size];
        final int[] sessions = new int[size];
        for (int rank = 0; rank < size; rank++)
        {
            final int entry = offset + rank * ENTRY_LENGTH;
            nodes[rank] = source.getInt(entry);
            incarnations[rank] = source.getInt(entry + INCARNATION_OFFSET);
            sessions[rank] = source.getInt(entry + SESSION_OFFSET);
            if (nodes[rank] < 0 || nodes[rank] >= nodeCountMax)
            {
                throw new GrimException(BAD_DATA, "member node=" + nodes[rank] + " is outside 0 to " +
                    (nodeCountMax - 1));
            }
        }
        return new Roster(id, epoch, nodes, incarnations, sessions);
    }

    /** For texts: numbers of the nodes. */
    @Override
    public String toString()
    {
        return Arrays.toString(nodes);
    }

    private static int[] pick(final int[] from, final int[] ranks)
    {
        return IntStream.of(ranks).map(rank -> from[rank]).toArray();
    }

    private static int[] append(final int[] to, final int last)
    {
        final int[] longer = Arrays.copyOf(to, to.length + 1);
        longer[to.length] = last;
        return longer;
    }
}
