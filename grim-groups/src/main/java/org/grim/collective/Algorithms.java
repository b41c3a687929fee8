// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.function.Consumer;

import static org.grim.collective.Schedule.SCRATCH;
import static org.grim.collective.Schedule.SOURCE;
import static org.grim.collective.Schedule.TARGET;

/**
 * Writes the schedules of collective operations. All members choose the same algorithm: by what all of them know.
 * <p>Thread: any; no state.
 */
final class Algorithms
{
    /** Operations, by the numbers that messages have for them. */
    @SuppressWarnings("ImmutableEnumChecker")               // The functions have no state.
    enum Kind
    {
        BARRIER(0, false, Algorithms::barrier, Algorithms::barrier),
        BROADCAST(1, true, Algorithms::broadcast, Algorithms::broadcast),
        REDUCE(2, true, Algorithms::reduceByTree, Algorithms::reduceOnRing),
        ALL_REDUCE(3, false, Algorithms::allReduceByDoubling, Algorithms::allReduceOnRing),
        GATHER(4, true, Algorithms::gatherByTree, Algorithms::gatherStraight),
        ALL_GATHER(5, false, Algorithms::allGatherByDoubling, Algorithms::allGatherOnRing),
        SCATTER(6, true, Algorithms::scatterByTree, Algorithms::scatterStraight),
        ALL_TO_ALL(7, false, Algorithms::allToAll, Algorithms::allToAll),
        SCAN(8, false, Algorithms::scanByDoubling, Algorithms::scanOnChain),
        EXCLUSIVE_SCAN(9, false, Algorithms::exclusiveScanByDoubling, Algorithms::exclusiveScanOnChain),
        REDUCE_SCATTER(10, false, Algorithms::reduceScatterByDoubling, Algorithms::reduceScatterByPairs),
        GATHER_V(11, true, Algorithms::gatherStraight, Algorithms::gatherStraight),
        SCATTER_V(12, true, Algorithms::scatterStraight, Algorithms::scatterStraight),
        ALL_GATHER_V(13, false, Algorithms::allToAll, Algorithms::allToAll),
        ALL_TO_ALL_V(14, false, Algorithms::allToAll, Algorithms::allToAll);

        final int code;
        final boolean hasRoot;
        /** Whether its parts may have different lengths. */
        final boolean hasParts;
        private final Consumer<Schedule> whenShort;
        private final Consumer<Schedule> whenLong;

        Kind(
            final int code, final boolean hasRoot, final Consumer<Schedule> whenShort,
            final Consumer<Schedule> whenLong)
        {
            this.code = code;
            this.hasRoot = hasRoot;
            hasParts = code >= 10;
            this.whenShort = whenShort;
            this.whenLong = whenLong;
        }

        /** Adds what this member does, by the algorithm for short data or for long. */
        void write(final Schedule schedule, final boolean isLong)
        {
            (isLong ? whenLong : whenShort).accept(schedule);
        }
    }

    private Algorithms()
    {
    }

    /** Dissemination: in round k each sends to the one 2^k further. */
    private static void barrier(final Schedule schedule)
    {
        final int size = schedule.size();
        for (int distance = 1; distance < size; distance *= 2)
        {
            schedule.send(schedule.rankAfter(distance), SOURCE, 0, 0);
            schedule.receive(schedule.rankBefore(distance), SOURCE, 0, 0);
            schedule.round();
        }
    }

    /** Down a binomial tree; each part that comes from above goes on at once. */
    private static void broadcast(final Schedule schedule)
    {
        final int size = schedule.size();
        final int length = schedule.length();
        final int place = schedule.treePlace();
        int distance = 1;
        while (distance < size && (place & distance) == 0)
        {
            distance *= 2;
        }
        if (place != 0)
        {
            schedule.receive(schedule.rankOfPlace(place - distance), TARGET, 0, length);
        }
        for (int child = distance / 2; child > 0; child /= 2)
        {
            if (place + child < size)
            {
                final int peer = schedule.rankOfPlace(place + child);
                if (place == 0)
                {
                    schedule.send(peer, TARGET, 0, length);
                }
                else
                {
                    schedule.forward(peer, TARGET, 0, length);
                }
            }
        }
        schedule.round();
    }

