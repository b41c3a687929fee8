// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.time.Duration;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;

/**
 * A set of nodes, this one among them, that pass multicasts and do collective operations.
 * <p>Membership: members have ranks 0 to {@link #size()} - 1, in the order in which they joined. Each change has a new
 * number, the <em>epoch</em>. A member goes on with the epoch that it knows until it calls {@link #renew}; operations
 * in progress, and all that follow until then, end with {@link Status#GROUP_CHANGED} when a member joins, leaves or
 * dies. None waits for a dead member, and none mixes epochs; but one may be done at some members and end so at others.
 * <p>Collective operations: every member calls the same ones in the same order, with the same root, length and
 * reduction (of one's own: length of an element, and whether it is commutative); otherwise they end with {@link
 * Status#MISMATCHED}. In the forms with a V the parts may have different lengths: the length that a member sends has to
 * be that which the other one expects. Arrays are read in the call. Several operations may be in progress. Memory that
 * an operation names belongs to it until it is complete; the request keeps it reachable until its next operation, and
 * does not touch it. Types are little endian in memory.
 * <p>Groups made from a group, by {@link #split} or {@link #subgroup}, have operations and epochs of their own. Their
 * members are fixed: no new ones come. They have no multicasts, and end when the node leaves the named group.
 * <p>Thread: the host endpoint's owner; not in handlers, but for multicasts. Allocates nothing after the first
 * operations of a kind and size. Payloads go straight from and to the caller's memory, but for those of up to
 * {@code grim.group.eager-length} bytes that arrive before the operation was called. Members of this host read long
 * parts in place that stand in a {@link org.grim.MemoryRegion} which peers may read: do not free it before the end.
 */
public interface Group extends AutoCloseable
{
    /** Most members. */
    int SIZE_MAX = 1024;

    /** {@return name in the cluster; of a group made from another, that of the other, and a number} */
    String name();

    /** {@return number of the membership that this member goes on with; 1 or more, rising, not by one} */
    long epoch();

    /** {@return members in this epoch} */
    int size();

    /** {@return this member's place among them: 0 to {@link #size()} - 1} */
    int rank();

    /**
     * Names a member.
     *
     * @param rank of it.
     * @return its host endpoint, on channel 0.
     * @throws IllegalArgumentException if the rank is out of range.
     */
    EndpointId member(int rank);

    /** {@return whether members have joined, left or died since this epoch began} */
    boolean isChanged();

    /**
     * Goes on with the latest membership, and polls until it is known. Does nothing if there was no change.
     *
     * @param timeout longest wait.
     * @throws GrimException ({@link GrimException.Reason#TIMED_OUT}) if the members did not agree by then;
     *     ({@link GrimException.Reason#FENCED}) at once if this node is out of its cluster; ({@link
     *     GrimException.Reason#UNREACHABLE}) if this group was made from another one, and a member has closed it.
     */
    void renew(Duration timeout);

    /**
     * Waits until the group has members, and goes on with that membership.
     *
     * @param count   members, at least.
     * @param timeout longest wait.
     * @throws GrimException ({@link GrimException.Reason#TIMED_OUT}) with the members that there are;
     *     ({@link GrimException.Reason#FENCED}) at once if this node is out of its cluster.
     */
    void awaitSize(int count, Duration timeout);

    /**
     * Makes groups from this one: each of the members that say the same color, their ranks by their keys, and by their
     * ranks here where those are equal. All members of this group have to call it, as a collective operation; it polls
     * until they have.
     * <p>A member that dies or leaves the named group ends the new group's operations with {@link
     * Status#GROUP_CHANGED}; by {@link #renew} the others go on without it. If others join the named group, the new
     * group goes on. A member that {@linkplain #close() closes} the new group alone ends it for all, when they wait for
     * that member: close it behind a barrier.
     *
     * @param color 0 or more; negative for a member that becomes part of no group.
     * @param key   for the order.
     * @return the group with this member's color; null if that is negative.
     * @throws GrimException ({@link GrimException.Reason#UNREACHABLE}) if members have joined, left or died. The others
     *     may have their group: its operations end with {@link Status#GROUP_CHANGED}.
     * @throws IllegalStateException if members have called different operations, or this one has left.
     */
    Group split(int color, int key);

    /**
     * Makes a group of some members, as {@link #split}. All members of this group have to call it, each either with the
     * ranks of its new group, or with ranks of others.
     *
     * @param ranks of the new group's members here, in the order of their ranks there; once each.
     * @return the group; null if this member is not in it.
     * @throws GrimException as {@link #split}.
     * @throws IllegalArgumentException if a rank is out of range.
     * @throws IllegalStateException as {@link #split}, and if its members have given different ranks.
     */
    Group subgroup(int... ranks);

