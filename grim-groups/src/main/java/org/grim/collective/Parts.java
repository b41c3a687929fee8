// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;

/**
 * Where the parts of members stand in a caller's memory, and their lengths; in bytes. Copies the caller's arrays.
 * <p>Thread: the host endpoint's owner.
 */
final class Parts
{
    private int[] lengths = {};
    private int[] offsets = {};
    private int size;                   // 0 for parts of one length.
    private int length;
    private int stride;

    /** Sets parts of one length; with a stride of 0 it is one part for all. */
    void even(final int newLength, final int newStride)
    {
        size = 0;
        length = newLength;
        stride = newStride;
    }

    /** Sets any parts; refuses those that no memory can hold. */
    void any(final int newSize, final int[] newLengths, final int[] displacements)
    {
        if (newLengths.length < newSize || displacements.length < newSize)
        {
            throw new IllegalArgumentException("lengths=" + newLengths.length + " and displacements=" +
                displacements.length + " are too few for members=" + newSize);
        }
        resize(newSize);
        for (int rank = 0; rank < size; rank++)
        {
            set(rank, displacements[rank], newLengths[rank]);
        }
    }

    /** Sets parts of so many elements, one behind the other. */
    void row(final int newSize, final int[] counts, final int elementLength)
    {
        if (counts.length < newSize)
        {
            throw new IllegalArgumentException("counts=" + counts.length + " are too few for members=" + newSize);
        }
        resize(newSize);
        int offset = 0;
        for (int rank = 0; rank < size; rank++)
        {
            set(rank, offset, (long)counts[rank] * elementLength);
            offset += lengths[rank];
        }
    }

    int length(final int rank)
    {
        return size == 0 ? length : lengths[rank];
    }

    int offset(final int rank)
    {
        return size == 0 ? stride * rank : offsets[rank];
    }

    /** End of the last part. */
    int end()
    {
        int end = 0;
        for (int rank = 0; rank < size; rank++)
        {
            end = Math.max(end, offsets[rank] + lengths[rank]);
        }
        return end;
    }

    private void resize(final int newSize)
    {
        size = newSize;
        if (lengths.length < size)
        {
            lengths = Arrays.copyOf(lengths, size);
            offsets = Arrays.copyOf(offsets, size);
        }
    }

    private void set(final int rank, final int offset, final long newLength)
    {
        if (newLength < 0 || offset < 0 || newLength > Integer.MAX_VALUE - offset)
        {
            throw new IllegalArgumentException("part of rank=" + rank + " with bytes=" + newLength +
                " at displacement=" + offset + " is outside 0 to " + Integer.MAX_VALUE);
        }
        lengths[rank] = (int)newLength;
        offsets[rank] = offset;
    }
}
