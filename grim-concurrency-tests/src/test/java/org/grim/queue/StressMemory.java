// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Zeroed memory for the inboxes of a test's states, which are many and short-lived: cut from large pieces, each of
 * which the collector frees when no state uses it any more. Any thread.
 */
public final class StressMemory
{
    private static final int PIECE_LENGTH = 1 << 20;

    private static AtomicBuffer piece = Buffers.allocate(PIECE_LENGTH);
    private static int usedLength;

    private StressMemory()
    {
    }

    /** Cuts off a piece, beginning on a cache line. */
    public static synchronized AtomicBuffer take(final int length)
    {
        if (usedLength + length > PIECE_LENGTH)
        {
            piece = Buffers.allocate(PIECE_LENGTH);
            usedLength = 0;
        }
        final AtomicBuffer memory = Buffers.wrap(piece, usedLength, length);
        usedLength += BitUtil.align(length, CACHE_LINE_LENGTH);
        return memory;
    }
}
