// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;

/**
 * An arena as this process has it in its memory.
 *
 * @param buffer all of it.
 * @param start  where in its node's memory it begins.
 * @param length bytes of it.
 */
record ArenaView(AtomicBuffer buffer, long start, int length)
{
    /** Tells whether bytes lie in it, wholly. The offset may be any number. */
    boolean has(final long spaceOffset, final long byteCount)
    {
        final long index = spaceOffset - start;
        return index >= 0 && index <= length - byteCount;
    }
}