    /** Up a binomial tree; from the first member to the root, if elements have an order. */
    private static void reduceByTree(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int root = schedule.root();
        final int length = schedule.length();
        final byte sum = rank == root ? TARGET : SCRATCH;
        schedule.scratch(length);
        schedule.copy(SOURCE, 0, sum, 0, length);
        schedule.round();
        final int place = schedule.treePlace();
        for (int distance = 1; distance < size; distance *= 2)
        {
            if ((place & distance) != 0)
            {
                schedule.send(schedule.rankOfPlace(place - distance), sum, 0, length);
                schedule.round();
                break;
            }
            if (place + distance < size)
            {
                schedule.reduce(schedule.rankOfPlace(place + distance), sum, 0, length);
                schedule.round();
            }
        }
        final int treeRoot = schedule.treeRoot();
        if (rank == treeRoot && rank != root)
        {
            schedule.send(root, sum, 0, length);
        }
        else if (rank == root && rank != treeRoot)
        {
            schedule.receive(treeRoot, TARGET, 0, length);
        }
        schedule.round();
    }

    /** The ring's reduce-scatter, then each sends its chunk to the root. */
    private static void reduceOnRing(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int root = schedule.root();
        reduceScatter(schedule);
        schedule.round();
        if (rank == root)
        {
            for (int other = 0; other < size; other++)
            {
                final int chunk = (other + 1) % size;
                if (other != root)
                {
                    schedule.receive(other, TARGET, schedule.chunkOffset(chunk), schedule.chunkLength(chunk));
                }
            }
        }
        else
        {
            final int chunk = schedule.rankAfter(1);
            schedule.send(root, TARGET, schedule.chunkOffset(chunk), schedule.chunkLength(chunk));
        }
        schedule.round();
    }

    /** Recursive doubling; those above the largest power of two hand theirs to a neighbour first. */
    private static void allReduceByDoubling(final Schedule schedule)
    {
        allReduceByDoubling(schedule, TARGET);
    }

