// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Elements;

/**
 * A reduction of values with an index each: the smallest or largest value, of equal ones that with the smallest index.
 * <p>Thread: any; immutable.
 *
 * @param value     type of the values.
 * @param index     type of the indices.
 * @param isMaximum whether the largest one is wanted.
 */
record PairReduction(Reduction.Type value, Reduction.Type index, boolean isMaximum) implements Reduction
{
    private static final List<Reduction> ALL = Arrays.stream(Type.values()).filter(type -> type != Type.BOOLEAN)
        .flatMap(type -> Stream.of(type, Type.INT).distinct()
        .flatMap(ofIndex -> Stream.of(false, true)
        .map(isMaximum -> (Reduction)new PairReduction(type, ofIndex, isMaximum)))).toList();

    static Reduction of(final Type value, final Type index, final boolean isMaximum)
    {
        final int place = ALL.indexOf(new PairReduction(value, index, isMaximum));
        if (place < 0)
        {
            throw new IllegalArgumentException("there are no pairs of values of type=" + value +
                " with indices of type=" + index);
        }
        return ALL.get(place);
    }

    @Override
    public int elementLength()
    {
        final int longest = Math.max(value.length(), index.length());
        return (indexOffset() + index.length() + longest - 1) / longest * longest;
    }

    @Override
    public void reduce(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int count)
    {
        final int length = elementLength();
        final int all = Math.multiplyExact(count, length);
        target.boundsCheck(targetOffset, all);
        source.boundsCheck(sourceOffset, all);
        final long to = target.addressOffset() + targetOffset;
        final long from = source.addressOffset() + sourceOffset;
        for (int i = 0; i < all; i += length)
        {
            if (isBetter(source.byteArray(), from + i, target.byteArray(), to + i))
            {
                target.putBytes(targetOffset + i, source, sourceOffset + i, length);
            }
        }
    }

    private boolean isBetter(final byte[] one, final long from, final byte[] other, final long with)
    {
        final int order = compare(value, one, from, other, with);
        return order == 0 ? compare(index, one, from + indexOffset(), other, with + indexOffset()) < 0 :
            order > 0 == isMaximum;
    }

    private int indexOffset()
    {
        return Math.max(value.length(), index.length());
    }

    private static int compare(
        final Type type, final byte[] one, final long from, final byte[] other, final long with)
    {
        return switch (type)
        {
            case BYTE, BOOLEAN -> Byte.compare(Elements.byteAt(one, from), Elements.byteAt(other, with));
            case SHORT -> Short.compare(Elements.shortAt(one, from), Elements.shortAt(other, with));
            case CHAR -> Character.compare((char)Elements.shortAt(one, from), (char)Elements.shortAt(other, with));
            case INT -> Integer.compare(Elements.intAt(one, from), Elements.intAt(other, with));
            case LONG -> Long.compare(Elements.longAt(one, from), Elements.longAt(other, with));
            case FLOAT -> compare(Float.intBitsToFloat(Elements.intAt(one, from)),
                Float.intBitsToFloat(Elements.intAt(other, with)));
            case DOUBLE -> compare(Double.longBitsToDouble(Elements.longAt(one, from)),
                Double.longBitsToDouble(Elements.longAt(other, with)));
        };
    }

    /** Zeros are equal, also with different signs; what is no number is above all. */
    private static int compare(final double one, final double other)
    {
        return one == other ? 0 : Double.compare(one, other);
    }
}
