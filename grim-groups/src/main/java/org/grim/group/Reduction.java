// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Combines elements of two members into one; has to be associative. If it is {@linkplain #isCommutative() commutative},
 * the order is the algorithm's, and sums of float and double may differ in their last bits between sizes of groups.
 * <p>Thread: any.
 */
public interface Reduction
{
    /** Longest element, in bytes. */
    int ELEMENT_LENGTH_MAX = 4096;

    /** {@return bytes of an element: 1 to {@value #ELEMENT_LENGTH_MAX}} */
    int elementLength();

    /**
     * Returns whether the sides may be exchanged. If not, elements are combined in the order of ranks: the first side
     * is of lower ranks. Long operations then take longer. Must be the same at all members.
     *
     * @return true, unless this is overridden.
     */
    default boolean isCommutative()
    {
        return true;
    }

    /**
     * Combines elements: each of the target becomes it and that of the source.
     *
     * @param target       holding the first side, and then the result.
     * @param targetOffset first byte.
     * @param source       holding the second side.
     * @param sourceOffset first byte.
     * @param count        elements.
     */
    void reduce(MutableDirectBuffer target, int targetOffset, DirectBuffer source, int sourceOffset, int count);

    /**
     * Combines elements of two sources. A reduction of one's own may do so in one pass; without it, one source is
     * copied and the other one {@linkplain #reduce(MutableDirectBuffer, int, DirectBuffer, int, int) combined} with it.
     *
     * @param target       gets the result; may be the first source.
     * @param targetOffset first byte.
     * @param one          holding the first side.
     * @param oneOffset    first byte.
     * @param other        holding the second side; does not overlap the target.
     * @param otherOffset  first byte.
     * @param count        elements.
     */
    default void reduce(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer one, final int oneOffset,
        final DirectBuffer other, final int otherOffset, final int count)
    {
        target.putBytes(targetOffset, one, oneOffset, count * elementLength());
        reduce(target, targetOffset, other, otherOffset, count);
    }

    /**
     * A reduction of numbers.
     *
     * @param type      of the numbers.
     * @param operation on them.
     * @return the reduction: the same object each time.
     * @throws IllegalArgumentException if the operation is not {@linkplain Operation#isFor for} the type.
     */
    static Reduction of(final Type type, final Operation operation)
    {
        return NumberReduction.of(type, operation);
    }

    /**
     * A reduction of pairs to that with the smallest value; of equal values that with the smallest index. In an element
     * the value is first; the index follows at the next multiple of its length; the element ends at a multiple of the
     * longer one of both.
     *
     * @param value type of the values; not {@link Type#BOOLEAN}.
     * @param index type of the indices: {@link Type#INT}, or that of the values.
     * @return the reduction: the same object each time.
     * @throws IllegalArgumentException for other types.
     */
    static Reduction minimumLocation(final Type value, final Type index)
    {
        return PairReduction.of(value, index, false);
    }

    /**
     * As {@link #minimumLocation}, with the largest value, and of equal values with the smallest index.
     *
     * @param value type of the values; not {@link Type#BOOLEAN}.
     * @param index type of the indices: {@link Type#INT}, or that of the values.
     * @return the reduction: the same object each time.
     * @throws IllegalArgumentException for other types.
     */
    static Reduction maximumLocation(final Type value, final Type index)
    {
        return PairReduction.of(value, index, true);
    }

    /** Types of elements; little endian. */
    enum Type
    {
        /** One byte. */
        BYTE(Byte.BYTES),
        /** Two bytes. */
        SHORT(Short.BYTES),
        /** Two bytes, without sign. */
        CHAR(Character.BYTES),
        /** Four bytes. */
        INT(Integer.BYTES),
        /** Eight bytes. */
        LONG(Long.BYTES),
        /** Four bytes, IEEE 754. */
        FLOAT(Float.BYTES),
        /** Eight bytes, IEEE 754. */
        DOUBLE(Double.BYTES),
        /** One byte: 0 is false, others are true; results are 0 or 1. */
        BOOLEAN(Byte.BYTES);

        private final int length;

        Type(final int length)
        {
            this.length = length;
        }

        /** {@return bytes of an element} */
        public int length()
        {
            return length;
        }

        /** {@return whether it is one of whole numbers} */
        public boolean isWhole()
        {
            return compareTo(LONG) <= 0;
        }
    }

    /** The operation on two elements. */
    enum Operation
    {
        /** Their sum. */
        SUM,
        /** Their product. */
        PRODUCT,
        /** The smaller one. */
        MIN,
        /** The larger one. */
        MAX,
        /** Bits that both have. */
        AND,
        /** Bits that one or both have. */
        OR,
        /** Bits that one has and the other has not. */
        XOR,
        /** 1 if none of both is 0, otherwise 0. */
        LOGICAL_AND,
        /** 0 if both are 0, otherwise 1. */
        LOGICAL_OR,
        /** 1 if one of both is 0 and the other is not, otherwise 0. */
        LOGICAL_XOR;

        /**
         * Returns whether there is a reduction of a type by this.
         *
         * @param type of elements.
         * @return true for sums to maxima of numbers, bitwise operations on whole numbers, logical ones on whole
         *     numbers and booleans.
         */
        public boolean isFor(final Type type)
        {
            return compareTo(AND) < 0 ? type != Type.BOOLEAN :
                type.isWhole() || (type == Type.BOOLEAN && compareTo(LOGICAL_AND) >= 0);
        }
    }
}
