// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Combines elements of two members into one; has to be associative and commutative: the order is the algorithm's, and
 * sums of float and double may differ in their last bits between sizes of groups.
 * <p>Thread: any.
 */
public interface Reduction
{
    /** Longest element, in bytes. */
    int ELEMENT_LENGTH_MAX = 4096;

    /** {@return bytes of an element: 1 to {@value #ELEMENT_LENGTH_MAX}} */
    int elementLength();

    /**
     * Combines elements: each of the target becomes it and that of the source.
     *
     * @param target       holding one side, and then the result.
     * @param targetOffset first byte.
     * @param source       holding the other side.
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
     * @param one          holding one side.
     * @param oneOffset    first byte.
     * @param other        holding the other side; does not overlap the target.
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
     * @throws IllegalArgumentException if the operation is bitwise and the type is none of whole numbers.
     */
    static Reduction of(final Type type, final Operation operation)
    {
        return NumberReduction.of(type, operation);
    }

    /** Types of elements; little endian. */
    enum Type
    {
        /** Four bytes. */
        INT(Integer.BYTES),
        /** Eight bytes. */
        LONG(Long.BYTES),
        /** Four bytes, IEEE 754. */
        FLOAT(Float.BYTES),
        /** Eight bytes, IEEE 754. */
        DOUBLE(Double.BYTES);

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
            return this == INT || this == LONG;
        }
    }

    /** The operation on two elements. */
    enum Operation
    {
        /** Their sum. */
        SUM,
        /** The smaller one. */
        MIN,
        /** The larger one. */
        MAX,
        /** Bits that both have; of whole numbers. */
        AND,
        /** Bits that one or both have; of whole numbers. */
        OR,
        /** Bits that one has and the other has not; of whole numbers. */
        XOR
    }
}
