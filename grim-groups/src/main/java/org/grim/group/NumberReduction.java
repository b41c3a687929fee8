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
 * checked once, also where Agrona's bounds checks are off.
 * <p>Thread: any; immutable.
 *
 * @param type      of the numbers.
 * @param operation on them.
 */
record NumberReduction(Reduction.Type type, Reduction.Operation operation) implements Reduction
{
    private static final int FEW_COUNT_MAX = 32;
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
        if (!operation.isFor(type))
        {
            throw new IllegalArgumentException("operation=" + operation + " is not for type=" + type);
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
        final byte[] targetArray = target.byteArray();
        final byte[] oneArray = one.byteArray();
        final byte[] otherArray = other.byteArray();
        if (count <= FEW_COUNT_MAX)
        {
            few(targetArray, to, oneArray, from, otherArray, with, length);
            return;
        }
        switch (type)
        {
            case BYTE, BOOLEAN -> bytes(targetArray, to, oneArray, from, otherArray, with, length);
            case SHORT -> shorts(targetArray, to, oneArray, from, otherArray, with, length);
            case CHAR -> chars(targetArray, to, oneArray, from, otherArray, with, length);
            case INT -> ints(targetArray, to, oneArray, from, otherArray, with, length);
            case LONG -> longs(targetArray, to, oneArray, from, otherArray, with, length);
            case FLOAT -> floats(targetArray, to, oneArray, from, otherArray, with, length);
            case DOUBLE -> doubles(targetArray, to, oneArray, from, otherArray, with, length);
        }
    }

    /** Apart from the loops below: those would be compiled for few elements, and not by vectors, if most had few. */
    private void few(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += type.length())
        {
            switch (type)
            {
                case BYTE, BOOLEAN -> combineBytes(target, to + i, one, from + i, other, with + i);
                case SHORT -> combineShorts(target, to + i, one, from + i, other, with + i);
                case CHAR -> combineChars(target, to + i, one, from + i, other, with + i);
                case INT -> combineInts(target, to + i, one, from + i, other, with + i);
                case LONG -> combineLongs(target, to + i, one, from + i, other, with + i);
                case FLOAT -> combineFloats(target, to + i, one, from + i, other, with + i);
                case DOUBLE -> combineDoubles(target, to + i, one, from + i, other, with + i);
            }
        }
    }

    private void bytes(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i++)
        {
            combineBytes(target, to + i, one, from + i, other, with + i);
        }
    }

    private void shorts(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Short.BYTES)
        {
            combineShorts(target, to + i, one, from + i, other, with + i);
        }
    }

    private void chars(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Character.BYTES)
        {
            combineChars(target, to + i, one, from + i, other, with + i);
        }
    }

    private void ints(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Integer.BYTES)
        {
            combineInts(target, to + i, one, from + i, other, with + i);
        }
    }

    private void longs(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            combineLongs(target, to + i, one, from + i, other, with + i);
        }
    }

    private void floats(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Float.BYTES)
        {
            combineFloats(target, to + i, one, from + i, other, with + i);
        }
    }

    private void doubles(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with,
        final int length)
    {
        for (int i = 0; i < length; i += Double.BYTES)
        {
            combineDoubles(target, to + i, one, from + i, other, with + i);
        }
    }

    private void combineBytes(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with)
    {
        Elements.putByte(target, to, (byte)combine((long)Elements.byteAt(one, from), Elements.byteAt(other, with)));
    }

    private void combineShorts(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with)
    {
        Elements.putShort(target, to, (short)combine((long)Elements.shortAt(one, from), Elements.shortAt(other, with)));
    }

    private void combineChars(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with)
    {
        Elements.putShort(target, to, (short)combine(
            (long)(char)Elements.shortAt(one, from), (char)Elements.shortAt(other, with)));
    }

    private void combineInts(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with)
    {
        Elements.putInt(target, to, (int)combine((long)Elements.intAt(one, from), Elements.intAt(other, with)));
    }

    private void combineLongs(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with)
    {
        Elements.putLong(target, to, combine(Elements.longAt(one, from), Elements.longAt(other, with)));
    }

    private void combineFloats(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with)
    {
        final double first = Float.intBitsToFloat(Elements.intAt(one, from));
        final double second = Float.intBitsToFloat(Elements.intAt(other, with));
        Elements.putInt(target, to, Float.floatToRawIntBits((float)combine(first, second)));
    }

    private void combineDoubles(
        final byte[] target, final long to, final byte[] one, final long from, final byte[] other, final long with)
    {
        final double first = Double.longBitsToDouble(Elements.longAt(one, from));
        final double second = Double.longBitsToDouble(Elements.longAt(other, with));
        Elements.putLong(target, to, Double.doubleToRawLongBits(combine(first, second)));
    }

    private long combine(final long one, final long other)
    {
        return switch (operation)
        {
            case SUM -> one + other;
            case PRODUCT -> one * other;
            case MIN -> Math.min(one, other);
            case MAX -> Math.max(one, other);
            case AND -> one & other;
            case OR -> one | other;
            case XOR -> one ^ other;
            case LOGICAL_AND -> one != 0 && other != 0 ? 1 : 0;
            case LOGICAL_OR -> (one | other) != 0 ? 1 : 0;
            case LOGICAL_XOR -> one == 0 ^ other == 0 ? 1 : 0;
        };
    }

    private double combine(final double one, final double other)
    {
        return switch (operation)
        {
            case SUM -> one + other;
            case PRODUCT -> one * other;
            case MIN -> Math.min(one, other);
            default -> Math.max(one, other);
        };
    }
}
