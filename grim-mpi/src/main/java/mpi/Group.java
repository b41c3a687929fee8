// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.grim.mpi.Engine;

/**
 * An ordered set of processes of the job.
 * <p>Thread: any; does not change.
 */
public final class Group implements Freeable
{
    static final Group EMPTY = new Group(-1);
    static final Group NULL = new Group(-1);

    /** Ranks in the job. */
    final int[] ranks;
    private final int ownRank;              // In the job; -1 if that is not known, in a group of none.
    private boolean isFree;

    static
    {
        NULL.isFree = true;
    }

    /** A group of ranks in the job. */
    Group(final Engine engine, final int[] ranks)
    {
        this(engine == null ? -1 : engine.rank(), ranks);
    }

    Group(final int ownRank, final int... ranks)
    {
        this.ownRank = ownRank;
        this.ranks = ranks;
    }

    // mpiJava 1.2

    /** {@return number of processes} */
    public int Size() throws MPIException
    {
        return valid().ranks.length;
    }

    /** {@return rank of this process; {@code MPI.UNDEFINED} if it is not in the group} */
    public int Rank() throws MPIException
    {
        return valid().rankOf(ownRank);
    }

    /**
     * Translates ranks.
     *
     * @param group1 group that they are of.
     * @param ranks1 ranks there.
     * @param group2 other group.
     * @return ranks there, {@code MPI.UNDEFINED} of processes that are not there.
     */
    public static int[] Translate_ranks(final Group group1, final int[] ranks1, final Group group2)
        throws MPIException
    {
        final Map<Integer, Integer> places = new HashMap<>();
        for (int i = 0; i < required(group2).ranks.length; i++)
        {
            places.put(group2.ranks[i], i);
        }
        required(group1);
        return IntStream.of(required(ranks1)).map(rank -> rank == MPI.PROC_NULL ? rank :
            places.getOrDefault(group1.inJob(rank), MPI.UNDEFINED)).toArray();
    }

    /**
     * Compares groups.
     *
     * @param group1 a group.
     * @param group2 a group.
     * @return {@code MPI.IDENT} if they are equal, {@code MPI.SIMILAR} if only the order differs, {@code MPI.UNEQUAL}.
     */
    public static int Compare(final Group group1, final Group group2) throws MPIException
    {
        if (Arrays.equals(required(group1).ranks, required(group2).ranks))
        {
            return MPI.IDENT;
        }
        return Arrays.equals(IntStream.of(group1.ranks).sorted().toArray(),
            IntStream.of(group2.ranks).sorted().toArray()) ? MPI.SIMILAR : MPI.UNEQUAL;
    }

    /**
     * Unites groups.
     *
     * @param group1 its processes come first.
     * @param group2 its other processes follow.
     * @return the union.
     */
    public static Group Union(final Group group1, final Group group2) throws MPIException
    {
        return required(group1).with(IntStream.concat(
            IntStream.of(group1.ranks), required(group2).without(group1, false)).toArray(), group2);
    }

    /**
     * Intersects groups.
     *
     * @param group1 whose order counts.
     * @param group2 other group.
     * @return processes of both.
     */
    public static Group Intersection(final Group group1, final Group group2) throws MPIException
    {
        return required(group1).with(group1.without(group2, true).toArray(), group2);
    }

    /**
     * Subtracts a group.
     *
     * @param group1 a group.
     * @param group2 other group.
     * @return processes of the first that the second has not.
     */
    public static Group Difference(final Group group1, final Group group2) throws MPIException
    {
        return required(group1).with(group1.without(group2, false).toArray(), group2);
    }

    /**
     * Selects processes.
     *
     * @param newRanks ranks in this group, in the order of the new one.
     * @return the new group.
     */
    public Group Incl(final int[] newRanks) throws MPIException
    {
        checkDistinct(newRanks);
        return with(IntStream.of(newRanks).map(this::inJob).toArray(), this);
    }

    /**
     * Removes processes.
     *
     * @param oldRanks ranks in this group.
     * @return the other processes, in order.
     */
    public Group Excl(final int[] oldRanks) throws MPIException
    {
        checkDistinct(oldRanks);
        final boolean[] isOut = new boolean[Size()];
        IntStream.of(oldRanks).forEach(rank -> isOut[rank] = true);
        return with(IntStream.range(0, isOut.length).filter(rank -> !isOut[rank]).map(this::inJob).toArray(), this);
    }

    /**
     * Selects processes by ranges.
     *
     * @param newRanges each of a first rank, a last rank, and a step.
     * @return the new group.
     */
    public Group Range_incl(final int[][] newRanges) throws MPIException
    {
        return Incl(expanded(newRanges));
    }

    /**
     * Removes processes by ranges.
     *
     * @param oldRanges each of a first rank, a last rank, and a step.
     * @return the other processes, in order.
     */
    public Group Range_excl(final int[][] oldRanges) throws MPIException
    {
        return Excl(expanded(oldRanges));
    }

    // Open MPI

    /** {@return number of processes} */
    public int getSize() throws MPIException
    {
        return Size();
    }

    /** {@return rank of this process; {@code MPI.UNDEFINED} if it is not in the group} */
    public int getRank() throws MPIException
    {
        return Rank();
    }

    /** Frees the group. */
    @Override
    public void free() throws MPIException
    {
        valid();
        isFree = this != EMPTY;
    }

