// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.util.Arrays;

/**
 * Registered ranges of virtual addresses, with the place of each: sorted, since addresses are assigned in ascending
 * order.
 * <p>Thread: one at a time. Allocates when a range is added, and not otherwise.
 */
final class RegisteredTable
{
    /** Value of {@link #find} for bytes that are not all of one range. */
    static final int NONE = -1;

    private static final int CAPACITY_MIN = 16;

    private long[] starts = new long[CAPACITY_MIN];
    private long[] lengths = new long[CAPACITY_MIN];
    private long[] offsets = new long[CAPACITY_MIN];
    private int[] rights = new int[CAPACITY_MIN];
    private int count;

    /** Adds a range that overlaps no other. */
    void add(final long start, final long length, final long offset, final int newRights)
    {
        if (count == starts.length)
        {
            starts = Arrays.copyOf(starts, count * 2);
            lengths = Arrays.copyOf(lengths, count * 2);
            offsets = Arrays.copyOf(offsets, count * 2);
            rights = Arrays.copyOf(rights, count * 2);
        }
        final int index = -1 - Arrays.binarySearch(starts, 0, count, start);
        move(index, index + 1);
        starts[index] = start;
        lengths[index] = length;
        offsets[index] = offset;
        rights[index] = newRights;
        count++;
    }

    /** Removes the range that begins at an address, if there is one. */
    void remove(final long start)
    {
        final int index = Arrays.binarySearch(starts, 0, count, start);
        if (index >= 0)
        {
            move(index + 1, index);
            count--;
        }
    }

    /** Index of the range that has all of some bytes, or {@value #NONE}. */
    int find(final long address, final long length)
    {
        final int found = Arrays.binarySearch(starts, 0, count, address);
        final int index = found >= 0 ? found : -2 - found;
        return index >= 0 && length <= lengths[index] && address - starts[index] <= lengths[index] - length ?
            index : NONE;
    }

    int count()
    {
        return count;
    }

    long start(final int index)
    {
        return starts[index];
    }

    long length(final int index)
    {
        return lengths[index];
    }

    long offset(final int index)
    {
        return offsets[index];
    }

    int rights(final int index)
    {
        return rights[index];
    }

    private void move(final int from, final int to)
    {
        System.arraycopy(starts, from, starts, to, count - from);
        System.arraycopy(lengths, from, lengths, to, count - from);
        System.arraycopy(offsets, from, offsets, to, count - from);
        System.arraycopy(rights, from, rights, to, count - from);
    }
}
