// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.Arrays;
import java.util.Random;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.group.Reduction.Operation;
import org.junit.jupiter.api.Test;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Every type and operation, as Java does it. */
final class NumberReductionTest
{
    private static final int[] COUNTS = {0, 1, 32, 33, 100};

    private final Random random = new Random(1);

    @Test
    void shouldCombineWholeNumbersAsJavaDoes()
    {
        for (final Reduction.Type type : Reduction.Type.values())
        {
            for (final Operation operation : Operation.values())
            {
                if (operation.isFor(type) && (type.isWhole() || type == Reduction.Type.BOOLEAN))
                {
                    for (final int count : COUNTS)
                    {
                        checkWhole(type, operation, count);
                    }
                }
            }
        }
    }

    @Test
    void shouldCombineFloatingNumbersAsJavaDoes()
    {
        for (final Operation operation : new Operation[] {Operation.SUM, Operation.PRODUCT, Operation.MIN,
            Operation.MAX})
        {
            for (final int count : COUNTS)
            {
                checkFloats(operation, count);
                checkDoubles(operation, count);
            }
        }
    }

    @Test
    void shouldRefuseOperationsThatATypeLacks()
    {
        assertThrows(IllegalArgumentException.class, () -> Reduction.of(Reduction.Type.DOUBLE, Operation.AND));
        assertThrows(IllegalArgumentException.class, () -> Reduction.of(Reduction.Type.FLOAT, Operation.LOGICAL_OR));
        assertThrows(IllegalArgumentException.class, () -> Reduction.of(Reduction.Type.BOOLEAN, Operation.SUM));
        assertThrows(IllegalArgumentException.class, () -> Reduction.of(Reduction.Type.BOOLEAN, Operation.XOR));
        assertThrows(IllegalArgumentException.class, () ->
            Reduction.minimumLocation(Reduction.Type.LONG, Reduction.Type.SHORT));
        assertSame(Reduction.of(Reduction.Type.BYTE, Operation.SUM), Reduction.of(Reduction.Type.BYTE, Operation.SUM));
        assertSame(Reduction.maximumLocation(Reduction.Type.LONG, Reduction.Type.INT),
            Reduction.maximumLocation(Reduction.Type.LONG, Reduction.Type.INT));
    }

    @Test
    void shouldLayOutPairsAsCDoes()
    {
        assertEquals(4, Reduction.minimumLocation(Reduction.Type.SHORT, Reduction.Type.SHORT).elementLength());
        assertEquals(8, Reduction.minimumLocation(Reduction.Type.SHORT, Reduction.Type.INT).elementLength());
        assertEquals(8, Reduction.minimumLocation(Reduction.Type.INT, Reduction.Type.INT).elementLength());
        assertEquals(8, Reduction.minimumLocation(Reduction.Type.FLOAT, Reduction.Type.INT).elementLength());
        assertEquals(16, Reduction.minimumLocation(Reduction.Type.DOUBLE, Reduction.Type.INT).elementLength());
        assertEquals(16, Reduction.minimumLocation(Reduction.Type.LONG, Reduction.Type.LONG).elementLength());
    }

    private void checkWhole(final Reduction.Type type, final Operation operation, final int count)
    {
        final MutableDirectBuffer one = buffer(count * type.length());
        final MutableDirectBuffer other = buffer(count * type.length());
        final MutableDirectBuffer expected = new UnsafeBuffer(new byte[count * type.length()]);
        for (int i = 0; i < count * type.length(); i += type.length())
        {
            put(expected, i, type, combine(operation, get(one, i, type), get(other, i, type)));
        }
        Reduction.of(type, operation).reduce(one, 0, other, 0, count);
        assertEquals(expected, one, () -> type + " " + operation);
    }

