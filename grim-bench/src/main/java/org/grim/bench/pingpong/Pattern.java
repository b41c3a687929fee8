// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.agrona.MutableDirectBuffer;

/**
 * What payloads are made of: bytes that differ from message to message and from word to word. Parts of one pattern that
 * begin at different words differ, too: its <em>windows</em>.
 */
final class Pattern
{
    static final int WINDOW_COUNT = 16;
    /** What a buffer needs beyond a payload so that each window is as long as the payload. */
    static final int WINDOWS_LENGTH = WINDOW_COUNT * Long.BYTES;

    // Golden ratio: every bit of the pattern depends on the seed.
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private Pattern()
    {
    }

    static void write(final MutableDirectBuffer buffer, final int start, final int seed, final int length)
    {
        final int end = start + length;
        long value = seed * MULTIPLIER;
        int offset = start;
        while (offset + Long.BYTES <= end)
        {
            buffer.putLong(offset, value);
            value += MULTIPLIER;
            offset += Long.BYTES;
        }
        while (offset < end)
        {
            buffer.putByte(offset, (byte)value);
            value >>>= Byte.SIZE;
            offset++;
        }
    }

    /** First byte of the window that belongs to a running number. */
    static int windowOffset(final int number)
    {
        return number % WINDOW_COUNT * Long.BYTES;
    }
}
