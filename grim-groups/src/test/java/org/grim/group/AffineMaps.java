// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.Random;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Maps of x to ax + b of ints, as many in an element as one likes; a map after another one is their composition.
 * Associative and exact, but not commutative.
 */
final class AffineMaps implements Reduction
{
    /** Bytes of a map. */
    static final int LENGTH = Integer.BYTES * 2;

    private final int elementLength;

    AffineMaps(final int elementLength)
    {
        this.elementLength = elementLength;
    }

    @Override
    public int elementLength()
    {
        return elementLength;
    }

    @Override
    public boolean isCommutative()
    {
        return false;
    }

    @Override
    public void reduce(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int count)
    {
        for (int i = 0; i < count * elementLength; i += LENGTH)
        {
            final int factor = target.getInt(targetOffset + i);
            target.putInt(targetOffset + i, factor * source.getInt(sourceOffset + i));
            target.putInt(targetOffset + i + Integer.BYTES, target.getInt(targetOffset + i + Integer.BYTES) +
                factor * source.getInt(sourceOffset + i + Integer.BYTES));
        }
    }

    /** Elements of a member. */
    MutableDirectBuffer elements(final int rank, final int count)
    {
        final MutableDirectBuffer buffer = new UnsafeBuffer(new byte[count * elementLength]);
        final Random random = new Random(rank);
        for (int i = 0; i < buffer.capacity(); i += Integer.BYTES)
        {
            buffer.putInt(i, random.nextInt() | 1);
        }
        return buffer;
    }

    /** Elements of some members, combined in the order of ranks. */
    MutableDirectBuffer combined(final int firstRank, final int endRank, final int count)
    {
        final MutableDirectBuffer all = elements(firstRank, count);
        for (int rank = firstRank + 1; rank < endRank; rank++)
        {
            reduce(all, 0, elements(rank, count), 0, count);
        }
        return all;
    }
}