    /**
     * Makes a group as {@link #subgroup}, without a message: the caller has to see to it that all its members have made
     * it, with the same number and ranks, before one of them uses it. Also if this group has changed or is closed: it
     * only names the members.
     *
     * @param number of the new group, 0 or more; none of its members may have had it for another one.
     * @param ranks  of the new group's members here, in the order of their ranks there; once each, this member too.
     * @return the group.
     * @throws IllegalArgumentException if a rank is out of range, or this member's is missing, or a group of this node
     *     has the number.
     */
    Group agreedSubgroup(int number, int... ranks);

    /**
     * Makes a request, to be used for any number of operations, one at a time.
     *
     * @return a new one, complete.
     */
    Request newRequest();

    /**
     * Sends an active message to every member of this epoch, this one included; those of one sender arrive in order.
     * One above 32 KiB is copied and goes in fragments, as there is room; each member puts them together in memory of
     * its own: {@code grim.message.length-max} is agreed at joining.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param source  holding the payload.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@link #multicastLengthMax()}.
     * @return {@link SendStatus#SENT}, or {@link SendStatus#QUEUED} if some members' copies or fragments wait for room;
     *     {@link SendStatus#BACK_PRESSURED} if an earlier one still waits; {@link SendStatus#CLOSED} if this node has
     *     left the group or the cluster. After these nothing was sent.
     * @throws UnsupportedOperationException if the group was made from another one.
     */
    SendStatus multicast(
        HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length);

    /**
     * As {@link #multicast}, but multicasts of all senders by this method arrive in one order at all members: the
     * member of rank 0 gives each a ticket when all members have got the one before. A member that does not poll holds
     * up all of them. If rank 0 dies or leaves, each survivor has taken the first ones of that order, and what has no
     * ticket yet is lost: a sender knows by its own copy that one has, and counts the others ({@code multicasts-lost}).
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param source  holding the payload.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@link #multicastLengthMax()}.
     * @return as {@link #multicast}, {@link SendStatus#BACK_PRESSURED} also if 256 KiB of this member have no ticket
     *     yet; {@link SendStatus#PEER_GONE} if the member of rank 0 is gone.
     */
    SendStatus multicastInTotalOrder(
        HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length);

    /** {@return most payload bytes of a multicast: {@code grim.message.length-max}; 0 if there are none} */
    int multicastLengthMax();

    /**
     * Begins a barrier: complete when every member has called it. Dissemination barrier (Hensgen, Finkel and Manber,
     * 1988).
     *
     * @param request complete; in progress until the barrier is.
     */
    void barrier(Request request);

    /**
     * Begins to copy the root's bytes to all members. A binomial tree; long ones go down it in segments.
     *
     * @param root    rank of the member whose bytes they are.
     * @param buffer  with the bytes at the root, for them elsewhere.
     * @param offset  first byte.
     * @param length  bytes.
     * @param request complete; in progress until this member has the bytes and has passed them on.
     */
    void broadcast(int root, MutableDirectBuffer buffer, int offset, int length, Request request);

    /**
     * Begins to combine elements of all members at the root. A binomial tree.
     *
     * @param root         rank of the member that gets the result.
     * @param source       elements of this member.
     * @param sourceOffset first byte.
     * @param target       for the result; not used elsewhere than at the root, and must not overlap the source.
     * @param targetOffset first byte.
     * @param count        elements.
     * @param reduction    of two elements.
     * @param request      complete; in progress until this member's part is done.
     */
    void reduce(
        int root, DirectBuffer source, int sourceOffset, MutableDirectBuffer target, int targetOffset, int count,
        Reduction reduction, Request request);

    /**
     * Begins to combine elements of all members, for all members. Recursive doubling for short ones; for long ones
     * reduce-scatter and all-gather on a ring (Patarasuk and Yuan, 2009).
     *
     * @param source       elements of this member.
     * @param sourceOffset first byte.
     * @param target       for the result; must not overlap the source, unless it is the same.
     * @param targetOffset first byte.
     * @param count        elements.
     * @param reduction    of two elements.
     * @param request      complete; in progress until the result is there.
     */
    void allReduce(
        DirectBuffer source, int sourceOffset, MutableDirectBuffer target, int targetOffset, int count,
        Reduction reduction, Request request);