    private void checkFloats(final Operation operation, final int count)
    {
        final MutableDirectBuffer one = new UnsafeBuffer(new byte[count * Float.BYTES]);
        final MutableDirectBuffer other = new UnsafeBuffer(new byte[count * Float.BYTES]);
        final MutableDirectBuffer result = new UnsafeBuffer(new byte[count * Float.BYTES]);
        for (int i = 0; i < count * Float.BYTES; i += Float.BYTES)
        {
            one.putFloat(i, random.nextFloat() - 0.5f, LITTLE_ENDIAN);
            other.putFloat(i, random.nextFloat() - 0.5f, LITTLE_ENDIAN);
        }
        Reduction.of(Reduction.Type.FLOAT, operation).reduce(result, 0, one, 0, other, 0, count);
        for (int i = 0; i < count * Float.BYTES; i += Float.BYTES)
        {
            final float left = one.getFloat(i, LITTLE_ENDIAN);
            final float right = other.getFloat(i, LITTLE_ENDIAN);
            assertEquals(operation == Operation.SUM ? left + right : operation == Operation.PRODUCT ? left * right :
                operation == Operation.MIN ? Math.min(left, right) : Math.max(left, right),
                result.getFloat(i, LITTLE_ENDIAN));
        }
    }

    private void checkDoubles(final Operation operation, final int count)
    {
        final MutableDirectBuffer one = new UnsafeBuffer(new byte[count * Double.BYTES]);
        final MutableDirectBuffer other = new UnsafeBuffer(new byte[count * Double.BYTES]);
        final MutableDirectBuffer result = new UnsafeBuffer(new byte[count * Double.BYTES]);
        for (int i = 0; i < count * Double.BYTES; i += Double.BYTES)
        {
            one.putDouble(i, random.nextDouble() - 0.5, LITTLE_ENDIAN);
            other.putDouble(i, random.nextDouble() - 0.5, LITTLE_ENDIAN);
        }
        Reduction.of(Reduction.Type.DOUBLE, operation).reduce(result, 0, one, 0, other, 0, count);
        for (int i = 0; i < count * Double.BYTES; i += Double.BYTES)
        {
            final double left = one.getDouble(i, LITTLE_ENDIAN);
            final double right = other.getDouble(i, LITTLE_ENDIAN);
            assertEquals(operation == Operation.SUM ? left + right : operation == Operation.PRODUCT ? left * right :
                operation == Operation.MIN ? Math.min(left, right) : Math.max(left, right),
                result.getDouble(i, LITTLE_ENDIAN));
        }
    }

    private static long combine(final Operation operation, final long one, final long other)
    {
        return switch (operation)
        {
            case SUM -> one + other;
            case PRODUCT -> one * other;
            case MIN -> one < other ? one : other;
            case MAX -> one > other ? one : other;
            case AND -> one & other;
            case OR -> one | other;
            case XOR -> one ^ other;
            case LOGICAL_AND -> one == 0 || other == 0 ? 0 : 1;
            case LOGICAL_OR -> one == 0 && other == 0 ? 0 : 1;
            case LOGICAL_XOR -> (one == 0) == (other == 0) ? 0 : 1;
        };
    }

    private static long get(final MutableDirectBuffer buffer, final int offset, final Reduction.Type type)
    {
        return switch (type)
        {
            case BYTE, BOOLEAN -> buffer.getByte(offset);
            case SHORT -> buffer.getShort(offset, LITTLE_ENDIAN);
            case CHAR -> buffer.getChar(offset, LITTLE_ENDIAN);
            case INT -> buffer.getInt(offset, LITTLE_ENDIAN);
            default -> buffer.getLong(offset, LITTLE_ENDIAN);
        };
    }

    private static void put(
        final MutableDirectBuffer buffer, final int offset, final Reduction.Type type, final long number)
    {
        switch (type)
        {
            case BYTE, BOOLEAN -> buffer.putByte(offset, (byte)number);
            case SHORT, CHAR -> buffer.putShort(offset, (short)number, LITTLE_ENDIAN);
            case INT -> buffer.putInt(offset, (int)number, LITTLE_ENDIAN);
            default -> buffer.putLong(offset, number, LITTLE_ENDIAN);
        }
    }

    /** Many zeros, which count in logical operations. */
    private MutableDirectBuffer buffer(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        for (int i = 0; i < length; i += 8)
        {
            if (random.nextBoolean())
            {
                Arrays.fill(bytes, i, Math.min(i + 8, length), (byte)0);
            }
        }
        return new UnsafeBuffer(bytes);
    }
}
