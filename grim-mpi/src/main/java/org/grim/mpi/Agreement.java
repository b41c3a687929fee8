// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Decisions of the members of a communicator, one after the other, that are the same at all survivors. Each member
 * sends its vote to the first living member, which decides when it has those of all living ones. If it dies, each
 * sends its vote to the next one, or the decision that it knows: then the next one decides the same. A member that has
 * voted for the next one takes no decision of the one before.
 * <pre>
 *  vote      value: round of the vote or 0, round of the last decision    more: vote, decision
 *  decision  value: round                                                more: decision
 * </pre>
 * A vote is flags, a number for a new communicator, and a bit for each living member. All bits are combined by and;
 * the number is new, of the member that decides. A member's decision before the last one is needed by nobody: all have
 * voted for the last one, and had it.
 * <p>If members cannot reach each other, though all live, one part of them goes on: more than half of the members that
 * may live, or half of them with the first one. Another part waits for a time, as news of a death may be late; then its
 * decision names no survivors. A member that is not among the survivors is cut off: it decides nothing any more.
 * <p>Thread: the engine's owner.
 */
final class Agreement
{
    /** Interval at which a waiting member looks whether others turned out to be gone. */
    static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int NUMBER = 1;
    private static final int MEMBERS = 2;

    private final Transfers transfers;
    private final IntSupplier nextNumber;
    private final IntPredicate mayLive;     // Of those that are gone here, by rank in the job.
    private final int number;
    private final Members all;
    private final int length;               // Ints of a vote.
    private final int[] voteRounds;         // By rank; of what others have sent.
    private final int[][] votes;
    private final int[] decisionRounds;
    private final int[][] decisions;
    private int round;
    private int[] own;                      // Vote; null if none is in progress.
    private Vote pending;
    private int decisionRound;              // The last one that is known here.
    private int[] decision;
    private int promised = -1;              // Rank of the member that has this one's vote.
    private int promisedRound;
    private long minoritySinceNs;           // 0 if this member has not waited for others to turn out to be gone.
    private boolean isCutOff;

    Agreement(
        final Transfers transfers, final IntSupplier nextNumber, final IntPredicate mayLive, final int number,
        final Members all)
    {
        this.transfers = transfers;
        this.nextNumber = nextNumber;
        this.mayLive = mayLive;
        this.number = number;
        this.all = all;
        length = MEMBERS + (all.size() + Integer.SIZE - 1) / Integer.SIZE;
        decision = new int[length];
        voteRounds = new int[all.size()];
        votes = new int[all.size()][];
        decisionRounds = new int[all.size()];
        decisions = new int[all.size()][];
    }

    /** Ranks among the members of those that lived when a decision was taken. */
    static int[] survivors(final int[] ofDecision, final int size)
    {
        return IntStream.range(0, size).filter(rank -> (ofDecision[word(rank)] & 1 << rank) != 0).toArray();
    }

    /**
     * Whether survivors may go on without others that may live.
     *
     * @param survivors of a decision.
     * @param others    that may live.
     * @return true if no other part of them all may.
     */
    static boolean isLargerPart(final int[] survivors, final int[] others)
    {
        return survivors.length > others.length || (survivors.length == others.length && survivors.length > 0 &&
            IntStream.of(survivors).min().getAsInt() < IntStream.of(others).min().getAsInt());
    }

    /** Whether others may still ask for a decision. */
    boolean isUsed()
    {
        return round > 0;
    }

    /** Votes. */
    void begin(final Vote vote, final int flags)
    {
        vote.begin();
        if (isCutOff)
        {
            vote.end(Operation.Outcome.CUT_OFF);
            return;
        }
        pending = vote;
        round++;
        own = new int[length];
        own[0] = flags;
        for (int rank = 0; rank < all.size(); rank++)
        {
            own[word(rank)] |= isGone(rank) ? 0 : 1 << rank;
        }
        step();
    }

    /** Members may have died. */
    void step()
    {
        int first = 0;
        while (isGone(first))
        {
            first++;
        }
        if (first == all.rank())
        {
            promised = first;
            tryDecide();
            showAwaited(firstMissing());
        }
        else if (round > 0 && (promised != first || promisedRound != round))
        {
            promised = first;
            promisedRound = round;
            final int[] more = Arrays.copyOf(own == null ? decision : own, 2 * length);
            System.arraycopy(decision, 0, more, length, length);
            transfers.control(
                all.inJob(first), Peer.Word.VOTE, number, rounds(own == null ? 0 : round, decisionRound), more);
            showAwaited(first);
        }
    }

