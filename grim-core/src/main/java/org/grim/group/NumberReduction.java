// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A reduction of numbers. The choice of the operation does not change in a loop: the compiler takes it out.
 * <p>Thread: any; immutable.
 *
 * @param type      of the numbers.
 * @param operation on them.
 */
record NumberReduction(Reduction.Type type, Reduction.Operation operation) implements Reduction
{
    private static final Map<Type, Map<Operation, NumberReduction>> ALL = new EnumMap<>(Type.class);

    static
    {
        for (final Type each : Type.values())
        {
            final Map<Operation, NumberReduction> ofType = new EnumMap<>(Operation.class);
            Stream.of(Operation.values()).forEach(one -> ofType.put(one, new NumberReduction(each, one)));
            ALL.put(each, ofType);
        }
    }

    static Reduction of(final Type type, final Operation operation)
    {
        if (operation.compareTo(Operation.AND) >= 0 && !type.isWhole())
        {
            throw new IllegalArgumentException("operation=" + operation + " is bitwise, and type=" + type +
                " is none of whole numbers");
        }
        return ALL.get(type).get(operation);
    }

    @Override
    public int elementLength()
    {
        return type.length();
    }

    @Override
    public void reduce(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int count)
    {
        final int length = count * type.length();
        target.boundsCheck(targetOffset, length);
        source.boundsCheck(sourceOffset, length);
        switch (type)
        {
            case INT -> ints(target, targetOffset, source, sourceOffset, length);
            case LONG -> longs(target, targetOffset, source, sourceOffset, length);
            case FLOAT -> floats(target, targetOffset, source, sourceOffset, length);
            default -> doubles(target, targetOffset, source, sourceOffset, length);
        }
    }

    private void ints(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int length)
    {
        for (int i = 0; i < length; i += Integer.BYTES)
        {
            target.putInt(targetOffset + i, (int)combine((long)target.getInt(targetOffset + i, LITTLE_ENDIAN),
                source.getInt(sourceOffset + i, LITTLE_ENDIAN)), LITTLE_ENDIAN);
        }
    }

    private void longs(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int length)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            target.putLong(targetOffset + i, combine(target.getLong(targetOffset + i, LITTLE_ENDIAN),
                source.getLong(sourceOffset + i, LITTLE_ENDIAN)), LITTLE_ENDIAN);
        }
    }

    private void floats(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int length)
    {
        for (int i = 0; i < length; i += Float.BYTES)
        {
            target.putFloat(targetOffset + i, (float)combine((double)target.getFloat(targetOffset + i, LITTLE_ENDIAN),
                source.getFloat(sourceOffset + i, LITTLE_ENDIAN)), LITTLE_ENDIAN);
        }
    }

    private void doubles(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int length)
    {
        for (int i = 0; i < length; i += Double.BYTES)
        {
            target.putDouble(targetOffset + i, combine(target.getDouble(targetOffset + i, LITTLE_ENDIAN),
                source.getDouble(sourceOffset + i, LITTLE_ENDIAN)), LITTLE_ENDIAN);
        }
    }

    private long combine(final long one, final long other)
    {
        return switch (operation)
        {
            case SUM -> one + other;
            case MIN -> Math.min(one, other);
            case MAX -> Math.max(one, other);
            case AND -> one & other;
            case OR -> one | other;
            case XOR -> one ^ other;
        };
    }

    private double combine(final double one, final double other)
    {
        return switch (operation)
        {
            case SUM -> one + other;
            case MIN -> Math.min(one, other);
            default -> Math.max(one, other);
        };
    }
}