    /**
     * Begins to collect bytes of all members at the root, by rank.
     *
     * @param root         rank of the member that gets them.
     * @param source       bytes of this member.
     * @param sourceOffset first byte.
     * @param length       bytes of each member.
     * @param target       for all members' bytes; not used elsewhere than at the root.
     * @param targetOffset first byte.
     * @param request      complete; in progress until this member's part is done.
     */
    void gather(
        int root, DirectBuffer source, int sourceOffset, int length, MutableDirectBuffer target, int targetOffset,
        Request request);

    /**
     * Begins to collect bytes of all members at all members, by rank. Bruck's algorithm (1997) for short ones, a ring
     * for long ones.
     *
     * @param source       bytes of this member.
     * @param sourceOffset first byte.
     * @param length       bytes of each member.
     * @param target       for all members' bytes.
     * @param targetOffset first byte.
     * @param request      complete; in progress until all are there.
     */
    void allGather(
        DirectBuffer source, int sourceOffset, int length, MutableDirectBuffer target, int targetOffset,
        Request request);

    /**
     * Begins to give each member its part of the root's bytes, by rank.
     *
     * @param root         rank of the member whose bytes they are.
     * @param source       with all members' parts; not used elsewhere than at the root.
     * @param sourceOffset first byte.
     * @param length       bytes of each part.
     * @param target       for this member's part.
     * @param targetOffset first byte.
     * @param request      complete; in progress until this member's part is done.
     */
    void scatter(
        int root, DirectBuffer source, int sourceOffset, int length, MutableDirectBuffer target, int targetOffset,
        Request request);

    /**
     * Begins to give each member a part of each member's bytes: part {@code i} of member {@code j} becomes part {@code
     * j} at member {@code i}. Pairwise exchange.
     *
     * @param source       with a part for each member.
     * @param sourceOffset first byte.
     * @param length       bytes of each part.
     * @param target       for a part of each member; must not overlap the source.
     * @param targetOffset first byte.
     * @param request      complete; in progress until all parts are there.
     */
    void allToAll(
        DirectBuffer source, int sourceOffset, int length, MutableDirectBuffer target, int targetOffset,
        Request request);

    /**
     * Begins to combine elements of the members up to each one, in the order of ranks. Doubling of distances (Hillis
     * and Steele, 1986) for short ones; for long ones a chain of members.
     *
     * @param source       elements of this member.
     * @param sourceOffset first byte.
     * @param target       for the result; must not overlap the source, unless it is the same.
     * @param targetOffset first byte.
     * @param count        elements.
     * @param reduction    of two elements.
     * @param request      complete; in progress until this member has the result and has passed it on.
     */
    void scan(
        DirectBuffer source, int sourceOffset, MutableDirectBuffer target, int targetOffset, int count,
        Reduction reduction, Request request);

    /**
     * As {@link #scan}, without the elements of the member itself.
     *
     * @param source       elements of this member.
     * @param sourceOffset first byte.
     * @param target       for the result; not used by rank 0, and must not overlap the source.
     * @param targetOffset first byte.
     * @param count        elements.
     * @param reduction    of two elements.
     * @param request      complete; in progress until this member has the result and has passed it on.
     */
    void exclusiveScan(
        DirectBuffer source, int sourceOffset, MutableDirectBuffer target, int targetOffset, int count,
        Reduction reduction, Request request);

    /**
     * Begins to combine elements of all members, and to give each one its part of the result, by rank. Recursive
     * doubling for short ones, pairwise exchange for long ones.
     *
     * @param source       elements of this member, for all parts.
     * @param sourceOffset first byte.
     * @param target       for this member's part; must not overlap the source.
     * @param targetOffset first byte.
     * @param count        elements of each part.
     * @param reduction    of two elements.
     * @param request      complete; in progress until this member's part is there.
     */
    void reduceScatter(
        DirectBuffer source, int sourceOffset, MutableDirectBuffer target, int targetOffset, int count,
        Reduction reduction, Request request);

    /**
     * As {@link #reduceScatter}, with parts of different lengths.
     *
     * @param source       elements of this member, for all parts.
     * @param sourceOffset first byte.
     * @param target       for this member's part; must not overlap the source.
     * @param targetOffset first byte.
     * @param counts       elements of each part, by rank; the same at all members.
     * @param reduction    of two elements.
     * @param request      complete; in progress until this member's part is there.
     */
    void reduceScatterV(
        DirectBuffer source, int sourceOffset, MutableDirectBuffer target, int targetOffset, int[] counts,
        Reduction reduction, Request request);

