// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.grim.group.Group;
import org.grim.group.Reduction;
import org.grim.mpi.Collective.Kind;

/**
 * A communicator: processes in an order, or two groups of them (an intercommunicator), whose messages and collective
 * operations no other one sees. Collective operations of a group are those of a {@link Group} of nodes; others are
 * messages.
 * <p>Collective: each member calls the same operations in the same order. Elements belong to an operation until it is
 * done. If a member dies, operations end with {@link Operation.Outcome#PEER_FAILED}.
 * <p>Thread: any, one at a time.
 */
public final class Communicator
{
    /** Stands for a root's rank in an intercommunicator, at the root itself. */
    public static final int ROOT = -4;
    /** Stands for a root's rank in an intercommunicator, at others of the root's group. */
    public static final int NOBODY = -3;


    private final Engine engine;
    private final int number;
    private final int[] ranks;                  // In the job, of the own group.
    private final int[] remoteRanks;            // Null if this is no intercommunicator.
    private final int rank;
    private final boolean isFirst;              // Of both groups.
    private final Members targets;
    private final Messages messages;
    private final Agreement agreement;
    private final Group group;                  // Null in an intercommunicator.
    private final ArrayDeque<Group.Request> requests = new ArrayDeque<>();      // Of the group; guarded by the lock.
    private Communicator whole;                 // With which this is revoked; null for none. Guarded by the lock.

    Communicator(final Engine engine, final int number, final int[] ranks, final Group group)
    {
        this.engine = engine;
        this.ranks = ranks.clone();
        this.group = group;
        remoteRanks = null;
        isFirst = true;
        rank = group.rank();
        this.number = number;
        targets = new Members(Members.contextOf(number), rank, ranks);
        messages = new Messages(new Members(Members.ownContextOf(number), rank, ranks), 0, ranks.length);
        agreement = engine.newAgreement(number, messages.all());
    }

    /** An intercommunicator. All members say alike which group is the first one. */
    private Communicator(
        final Engine engine, final int number, final int[] ranks, final int[] remoteRanks, final boolean isFirst)
    {
        this.engine = engine;
        this.ranks = ranks;
        this.remoteRanks = remoteRanks;
        this.isFirst = isFirst;
        group = null;
        rank = IntStream.range(0, ranks.length).filter(i -> ranks[i] == engine.rank()).findFirst().orElseThrow();
        this.number = number;
        targets = new Members(Members.contextOf(number), rank, remoteRanks);
        final int[] all = IntStream.concat(IntStream.of(isFirst ? ranks : remoteRanks),
            IntStream.of(isFirst ? remoteRanks : ranks)).toArray();
        messages = new Messages(new Members(Members.ownContextOf(number), isFirst ? rank : remoteRanks.length + rank,
            all), isFirst ? ranks.length : 0, remoteRanks.length);
        agreement = engine.newAgreement(number, messages.all());
    }

    /** {@return the engine} */
    public Engine engine()
    {
        return engine;
    }

    /** {@return rank of this process in its group} */
    public int rank()
    {
        return rank;
    }

    /** {@return processes of its group} */
    public int size()
    {
        return ranks.length;
    }

    /** {@return ranks in the job of its group} */
    public int[] ranks()
    {
        return ranks.clone();
    }

    /** {@return whether messages and collective operations are between two groups} */
    public boolean isIntercommunicator()
    {
        return remoteRanks != null;
    }

    /** {@return processes of the other group; 0 if there is none} */
    public int remoteSize()
    {
        return remoteRanks == null ? 0 : remoteRanks.length;
    }

    /** {@return ranks in the job of the other group} */
    public int[] remoteRanks()
    {
        return remoteRanks == null ? new int[0] : remoteRanks.clone();
    }

    /** {@return to and from whom messages pass: its group, or the other one of an intercommunicator} */
    public Members targets()
    {
        return targets;
    }

    /** {@return ranks of its group that are known to be gone} */
    public int[] failedRanks()
    {
        return IntStream.range(0, ranks.length).filter(each -> engine.isGone(ranks[each])).toArray();
    }

