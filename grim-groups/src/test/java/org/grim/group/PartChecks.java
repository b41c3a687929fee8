// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.grim.group.Group.Status;
import org.grim.group.Reduction.Operation;

import static org.grim.group.CollectiveChecks.await;
import static org.grim.group.CollectiveChecks.bytes;
import static org.grim.group.CollectiveChecks.elements;
import static org.grim.group.CollectiveChecks.wrap;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Operations whose results differ from member to member: scans, parts of a reduction, parts of different lengths. */
final class PartChecks
{
    private static final Reduction SUM = Reduction.of(Reduction.Type.LONG, Operation.SUM);
    /** About the eager length, that of rings, and that of parts which are read in place. */
    private static final int[] LENGTHS = {0, 1, 100, 4_095, 4_096, 4_097, 32_767, 32_768, 32_769, 70_000};
    private static final int[][] WRONG_LENGTHS = {{8, 16}, {16, 8}, {0, 8}, {8, 0}, {8, 5_000}, {5_000, 8},
        {5_000, 6_000}, {6_000, 5_000}, {100_000, 8}, {0, 100_000}, {100_000, 0}, {100_000, 100_001}};
    private static final byte UNTOUCHED = 0x55;

    private PartChecks()
    {
    }

    static Object checkScans(final Group group, final AffineMaps maps, final int count)
    {
        final int rank = group.rank();
        final MutableDirectBuffer source = maps.elements(rank, count);
        final int length = source.capacity();
        final MutableDirectBuffer expected = maps.combined(0, rank + 1, count);
        final MutableDirectBuffer target = wrap(new byte[length]);
        assertEquals(Status.DONE, await(group, request -> group.scan(source, 0, target, 0, count, maps, request)));
        assertEquals(expected, target);
        final MutableDirectBuffer before = wrap(new byte[length]);
        assertEquals(Status.DONE, await(group, request ->
            group.exclusiveScan(source, 0, before, 0, count, maps, request)));
        assertEquals(rank == 0 ? wrap(new byte[length]) : maps.combined(0, rank, count), before);
        assertEquals(maps.elements(rank, count), source);
        assertEquals(Status.DONE, await(group, request -> group.scan(source, 0, source, 0, count, maps, request)));
        assertEquals(expected, source);
        return null;
    }

    /** Of numbers, whose order does not matter. */
    static Object checkScansOfNumbers(final Group group, final int count)
    {
        final MutableDirectBuffer source = elements(group.rank(), Reduction.Type.LONG, count, 1 << 15);
        final MutableDirectBuffer expected = wrap(new byte[source.capacity()]);
        for (int rank = 0; rank < group.rank(); rank++)
        {
            SUM.reduce(expected, 0, elements(rank, Reduction.Type.LONG, count, 1 << 15), 0, count);
        }
        final MutableDirectBuffer target = wrap(new byte[source.capacity()]);
        assertEquals(Status.DONE, await(group, request ->
            group.exclusiveScan(source, 0, target, 0, count, SUM, request)));
        assertEquals(expected, target);
        SUM.reduce(expected, 0, source, 0, count);
        assertEquals(Status.DONE, await(group, request -> group.scan(source, 0, target, 0, count, SUM, request)));
        assertEquals(expected, target);
        return null;
    }

    static Object checkReduceScatter(final Group group, final int count)
    {
        final int size = group.size();
        final AffineMaps maps = new AffineMaps(AffineMaps.LENGTH);
        final int length = count * AffineMaps.LENGTH;
        final MutableDirectBuffer part = wrap(new byte[length]);
        assertEquals(Status.DONE, await(group, request ->
            group.reduceScatter(maps.elements(group.rank(), count * size), 0, part, 0, count, maps, request)));
        assertEquals(wrap(maps.combined(0, size, count * size), group.rank() * length, length), part);

        final int[] counts = IntStream.range(0, size).map(rank -> rank % 3 == 1 ? 0 : count + rank).toArray();
        final int all = Arrays.stream(counts).sum();
        final int before = Arrays.stream(counts, 0, group.rank()).sum();
        final MutableDirectBuffer sums = elements(0, Reduction.Type.LONG, all, 1 << 15);
        for (int rank = 1; rank < size; rank++)
        {
            SUM.reduce(sums, 0, elements(rank, Reduction.Type.LONG, all, 1 << 15), 0, all);
        }
        final int own = counts[group.rank()] * Long.BYTES;
        final MutableDirectBuffer target = wrap(new byte[own + 3]);
        final MutableDirectBuffer source = elements(group.rank(), Reduction.Type.LONG, all, 1 << 15);
        assertEquals(Status.DONE, await(group, request ->
            group.reduceScatterV(source, 0, target, 3, counts, SUM, request)));
        assertEquals(wrap(sums, before * Long.BYTES, own), wrap(target, 3, own));
        return null;
    }

