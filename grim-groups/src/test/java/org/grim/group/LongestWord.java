// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Elements whose length is no power of two; the first byte says which is the larger one. */
final class LongestWord implements Reduction
{
    @Override
    public int elementLength()
    {
        return 11;
    }

    @Override
    public void reduce(
        final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
        final int sourceOffset, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final int at = i * elementLength();
            if (source.getByte(sourceOffset + at) > target.getByte(targetOffset + at))
            {
                target.putBytes(targetOffset + at, source, sourceOffset + at, elementLength());
            }
        }
    }
}
