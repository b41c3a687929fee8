// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/**
 * The processes among which messages pass by one context: those of a communicator.
 * <p>Thread: any; does not change, but that it may be revoked.
 */
public final class Members
{
    final int context;              // Of these processes alone; each of their messages has it.
    final int rank;                 // Of this process among them.
    final int[] ranks;              // In the job, of each.
    private volatile boolean isRevoked;

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

    /** The context of messages of a communicator's users. */
    static int contextOf(final int number)
    {
        return 2 * number;
    }

    /** The context of the library's messages of a communicator. */
    static int ownContextOf(final int number)
    {
        return 2 * number + 1;
    }

    /** The number of a communicator with a context. */
    static int numberOf(final int context)
    {
        return context >> 1;
    }

    /** Names a communicator by its context, in words. */
    static String inWords(final int context)
    {
        return "communicator=" + numberOf(context) + (context == contextOf(numberOf(context)) ? "" :
            " (messages of the library)");
    }

    /** Revokes: no operation begins from now on. */
    void revoke()
    {
        isRevoked = true;
    }

    boolean isRevoked()
    {
        return isRevoked;
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
