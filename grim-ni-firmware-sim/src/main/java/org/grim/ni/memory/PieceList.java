// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.board.TranslationDescriptor;

/** A range of memory as the pieces that lie together physically, in ascending order. Thread: the board's stepper. */
final class PieceList
{
    private final long[] addresses = new long[TranslationDescriptor.PAGE_COUNT_MAX];
    private final int[] lengths = new int[TranslationDescriptor.PAGE_COUNT_MAX];
    private int count;
    private int index;
    private int offset;

    void clear()
    {
        count = 0;
        index = 0;
        offset = 0;
    }

    void add(final long address, final int length)
    {
        addresses[count] = address;
        lengths[count] = length;
        count++;
    }

    /** Address of the first byte that was not passed. */
    long address()
    {
        return addresses[index] + offset;
    }

    /** Bytes from there to the end of the piece. */
    int length()
    {
        return lengths[index] - offset;
    }

    /** Passes bytes of the piece. */
    void pass(final int length)
    {
        offset += length;
        if (offset == lengths[index])
        {
            index++;
            offset = 0;
        }
    }
}
