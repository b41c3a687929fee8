// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import static org.grim.collective.Schedule.SCRATCH;
import static org.grim.collective.Schedule.SOURCE;
import static org.grim.collective.Schedule.TARGET;

/**
 * Writes the schedules of collective operations. All members choose the same algorithm: by what all of them know.
 * <p>Thread: any; no state.
 */
final class Algorithms
{
    private Algorithms()
    {
    }

    /** Dissemination: in round k each tells the one 2^k further. */
    static void barrier(final Schedule schedule, final int rank, final int size)
    {
        for (int distance = 1; distance < size; distance *= 2)
        {
            schedule.send((rank + distance) % size, SOURCE, 0, 0);
            schedule.receive((rank - distance + size) % size, SOURCE, 0, 0);
            schedule.round();
        }
    }

    /** Down a binomial tree; what comes from above goes on as it comes. */
    static void broadcast(
        final Schedule schedule, final int rank, final int size, final int root, final int length)
    {
        final int place = (rank - root + size) % size;
        int distance = 1;
        while (distance < size && (place & distance) == 0)
        {
            distance *= 2;
        }
        if (place != 0)
        {
            schedule.receive((place - distance + root) % size, TARGET, 0, length);
        }
        for (int child = distance / 2; child > 0; child /= 2)
        {
            if (place + child < size)
            {
                final int peer = (place + child + root) % size;
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

    /** On a ring if there are chunks for it, else up a binomial tree. */
    static void reduce(
        final Schedule schedule, final int rank, final int size, final int root, final int length, final Chunks chunks)
    {
        if (chunks == null)
        {
            reduceByTree(schedule, rank, size, root, length);
        }
        else
        {
            reduceOnRing(schedule, rank, size, root, chunks);
        }
    }

    /** On a ring if there are chunks for it, else by recursive doubling. */
    static void allReduce(
        final Schedule schedule, final int rank, final int size, final int length, final Chunks chunks)
    {
        if (chunks == null || size == 1)
        {
            allReduceByDoubling(schedule, rank, size, length);
        }
        else
        {
            allReduceOnRing(schedule, rank, size, chunks);
        }
    }

    /** Straight if it is long, else up a binomial tree. */
    static void gather(
        final Schedule schedule, final int rank, final int size, final int root, final int length,
        final boolean isLong)
    {
        if (isLong)
        {
            gatherStraight(schedule, rank, size, root, length);
        }
        else
        {
            gatherByTree(schedule, rank, size, root, length);
        }
    }

    /** On a ring if it is long, else as Bruck. */
    static void allGather(
        final Schedule schedule, final int rank, final int size, final int length, final boolean isLong)
    {
        if (isLong)
        {
            allGatherOnRing(schedule, rank, size, length);
        }
        else
        {
            allGatherByDoubling(schedule, rank, size, length);
        }
    }

    /** Straight if it is long, else down a binomial tree. */
    static void scatter(
        final Schedule schedule, final int rank, final int size, final int root, final int length,
        final boolean isLong)
    {
        if (isLong)
        {
            scatterStraight(schedule, rank, size, root, length);
        }
        else
        {
            scatterByTree(schedule, rank, size, root, length);
        }
    }

    /** Up a binomial tree. */
    private static void reduceByTree(
        final Schedule schedule, final int rank, final int size, final int root, final int length)
    {
        final byte sum = rank == root ? TARGET : SCRATCH;
        schedule.scratch(length);
        schedule.copy(SOURCE, 0, sum, 0, length);
        schedule.round();
        final int place = (rank - root + size) % size;
        for (int distance = 1; distance < size; distance *= 2)
        {
            if ((place & distance) != 0)
            {
                schedule.send((place - distance + root) % size, sum, 0, length);
                schedule.round();
                return;
            }
            if (place + distance < size)
            {
                schedule.reduce((place + distance + root) % size, sum, 0, length);
                schedule.round();
            }
        }
    }

    /** The ring's reduce-scatter, then each sends its chunk to the root. */
    private static void reduceOnRing(
        final Schedule schedule, final int rank, final int size, final int root, final Chunks chunks)
    {
        reduceScatter(schedule, rank, size, chunks);
        schedule.round();
        if (rank == root)
        {
            for (int other = 0; other < size; other++)
            {
                final int chunk = (other + 1) % size;
                if (other != root)
                {
                    schedule.receive(other, TARGET, chunks.offset(chunk), chunks.length(chunk));
                }
            }
        }
        else
        {
            final int chunk = (rank + 1) % size;
            schedule.send(root, TARGET, chunks.offset(chunk), chunks.length(chunk));
        }
        schedule.round();
    }

    /** Recursive doubling; those above the largest power of two hand theirs to a neighbour first. */
    private static void allReduceByDoubling(
        final Schedule schedule, final int rank, final int size, final int length)
    {
        final int power = Integer.highestOneBit(size);
        final int extra = size - power;
        if (size == 1)
        {
            schedule.copy(SOURCE, 0, TARGET, 0, length);
            schedule.round();
            return;
        }
        if (rank < extra * 2 && rank % 2 == 0)
        {
            schedule.send(rank + 1, SOURCE, 0, length);
            schedule.round();
            schedule.receive(rank + 1, TARGET, 0, length);
            schedule.round();
            return;
        }
        byte from = SOURCE;                             // Where this member's elements stand.
        if (rank < extra * 2)
        {
            schedule.reduceSource(rank - 1, 0, length);
            schedule.round();
            from = TARGET;
        }
        final int place = rank < extra * 2 ? rank / 2 : rank - extra;
        for (int distance = 1; distance < power; distance *= 2)
        {
            final int other = place ^ distance;
            final int peer = other < extra ? other * 2 + 1 : other + extra;
            schedule.exchange(peer, from, 0, length);
            schedule.round();
            from = TARGET;
        }
        if (rank < extra * 2)
        {
            schedule.send(rank - 1, TARGET, 0, length);
            schedule.round();
        }
    }

    /** Reduce-scatter, then all-gather, both on a ring; what has come goes on while the rest comes. */
    private static void allReduceOnRing(final Schedule schedule, final int rank, final int size, final Chunks chunks)
    {
        final int next = (rank + 1) % size;
        reduceScatter(schedule, rank, size, chunks);
        schedule.forward(next, TARGET, chunks.offset(next), chunks.length(next));
        for (int step = 0; step < size - 1; step++)
        {
            final int in = (rank - step + size) % size;
            schedule.receive((rank - 1 + size) % size, TARGET, chunks.offset(in), chunks.length(in));
            if (step < size - 2)
            {
                schedule.forward(next, TARGET, chunks.offset(in), chunks.length(in));
            }
        }
        schedule.round();
    }

    /** Up a binomial tree, in the order of the distance from the root; then each to its place. */
    private static void gatherByTree(
        final Schedule schedule, final int rank, final int size, final int root, final int length)
    {
        final int place = (rank - root + size) % size;
        schedule.scratch(length * size);
        schedule.copy(SOURCE, 0, SCRATCH, 0, length);
        schedule.round();
        int distance = 1;
        for (; distance < size && (place & distance) == 0; distance *= 2)
        {
            if (place + distance < size)
            {
                schedule.receive((place + distance + root) % size, SCRATCH, distance * length,
                    Math.min(distance, size - place - distance) * length);
            }
        }
        schedule.round();
        if (place != 0)
        {
            schedule.send((place - distance + root) % size, SCRATCH, 0, Math.min(distance, size - place) * length);
        }
        else
        {
            schedule.copy(SCRATCH, 0, TARGET, root * length, (size - root) * length);
            schedule.copy(SCRATCH, (size - root) * length, TARGET, 0, root * length);
        }
        schedule.round();
    }

    /** Each straight to the root. */
    private static void gatherStraight(
        final Schedule schedule, final int rank, final int size, final int root, final int length)
    {
        if (rank != root)
        {
            schedule.send(root, SOURCE, 0, length);
        }
        for (int other = 0; other < size && rank == root; other++)
        {
            if (other != root)
            {
                schedule.receive(other, TARGET, other * length, length);
            }
        }
        if (rank == root)
        {
            schedule.copy(SOURCE, 0, TARGET, root * length, length);
        }
        schedule.round();
    }

    /** Bruck: in round k each gets 2^k parts more from the one 2^k further. */
    private static void allGatherByDoubling(
        final Schedule schedule, final int rank, final int size, final int length)
    {
        schedule.scratch(length * size);
        schedule.copy(SOURCE, 0, SCRATCH, 0, length);
        schedule.round();
        for (int distance = 1; distance < size; distance *= 2)
        {
            final int part = Math.min(distance, size - distance) * length;
            schedule.send((rank - distance + size) % size, SCRATCH, 0, part);
            schedule.receive((rank + distance) % size, SCRATCH, distance * length, part);
            schedule.round();
        }
        schedule.copy(SCRATCH, 0, TARGET, rank * length, (size - rank) * length);
        schedule.copy(SCRATCH, (size - rank) * length, TARGET, 0, rank * length);
        schedule.round();
    }

    /** All parts move on and on; what has come goes on while the rest comes. */
    private static void allGatherOnRing(final Schedule schedule, final int rank, final int size, final int length)
    {
        schedule.copy(SOURCE, 0, TARGET, rank * length, length);
        if (size > 1)
        {
            schedule.send((rank + 1) % size, SOURCE, 0, length);
        }
        for (int step = 0; step < size - 1; step++)
        {
            final int in = (rank - step - 1 + size) % size;
            schedule.receive((rank - 1 + size) % size, TARGET, in * length, length);
            if (step < size - 2)
            {
                schedule.forward((rank + 1) % size, TARGET, in * length, length);
            }
        }
        schedule.round();
    }

    /** Down a binomial tree, in the order of the distance from the root. */
    private static void scatterByTree(
        final Schedule schedule, final int rank, final int size, final int root, final int length)
    {
        final int place = (rank - root + size) % size;
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
            schedule.receive((place - distance + root) % size, SCRATCH, 0,
                Math.min(distance, size - place) * length);
        }
        schedule.round();
        for (int child = distance / 2; child > 0; child /= 2)
        {
            if (place + child < size)
            {
                schedule.send((place + child + root) % size, SCRATCH, child * length,
                    Math.min(child, size - place - child) * length);
            }
        }
        schedule.copy(SCRATCH, 0, TARGET, 0, length);
        schedule.round();
    }

    /** The root straight to each. */
    private static void scatterStraight(
        final Schedule schedule, final int rank, final int size, final int root, final int length)
    {
        if (rank != root)
        {
            schedule.receive(root, TARGET, 0, length);
        }
        for (int other = 0; other < size && rank == root; other++)
        {
            if (other != root)
            {
                schedule.send(other, SOURCE, other * length, length);
            }
        }
        if (rank == root)
        {
            schedule.copy(SOURCE, root * length, TARGET, 0, length);
        }
        schedule.round();
    }

    /** All pairs; each begins with another one. */
    static void allToAll(final Schedule schedule, final int rank, final int size, final int length)
    {
        schedule.copy(SOURCE, rank * length, TARGET, rank * length, length);
        for (int distance = 1; distance < size; distance++)
        {
            final int to = (rank + distance) % size;
            final int from = (rank - distance + size) % size;
            schedule.send(to, SOURCE, to * length, length);
            schedule.receive(from, TARGET, from * length, length);
        }
        schedule.round();
    }

    /** In the end each has the sum of the chunk after its own. Leaves the round open. */
    private static void reduceScatter(
        final Schedule schedule, final int rank, final int size, final Chunks chunks)
    {
        final int next = (rank + 1) % size;
        schedule.send(next, SOURCE, chunks.offset(rank), chunks.length(rank));
        for (int step = 0; step < size - 1; step++)
        {
            final int in = (rank - step - 1 + size) % size;
            schedule.reduceSource((rank - 1 + size) % size, chunks.offset(in), chunks.length(in));
            if (step < size - 2)
            {
                schedule.forward(next, TARGET, chunks.offset(in), chunks.length(in));
            }
        }
    }

    /** How elements are cut into as many chunks as there are members. Allocated once for a request. */
    static final class Chunks
    {
        private int size;
        private int count;
        private int elementLength;

        Chunks set(final int newSize, final int newCount, final int newElementLength)
        {
            size = newSize;
            count = newCount;
            elementLength = newElementLength;
            return this;
        }

        int offset(final int chunk)
        {
            return (int)((long)count * chunk / size) * elementLength;
        }

        int length(final int chunk)
        {
            return offset(chunk + 1) - offset(chunk);
        }
    }
}