    /**
     * As {@link #gather}, with parts of different lengths. Each straight to the root.
     *
     * @param root          rank of the member that gets them.
     * @param source        bytes of this member.
     * @param sourceOffset  first byte.
     * @param length        bytes of this member.
     * @param target        for all members' bytes; not used elsewhere than at the root.
     * @param targetOffset  first byte.
     * @param lengths       bytes of each member, by rank; not used elsewhere than at the root.
     * @param displacements of each member's bytes behind the target's first byte, 0 or more; they must not overlap. Not
     *                      used elsewhere than at the root.
     * @param request       complete; in progress until this member's part is done.
     */
    void gatherV(
        int root, DirectBuffer source, int sourceOffset, int length, MutableDirectBuffer target, int targetOffset,
        int[] lengths, int[] displacements, Request request);

    /**
     * As {@link #scatter}, with parts of different lengths. The root straight to each.
     *
     * @param root          rank of the member whose bytes they are.
     * @param source        with all members' parts; not used elsewhere than at the root.
     * @param sourceOffset  first byte.
     * @param lengths       bytes of each part, by rank; not used elsewhere than at the root.
     * @param displacements of each part behind the source's first byte, 0 or more; not used elsewhere than at the root.
     * @param target        for this member's part.
     * @param targetOffset  first byte.
     * @param length        bytes of this member's part.
     * @param request       complete; in progress until this member's part is done.
     */
    void scatterV(
        int root, DirectBuffer source, int sourceOffset, int[] lengths, int[] displacements,
        MutableDirectBuffer target, int targetOffset, int length, Request request);

    /**
     * As {@link #allGather}, with parts of different lengths. All pairs.
     *
     * @param source        bytes of this member.
     * @param sourceOffset  first byte.
     * @param length        bytes of this member.
     * @param target        for all members' bytes; must not overlap the source.
     * @param targetOffset  first byte.
     * @param lengths       bytes of each member, by rank.
     * @param displacements of each member's bytes behind the target's first byte, 0 or more; they must not overlap.
     * @param request       complete; in progress until all are there.
     */
    void allGatherV(
        DirectBuffer source, int sourceOffset, int length, MutableDirectBuffer target, int targetOffset,
        int[] lengths, int[] displacements, Request request);

    /**
     * As {@link #allToAll}, with parts of different lengths.
     *
     * @param source              with a part for each member.
     * @param sourceOffset        first byte.
     * @param sourceLengths       bytes for each member, by rank.
     * @param sourceDisplacements of each part behind the source's first byte, 0 or more.
     * @param target              for a part of each member; must not overlap the source.
     * @param targetOffset        first byte.
     * @param targetLengths       bytes of each member, by rank.
     * @param targetDisplacements of each part behind the target's first byte, 0 or more; they must not overlap.
     * @param request             complete; in progress until all parts are there.
     */
    void allToAllV(
        DirectBuffer source, int sourceOffset, int[] sourceLengths, int[] sourceDisplacements,
        MutableDirectBuffer target, int targetOffset, int[] targetLengths, int[] targetDisplacements,
        Request request);

    /**
     * Leaves the group, and closes those made from it; operations in progress end with {@link Status#CLOSED}. Does
     * nothing the second time. The others' epoch changes. Sends what multicasts still wait, for 2 s at most, and counts
     * and logs what is left then ({@code multicasts-lost}). {@link org.grim.Grim#close()} without it sends nothing
     * more: it counts and logs.
     */
    @Override
    void close();

    /** The outcome of an operation. */
    enum Status
    {
        /** It goes on while the endpoint is polled. */
        IN_PROGRESS,
        /** It is done: the result is there. */
        DONE,
        /** Members have joined, left or died: see {@link Group#renew}. The content of the target is undefined. */
        GROUP_CHANGED,
        /**
         * Members called different operations, or with other roots, lengths or reductions. The target is undefined. A
         * member whose part was done before this was noticed has {@link #DONE}.
         */
        MISMATCHED,
        /**
         * A member's {@link Reduction} threw; what it threw went to that member's error handler. The target is
         * undefined. A member whose part was done before has {@link #DONE}.
         */
        FAILED,
        /** This node has left the group or the cluster. */
        CLOSED
    }

    /**
     * An operation that may be in progress.
     * <p>Thread: the host endpoint's owner.
     */
    interface Request
    {
        /** {@return what has become of the operation; {@link Status#DONE} if there was none yet} */
        Status status();

        /** {@return false while the operation is in progress} */
        default boolean isComplete()
        {
            return status() != Status.IN_PROGRESS;
        }

        /** {@return rank of a member from which something must come now; -1 if there is none} */
        int awaitedRank();

        /**
         * Polls until the operation is complete. Not for handlers.
         *
         * @return what has become of it.
         */
        Status await();
    }
}
