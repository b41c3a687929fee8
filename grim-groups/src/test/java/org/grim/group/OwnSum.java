// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Sums of ints, as many in an element as one likes; throws on request. */
public final class OwnSum implements Reduction
{
    private final int elementLength;
    private final Runnable before;

    public OwnSum(final int elementLength)
    {
        this(elementLength, () ->
        {
        });
    }

    /** One that does something first, which may throw. */
    OwnSum(final int elementLength, final Runnable before)
    {
        this.elementLength = elementLength;
        this.before = before;
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
        before.run();
        for (int i = 0; i < count * elementLength; i += Integer.BYTES)
        {
            target.putInt(targetOffset + i, target.getInt(targetOffset + i) + source.getInt(sourceOffset + i));
        }
    }
}