    private void showAwaited(final int rank)
    {
        if (pending != null)
        {
            pending.awaits(rank == Entry.ANY ? Entry.ANY : all.inJob(rank));
        }
    }

    /** A living member that has not voted, or {@link Entry#ANY}. */
    private int firstMissing()
    {
        return IntStream.range(0, all.size())
            .filter(rank -> rank != all.rank() && voteRounds[rank] != round && !isGone(rank)).findFirst()
            .orElse(Entry.ANY);
    }

    /** A word of a member has come. */
    void onWord(final int jobRank, final Peer.Control word)
    {
        final int from = IntStream.range(0, all.size()).filter(rank -> all.inJob(rank) == jobRank).findFirst()
            .orElseThrow();
        final int firstRound = (int)(word.value() >> Integer.SIZE);
        if (word.word() == Peer.Word.DECISION)
        {
            if (own != null && firstRound == round && from >= promised)
            {
                take(word.more());
            }
        }
        else if (firstRound > 0 && firstRound == decisionRound)
        {
            send(from);
        }
        else
        {
            voteRounds[from] = firstRound;
            votes[from] = Arrays.copyOf(word.more(), length);
            decisionRounds[from] = (int)word.value();
            decisions[from] = Arrays.copyOfRange(word.more(), length, 2 * length);
            step();
        }
    }

    /** This process leaves. */
    void close()
    {
        if (pending != null)
        {
            pending.end(Operation.Outcome.CLOSED);
            pending = null;
            own = null;
        }
    }

    private void tryDecide()
    {
        if (own == null)
        {
            return;
        }
        final int[] combined = own.clone();
        boolean isComplete = true;
        for (int rank = 0; rank < all.size(); rank++)
        {
            if (decisionRounds[rank] == round)
            {
                decide(decisions[rank]);
                return;
            }
            if (isGone(rank))
            {
                combined[word(rank)] &= ~(1 << rank);
            }
            else if (rank != all.rank())
            {
                isComplete &= voteRounds[rank] == round;
                for (int i = 0; i < length && isComplete; i++)
                {
                    combined[i] &= votes[rank][i];
                }
            }
        }
        if (isComplete)
        {
            tryDecide(combined);
        }
    }

    /** Takes a decision, unless those who take it may be a part of the living only. */
    private void tryDecide(final int[] combined)
    {
        final int[] survivors = survivors(combined, all.size());
        final int[] others = IntStream.range(0, all.size())
            .filter(rank -> (combined[word(rank)] & 1 << rank) == 0 && isGone(rank) && mayLive.test(all.inJob(rank)))
            .toArray();
        if (isLargerPart(survivors, others))
        {
            combined[NUMBER] = nextNumber.getAsInt();
            decide(combined);
            return;
        }
        minoritySinceNs = minoritySinceNs == 0 ? System.nanoTime() : minoritySinceNs;
        if (System.nanoTime() - minoritySinceNs > PATIENCE_NS)
        {
            Arrays.fill(combined, MEMBERS, length, 0);
            decide(combined);
        }
    }

    private void decide(final int[] newDecision)
    {
        take(newDecision);
        for (int rank = 0; rank < all.size(); rank++)
        {
            if (rank != all.rank())
            {
                send(rank);
            }
        }
    }

    private void take(final int[] newDecision)
    {
        decision = newDecision;
        decisionRound = round;
        own = null;
        final Vote vote = pending;
        pending = null;
        minoritySinceNs = 0;
        isCutOff = (newDecision[word(all.rank())] & 1 << all.rank()) == 0;
        if (isCutOff)
        {
            vote.end(Operation.Outcome.CUT_OFF);
        }
        else
        {
            vote.decided(newDecision);
        }
    }

    private void send(final int rank)
    {
        transfers.control(all.inJob(rank), Peer.Word.DECISION, number, rounds(decisionRound, 0), decision);
    }

    private boolean isGone(final int rank)
    {
        return transfers.isGone(all.inJob(rank));
    }

    private static int word(final int rank)
    {
        return MEMBERS + rank / Integer.SIZE;
    }

    private static long rounds(final int one, final int other)
    {
        return (long)one << Integer.SIZE | other;
    }
}