    /** Random lengths, which all members know; parts stand in the opposite order, with room between them. */
    static Object checkParts(final Group group, final int seed)
    {
        final int size = group.size();
        final int rank = group.rank();
        final Random random = new Random(seed);
        final int[][] lengths = new int[size][size];
        for (final int[] each : lengths)
        {
            Arrays.setAll(each, to -> random.nextInt(4) == 0 ? random.nextInt(70_000) :
                LENGTHS[random.nextInt(LENGTHS.length)]);
        }
        final int root = random.nextInt(size);
        final Row toRoot = new Row(column(lengths, root));
        final Row fromRoot = new Row(lengths[root]);
        final Row in = new Row(column(lengths, rank));
        final Row out = new Row(lengths[rank]);
        final Row first = new Row(column(lengths, 0));

        final byte[] gathered = toRoot.room();
        assertEquals(Status.DONE, await(group, request -> group.gatherV(root, wrap(part(lengths, rank, root)), 0,
            lengths[rank][root], wrap(gathered), 1, toRoot.lengths, toRoot.displacements, request)));
        assertArrayEquals(rank == root ? toRoot.filled(from -> part(lengths, from, root)) : toRoot.room(), gathered);

        final byte[] scattered = new byte[lengths[root][rank]];
        assertEquals(Status.DONE, await(group, request -> group.scatterV(root,
            wrap(fromRoot.filled(to -> part(lengths, root, to))), 1, fromRoot.lengths, fromRoot.displacements,
            wrap(scattered), 0, scattered.length, request)));
        assertArrayEquals(part(lengths, root, rank), scattered);

        final byte[] allGathered = first.room();
        assertEquals(Status.DONE, await(group, request -> group.allGatherV(wrap(part(lengths, rank, 0)), 0,
            lengths[rank][0], wrap(allGathered), 1, first.lengths, first.displacements, request)));
        assertArrayEquals(first.filled(from -> part(lengths, from, 0)), allGathered);

        final byte[] exchanged = in.room();
        final byte[] source = out.filled(to -> part(lengths, rank, to));
        assertEquals(Status.DONE, await(group, request -> group.allToAllV(wrap(source), 1, out.lengths,
            out.displacements, wrap(exchanged), 1, in.lengths, in.displacements, request)));
        assertArrayEquals(in.filled(from -> part(lengths, from, rank)), exchanged);
        return null;
    }

    /** A member sends another length than the next one expects; nothing is written outside of a part. */
    static void checkWrongLengths(final Members members)
    {
        for (final int[] wrong : WRONG_LENGTHS)
        {
            checkWrongLengths(members, wrong, false);
            checkWrongLengths(members, wrong, true);
        }
    }

    /** Of one member, or of all of them. */
    private static void checkWrongLengths(final Members members, final int[] wrong, final boolean isOfAll)
    {
        final List<Status> ends = members.all(node ->
        {
            final Group group = members.group(node);
            final int size = group.size();
            final int[] out = new int[size];
            final int[] in = new int[size];
            Arrays.fill(out, 10);
            Arrays.fill(in, 10);
            if (isOfAll || group.rank() == 1)
            {
                out[(group.rank() + 1) % size] = wrong[0];
            }
            if (isOfAll || group.rank() == 2 % size)
            {
                in[(group.rank() - 1 + size) % size] = wrong[1];
            }
            final Row row = new Row(in);
            final byte[] target = row.room();
            final Status end = await(group, request -> group.allToAllV(wrap(new byte[300_000]), 0, out, new int[size],
                wrap(target), 1, row.lengths, row.displacements, request));
            for (final int displacement : row.displacements)
            {
                assertEquals(UNTOUCHED, target[displacement]);      // Before the part: the target begins at 1.
            }
            return end;
        });
        final int victim = members.all(node -> members.group(node).rank()).indexOf(2 % members.size());
        final String text = Arrays.toString(wrong) + " " + ends;
        assertEquals(Status.MISMATCHED, ends.get(victim), text);
        assertTrue(ends.stream().allMatch(end -> end == Status.MISMATCHED || (!isOfAll && end == Status.DONE)), text);
        assertEquals(Collections.nCopies(members.size(), Status.DONE),
            members.all(node -> await(members.group(node), members.group(node)::barrier)));
    }