    /**
     * Begins a barrier.
     *
     * @param c not in progress.
     */
    public void barrier(final Collective c)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.barrier(c);
            engine.begin(c);
            return;
        }
        c.input.none();
        c.output.none();
        begin(c, Kind.BARRIER, 0, 0, null, false);
    }

    /**
     * Begins to copy the root's elements to all.
     *
     * @param c    not in progress.
     * @param root its rank; in an intercommunicator also {@link #ROOT} or {@link #NOBODY}.
     * @param e    elements.
     */
    public void broadcast(final Collective c, final int root, final Elements e)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.broadcast(c, root, e);
            engine.begin(c);
            return;
        }
        c.input.none();
        c.output.row(e, 0, e.count, false);
        if (rank == root)
        {
            c.output.pack();
        }
        begin(c, Kind.BROADCAST, root, c.output.length, null, rank != root);
    }

    /**
     * Begins to collect elements at the root.
     *
     * @param c       not in progress.
     * @param root    as in {@link #broadcast}.
     * @param send    of this process; null at the root if they are in their place.
     * @param receive of all at the root; its count is that of each. Not used elsewhere.
     */
    public void gather(final Collective c, final int root, final Elements send, final Elements receive)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.gather(c, root, send, receive, null, null);
            engine.begin(c);
            return;
        }
        own(c, send, receive, rank == root ? rank * receive.count : 0, rank == root ? receive.count : 0);
        target(c, rank == root, receive, c.input.length);
        begin(c, Kind.GATHER, root, c.input.length, null, rank == root);
    }

    /**
     * As {@link #gather}, with parts of different lengths.
     *
     * @param c             not in progress.
     * @param root          as in {@link #broadcast}.
     * @param send          of this process; null at the root if they are in their place.
     * @param receive       of all at the root; its count is not used.
     * @param counts        of elements of each, at the root.
     * @param displacements of each one's elements, in extents, at the root.
     */
    public void gatherV(
        final Collective c, final int root, final Elements send, final Elements receive, final int[] counts,
        final int[] displacements)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.gather(c, root, send, receive, counts, displacements);
            engine.begin(c);
            return;
        }
        own(c, send, receive, rank == root ? displacements[rank] : 0, rank == root ? counts[rank] : 0);
        if (rank == root)
        {
            c.output.parts(receive, counts, displacements, ranks.length, false);
        }
        else
        {
            c.output.none();
        }
        begin(c, Kind.GATHER_V, root, c.input.length, null, rank == root);
    }

    /**
     * Begins to give each its part of the root's elements.
     *
     * @param c       not in progress.
     * @param root    as in {@link #broadcast}.
     * @param send    of all at the root; its count is that of each. Not used elsewhere.
     * @param receive of this process; null at the root if its own stay where they are.
     */
    public void scatter(final Collective c, final int root, final Elements send, final Elements receive)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.scatter(c, root, send, null, null, receive);
            engine.begin(c);
            return;
        }
        if (rank == root)
        {
            c.input.row(send, 0, Math.multiplyExact(send.count, ranks.length), false);
            c.input.pack();
        }
        else
        {
            c.input.none();
        }
        ownTarget(c, receive, rank == root ? send.packedLength(send.count) : -1);
        begin(c, Kind.SCATTER, root, c.output.length, null, receive != null);
    }

    /**
     * As {@link #scatter}, with parts of different lengths.
     *
     * @param c             not in progress.
     * @param root          as in {@link #broadcast}.
     * @param send          of all at the root; its count is not used.
     * @param counts        of elements of each, at the root.
     * @param displacements of each one's elements, in extents, at the root.
     * @param receive       of this process; null at the root if its own stay where they are.
     */
    public void scatterV(
        final Collective c, final int root, final Elements send, final int[] counts, final int[] displacements,
        final Elements receive)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.scatter(c, root, send, counts, displacements, receive);
            engine.begin(c);
            return;
        }
        if (rank == root)
        {
            c.input.parts(send, counts, displacements, ranks.length, false);
            c.input.pack();
        }
        else
        {
            c.input.none();
        }
        ownTarget(c, receive, rank == root ? send.packedLength(counts[rank]) : -1);
        begin(c, Kind.SCATTER_V, root, c.output.length, null, receive != null);
    }

    /**
     * Begins to collect elements of all at all.
     *
     * @param c       not in progress.
     * @param send    of this process; null if they are in their place.
     * @param receive of all; its count is that of each.
     */
    public void allGather(final Collective c, final Elements send, final Elements receive)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.allGather(c, send, receive);
            engine.begin(c);
            return;
        }
        own(c, send, receive, rank * receive.count, receive.count);
        target(c, true, receive, c.input.length);
        begin(c, Kind.ALL_GATHER, 0, c.input.length, null, true);
    }

    /**
     * As {@link #allGather}, with parts of different lengths.
     *
     * @param c             not in progress.
     * @param send          of this process; null if they are in their place.
     * @param receive       of all; its count is not used.
     * @param counts        of elements of each.
     * @param displacements of each one's elements, in extents.
     */
    public void allGatherV(
        final Collective c, final Elements send, final Elements receive, final int[] counts,
        final int[] displacements)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.allGatherV(c, send, receive, counts, displacements);
            engine.begin(c);
            return;
        }
        own(c, send, receive, displacements[rank], counts[rank]);
        c.output.parts(receive, counts, displacements, ranks.length, false);
        begin(c, Kind.ALL_GATHER_V, 0, c.input.length, null, true);
    }

    /**
     * Begins to give each a part of each one's elements.
     *
     * @param c       not in progress.
     * @param send    for all; its count is that for each. Null if what is received takes the place of what is sent.
     * @param receive of all; its count is that of each.
     */
    public void allToAll(final Collective c, final Elements send, final Elements receive)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.allToAllV(c, send, null, null, receive, null, null);
            engine.begin(c);
            return;
        }
        final Elements from = send == null ? receive : send;
        c.input.row(from, 0, Math.multiplyExact(from.count, ranks.length), send == null);
        c.input.pack();
        target(c, true, receive, c.input.length / ranks.length);
        begin(c, Kind.ALL_TO_ALL, 0, c.input.length / ranks.length, null, true);
    }

    /**
     * As {@link #allToAll}, with parts of different lengths.
     *
     * @param c                    not in progress.
     * @param send                 for all; its count is not used. Null as in {@link #allToAll}.
     * @param sendCounts           of elements for each.
     * @param sendDisplacements    of elements for each, in extents.
     * @param receive              of all; its count is not used.
     * @param receiveCounts        of elements of each.
     * @param receiveDisplacements of each one's elements, in extents.
     */
    public void allToAllV(
        final Collective c, final Elements send, final int[] sendCounts, final int[] sendDisplacements,
        final Elements receive, final int[] receiveCounts, final int[] receiveDisplacements)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.allToAllV(
                c, send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
            engine.begin(c);
            return;
        }
        final boolean isCopy = send == null;
        c.input.parts(isCopy ? receive : send, isCopy ? receiveCounts : sendCounts,
            isCopy ? receiveDisplacements : sendDisplacements, ranks.length, isCopy);
        c.input.pack();
        c.output.parts(receive, receiveCounts, receiveDisplacements, ranks.length, false);
        begin(c, Kind.ALL_TO_ALL_V, 0, 0, null, true);
    }

    /**
     * As {@link #allToAll}, with a layout of its own for each part.
     *
     * @param c       not in progress.
     * @param send    for each.
     * @param receive of each.
     */
    public void allToAllW(final Collective c, final Elements[] send, final Elements[] receive)
    {
        c.requireDone();
        messages.allToAllW(c, send, receive);
        engine.begin(c);
    }

    /**
     * Begins to send elements to some processes, and to receive others of some. Between two processes, the first that
     * is sent is the first that is received.
     *
     * @param c            not in progress.
     * @param sources      ranks of those who send; -1 for none.
     * @param receive      of each of them.
     * @param destinations ranks of those who receive; -1 for none.
     * @param send         for each of them.
     */
    public void neighborAllToAllW(
        final Collective c, final int[] sources, final Elements[] receive, final int[] destinations,
        final Elements[] send)
    {
        c.requireDone();
        messages.neighborAllToAllW(c, sources, receive, destinations, send);
        engine.begin(c);
    }

    /**
     * Begins to combine elements of all at the root.
     *
     * @param c       not in progress.
     * @param root    as in {@link #broadcast}.
     * @param send    of this process; null at the root if they stand where the result belongs.
     * @param receive for the result, at the root.
     * @param r       of packed elements.
     */
    public void reduce(
        final Collective c, final int root, final Elements send, final Elements receive, final Reduction r)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.reduce(c, root, send, receive, r);
            engine.begin(c);
            return;
        }
        reduce(c, Kind.REDUCE, root, send, receive, r, rank == root);
    }

    /**
     * Begins to combine elements of all, for all.
     *
     * @param c       not in progress.
     * @param send    of this process; null if they stand where the result belongs.
     * @param receive for the result.
     * @param r       of packed elements.
     */
    public void allReduce(final Collective c, final Elements send, final Elements receive, final Reduction r)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.allReduce(c, send, receive, r);
            engine.begin(c);
            return;
        }
        reduce(c, Kind.ALL_REDUCE, 0, send, receive, r, true);
    }

    /**
     * Begins to combine elements of all, and to give each its part of the result.
     *
     * @param c       not in progress.
     * @param send    of this process, for all parts; its count is not used. Null if they stand where the result
     *                belongs.
     * @param receive for the part; its count is not used.
     * @param counts  of elements of each part.
     * @param r       of packed elements.
     */
    public void reduceScatter(
        final Collective c, final Elements send, final Elements receive, final int[] counts, final Reduction r)
    {
        c.requireDone();
        if (isIntercommunicator())
        {
            messages.reduceScatter(c, send, receive, counts, rank, r);
            engine.begin(c);
            return;
        }
        final Elements from = send == null ? receive : send;
        int total = 0;
        for (int i = 0; i < ranks.length; i++)
        {
            total = Math.addExact(total, counts[i]);
        }
        c.input.row(from, 0, total, send == null);
        c.input.pack();
        c.input.partsOf(counts, ranks.length, from.layout.packedLength() / r.elementLength());
        c.output.row(receive, 0, counts[rank], false);
        begin(c, Kind.REDUCE_SCATTER, 0, 0, r, true);
    }

    /**
     * Begins to combine elements of the processes up to each one, by rank.
     *
     * @param c       not in progress.
     * @param send    of this process; null if they stand where the result belongs.
     * @param receive for the result.
     * @param r       of packed elements.
     */
    public void scan(final Collective c, final Elements send, final Elements receive, final Reduction r)
    {
        c.requireDone();
        requireOneGroup("scan");
        reduce(c, Kind.SCAN, 0, send, receive, r, true);
    }

    /**
     * As {@link #scan}, without those of the process itself.
     *
     * @param c       not in progress.
     * @param send    of this process; null if they stand where the result belongs.
     * @param receive for the result; that of rank 0 is left as it is.
     * @param r       of packed elements.
     */
    public void exclusiveScan(final Collective c, final Elements send, final Elements receive, final Reduction r)
    {
        c.requireDone();
        requireOneGroup("exclusiveScan");
        reduce(c, Kind.EXCLUSIVE_SCAN, 0, send, receive, r, rank > 0);
    }

    /**
     * Makes another communicator of the same processes. All members call it.
     *
     * @return the communicator.
     */
    public Communicator duplicate()
    {
        return make(0, rank);
    }

    /**
     * Makes another communicator of the same processes, for a part of what they do here: it is revoked with this one.
     * All members call it.
     *
     * @return the communicator.
     */
    public Communicator part()
    {
        final Communicator part = make(0, rank);
        part.revokedWith(this);
        return part;
    }

    /**
     * Sets with which communicator this is revoked from now on; at once if that was.
     *
     * @param newWhole of which this is a part; null for none.
     */
    public void revokedWith(final Communicator newWhole)
    {
        engine.join(this, newWhole);
    }

    /**
     * Makes a communicator of some processes. All members call it; each of an intercommunicator with ranks of its own
     * group.
     *
     * @param ofRanks of the new communicator's members here, in the order of their ranks there.
     * @return the communicator; null if this process is not among them, or one of its groups would be empty.
     */
    public Communicator create(final int... ofRanks)
    {
        final int place = IntStream.range(0, ofRanks.length).filter(i -> ofRanks[i] == rank).findFirst().orElse(-1);
        final int color = isIntercommunicator() ? 0 : IntStream.of(ofRanks).min().orElse(0);
        return make(place < 0 ? -1 : color, place);
    }

    /**
     * Makes communicators of the members that say the same color. All members call it.
     *
     * @param color 0 or more; negative for a member that gets none.
     * @param key   for the order; ranks here where keys are equal.
     * @return the communicator; null if there is none.
     */
    public Communicator split(final int color, final int key)
    {
        return make(color, key);
    }

    /**
     * Makes an intercommunicator of two groups. All of both call it.
     *
     * @param local        own group.
     * @param localLeader  rank in it of the one who knows the other group's leader.
     * @param peer         communicator of both leaders; null but at the leader.
     * @param remoteLeader rank in it of the other group's leader.
     * @param tag          of this call alone between the leaders.
     * @return the intercommunicator.
     */
    public static Communicator connect(
        final Communicator local, final int localLeader, final Communicator peer, final int remoteLeader,
        final int tag)
    {
        final Engine engine = local.engine;
        final int[] theirs = new int[Group.SIZE_MAX + 2];           // Their count, then as here.
        if (local.rank == localLeader)
        {
            final int[] ours = IntStream.concat(IntStream.of(engine.nextNumber()), IntStream.of(local.ranks)).toArray();
            theirs[0] = peer.messages.exchange(engine, remoteLeader, tag, ours, theirs);
            final boolean isFirst = local.ranks[0] < theirs[2];
            theirs[1] = isFirst ? ours[0] : theirs[1];
            theirs[0] = isFirst ? theirs[0] : -theirs[0];
        }
        local.await("connect", c -> local.broadcast(c, localLeader, ints(theirs, theirs.length)));
        if (theirs[0] == 0)
        {
            throw new OperationException("connect", Operation.Outcome.PEER_FAILED);
        }
        final int[] remoteRanks = Arrays.copyOfRange(theirs, 2, 2 + Math.abs(theirs[0]));
        return engine.register(new Communicator(engine, theirs[1], local.ranks, remoteRanks, theirs[0] > 0));
    }

    /**
     * Makes a communicator of both groups of an intercommunicator. All members call it.
     *
     * @param isHigh whether this group comes behind the other one; the same in all of a group.
     * @return the communicator.
     */
    public Communicator merge(final boolean isHigh)
    {
        if (!isIntercommunicator())
        {
            throw new IllegalStateException("merge of a communicator of one group");
        }
        final int[] all = exchange(isHigh ? 1 : 0, engine.nextNumber());
        final int firstSize = isFirst ? ranks.length : remoteRanks.length;
        final boolean isTurned = all[0] == 1 && all[2 * firstSize] == 0;
        final boolean isOwnFirst = isFirst != isTurned;
        final int[] merged = IntStream.concat(IntStream.of(isOwnFirst ? ranks : remoteRanks),
            IntStream.of(isOwnFirst ? remoteRanks : ranks)).toArray();
        return made(engine.newCommunicator(all[1], merged));
    }

    /**
     * Makes a communicator of the members that live. They all call it; it also goes on if this communicator is revoked,
     * or members die meanwhile, who may be in the new one.
     *
     * @return the communicator; members have the order that they have here.
     */
    public Communicator shrink()
    {
        final int[] decision = decide("shrink", -1);
        final int[] survivors = IntStream.of(Agreement.survivors(decision, ranks.length)).map(each -> ranks[each])
            .toArray();
        final Communicator made = engine.newCommunicator(decision[1], survivors);
        decide("shrink", -1);                           // All have made it.
        return made;
    }

    /**
     * Combines flags of the members that live, by bitwise and. They all call it; it also goes on if this communicator
     * is revoked. If members die meanwhile, the result is the same at all others.
     *
     * @param flags of this process.
     * @return bits that all have.
     */
    public int agree(final int flags)
    {
        return decide("agree", flags)[0];
    }

    /**
     * Ends operations of this communicator and its {@linkplain #part() parts} as revoked, at all members, and those
     * that follow. One member calls it.
     */
    public void revoke()
    {
        engine.revoke(this);
    }

    /** {@return whether a member has revoked it, and this one knows} */
    public boolean isRevoked()
    {
        return targets.isRevoked();
    }

    /** Ends this communicator when its collective operations have ended. All members call it. */
    public void close()
    {
        if (group != null && !isRevoked())
        {
            engine.awaitCollectives(messages.all());
            final Collective c = new Collective();
            barrier(c);
            engine.await(c);
        }
        engine.close(this);
    }

    int number()
    {
        return number;
    }

    Agreement agreement()
    {
        return agreement;
    }

    boolean isPartOf(final Communicator other)
    {
        return whole == other;
    }

    void partOf(final Communicator newWhole)
    {
        whole = newWhole;
    }

    /** Ends the group after a revocation, which others learn first. Thread: any, under the lock, no handler. */
    void endRevoked(final Transfers transfers)
    {
        if (!isRevoked())
        {
            targets.revoke();
            messages.all().revoke();
            for (final int member : messages.all().ranks)
            {
                if (member != engine.rank())
                {
                    transfers.control(member, Peer.Word.REVOKE, number, 0);
                }
            }
            transfers.revoke(number);
            endGroup();
        }
    }

    /** Ends the group. Thread: any, under the lock, outside of handlers. */
    void endGroup()
    {
        if (group != null)
        {
            group.close();
        }
    }

    private int[] decide(final String call, final int flags)
    {
        requireOneGroup(call);
        final Vote vote = new Vote(call + ' ' + Members.inWords(Members.contextOf(number)));
        engine.begin(vote, agreement, flags);
        engine.await(vote, agreement);
        if (vote.outcome() != Operation.Outcome.DONE)
        {
            throw new OperationException(call, vote.outcome());
        }
        return vote.decision();
    }

    private Communicator make(final int color, final int key)
    {
        final int[] all = exchange(color, key, engine.nextNumber());
        final int[] own = ofColor(all, isFirst ? 0 : remoteSize(), ranks.length, color);
        if (isIntercommunicator())
        {
            final int[] others = ofColor(all, isFirst ? ranks.length : 0, remoteRanks.length, color);
            return color < 0 || others.length == 0 ? null :
                engine.register(new Communicator(engine, all[2], own, others, isFirst));
        }
        return made(color < 0 ? null : engine.newCommunicator(all[2], own));
    }

    /** Returns a communicator when all members have made its group: before that no member may use it. */
    private Communicator made(final Communicator communicator)
    {
        boolean isMade = false;
        try
        {
            exchange();
            isMade = true;
            return communicator;
        }
        finally
        {
            if (!isMade && communicator != null)
            {
                engine.close(communicator);
            }
        }
    }

    /** Ranks in the job of those with a color, by their keys. */
    private int[] ofColor(final int[] all, final int from, final int count, final int color)
    {
        return IntStream.range(from, from + count).filter(i -> all[i * 3] == color).boxed()
            .sorted(Comparator.comparingInt(i -> all[i * 3 + 1])).mapToInt(i -> messages.all().ranks[i]).toArray();
    }

    /** Values of all members, of both groups. */
    private int[] exchange(final int... own)
    {
        final int[] all = new int[own.length * messages.all().size()];
        await("exchange", c ->
        {
            if (isIntercommunicator())
            {
                messages.exchange(c, ints(own, own.length), ints(all, own.length));
                engine.begin(c);
            }
            else
            {
                allGather(c, ints(own, own.length), ints(all, own.length));
            }
        });
        return all;
    }

    private void await(final String call, final Consumer<Collective> start)
    {
        final Collective c = new Collective();
        start.accept(c);
        engine.await(c);
        if (c.outcome() != Operation.Outcome.DONE)
        {
            throw new OperationException(call, c.outcome());
        }
    }

    private static Elements ints(final int[] values, final int count)
    {
        return new Elements().set(values, 0, count, Layout.INTS);
    }

    private void requireOneGroup(final String call)
    {
        if (isIntercommunicator())
        {
            throw new IllegalStateException(call + " in an intercommunicator");
        }
    }

    /** Elements of this process; its place in the result if it is there. */
    private static void own(
        final Collective c, final Elements send, final Elements receive, final int place, final int count)
    {
        if (send == null)
        {
            c.input.row(receive, place, count, true);
        }
        else
        {
            c.input.row(send, 0, send.count, false);
        }
        c.input.pack();
    }

    /** Sets a target with all parts of one length. */
    private void target(final Collective c, final boolean isUsed, final Elements receive, final int ownLength)
    {
        if (!isUsed)
        {
            c.output.none();
            return;
        }
        c.output.row(receive, 0, Math.multiplyExact(receive.count, ranks.length), false);
        requireEqual(ownLength, c.output.length / ranks.length);
    }

    /** The own part of a root's elements. */
    private static void ownTarget(final Collective c, final Elements receive, final int ownLength)
    {
        if (receive == null)
        {
            c.output.room(ownLength);
            return;
        }
        c.output.row(receive, 0, receive.count, false);
        requireEqual(ownLength < 0 ? c.output.length : ownLength, c.output.length);
    }

    private static void requireEqual(final int sent, final int received)
    {
        if (sent != received)
        {
            throw new IllegalArgumentException("part of this process of length=" + sent + " has length=" + received +
                " among those that are received");
        }
    }

    private void reduce(
        final Collective c, final Kind kind, final int root, final Elements send, final Elements receive,
        final Reduction r, final boolean hasResult)
    {
        final Elements from = send == null ? receive : send;
        c.input.row(from, 0, from.count, send == null);
        c.input.pack();
        if (hasResult)
        {
            c.output.row(receive, 0, from.count, false);
        }
        else
        {
            c.output.none();
        }
        begin(c, kind, root, c.input.length / r.elementLength(), r, hasResult);
    }

    private void begin(
        final Collective c, final Kind kind, final int root, final int length, final Reduction r,
        final boolean hasResult)
    {
        c.set(kind, root, length, r, hasResult);
        c.setGroup(messages.all(), group, requests);
        engine.begin(c);
    }
}
