// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Elements;

/**
 * A reduction of numbers. The choice of the operation does not change in a loop: the compiler takes it out. Ranges are
 * checked once, whatever Agrona was told about bounds.
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
        reduce(target, targetOffset, target, targetOffset, source, sourceOffset, count);
    }

    @Override
    public void reduce(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer one, final int oneOffset,
        final DirectBuffer other, final int otherOffset, final int count)
    {
        final int length = Math.multiplyExact(count, type.length());
        target.boundsCheck(targetOffset, length);
        one.boundsCheck(oneOffset, length);
        other.boundsCheck(otherOffset, length);
        final long to = target.addressOffset() + targetOffset;
        final long from = one.addressOffset() + oneOffset;
        final long with = other.addressOffset() + otherOffset;
        switch (type)
        {
            case INT -> ints(target.byteArray(), to, one.byteArray(), from, other.byteArray(), with, length);
            case LONG -> longs(target.byteArray(), to, one.byteArray(), from, other.byteArray(), with, length);
            case FLOAT -> floats(target.byteArray(), to, one.byteArray(), from, other.byteArray(), with, length);
            default -> doubles(target.byteArray(), to, one.byteArray(), from, other.byteArray(), with, length);
        }
    }

    private void ints(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Integer.BYTES)
        {
            Elements.putInt(target, to + i,
                (int)combine((long)Elements.intAt(one, from + i), Elements.intAt(other, with + i)));
        }
    }

    private void longs(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            Elements.putLong(target, to + i,
                combine(Elements.longAt(one, from + i), Elements.longAt(other, with + i)));
        }
    }

    private void floats(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Float.BYTES)
        {
            final double first = Float.intBitsToFloat(Elements.intAt(one, from + i));
            final double second = Float.intBitsToFloat(Elements.intAt(other, with + i));
            Elements.putInt(target, to + i, Float.floatToRawIntBits((float)combine(first, second)));
        }
    }

    private void doubles(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Double.BYTES)
        {
            final double first = Double.longBitsToDouble(Elements.longAt(one, from + i));
            final double second = Double.longBitsToDouble(Elements.longAt(other, with + i));
            Elements.putLong(target, to + i, Double.doubleToRawLongBits(combine(first, second)));
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
