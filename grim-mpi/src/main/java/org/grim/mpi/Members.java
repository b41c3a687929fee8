// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/**
 * The processes among which messages pass by one context: those of a communicator.
 * <p>Thread: any; does not change.
 */
public final class Members
{
    final int context;              // Of these processes alone; each of their messages has it.
    final int rank;                 // Of this process among them.
    final int[] ranks;              // In the job, of each.

    /**
     * Names them.
     *
     * @param context number that these processes alone use.
     * @param rank    of this process among them.
     * @param ranks   in the job, of each.
     */
    public Members(final int context, final int rank, final int... ranks)
    {
        this.context = context;
        this.rank = rank;
        this.ranks = ranks.clone();
    }

    /** {@return rank of this process among them} */
    public int rank()
    {
        return rank;
    }

    /** {@return how many they are} */
    public int size()
    {
        return ranks.length;
    }

    /** Rank in the job of one of them; {@link Entry#ANY} for any. */
    int inJob(final int ofRank)
    {
        return ofRank == Entry.ANY ? Entry.ANY : ranks[ofRank];
    }
}