    private static void allReduceByDoubling(final Schedule schedule, final byte sum)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int length = schedule.length();
        final int power = Integer.highestOneBit(size);
        final int extra = size - power;
        if (size == 1)
        {
            schedule.copy(SOURCE, 0, sum, 0, length);
            schedule.round();
            return;
        }
        if (rank < extra * 2 && rank % 2 == 0)
        {
            schedule.send(rank + 1, SOURCE, 0, length);
            schedule.round();
            schedule.receive(rank + 1, sum, 0, length);
            schedule.round();
            return;
        }
        byte from = SOURCE;                             // Where this member's elements stand.
        if (rank < extra * 2)
        {
            schedule.reduceSource(rank - 1, sum, 0, length);
            schedule.round();
            from = sum;
        }
        final int place = rank < extra * 2 ? rank / 2 : rank - extra;
        for (int distance = 1; distance < power; distance *= 2)
        {
            final int other = place ^ distance;
            final int peer = other < extra ? other * 2 + 1 : other + extra;
            schedule.exchange(peer, from, sum, 0, length);
            schedule.round();
            from = sum;
        }
        if (rank < extra * 2)
        {
            schedule.send(rank - 1, sum, 0, length);
            schedule.round();
        }
    }

    /** Reduce-scatter, then all-gather, both on a ring; what has come goes on while the rest comes. */
    private static void allReduceOnRing(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int next = schedule.rankAfter(1);
        reduceScatter(schedule);
        schedule.forward(next, TARGET, schedule.chunkOffset(next), schedule.chunkLength(next));
        for (int step = 0; step < size - 1; step++)
        {
            final int in = (rank - step + size) % size;
            schedule.receive(schedule.rankBefore(1), TARGET, schedule.chunkOffset(in), schedule.chunkLength(in));
            if (step < size - 2)
            {
                schedule.forward(next, TARGET, schedule.chunkOffset(in), schedule.chunkLength(in));
            }
        }
        schedule.round();
    }

    /** Up a binomial tree, in the order of the distance from the root; then each to its place. */
    private static void gatherByTree(final Schedule schedule)
    {
        final int size = schedule.size();
        final int root = schedule.root();
        final int length = schedule.length();
        final int place = schedule.treePlace();
        schedule.scratch(length * size);
        schedule.copy(SOURCE, 0, SCRATCH, 0, length);
        schedule.round();
        int distance = 1;
        for (; distance < size && (place & distance) == 0; distance *= 2)
        {
            if (place + distance < size)
            {
                schedule.receive(schedule.rankOfPlace(place + distance), SCRATCH, distance * length,
                    Math.min(distance, size - place - distance) * length);
            }
        }
        schedule.round();
        if (place != 0)
        {
            schedule.send(schedule.rankOfPlace(place - distance), SCRATCH, 0,
                Math.min(distance, size - place) * length);
        }
        else
        {
            schedule.copy(SCRATCH, 0, TARGET, root * length, (size - root) * length);
            schedule.copy(SCRATCH, (size - root) * length, TARGET, 0, root * length);
        }
        schedule.round();
    }

    /** Each straight to the root. */
    private static void gatherStraight(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int root = schedule.root();
        final int length = schedule.length();
        final Parts parts = schedule.targetParts();
        if (rank != root)
        {
            schedule.send(root, SOURCE, 0, length);
        }
        for (int other = 0; other < size && rank == root; other++)
        {
            if (other != root)
            {
                schedule.receive(other, TARGET, parts.offset(other), parts.length(other));
            }
        }
        if (rank == root)
        {
            schedule.copy(SOURCE, 0, TARGET, parts.offset(root), length);
        }
        schedule.round();
    }

    /** Bruck: in round k each gets 2^k parts more from the one 2^k further. */
    private static void allGatherByDoubling(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int length = schedule.length();
        schedule.scratch(length * size);
        schedule.copy(SOURCE, 0, SCRATCH, 0, length);
        schedule.round();
        for (int distance = 1; distance < size; distance *= 2)
        {
            final int part = Math.min(distance, size - distance) * length;
            schedule.send(schedule.rankBefore(distance), SCRATCH, 0, part);
            schedule.receive(schedule.rankAfter(distance), SCRATCH, distance * length, part);
            schedule.round();
        }
        schedule.copy(SCRATCH, 0, TARGET, rank * length, (size - rank) * length);
        schedule.copy(SCRATCH, (size - rank) * length, TARGET, 0, rank * length);
        schedule.round();
    }

    /** All parts move on and on; what has come goes on while the rest comes. */
    private static void allGatherOnRing(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int length = schedule.length();
        schedule.copy(SOURCE, 0, TARGET, rank * length, length);
        if (size > 1)
        {
            schedule.send(schedule.rankAfter(1), SOURCE, 0, length);
        }
        for (int step = 0; step < size - 1; step++)
        {
            final int in = (rank - step - 1 + size) % size;
            schedule.receive(schedule.rankBefore(1), TARGET, in * length, length);
            if (step < size - 2)
            {
                schedule.forward(schedule.rankAfter(1), TARGET, in * length, length);
            }
        }
        schedule.round();
    }

    /** Down a binomial tree, in the order of the distance from the root. */
    private static void scatterByTree(final Schedule schedule)
    {
        final int size = schedule.size();
        final int root = schedule.root();
        final int length = schedule.length();
        final int place = schedule.treePlace();
        schedule.scratch(length * size);
        int distance = 1;
        while (distance < size && (place & distance) == 0)
        {
            distance *= 2;
        }
        if (place == 0)
        {
            schedule.copy(SOURCE, root * length, SCRATCH, 0, (size - root) * length);
            schedule.copy(SOURCE, 0, SCRATCH, (size - root) * length, root * length);
        }
        else
        {
            schedule.receive(schedule.rankOfPlace(place - distance), SCRATCH, 0,
                Math.min(distance, size - place) * length);
        }
        schedule.round();
        for (int child = distance / 2; child > 0; child /= 2)
        {
            if (place + child < size)
            {
                schedule.send(schedule.rankOfPlace(place + child), SCRATCH, child * length,
                    Math.min(child, size - place - child) * length);
            }
        }
        schedule.copy(SCRATCH, 0, TARGET, 0, length);
        schedule.round();
    }

    /** The root straight to each. */
    private static void scatterStraight(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int root = schedule.root();
        final int length = schedule.length();
        final Parts parts = schedule.sourceParts();
        if (rank != root)
        {
            schedule.receive(root, TARGET, 0, length);
        }
        for (int other = 0; other < size && rank == root; other++)
        {
            if (other != root)
            {
                schedule.send(other, SOURCE, parts.offset(other), parts.length(other));
            }
        }
        if (rank == root)
        {
            schedule.copy(SOURCE, parts.offset(root), TARGET, 0, length);
        }
        schedule.round();
    }

    /** All pairs; each begins with another one. */
    private static void allToAll(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final Parts out = schedule.sourceParts();
        final Parts in = schedule.targetParts();
        schedule.copy(SOURCE, out.offset(rank), TARGET, in.offset(rank), in.length(rank));
        for (int distance = 1; distance < size; distance++)
        {
            final int to = schedule.rankAfter(distance);
            final int from = schedule.rankBefore(distance);
            schedule.send(to, SOURCE, out.offset(to), out.length(to));
            schedule.receive(from, TARGET, in.offset(from), in.length(from));
        }
        schedule.round();
    }

    private static void scanByDoubling(final Schedule schedule)
    {
        schedule.copy(SOURCE, 0, TARGET, 0, schedule.length());
        schedule.round();
        scanByDoubling(schedule, 0);
    }

    private static void exclusiveScanByDoubling(final Schedule schedule)
    {
        shift(schedule);
        scanByDoubling(schedule, 1);
    }

    private static void scanOnChain(final Schedule schedule)
    {
        schedule.copy(SOURCE, 0, TARGET, 0, schedule.length());
        schedule.round();
        scanOnChain(schedule, 0);
    }

    private static void exclusiveScanOnChain(final Schedule schedule)
    {
        shift(schedule);
        scanOnChain(schedule, 1);
    }

    /** Each gets the elements of the one before. */
    private static void shift(final Schedule schedule)
    {
        final int rank = schedule.rank();
        if (rank + 1 < schedule.size())
        {
            schedule.send(rank + 1, SOURCE, 0, schedule.length());
        }
        if (rank > 0)
        {
            schedule.receive(rank - 1, TARGET, 0, schedule.length());
        }
        schedule.round();
    }

    /** Scans in rounds: in round k each gets what the one 2^k before it has (Hillis and Steele, 1986). */
    private static void scanByDoubling(final Schedule schedule, final int first)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        for (int distance = 1; first + distance < size; distance *= 2)
        {
            if (rank >= first && rank + distance < size)
            {
                schedule.send(rank + distance, TARGET, 0, schedule.length());
            }
            if (rank - distance >= first)
            {
                schedule.reduce(rank - distance, TARGET, 0, schedule.length());
            }
            schedule.round();
        }
    }

    /** Scans from each to the next one; what was combined goes on while the rest comes. */
    private static void scanOnChain(final Schedule schedule, final int first)
    {
        final int rank = schedule.rank();
        final boolean hasNext = rank + 1 < schedule.size();
        if (rank > first)
        {
            schedule.reduceAtOnce(rank - 1, 0, schedule.length());
            if (hasNext)
            {
                schedule.forward(rank + 1, TARGET, 0, schedule.length());
            }
        }
        else if (rank == first && hasNext)
        {
            schedule.send(rank + 1, TARGET, 0, schedule.length());
        }
        schedule.round();
    }

    /** The whole result at each, which keeps its part. */
    private static void reduceScatterByDoubling(final Schedule schedule)
    {
        final Parts parts = schedule.sourceParts();
        schedule.scratch(schedule.length());
        allReduceByDoubling(schedule, SCRATCH);
        schedule.copy(SCRATCH, parts.offset(schedule.rank()), TARGET, 0, parts.length(schedule.rank()));
        schedule.round();
    }

    /** Pairwise exchange: each gets its part from each of the others. */
    private static void reduceScatterByPairs(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final Parts parts = schedule.sourceParts();
        schedule.copy(SOURCE, parts.offset(rank), TARGET, 0, parts.length(rank));
        for (int distance = 1; distance < schedule.size(); distance++)
        {
            final int to = schedule.rankAfter(distance);
            schedule.send(to, SOURCE, parts.offset(to), parts.length(to));
            schedule.reduceAtOnce(schedule.rankBefore(distance), 0, parts.length(rank));
            schedule.round();
        }
        schedule.round();
    }

    /** Reduces so that each has the sum of the chunk after its own. Leaves the round open. */
    private static void reduceScatter(final Schedule schedule)
    {
        final int rank = schedule.rank();
        final int size = schedule.size();
        final int next = schedule.rankAfter(1);
        schedule.send(next, SOURCE, schedule.chunkOffset(rank), schedule.chunkLength(rank));
        for (int step = 0; step < size - 1; step++)
        {
            final int in = (rank - step - 1 + size) % size;
            schedule.reduceSource(schedule.rankBefore(1), TARGET, schedule.chunkOffset(in), schedule.chunkLength(in));
            if (step < size - 2)
            {
                schedule.forward(next, TARGET, schedule.chunkOffset(in), schedule.chunkLength(in));
            }
        }
    }
}