    /** {@return whether it was freed, or is the null group} */
    public boolean isNull()
    {
        return isFree;
    }

    /**
     * Translates ranks.
     *
     * @param group1 group that they are of.
     * @param ranks1 ranks there.
     * @param group2 other group.
     * @return ranks there, {@code MPI.UNDEFINED} of processes that are not there.
     */
    public static int[] translateRanks(final Group group1, final int[] ranks1, final Group group2)
        throws MPIException
    {
        return Translate_ranks(group1, ranks1, group2);
    }

    /**
     * Compares groups.
     *
     * @param group1 a group.
     * @param group2 a group.
     * @return {@code MPI.IDENT} if they are equal, {@code MPI.SIMILAR} if only the order differs, {@code MPI.UNEQUAL}.
     */
    public static int compare(final Group group1, final Group group2) throws MPIException
    {
        return Compare(group1, group2);
    }

    /**
     * Unites groups.
     *
     * @param group1 its processes come first.
     * @param group2 its other processes follow.
     * @return the union.
     */
    public static Group union(final Group group1, final Group group2) throws MPIException
    {
        return Union(group1, group2);
    }

    /**
     * Intersects groups.
     *
     * @param group1 whose order counts.
     * @param group2 other group.
     * @return processes of both.
     */
    public static Group intersection(final Group group1, final Group group2) throws MPIException
    {
        return Intersection(group1, group2);
    }

    /**
     * Subtracts a group.
     *
     * @param group1 a group.
     * @param group2 other group.
     * @return processes of the first that the second has not.
     */
    public static Group difference(final Group group1, final Group group2) throws MPIException
    {
        return Difference(group1, group2);
    }

    /**
     * Selects processes.
     *
     * @param newRanks ranks in this group, in the order of the new one.
     * @return the new group.
     */
    public Group incl(final int[] newRanks) throws MPIException
    {
        return Incl(newRanks);
    }

    /**
     * Removes processes.
     *
     * @param oldRanks ranks in this group.
     * @return the other processes, in order.
     */
    public Group excl(final int[] oldRanks) throws MPIException
    {
        return Excl(oldRanks);
    }

    /**
     * Selects processes by ranges.
     *
     * @param newRanges each of a first rank, a last rank, and a step.
     * @return the new group.
     */
    public Group rangeIncl(final int[][] newRanges) throws MPIException
    {
        return Range_incl(newRanges);
    }

    /**
     * Removes processes by ranges.
     *
     * @param oldRanges each of a first rank, a last rank, and a step.
     * @return the other processes, in order.
     */
    public Group rangeExcl(final int[][] oldRanges) throws MPIException
    {
        return Range_excl(oldRanges);
    }

    private static Group required(final Group group)
    {
        return MPIException.required(group, MPI.ERR_GROUP, "the group").valid();
    }

    private static int[] required(final int[] ranks)
    {
        return MPIException.required(ranks, MPI.ERR_ARG, "the array of ranks");
    }

    private Group valid()
    {
        if (isFree)
        {
            throw new MPIException(MPI.ERR_GROUP, "the group is null, or was freed");
        }
        return this;
    }

    /** A group of such processes, known to this one or to the other group. */
    private Group with(final int[] newRanks, final Group other)
    {
        return newRanks.length == 0 ? EMPTY : new Group(Math.max(ownRank, other.ownRank), newRanks);
    }

    /** Ranks in the job of processes of this group that the other one has not, or has. */
    private IntStream without(final Group other, final boolean isIn)
    {
        final int[] sorted = IntStream.of(required(other).ranks).sorted().toArray();
        final IntPredicate has = rank -> Arrays.binarySearch(sorted, rank) >= 0;
        return IntStream.of(valid().ranks).filter(isIn ? has : has.negate());
    }

    private int rankOf(final int inJob)
    {
        for (int rank = 0; rank < ranks.length; rank++)
        {
            if (ranks[rank] == inJob)
            {
                return rank;
            }
        }
        return MPI.UNDEFINED;
    }

    private int inJob(final int rank)
    {
        if (rank < 0 || rank >= valid().ranks.length)
        {
            throw new MPIException(MPI.ERR_RANK, "rank=" + rank + " is outside 0 to " + (ranks.length - 1));
        }
        return ranks[rank];
    }

    private void checkDistinct(final int[] some)
    {
        final boolean[] isThere = new boolean[Size()];
        for (final int rank : required(some))
        {
            inJob(rank);
            if (isThere[rank])
            {
                throw new MPIException(MPI.ERR_RANK, "rank=" + rank + " is there twice");
            }
            isThere[rank] = true;
        }
    }

    /** Ranks of ranges. */
    private static int[] expanded(final int[][] ranges)
    {
        final IntStream.Builder all = IntStream.builder();
        for (final int[] range : MPIException.required(ranges, MPI.ERR_ARG, "the array of ranges"))
        {
            if (range == null || range.length != 3 || range[2] == 0 || (range[1] - range[0]) / range[2] < 0)
            {
                throw new MPIException(MPI.ERR_ARG, "range " + Arrays.toString(range) +
                    " has no first rank, last rank and step towards it");
            }
            for (int i = 0; i <= (range[1] - range[0]) / range[2]; i++)
            {
                all.add(range[0] + i * range[2]);
            }
        }
        return all.build().toArray();
    }

    @Override
    public String toString()
    {
        return isFree ? "null" : Arrays.toString(ranks);
    }
}
