// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;

/** Finds arenas of one node. Any thread. */
interface ArenaSource
{
    /** The arena that a byte of the node's memory lies in; null if there is none that this process can reach. */
    Arena find(long spaceOffset);

    /**
     * An arena as this process has it in its memory.
     *
     * @param buffer all of it.
     * @param start  where in its node's memory it begins.
     * @param length bytes of it.
     */
    record Arena(AtomicBuffer buffer, long start, int length)
    {
        /** Returns whether bytes lie in it, wholly. The offset may be any number. */
        boolean has(final long spaceOffset, final long byteCount)
        {
            final long index = spaceOffset - start;
            return index >= 0 && index <= length - byteCount;
        }
    }
}
