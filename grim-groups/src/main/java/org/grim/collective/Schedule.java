// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;

/**
 * The steps of one member in an operation: rounds of sends and receipts, as in libNBC (Hoefler, Lumsdaine and Rehm,
 * 2007). A round is over when all of it is done; within one there is no order. Kept for the next operation, which is
 * mostly such a one again.
 * <p>Thread: the host endpoint's owner.
 */
final class Schedule
{
    /** Ends a round. */
    static final byte ROUND = 0;
    /** Sends to a member. */
    static final byte SEND = 1;
    /**
     * Sends what the receipt before it in the schedule has brought, piece by piece; to the peer of the send before it
     * when that one is done.
     */
    static final byte FORWARD = 2;
    /** Receives from a member. */
    static final byte RECEIVE = 3;
    /** Receives elements and combines them with those that stand there. */
    static final byte REDUCE = 4;
    /** Receives elements; the target, which may be the source, becomes the source's combined with them. */
    static final byte REDUCE_SOURCE = 5;
    /** Copies, when the round begins: the peer is the place that it copies from. */
    static final byte COPY = 6;

    /**
     * Of a receipt that overwrites what is sent in its round: begins when all sends of the round are done. Of a send
     * in such a round: does not wait until the peer has read it, which may wait for the same.
     */
    static final int AFTER_SENDS = 1;

    /** The caller's source. */
    static final byte SOURCE = 0;
    /** The caller's target. */
    static final byte TARGET = 1;
    /** Memory of the request. */
    static final byte SCRATCH = 2;

    private static final int FIRST_CAPACITY = 32;

    private final Parts sourceParts = new Parts();
    private final Parts targetParts = new Parts();
    private Step[] steps = new Step[FIRST_CAPACITY];        // Steps beyond the count are used again.
    private Roster roster;                  // Of the operation for which this was written,
    private Algorithms.Kind kind;           // and what it depends on besides.
    private int rank;
    private int root;
    private int length;
    private int elementLength;
    private boolean isOrdered;
    private boolean isMeeting;              // For one operation: it begins with a barrier.
    private boolean isWhole;                // False if writing it failed for lack of memory.
    private int count;
    private int scratchLength;

    /** Whether this was written for such an operation. */
    boolean isOf(
        final Roster ofRoster, final Algorithms.Kind ofKind, final int ofRoot, final int ofLength,
        final int ofElementLength, final boolean isOfOrdered)
    {
        return isWhole && !isMeeting && !ofKind.hasParts && roster == ofRoster && kind == ofKind && root == ofRoot &&
            length == ofLength && elementLength == ofElementLength && isOrdered == isOfOrdered;
    }

    /** Empties this, to be written for such an operation; for one only, if that is a meeting, too. */
    void clear(
        final Roster newRoster, final int newRank, final Algorithms.Kind newKind, final int newRoot,
        final int newLength, final int newElementLength, final boolean isNewOrdered, final boolean isNewMeeting)
    {
        roster = newRoster;
        rank = newRank;
        kind = newKind;
        root = newRoot;
        length = newLength;
        elementLength = newElementLength;
        isOrdered = isNewOrdered;
        isMeeting = isNewMeeting;
        isWhole = false;
        count = 0;
        scratchLength = 0;
        if (!kind.hasParts)
        {
            sourceParts.even(length, length);
            targetParts.even(length, length);
        }
    }

    /** Rank of this member. */
    int rank()
    {
        return rank;
    }

    /** {@return the number of members} */
    int size()
    {
        return roster.size();
    }

    int root()
    {
        return root;
    }

    /** Bytes of the operation: of a member, or of a result. */
    int length()
    {
        return length;
    }

    /** Parts of the source; where they may have different lengths they are set before the schedule is written. */
    Parts sourceParts()
    {
        return sourceParts;
    }

    /** Returns the parts of the target. */
    Parts targetParts()
    {
        return targetParts;
    }

    int rankAfter(final int distance)
    {
        return (rank + distance) % size();
    }

    int rankBefore(final int distance)
    {
        return (rank - distance + size()) % size();
    }

    /** Rank of the root of a tree; elements that have an order go up to the first member. */
    int treeRoot()
    {
        return isOrdered ? 0 : root;
    }

    /** Place of this member in a tree, whose root has 0. */
    int treePlace()
    {
        return rankBefore(treeRoot());
    }

    /** Rank of the member with a place in a tree. */
    int rankOfPlace(final int place)
    {
        return (place + treeRoot()) % size();
    }

