// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class GroupTest
{
    private static final Group SIX = new Group(13, 10, 11, 12, 13, 14, 15);

    private static int errorClass(final Runnable call)
    {
        return assertThrows(MPIException.class, call::run).getErrorClass();
    }

    @Test
    void shouldSelectAndRemoveProcesses()
    {
        assertArrayEquals(new int[] {15, 10, 13}, SIX.Incl(new int[] {5, 0, 3}).ranks);
        assertArrayEquals(new int[] {11, 12, 14}, SIX.excl(new int[] {5, 0, 3}).ranks);
        assertArrayEquals(new int[] {11, 13, 15, 14, 12},
            SIX.Range_incl(new int[][] {{1, 5, 2}, {4, 1, -2}}).ranks);
        assertArrayEquals(new int[] {11, 13, 15}, SIX.rangeExcl(new int[][] {{0, 5, 2}}).ranks);
        assertEquals(List.of(6, 3), List.of(SIX.Size(), SIX.Rank()));
        assertEquals(2, SIX.Incl(new int[] {5, 0, 3}).getRank());
        assertEquals(MPI.UNDEFINED, SIX.excl(new int[] {3}).getRank());
        assertSame(Group.EMPTY, SIX.incl(new int[0]));
    }

    @Test
    void shouldRefuseRanksAndRangesThatAreNone()
    {
        assertEquals(MPI.ERR_RANK, errorClass(() -> SIX.incl(new int[] {6})));
        assertEquals(MPI.ERR_RANK, errorClass(() -> SIX.excl(new int[] {-1})));
        assertEquals(MPI.ERR_RANK, errorClass(() -> SIX.incl(new int[] {1, 1})));
        assertEquals(MPI.ERR_ARG, errorClass(() -> SIX.rangeIncl(new int[][] {{1, 3, 0}})));
        assertEquals(MPI.ERR_ARG, errorClass(() -> SIX.rangeIncl(new int[][] {{1, 3, -1}})));
    }

    @Test
    void shouldAgreeWithSetsInOrder()
    {
        final Random random = new Random(37);
        for (int round = 0; round < 100; round++)
        {
            final List<Integer> one = some(random);
            final List<Integer> other = some(random);
            final Group group = group(one);
            final Group otherGroup = group(other);
            final List<Integer> union = IntStream.concat(ints(one), ints(other)).distinct().boxed()
                .collect(Collectors.toList());

            assertArrayEquals(ints(union).toArray(), Group.union(group, otherGroup).ranks);
            assertArrayEquals(ints(one).filter(other::contains).toArray(), Group.Intersection(group, otherGroup).ranks);
            assertArrayEquals(ints(one).filter(i -> !other.contains(i)).toArray(),
                Group.difference(group, otherGroup).ranks);
            assertArrayEquals(ints(one).map(i -> other.contains(i) ? other.indexOf(i) : MPI.UNDEFINED).toArray(),
                Group.translateRanks(group, IntStream.range(0, one.size()).toArray(), otherGroup));
        }
    }

    private static List<Integer> some(final Random random)
    {
        return random.ints(random.nextInt(8), 0, 9).distinct().boxed().collect(Collectors.toList());
    }

    private static Group group(final List<Integer> ranks)
    {
        return new Group(0, ints(ranks).toArray());
    }

    private static IntStream ints(final List<Integer> list)
    {
        return list.stream().mapToInt(Integer::intValue);
    }

    @Test
    void shouldCompareMembersAndOrder()
    {
        final Group reversed = new Group(13, 15, 14, 13, 12, 11, 10);

        assertEquals(MPI.IDENT, Group.Compare(SIX, new Group(0, SIX.ranks)));
        assertEquals(MPI.SIMILAR, Group.compare(SIX, reversed));
        assertEquals(MPI.UNEQUAL, Group.compare(SIX, Group.EMPTY));
        assertArrayEquals(new int[] {MPI.PROC_NULL, 5},
            Group.Translate_ranks(SIX, new int[] {MPI.PROC_NULL, 0}, reversed));
    }

    @Test
    void shouldRefuseWhatWasFreed()
    {
        final Group group = new Group(0, 1, 2);

        group.free();

        assertTrue(group.isNull());
        assertEquals(MPI.ERR_GROUP, errorClass(group::Size));
        assertEquals(MPI.ERR_GROUP, errorClass(() -> Group.union(SIX, group)));
        Group.EMPTY.free();
        assertEquals(0, Group.EMPTY.Size());
        assertTrue(Group.NULL.isNull());
    }

    @Test
    void shouldKeepHintsInOrder()
    {
        final Info info = new Info();
        info.set("one", "1");
        info.set("two", "2");
        final Info copy = info.clone();

        info.delete("one");

        assertEquals(List.of("one", "two"), List.of(copy.getKey(0), copy.getKey(1)));
        assertEquals(Arrays.asList(null, "2", "1"), Arrays.asList(info.get("one"), info.get("two"), copy.get("one")));
        assertEquals(MPI.ERR_INFO_NOKEY, errorClass(() -> info.delete("one")));
        assertEquals(MPI.ERR_INFO_KEY, errorClass(() -> info.set("k".repeat(37), "v")));
        info.free();
        assertTrue(info.isNull());
        assertEquals(MPI.ERR_INFO, errorClass(info::size));
    }
}