    /** Short and long; the sum is the same. */
    static void checkWrongCounts(final Members members)
    {
        for (final int count : new int[] {10, 50_000})
        {
            final List<Status> ends = members.all(node ->
            {
                final Group group = members.group(node);
                final int[] counts = new int[group.size()];
                Arrays.fill(counts, count);
                counts[0] += group.rank() == 1 ? 1 : 0;
                counts[1] -= group.rank() == 1 && count > 10 ? 1 : 0;
                return await(group, request -> group.reduceScatterV(wrap(new byte[(count * counts.length + 1) * 8]), 0,
                    wrap(new byte[(count + 1) * 8]), 0, counts, SUM, request));
            });
            final int first = members.all(node -> members.group(node).rank()).indexOf(0);
            assertEquals(Status.MISMATCHED, ends.get(first), ends::toString);
            assertTrue(ends.stream().allMatch(end -> end == Status.MISMATCHED || end == Status.DONE), ends::toString);
            assertEquals(Collections.nCopies(members.size(), Status.DONE),
                members.all(node -> await(members.group(node), members.group(node)::barrier)));
        }
    }

    static void checkRefusals(final Group group)
    {
        final Group.Request request = group.newRequest();
        final MutableDirectBuffer memory = wrap(new byte[16]);
        final MutableDirectBuffer target = wrap(new byte[16]);
        final int size = group.size();
        final int rank = group.rank();
        final int[] none = new int[size];
        final int[] ones = new int[size];
        Arrays.fill(ones, 1);
        final int[] few = new int[size - 1];
        final int[] negative = new int[size];
        negative[size - 1] = -1;
        final int[] huge = new int[size];
        Arrays.fill(huge, Integer.MAX_VALUE);
        assertThrows(IllegalArgumentException.class, () ->
            group.gatherV(rank, memory, 0, 1, target, 0, few, none, request));
        assertThrows(IllegalArgumentException.class, () ->
            group.gatherV(rank, memory, 0, 1, target, 0, none, none, request));
        assertThrows(IllegalArgumentException.class, () ->
            group.scatterV(rank, memory, 0, none, negative, target, 0, 0, request));
        assertThrows(IllegalArgumentException.class, () ->
            group.allGatherV(memory, 0, 0, target, 0, negative, none, request));
        assertThrows(IllegalArgumentException.class, () ->
            group.allGatherV(memory, 0, 1, target, 0, ones, huge, request));
        assertThrows(IllegalArgumentException.class, () ->
            group.allToAllV(memory, 0, none, none, target, 0, ones, none, request));
        assertThrows(IndexOutOfBoundsException.class, () ->
            group.allGatherV(memory, 0, 1, target, 16, ones, none, request));
        assertThrows(IndexOutOfBoundsException.class, () ->
            group.allGatherV(memory, 16, 1, target, 0, ones, none, request));
        assertThrows(IllegalArgumentException.class, () ->
            group.reduceScatterV(memory, 0, target, 0, negative, SUM, request));
        assertThrows(IllegalArgumentException.class, () ->
            group.reduceScatterV(memory, 0, target, 0, huge, SUM, request));
        assertThrows(IndexOutOfBoundsException.class, () ->
            group.reduceScatter(memory, 0, target, 0, 3, SUM, request));
        assertTrue(request.isComplete());
    }

    private static int[] column(final int[][] lengths, final int to)
    {
        return Arrays.stream(lengths).mapToInt(each -> each[to]).toArray();
    }

    private static byte[] part(final int[][] lengths, final int from, final int to)
    {
        return bytes(lengths[from][to], from * 100 + to);
    }

    /** Parts in memory, the last one first, each with a byte before it. */
    private static final class Row
    {
        private final int[] lengths;
        private final int[] displacements;
        private final int end;

        Row(final int[] lengths)
        {
            this.lengths = lengths;
            displacements = new int[lengths.length];
            int next = 0;
            for (int i = lengths.length - 1; i >= 0; i--)
            {
                displacements[i] = next;
                next += lengths[i] + 1;
            }
            end = next;
        }

        byte[] room()
        {
            final byte[] room = new byte[1 + end];
            Arrays.fill(room, UNTOUCHED);
            return room;
        }

        byte[] filled(final IntFunction<byte[]> parts)
        {
            final byte[] room = room();
            for (int i = 0; i < lengths.length; i++)
            {
                System.arraycopy(parts.apply(i), 0, room, 1 + displacements[i], lengths[i]);
            }
            return room;
        }
    }
}