    /** Where a chunk begins: elements are cut into as many as there are members. */
    int chunkOffset(final int chunk)
    {
        return (int)((long)(length / elementLength) * chunk / size()) * elementLength;
    }

    int chunkLength(final int chunk)
    {
        return chunkOffset(chunk + 1) - chunkOffset(chunk);
    }

    /** All of it is written. */
    void end()
    {
        isWhole = true;
    }

    void send(final int peer, final byte place, final int offset, final int length)
    {
        add(SEND, peer, place, offset, length, 0);
    }

    /** Passes on what the receipt that was added last brings. */
    void forward(final int peer, final byte place, final int offset, final int length)
    {
        int receipt = count - 1;
        while (!steps[receipt].isReceipt())
        {
            receipt--;
        }
        add(FORWARD, peer, place, offset, length, receipt);
    }

    void receive(final int peer, final byte place, final int offset, final int length)
    {
        add(RECEIVE, peer, place, offset, length, 0);
    }

    void reduce(final int peer, final byte place, final int offset, final int length)
    {
        add(REDUCE, peer, place, offset, length, AFTER_SENDS);
    }

    /** While others are sent, or these are passed on. */
    void reduceAtOnce(final int peer, final int offset, final int length)
    {
        add(REDUCE, peer, TARGET, offset, length, 0);
    }

    /** While other elements are sent. */
    void reduceSource(final int peer, final byte place, final int offset, final int length)
    {
        add(REDUCE_SOURCE, peer, place, offset, length, 0);
    }

    /** Sends elements to a peer, whose elements are combined with them. */
    void exchange(final int peer, final byte from, final byte place, final int offset, final int length)
    {
        add(SEND, peer, from, offset, length, AFTER_SENDS);
        add(from == SOURCE ? REDUCE_SOURCE : REDUCE, peer, place, offset, length, AFTER_SENDS);
    }

    void copy(final byte from, final int fromOffset, final byte to, final int offset, final int length)
    {
        if (length > 0)
        {
            add(COPY, from, to, offset, length, fromOffset);
        }
    }

    /** Ends a round, unless nothing is in it. */
    void round()
    {
        if (count > 0 && steps[count - 1].kind != ROUND)
        {
            add(ROUND, 0, SOURCE, 0, 0, 0);
        }
    }

    /** Asks for memory of the request. */
    void scratch(final int length)
    {
        scratchLength = Math.max(scratchLength, length);
    }

    int scratchLength()
    {
        return scratchLength;
    }

    int count()
    {
        return count;
    }

    Step step(final int index)
    {
        return steps[index];
    }

    private void add(
        final byte kind, final int peer, final byte place, final int offset, final int ofLength, final int other)
    {
        if (count == steps.length)
        {
            steps = Arrays.copyOf(steps, count * 2);
        }
        if (steps[count] == null)
        {
            steps[count] = new Step();
        }
        final Step step = steps[count];
        step.kind = kind;
        step.peer = peer;
        step.place = place;
        step.offset = offset;
        step.length = ofLength;
        step.other = other;
        step.isFirst = isOrdered && peer < rank;
        count++;
    }

    /** A step, and how far it has come in the operation in progress. */
    static final class Step
    {
        byte kind;
        /** Rank of the other member; of a {@link Schedule#COPY} the place that it copies from. */
        int peer;
        byte place;
        int offset;
        int length;
        /** Receipt of a {@link Schedule#FORWARD}, source of a {@link Schedule#COPY}, or flags. */
        int other;
        int doneLength;
        /** Offered, or read and not confirmed; 0 for nothing. */
        int pieceLength;
        /** Flags of a word that is still to be sent; 0 for none. */
        int answer;
        boolean isReady;
        boolean isAsked;
        boolean mustCopy;
        boolean isDone;
        /** Whether a receipt's elements are the first side of the reduction, and those that stand there the second. */
        boolean isFirst;

        /** Begins the step. A send for a peer that may wait for it before it reads is not read in place. */
        void begin()
        {
            doneLength = 0;
            pieceLength = 0;
            answer = 0;
            isReady = false;
            isAsked = false;
            mustCopy = kind == SEND && other == AFTER_SENDS;
            isDone = false;
        }

        boolean isReceipt()
        {
            return kind >= RECEIVE && kind <= REDUCE_SOURCE;
        }

        boolean isSend()
        {
            return kind == SEND || kind == FORWARD;
        }
    }
}
