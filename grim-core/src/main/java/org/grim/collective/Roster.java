// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.cluster.ClusterDirectory;
import org.grim.group.Group;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Who belongs to a group in one epoch, in the order in which they joined: the first one that is up owns the group.
 * <p>Thread: any; immutable.
 */
final class Roster
{
    /** Bytes of a member in a message. */
    static final int ENTRY_LENGTH = Integer.BYTES * 2;

    private final int id;
    private final int epoch;
    private final int[] nodes;
    private final int[] incarnations;

    /**
     * Names the members of an epoch.
     *
     * @param id           of the group: a number that its first owner chose.
     * @param epoch        1 or more, rising; 0 of no group.
     * @param nodes        numbers of the members; not copied.
     * @param incarnations of the members; not copied.
     */
    Roster(final int id, final int epoch, final int[] nodes, final int[] incarnations)
    {
        this.id = id;
        this.epoch = epoch;
        this.nodes = nodes;
        this.incarnations = incarnations;
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

    boolean isUp(final ClusterDirectory directory, final int rank)
    {
        return directory.status(nodes[rank]) == directory.upStatus(incarnations[rank]);
    }

    boolean areAllUp(final ClusterDirectory directory)
    {
        for (int rank = 0; rank < nodes.length; rank++)
        {
            if (!isUp(directory, rank))
            {
                return false;
            }
        }
        return true;
    }

    /** Number of the node that owns the group; -1 if no member is up. */
    int owner(final ClusterDirectory directory)
    {
        for (int rank = 0; rank < nodes.length; rank++)
        {
            if (isUp(directory, rank))
            {
                return nodes[rank];
            }
        }
        return -1;
    }

    /** The next epoch, of the members that are up, without one of them and with another; -1 for none. */
    Roster next(final ClusterDirectory directory, final int leaving, final int joining, final int incarnation)
    {
        final int[] stay = IntStream.range(0, nodes.length).filter(rank -> isUp(directory, rank) &&
            nodes[rank] != leaving && nodes[rank] != joining).toArray();
        final int count = stay.length + (joining < 0 ? 0 : 1);
        if (count > Group.SIZE_MAX)
        {
            throw new GrimException(BAD_DATA, "group size=" + count + " exceeds max=" + Group.SIZE_MAX);
        }
        final int[] newNodes = Arrays.copyOf(Arrays.stream(stay).map(rank -> nodes[rank]).toArray(), count);
        final int[] newIncarnations =
            Arrays.copyOf(Arrays.stream(stay).map(rank -> incarnations[rank]).toArray(), count);
        if (joining >= 0)
        {
            newNodes[count - 1] = joining;
            newIncarnations[count - 1] = incarnation;
        }
        return new Roster(id, epoch + 1, newNodes, newIncarnations);
    }

    /** Writes the members; returns the bytes. */
    int writeTo(final MutableDirectBuffer target, final int offset)
    {
        for (int rank = 0; rank < nodes.length; rank++)
        {
            target.putInt(offset + rank * ENTRY_LENGTH, nodes[rank]);
            target.putInt(offset + rank * ENTRY_LENGTH + Integer.BYTES, incarnations[rank]);
        }
        return nodes.length * ENTRY_LENGTH;
    }

    /** Reads what {@link #writeTo} wrote. */
    static Roster readFrom(final int id, final int epoch, final DirectBuffer source, final int offset, final int length)
    {
        final int size = length / ENTRY_LENGTH;
        if (length % ENTRY_LENGTH != 0 || size > Group.SIZE_MAX || epoch < 0)
        {
            throw new GrimException(BAD_DATA, "members of a group in bytes=" + length + ", epoch=" + epoch);
        }
        final int[] nodes = new int[size];
        final int[] incarnations = new int[size];
        for (int rank = 0; rank < size; rank++)
        {
            nodes[rank] = source.getInt(offset + rank * ENTRY_LENGTH);
            incarnations[rank] = source.getInt(offset + rank * ENTRY_LENGTH + Integer.BYTES);
            if (nodes[rank] < 0 || nodes[rank] > EndpointId.NODE_MAX)
            {
                throw new GrimException(BAD_DATA, "member node=" + nodes[rank] + " is outside 0 to " +
                    EndpointId.NODE_MAX);
            }
        }
        return new Roster(id, epoch, nodes, incarnations);
    }

    /** For texts: numbers of the nodes. */
    @Override
    public String toString()
    {
        return Arrays.toString(nodes);
    }
}
