// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.PrimitiveArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Elements of datatypes, beside the list of their places that MPI calls the type map. */
final class LayoutTest
{
    private static final int ARRAY_LENGTH = 4_000;
    private static final int ORIGIN = 1_000;

    @Test
    void shouldHaveTheBoundsOfAVector()
    {
        final Layout vector = Layout.of(PrimitiveArray.INTS).blocks(new long[] {0, 5, 10}, new int[] {2, 2, 2});

        assertEquals(6, vector.size());
        assertEquals(24, vector.packedLength());
        assertEquals(12, vector.extent());
        assertEquals(0, vector.lowerBound());
        assertFalse(vector.isDense());
        assertTrue(vector.isInside(24, 0, 2));
        assertFalse(vector.isInside(23, 0, 2));
        assertFalse(vector.isInside(24, 1, 2));
        assertTrue(vector.isInside(0, 0, 0));
    }

    @Test
    void shouldJoinBlocksThatTouch()
    {
        final Layout dense = Layout.of(PrimitiveArray.DOUBLES).blocks(new long[] {0, 2, 5}, new int[] {2, 3, 1});

        assertTrue(dense.isDense());
        assertEquals(6, dense.extent());
    }

    @Test
    void shouldKeepOtherBounds()
    {
        final Layout column =
            Layout.of(PrimitiveArray.FLOATS).blocks(new long[] {0, 8}, new int[] {1, 1}).resized(0, 1);

        assertEquals(1, column.extent());
        assertEquals(9, column.trueUpperBound());
        assertTrue(column.isInside(16, 0, 8));
        assertFalse(column.isInside(15, 0, 8));
    }

    @Test
    void shouldSendNothingOfAnEmptyType()
    {
        final Layout empty = Layout.of(PrimitiveArray.LONGS).blocks(new long[] {3}, new int[] {0});

        assertEquals(0, empty.size());
        assertEquals(0, empty.extent());
        assertEquals(0, empty.blocks(new long[] {4, 0}, new int[] {3, 2}).extent());
        empty.pack(new long[0], 0, 0, Buffers.allocate(8), 0, 0);
    }

    @Test
    void shouldRefuseAnArrayOfAnotherType()
    {
        final Layout ints = Layout.of(PrimitiveArray.INTS);

        assertThrows(ClassCastException.class, () -> ints.pack(new long[2], 0, 0, Buffers.allocate(8), 0, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> ints.pack(new int[2], 1, 0, Buffers.allocate(8), 0, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> ints.pack(new int[2], 0, 0, Buffers.allocate(4), 0, 2));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldMovePartsOfAnyLayout(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++)
        {
            Layout layout = Layout.of(PrimitiveArray.SHORTS);
            List<Long> map = List.of(0L);
            for (int depth = random.nextInt(3); depth >= 0; depth--)
            {
                final long[] displacements = new long[1 + random.nextInt(3)];
                final int[] lengths = new int[displacements.length];
                final List<Long> nextMap = new ArrayList<>();
                for (int block = 0; block < lengths.length; block++)
                {
                    displacements[block] = random.nextInt(-10, 20);
                    lengths[block] = random.nextInt(3);
                    addPlaces(nextMap, map, displacements[block], lengths[block], layout.extent());
                }
                layout = layout.blocks(displacements, lengths);
                map = nextMap;
            }
            verifyParts(layout, map, random);
        }
    }

    private static void addPlaces(
        final List<Long> target, final List<Long> places, final long displacement, final int count, final long extent)
    {
        for (int element = 0; element < count; element++)
        {
            final long origin = displacement + element * extent;
            places.forEach(place -> target.add(origin + place));
        }
    }

    private static void verifyParts(final Layout layout, final List<Long> map, final SplittableRandom random)
    {
        assertEquals(map.size(), layout.size());
        final int count = map.isEmpty() ? 0 : 1 + random.nextInt(4);
        final int total = count * map.size();
        final short[] source = new short[ARRAY_LENGTH];
        for (int i = 0; i < source.length; i++)
        {
            source[i] = (short)(i + 1);
        }
        final short[] expected = new short[ARRAY_LENGTH];
        final short[] target = new short[ARRAY_LENGTH];
        final MutableDirectBuffer packed = Buffers.allocate(total * Short.BYTES + Short.BYTES);
        int done = 0;
        while (done < total)
        {
            final int part = 1 + random.nextInt(total - done);
            layout.pack(source, ORIGIN, done, packed, done * Short.BYTES, part);
            done += part;
        }
        for (int i = 0; i < total; i++)
        {
            final int place = (int)(ORIGIN + i / map.size() * layout.extent() + map.get(i % map.size()));
            assertEquals(source[place], packed.getShort(i * Short.BYTES));
            expected[place] = source[place];
        }
        done = 0;
        while (done < total)
        {
            final int part = 1 + random.nextInt(total - done);
            layout.unpack(packed, done * Short.BYTES, target, ORIGIN, done, part);
            done += part;
        }
        assertArrayEquals(expected, target);
    }
}
