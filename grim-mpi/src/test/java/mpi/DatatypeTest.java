// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class DatatypeTest
{
    private static int errorClass(final Runnable call)
    {
        return assertThrows(MPIException.class, call::run).getErrorClass();
    }

    private static void check(final Datatype type, final Object buffer, final int offset, final int count)
    {
        new Place(false).set(buffer, offset, count, type).check(1, false);
    }

    private static void assertBounds(final Datatype type, final int extent, final int lb, final int ub)
    {
        assertEquals(List.of(extent, lb, ub), List.of(type.Extent(), type.Lb(), type.Ub()));
    }

    @Test
    void shouldCountBasicTypesAsElementsInBothDialects()
    {
        for (final Datatype type : List.of(Datatype.BYTE, Datatype.CHAR, Datatype.SHORT, Datatype.BOOLEAN,
            Datatype.INT, Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE, Datatype.PACKED, Datatype.OBJECT))
        {
            assertEquals(List.of(1, 1, 0, 1), List.of(type.Size(), type.Extent(), type.Lb(), type.Ub()));
            assertEquals(List.of(1, 1, 0), List.of(type.getSize(), type.getExtent(), type.getLb()));
        }
    }

    @Test
    void shouldCountPairsInBytesForOpenMpiAndIntPairsInIntsForMpiJava()
    {
        assertEquals(List.of(6, 8), List.of(Datatype.SHORT_INT.getSize(), Datatype.SHORT_INT.getExtent()));
        assertEquals(List.of(12, 16), List.of(Datatype.LONG_INT.getSize(), Datatype.LONG_INT.getExtent()));
        assertEquals(List.of(8, 8), List.of(Datatype.FLOAT_INT.getSize(), Datatype.FLOAT_INT.getExtent()));
        assertEquals(List.of(12, 16), List.of(Datatype.DOUBLE_INT.getSize(), Datatype.DOUBLE_INT.getExtent()));
        assertEquals(List.of(8, 8), List.of(Datatype.INT2.getSize(), Datatype.INT2.getExtent()));
        assertEquals(List.of(2, 2), List.of(Datatype.INT2.Size(), Datatype.INT2.Extent()));
        assertEquals(List.of(2, 2), List.of(Datatype.DOUBLE_COMPLEX.getSize(), Datatype.DOUBLE_COMPLEX.getExtent()));
    }

    @Test
    void shouldMakeVectorsInElementsAndInBasicElementsAndInBytes()
    {
        final Datatype pair = Datatype.Contiguous(2, Datatype.INT);

        assertBounds(Datatype.Vector(3, 2, 5, pair), 24, 0, 24);
        assertBounds(Datatype.Hvector(3, 2, 5, pair), 14, 0, 14);
        assertBounds(Datatype.createHVector(3, 2, 20, pair), 14, 0, 14);
        assertBounds(Datatype.createVector(12, 1, -2, Datatype.SHORT), 23, -22, 1);
        assertEquals(MPI.ERR_ARG, errorClass(() -> Datatype.createHVector(3, 2, 6, pair)));
        assertEquals(MPI.ERR_COUNT, errorClass(() -> Datatype.Vector(-1, 2, 5, pair)));
    }

    @Test
    void shouldSetBoundsByMarkersOfStructs()
    {
        final Datatype four = Datatype.Contiguous(4, Datatype.INT);
        final Datatype bounded = Datatype.Struct(
            new int[] {2, 1, 1}, new int[] {2, -3, 86}, new Datatype[] {four, Datatype.LB, Datatype.UB});

        assertBounds(Datatype.Struct(new int[] {1, 1}, new int[] {0, 97}, new Datatype[] {four, Datatype.UB}),
            97, 0, 97);
        assertBounds(Datatype.Struct(new int[] {1, 1}, new int[] {65, 97}, new Datatype[] {four, Datatype.INT}),
            33, 65, 98);
        assertBounds(Datatype.Struct(new int[] {1, 1, 1}, new int[] {0, 3, 94},
            new Datatype[] {four, Datatype.LB, Datatype.UB}), 91, 3, 94);
        assertBounds(bounded, 89, -3, 86);
        assertBounds(Datatype.Struct(new int[] {1, 1}, new int[] {0, 200}, new Datatype[] {bounded, Datatype.INT}),
            89, -3, 86);
        assertEquals(8, bounded.Size());
        assertEquals(MPI.ERR_TYPE, errorClass(() ->
            Datatype.Struct(new int[] {1, 1}, new int[] {0, 4}, new Datatype[] {four, Datatype.LONG})));
    }

    @Test
    void shouldRoundTheExtentOfStructsInBytesUpToTheAlignment()
    {
        final Datatype type = Datatype.createStruct(
            new int[] {1, 1}, new int[] {0, 8}, new Datatype[] {Datatype.DOUBLE, Datatype.INT});

        assertEquals(List.of(16, 12, 12), List.of(type.getExtent(), type.getSize(), type.getTrueExtent()));
        assertEquals(List.of(20, -4), List.of(Datatype.createResized(type, -4, 20).getExtent(),
            Datatype.createResized(type, -4, 20).getLb()));
    }

    @Test
    void shouldCountElementsOfMessagesByPartsOfStructs()
    {
        final Datatype four = Datatype.createContiguous(4, Datatype.createStruct(
            new int[] {1, 1}, new int[] {0, 8}, new Datatype[] {Datatype.DOUBLE, Datatype.INT}));

        assertEquals(MPI.UNDEFINED, four.elements(33));
        assertEquals(9, four.elements(5 * 8 + 4 * 4));
        assertEquals(16, four.elements(96));
        assertEquals(2, four.count(96));
        assertEquals(MPI.UNDEFINED, four.count(60));
        assertEquals(3, Datatype.DOUBLE_COMPLEX.elements(48));
        assertEquals(2, Datatype.SHORT_INT.elements(12));
        assertEquals(MPI.UNDEFINED, Datatype.INT2.elements(4));
        assertEquals(4, Datatype.createContiguous(2, Datatype.INT2).elements(16));
        assertEquals(7, Datatype.INT.elements(28));
    }

    @Test
    void shouldPackRandomTypesAsTheirDefinitionSays()
    {
        final Random random = new Random(37);
        for (int round = 0; round < 200; round++)
        {
            Datatype type = Datatype.INT;
            List<Integer> map = new ArrayList<>(List.of(0));
            for (int level = 0; level < 3; level++)
            {
                final int blocks = 1 + random.nextInt(3);
                final int[] lengths = random.ints(blocks, 0, 3).toArray();
                final int[] displacements = random.ints(blocks, 0, 9).toArray();
                map = indexed(map, lengths, displacements, type.Extent());
                type = Datatype.Indexed(lengths, displacements, type);
            }
            assertPacks(type, map);
        }
    }

    /** Places by the standard's definition: block by block, element by element. */
    private static List<Integer> indexed(
        final List<Integer> map, final int[] lengths, final int[] displacements, final int extent)
    {
        final List<Integer> places = new ArrayList<>();
        for (int block = 0; block < lengths.length; block++)
        {
            for (int element = 0; element < lengths[block]; element++)
            {
                final int origin = (displacements[block] + element) * extent;
                map.forEach(place -> places.add(origin + place));
            }
        }
        return places;
    }

    private static void assertPacks(final Datatype type, final List<Integer> map)
    {
        final int[] array = new int[100_000];
        for (int i = 0; i < array.length; i++)
        {
            array[i] = i;
        }
        final UnsafeBuffer packed = new UnsafeBuffer(new byte[4 * map.size()]);

        type.layout().pack(array, 0, 0, packed, 0, map.size());

        assertEquals(map.size(), type.Size());
        assertArrayEquals(map.stream().mapToInt(Integer::intValue).toArray(),
            map.isEmpty() ? new int[0] : IntStream.range(0, map.size())
            .map(i -> packed.getInt(4 * i)).toArray());
    }

    @Test
    void shouldPackNothingOfAnEmptyStructInAnyPlace()
    {
        final Datatype type = Datatype.Struct(new int[0], new int[0], new Datatype[0]);

        check(type, new int[1], 0, 100);
        type.layout().pack(new int[1], 0, 0, new UnsafeBuffer(new byte[0]), 0, 0);

        assertEquals(List.of(0, 0), List.of(type.Size(), type.Extent()));
    }

    @Test
    void shouldCheckBuffersOfCalls()
    {
        final Datatype vector = Datatype.Vector(2, 1, 3, Datatype.INT);

        check(vector, new int[9], 1, 2);
        check(vector, ByteBuffer.allocateDirect(32), 0, 2);
        check(Datatype.INT, null, 0, 0);
        check(Datatype.OBJECT, new String[2], 0, 2);
        assertEquals(MPI.ERR_BUFFER, errorClass(() -> check(vector, new int[8], 1, 2)));
        assertEquals(MPI.ERR_BUFFER, errorClass(() -> check(vector, ByteBuffer.allocateDirect(31), 0, 2)));
        assertEquals(MPI.ERR_BUFFER, errorClass(() -> check(vector, null, 0, 1)));
        assertEquals(MPI.ERR_BUFFER, errorClass(() -> check(vector, new int[8], -1, 1)));
        assertEquals(MPI.ERR_TYPE, errorClass(() -> check(vector, new long[9], 0, 1)));
        assertEquals(MPI.ERR_TYPE, errorClass(() -> check(Datatype.OBJECT, new int[9], 0, 1)));
        assertEquals(MPI.ERR_COUNT, errorClass(() -> check(vector, new int[9], 0, -1)));
        vector.free();
        assertTrue(vector.isNull());
        assertEquals(MPI.ERR_TYPE, errorClass(() -> check(vector, new int[9], 0, 1)));
        assertEquals(MPI.ERR_TYPE, errorClass(Datatype.INT::free));
    }

    @Test
    void shouldKeepAttributesAndNames()
    {
        final int key = Datatype.createKeyval();
        final Datatype type = Datatype.INT.dup();

        type.setAttr(key, "value");
        type.setName("mine");

        assertEquals("value", type.getAttr(key));
        assertEquals("mine", type.getName());
        type.deleteAttr(key);
        assertNull(type.getAttr(key));
        Datatype.freeKeyval(key);
        assertEquals(MPI.ERR_OTHER, errorClass(() -> type.getAttr(key)));
        assertEquals(MPI.ERR_KEYVAL, errorClass(() -> type.getAttr(MPI.KEYVAL_INVALID)));
    }

    @Test
    void shouldViewStructsInBuffers()
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        final LongInt struct = new LongInt();
        final LongInt.Data data = struct.getData(buffer, 2);

        data.putValue(-7);
        data.putIndex(3);

        assertEquals(16, struct.getExtent());
        assertEquals(List.of(-7L, 3), List.of(buffer.getLong(32), buffer.getInt(40)));
        assertEquals(List.of(-7L, 3), List.of(data.getValue(), data.getIndex()));
        assertEquals(-7, data.getBuffer().getLong(0));
        assertThrows(IllegalStateException.class, struct::addInt);
        final DoubleComplex complex = DoubleComplex.get(buffer, 1);
        complex.putImag(2.5);
        assertEquals(2.5, buffer.getDouble(24));
    }
}
