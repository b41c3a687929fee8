// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.util.List;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.group.Reduction;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class OpTest
{
    /** Combines arrays as they lie in messages; the first one becomes the result. */
    private static void combine(final Op op, final Datatype type, final Object one, final Object other, final int count)
    {
        final Reduction reduction = op.reduction(type);
        final int length = Math.toIntExact(type.layout().packedLength()) * count;
        final UnsafeBuffer target = new UnsafeBuffer(new byte[length + 8]);
        final UnsafeBuffer source = new UnsafeBuffer(new byte[length + 4]);
        type.layout().pack(one, 0, 0, target, 8, count * type.layout().size());
        type.layout().pack(other, 0, 0, source, 4, count * type.layout().size());

        reduction.reduce(target, 8, source, 4, count);

        assertEquals(type.layout().packedLength(), reduction.elementLength());
        type.layout().unpack(target, 8, one, 0, 0, count * type.layout().size());
    }

    private static int[] combined(final Op op, final int[] one, final int... other)
    {
        final int[] result = one.clone();
        combine(op, Datatype.INT, result, other, one.length);
        return result;
    }

    @Test
    void shouldCombineNumbers()
    {
        final int[] one = {6, 0, -3};

        assertArrayEquals(new int[] {9, 0, 2}, combined(Op.SUM, one, 3, 0, 5));
        assertArrayEquals(new int[] {18, 0, -15}, combined(Op.PROD, one, 3, 0, 5));
        assertArrayEquals(new int[] {6, 0, 5}, combined(Op.MAX, one, 3, 0, 5));
        assertArrayEquals(new int[] {3, 0, -3}, combined(Op.MIN, one, 3, 0, 5));
        assertArrayEquals(new int[] {2, 0, 5}, combined(Op.BAND, one, 3, 0, 5));
        assertArrayEquals(new int[] {7, 0, -3}, combined(Op.BOR, one, 3, 0, 5));
        assertArrayEquals(new int[] {5, 0, -8}, combined(Op.BXOR, one, 3, 0, 5));
        assertArrayEquals(new int[] {1, 0, 1}, combined(Op.LAND, one, 3, 0, 5));
        assertArrayEquals(new int[] {1, 1, 1}, combined(Op.LOR, one, 3, 9, 5));
        assertArrayEquals(new int[] {0, 1, 0}, combined(Op.LXOR, one, 3, 9, 5));
    }

    @Test
    void shouldCombineBooleansLogicallyOnly()
    {
        final boolean[] one = {true, true, false};

        combine(Op.LAND, Datatype.BOOLEAN, one, new boolean[] {true, false, false}, 3);

        assertArrayEquals(new boolean[] {true, false, false}, one);
        assertEquals(MPI.ERR_OP, assertThrows(
            MPIException.class, () -> Op.SUM.reduction(Datatype.BOOLEAN)).getErrorClass());
        assertThrows(MPIException.class, () -> Op.BAND.reduction(Datatype.DOUBLE));
        assertThrows(MPIException.class, () -> Op.SUM.reduction(Datatype.OBJECT));
        assertThrows(MPIException.class, () -> Op.SUM.reduction(Datatype.SHORT_INT));
        assertThrows(MPIException.class, () -> Op.MAXLOC.reduction(Datatype.INT));
    }

    @Test
    void shouldCombineDerivedTypesOfNumbersElementByElement()
    {
        final long[] one = {1, 9, 2, 9, 9, 3, 9, 4};

        combine(Op.SUM, Datatype.Vector(2, 1, 2, Datatype.LONG), one, new long[] {10, 0, 20, 30, 0, 40, 0, 0}, 2);

        assertArrayEquals(new long[] {11, 9, 22, 39, 9, 43, 9, 4}, one);
    }

    @Test
    void shouldFindLocationsInPairsOfBothDialects()
    {
        final int[] ints = {5, 7, 3, 4};
        combine(Op.MINLOC, Datatype.INT2, ints, new int[] {5, 2, 9, 1}, 2);
        assertArrayEquals(new int[] {5, 2, 3, 4}, ints);

        final double[] doubles = {5, 7, 3, 4};
        combine(Op.MAXLOC, Datatype.DOUBLE2, doubles, new double[] {5, 2, 9, 1}, 2);
        assertArrayEquals(new double[] {5, 2, 9, 1}, doubles);

        for (final Datatype type : List.of(Datatype.SHORT_INT, Datatype.LONG_INT, Datatype.DOUBLE_INT.dup()))
        {
            assertLocation(type);
        }
    }

    private static void assertLocation(final Datatype type)
    {
        final int extent = type.getExtent();
        final byte[] one = new byte[2 * extent];
        final byte[] other = new byte[2 * extent];
        final UnsafeBuffer into = new UnsafeBuffer(one);
        for (int i = 0; i < 2; i++)
        {
            put(type, into, i, 3 + i, 10);
            put(type, new UnsafeBuffer(other), i, 4 - i, 20);
        }

        combine(Op.MAXLOC, type, one, other, 2);

        assertEquals(List.of(20, 10), List.of(into.getInt(extent / 2), into.getInt(extent + extent / 2)));
        assertEquals(type == Datatype.LONG_INT ? 4 : type == Datatype.SHORT_INT ? 4 : Double.doubleToLongBits(4),
            type == Datatype.SHORT_INT ? into.getShort(extent) : into.getLong(extent));
    }

    private static void put(
        final Datatype type, final UnsafeBuffer buffer, final int element, final int value, final int index)
    {
        final int offset = element * type.getExtent();
        if (type == Datatype.SHORT_INT)
        {
            buffer.putShort(offset, (short)value);
        }
        else if (type == Datatype.LONG_INT)
        {
            buffer.putLong(offset, value);
        }
        else
        {
            buffer.putDouble(offset, value);
        }
        buffer.putInt(offset + type.getExtent() / 2, index);
    }

    @Test
    void shouldAddAndMultiplyComplexNumbers()
    {
        final double[] product = {1, 2, 3, 4};
        combine(Op.PROD, Datatype.DOUBLE_COMPLEX, product, new double[] {5, 6, 0, 1}, 2);
        assertArrayEquals(new double[] {-7, 16, -4, 3}, product);

        final float[] sum = {1, 2, 3, 4};
        combine(Op.SUM, Datatype.FLOAT_COMPLEX, sum, new float[] {5, 6, 0, 1}, 2);
        assertArrayEquals(new float[] {6, 8, 3, 5}, sum);
        assertThrows(MPIException.class, () -> Op.MAX.reduction(Datatype.FLOAT_COMPLEX));
    }

    @Test
    void shouldGiveTheLowerRanksToUsersFunctionsAsFirstSide()
    {
        final Op minus = new Op(new User_function()
        {
            @Override
            public void Call(final Object invec, final int inoffset, final Object inoutvec, final int inoutoffset,
                final int count, final Datatype datatype)
            {
                for (int i = 0; i < count * datatype.Extent(); i++)
                {
                    ((int[])inoutvec)[inoutoffset + i] =
                        ((int[])invec)[inoffset + i] - ((int[])inoutvec)[inoutoffset + i];
                }
            }
        }, false);
        final int[] one = {10, 0, 20, 30, 0, 40};

        combine(minus, Datatype.Vector(2, 1, 2, Datatype.INT), one, new int[] {1, 9, 2, 3, 9, 4}, 2);

        assertArrayEquals(new int[] {9, 0, 18, 27, 0, 36}, one);
        assertFalse(minus.isCommutative());
        assertFalse(minus.reduction(Datatype.INT).isCommutative());
        minus.free();
        assertTrue(minus.isNull());
        assertThrows(MPIException.class, () -> minus.reduction(Datatype.INT));
        assertThrows(MPIException.class, Op.SUM::free);
    }

    @Test
    void shouldCallUserFunctionsOnArraysOrBuffers()
    {
        final Op ofArrays = new Op(new UserFunction()
        {
            @Override
            public void call(final Object in, final Object inOut, final int count, final Datatype datatype)
            {
                for (int i = 0; i < count; i++)
                {
                    ((double[])inOut)[i] = ((double[])in)[i] / ((double[])inOut)[i];
                }
            }
        }, false);
        final Op ofBuffers = new Op(new UserFunction()
        {
            @Override
            public void call(final ByteBuffer in, final ByteBuffer inOut, final int count, final Datatype datatype)
            {
                for (int i = 0; i < count; i++)
                {
                    inOut.putDouble(8 * i, in.getDouble(8 * i) / inOut.getDouble(8 * i));
                }
            }
        }, true);
        final double[] one = {8, 9};

        combine(ofArrays, Datatype.DOUBLE, one, new double[] {2, 3}, 2);
        assertArrayEquals(new double[] {4, 3}, one);
        combine(ofBuffers, Datatype.DOUBLE, one, new double[] {2, 6}, 2);
        assertArrayEquals(new double[] {2, 0.5}, one);
        assertTrue(ofBuffers.reduction(Datatype.DOUBLE).isCommutative());
    }

    @Test
    void shouldCombineObjects()
    {
        final Op concatenate = new Op(new User_function()
        {
            @Override
            public void Call(final Object invec, final int inoffset, final Object inoutvec, final int inoutoffset,
                final int count, final Datatype datatype)
            {
                for (int i = 0; i < count; i++)
                {
                    ((Object[])inoutvec)[inoutoffset + i] =
                        "" + ((Object[])invec)[inoffset + i] + ((Object[])inoutvec)[inoutoffset + i];
                }
            }
        }, false);

        assertArrayEquals(new Object[] {"ac", "bd"},
            concatenate.combine(new Object[] {"a", "b"}, new Object[] {"c", "d"}, 2));
        assertThrows(MPIException.class, () -> Op.SUM.combine(new Object[1], new Object[1], 1));
    }

    @Test
    void shouldReplaceOrKeepForWindows()
    {
        assertArrayEquals(new int[] {5, 6}, combined(Op.REPLACE, new int[] {1, 2}, 5, 6));
        assertArrayEquals(new int[] {1, 2}, combined(Op.NO_OP, new int[] {1, 2}, 5, 6));
    }
}
