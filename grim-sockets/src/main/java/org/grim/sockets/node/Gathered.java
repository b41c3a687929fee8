// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.nio.ByteBuffer;

import org.agrona.MutableDirectBuffer;

/**
 * Buffers that are written one behind the other, as if they were one.
 * <p>Thread: under the node's lock.
 */
final class Gathered
{
    private ByteBuffer[] sources;
    private int index;
    private int limit;
    private long remaining;

    /** Goes on with other buffers. */
    void wrap(final ByteBuffer[] newSources, final int first, final int count)
    {
        sources = newSources;
        index = first;
        limit = first + count;
        remaining = 0;
        for (int i = index; i < limit; i++)
        {
            remaining += sources[i].remaining();
        }
    }

    /** {@return bytes that are left} */
    long remaining()
    {
        return remaining;
    }

    /** Moves bytes, of which there are so many. */
    void take(final MutableDirectBuffer target, final int offset, final int length)
    {
        int taken = 0;
        while (taken < length)
        {
            final ByteBuffer source = sources[index];
            final int part = Math.min(source.remaining(), length - taken);
            target.putBytes(offset + taken, source, source.position(), part);
            source.position(source.position() + part);
            taken += part;
            if (taken < length)
            {
                index++;
            }
        }
        remaining -= length;
    }
}
