// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Sums of ints, as many in an element as one likes; throws if it is told to. */
public final class OwnSum implements Reduction
{
    private final int elementLength;
    private final RuntimeException thrown;

    public OwnSum(final int elementLength)
    {
        this(elementLength, null);
    }

    public OwnSum(final int elementLength, final RuntimeException thrown)
    {
        this.elementLength = elementLength;
        this.thrown = thrown;
    }

    @Override
    public int elementLength()
    {
        return elementLength;
    }

    @Override
    public void reduce(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source, final int sourceOffset,
        final int count)
    {
        if (thrown != null)
        {
            throw thrown;
        }
        for (int i = 0; i < count * elementLength; i += Integer.BYTES)
        {
            target.putInt(targetOffset + i, target.getInt(targetOffset + i) + source.getInt(sourceOffset + i));
        }
    }
}
