// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.grim.buffer.PrimitiveArray;
import org.grim.group.Reduction;
import org.grim.mpi.Operation.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Operations between two groups of processes, and those whose parts have layouts of their own. */
@Timeout(120)
final class IntercommunicatorTest
{
    private static final int SIZE = 5;
    private static final int FIRST_SIZE = 2;
    private static final int TAG = 7;
    private static final Layout INTS = Layout.of(PrimitiveArray.INTS);
    private static final Reduction SUM = Reduction.of(Reduction.Type.INT, Reduction.Operation.SUM);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 9_000})
    void shouldPassElementsBetweenGroups(final int count)
    {
        try (Jobs jobs = new Jobs(directory, SIZE))
        {
            jobs.all(rank ->
            {
                final Communicator inter = connect(jobs, rank);
                final boolean isFirst = rank < FIRST_SIZE;
                assertEquals(isFirst ? FIRST_SIZE : SIZE - FIRST_SIZE, inter.size());
                assertEquals(isFirst ? SIZE - FIRST_SIZE : FIRST_SIZE, inter.remoteSize());
                assertEquals(isFirst ? FIRST_SIZE : 0, inter.remoteRanks()[0]);
                checkAll(inter, count);
                final Communicator twin = inter.duplicate();
                checkAll(twin, count);
                final Communicator part = inter.split(inter.rank() % 2, 0);
                assertEquals(isFirst || inter.rank() == 1 ? 1 : 2, part.size());
                checkAll(part, count);
                final Communicator chosen = inter.create(0);
                assertEquals(inter.rank() == 0, chosen != null);
                if (chosen != null)
                {
                    checkAll(chosen, count);
                }
                assertNull(inter.split(isFirst ? 0 : 1, 0));
                assertThrows(IllegalStateException.class, () -> inter.scan(new Collective(), null, null, SUM));
                twin.close();
                inter.close();
                return null;
            });
        }
    }

    @Test
    void shouldBecomeOneGroup()
    {
        try (Jobs jobs = new Jobs(directory, SIZE))
        {
            jobs.all(rank ->
            {
                final Communicator inter = connect(jobs, rank);
                final Communicator merged = inter.merge(rank < FIRST_SIZE);
                assertEquals(rank < FIRST_SIZE ? SIZE - FIRST_SIZE + rank : rank - FIRST_SIZE, merged.rank());
                final int[] all = new int[SIZE];
                call(merged, c -> merged.allGather(c, ints(rank), on(all, 1)));
                assertArrayEquals(new int[] {2, 3, 4, 0, 1}, all);
                assertEquals(rank, inter.merge(false).rank());
                assertThrows(IllegalStateException.class, () -> merged.merge(false));
                return null;
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldPassPartsWithLayoutsOfTheirOwn(final int size)
    {
        try (Jobs jobs = new Jobs(directory, size))
        {
            jobs.all(rank ->
            {
                final Communicator world = jobs.engine(rank).world();
                final int[] from = IntStream.range(0, 100).map(i -> rank * 1_000 + i).toArray();
                final int[] to = new int[100];
                final Elements[] send = new Elements[size];
                final Elements[] receive = new Elements[size];
                for (int i = 0; i < size; i++)
                {
                    send[i] = new Elements().set(from, i, 2, INTS.resized(0, 5));
                    receive[i] = new Elements().set(to, 10 * i, 2, INTS.resized(0, 1 + i));
                }
                call(world, c -> world.allToAllW(c, send, receive));
                for (int i = 0; i < size; i++)
                {
                    assertEquals(i * 1_000 + rank, to[10 * i]);
                    assertEquals(i * 1_000 + rank + 5, to[11 * i + 1]);
                }
                final int next = (rank + 1) % size;
                final int before = (rank + size - 1) % size;
                final int[] values = new int[3];
                final Elements[] neighbours = {at(values, 0), at(values, 1), at(values, 2)};
                call(world, c -> world.neighborAllToAllW(c, new int[] {before, -1, before}, neighbours,
                    new int[] {next, -1, next}, new Elements[] {ints(rank), ints(-1), ints(rank + 50)}));
                assertArrayEquals(new int[] {before, 0, before + 50}, values);
                return null;
            });
        }
    }

    @Test
    void shouldLetThreadsUseCommunicatorsOfTheirOwn()
    {
        final int size = 3;
        try (Jobs jobs = new Jobs(directory, size))
        {
            final List<List<Communicator>> twins = jobs.all(rank ->
                List.of(jobs.engine(rank).world().duplicate(), jobs.engine(rank).world().duplicate()));
            final List<Future<Object>> threads = new ArrayList<>();
            for (int i = 0; i < 2 * size; i++)
            {
                final int rank = i / 2;
                final Communicator own = twins.get(rank).get(i % 2);
                threads.add(jobs.begin(() ->
                {
                    for (int round = 0; round < 100; round++)
                    {
                        final int[] sum = new int[1];
                        final int value = round + rank;
                        call(own, c -> own.allReduce(c, ints(value), on(sum, 1), SUM));
                        assertEquals(3 * round + 3, sum[0]);
                        if (round % 10 == 0)
                        {
                            final Communicator part = own.split(0, -rank);
                            assertEquals(size - 1 - rank, part.rank());
                            part.close();
                        }
                    }
                    return null;
                }));
            }
            threads.forEach(Jobs::get);
        }
    }

    private static Communicator connect(final Jobs jobs, final int rank)
    {
        final Communicator world = jobs.engine(rank).world();
        final boolean isFirst = rank < FIRST_SIZE;
        final Communicator local = world.split(isFirst ? 0 : 1, 0);
        final int leader = isFirst ? 1 : 0;
        return Communicator.connect(
            local, leader, local.rank() == leader ? world : null, isFirst ? FIRST_SIZE : 1, TAG);
    }

    /** Values of this process are its rank in the job, and a number. */
    private static void checkAll(final Communicator inter, final int count)
    {
        final int job = inter.engine().rank();
        final int[] others = inter.remoteRanks();
        final int[] mine = values(job, count);
        call(inter, inter::barrier);
        final int[] all = new int[count * others.length];
        call(inter, c -> inter.allGather(c, on(mine, count), on(all, count)));
        assertArrayEquals(valuesOf(others, count), all);
        final int[] exchanged = new int[others.length];
        call(inter, c -> inter.allToAll(
            c, on(IntStream.range(0, others.length).map(i -> job * 10 + i).toArray(), 1), on(exchanged, 1)));
        assertArrayEquals(IntStream.of(others).map(each -> each * 10 + inter.rank()).toArray(), exchanged);
        final int[] sum = new int[count];
        call(inter, c -> inter.allReduce(c, on(mine, count), on(sum, count), SUM));
        assertArrayEquals(sums(others, count), sum);
        final int whole = inter.size() * others.length;
        final int[] counts = IntStream.range(0, inter.size()).map(i -> others.length).toArray();
        final int[] part = new int[others.length];
        call(inter, c -> inter.reduceScatter(c, on(values(job, whole), 0), on(part, 0), counts, SUM));
        assertArrayEquals(IntStream.range(0, part.length)
            .map(i -> sums(others, whole)[inter.rank() * others.length + i]).toArray(), part);
        for (int root = 0; root < Math.max(inter.size(), others.length); root++)
        {
            if (root < Math.min(inter.size(), others.length))
            {
                checkRooted(inter, count, root, true);
                checkRooted(inter, count, root, false);
            }
        }
    }

    /** The root is in the group with the process of the smallest rank in the job, or in the other one. */
    private static void checkRooted(
        final Communicator inter, final int count, final int root, final boolean isInFirst)
    {
        final int job = inter.engine().rank();
        final int[] others = inter.remoteRanks();
        final boolean isFirst = inter.ranks()[0] < others[0];
        final boolean isRoot = isFirst == isInFirst && inter.rank() == root;
        final int place = isFirst != isInFirst ? root : isRoot ? Communicator.ROOT : Communicator.NOBODY;
        final int[] values = isRoot ? values(job, count) : new int[count];
        call(inter, c -> inter.broadcast(c, place, on(values, count)));
        assertArrayEquals(isRoot ? values(job, count) : place >= 0 ? values(others[root], count) : new int[count],
            values);
        final int[] all = new int[count * others.length];
        call(inter, c -> inter.gather(c, place, on(values(job, count), count), on(all, count)));
        assertArrayEquals(isRoot ? valuesOf(others, count) : new int[all.length], all);
        final int[] counts = IntStream.range(0, others.length).map(i -> count).toArray();
        final int[] turned = IntStream.range(0, others.length).map(i -> (others.length - 1 - i) * count).toArray();
        final int[] parts = new int[all.length];
        call(inter, c -> inter.gatherV(
            c, place, on(values(job, count), count), on(parts, 0), counts, turned));
        assertArrayEquals(isRoot ? valuesOf(IntStream.range(0, others.length)
            .map(i -> others[others.length - 1 - i]).toArray(), count) : new int[all.length], parts);
        final int[] own = new int[count];
        call(inter, c -> inter.scatter(c, place, on(values(job, all.length), count), on(own, count)));
        assertEquals(place < 0 ? 0 : values(others[root], all.length + count * inter.size())[count * inter.rank()],
            own[0]);
        final int[] sum = new int[count];
        call(inter, c -> inter.reduce(c, place, on(values(job, count), count), on(sum, count), SUM));
        assertArrayEquals(isRoot ? sums(others, count) : new int[count], sum);
    }

    private static int[] values(final int job, final int count)
    {
        return IntStream.range(0, count).map(i -> job * 100 + i + 1).toArray();
    }

    private static int[] valuesOf(final int[] jobs, final int count)
    {
        return IntStream.of(jobs).flatMap(job -> IntStream.of(values(job, count))).toArray();
    }

    private static int[] sums(final int[] jobs, final int count)
    {
        return IntStream.range(0, count).map(i -> IntStream.of(jobs).map(job -> job * 100 + i + 1).sum()).toArray();
    }

    private static Elements ints(final int value)
    {
        return on(new int[] {value}, 1);
    }

    private static Elements on(final int[] values, final int count)
    {
        return new Elements().set(values, 0, count, INTS);
    }

    private static Elements at(final int[] values, final int index)
    {
        return new Elements().set(values, index, 1, INTS);
    }

    private static void call(final Communicator communicator, final Consumer<Collective> operation)
    {
        final Collective c = new Collective();
        operation.accept(c);
        communicator.engine().await(c);
        assertEquals(Outcome.DONE, c.outcome());
    }
}
