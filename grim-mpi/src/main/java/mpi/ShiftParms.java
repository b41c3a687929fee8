// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Ranks that a shift is from and to; {@code MPI.PROC_NULL} if there is none. */
public final class ShiftParms
{
    // mpiJava 1.2

    /** Rank that the shift is from. */
    public int rank_source;

    /** Rank that the shift is to. */
    public int rank_dest;

    ShiftParms(final int rankSource, final int rankDest)
    {
        rank_source = rankSource;
        rank_dest = rankDest;
    }

    // Open MPI

    /** {@return rank that the shift is from} */
    public int getRankSource()
    {
        return rank_source;
    }

    /** {@return rank that the shift is to} */
    public int getRankDest()
    {
        return rank_dest;
    }
}
