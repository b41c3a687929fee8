// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.util.Arrays;

/**
 * Which parts of a memory are free: the first hole that fits, from the front, so that a memory that is rarely full
 * stays small in fact; neighbours merge. Lengths are rounded up to cache lines. Allocates only while the number of
 * holes rises.
 * <p>Thread: one.
 */
public final class BlockAllocator
{
    /** No hole is large enough. */
    public static final long NONE = -1;

    private static final int HOLE_COUNT_FIRST = 16;

    private final long length;
    private long[] holeOffsets = new long[HOLE_COUNT_FIRST];
    private long[] holeLengths = new long[HOLE_COUNT_FIRST];
    private int holeCount = 1;
    private long takenLength;

    /**
     * Begins with one hole.
     *
     * @param length bytes, a multiple of a cache line.
     */
    public BlockAllocator(final long length)
    {
        if (length < 0 || length % Buffers.CACHE_LINE_LENGTH != 0)
        {
            throw new IllegalArgumentException("length=" + length + " is not a multiple of " +
                Buffers.CACHE_LINE_LENGTH);
        }
        this.length = length;
        holeLengths[0] = length;
    }

    /**
     * Returns the real length of a block.
     *
     * @param blockLength bytes, 0 or more.
     * @return rounded up.
     */
    public static long roundedUp(final long blockLength)
    {
        return blockLength + Buffers.CACHE_LINE_LENGTH - 1 & -Buffers.CACHE_LINE_LENGTH;
    }

    /**
     * Takes a block.
     *
     * @param blockLength bytes, 1 or more.
     * @return offset of its first byte, a multiple of a cache line, or {@link #NONE}.
     */
    public long tryTake(final long blockLength)
    {
        final long needed = roundedUp(blockLength);
        for (int i = 0; i < holeCount; i++)
        {
            if (holeLengths[i] >= needed)
            {
                final long offset = holeOffsets[i];
                holeOffsets[i] += needed;
                holeLengths[i] -= needed;
                if (holeLengths[i] == 0)
                {
                    remove(i);
                }
                takenLength += needed;
                assert isConsistent();
                return offset;
            }
        }
        return NONE;
    }

    /**
     * Gives a block back.
     *
     * @param offset      from {@link #tryTake}.
     * @param blockLength as it was taken.
     */
    public void free(final long offset, final long blockLength)
    {
        final long freed = roundedUp(blockLength);
        final int found = Arrays.binarySearch(holeOffsets, 0, holeCount, offset);
        final int next = found < 0 ? ~found : found;
        requireTaken(offset, freed, next);
        takenLength -= freed;
        final boolean isAfterHole = next > 0 && holeOffsets[next - 1] + holeLengths[next - 1] == offset;
        final boolean isBeforeHole = next < holeCount && offset + freed == holeOffsets[next];
        if (isAfterHole)
        {
            holeLengths[next - 1] += freed + (isBeforeHole ? holeLengths[next] : 0);
            if (isBeforeHole)
            {
                remove(next);
            }
        }
        else if (isBeforeHole)
        {
            holeOffsets[next] = offset;
            holeLengths[next] += freed;
        }
        else
        {
            insert(next, offset, freed);
        }
        assert isConsistent();
    }

    private boolean isConsistent()
    {
        return takenLength >= 0 && takenLength <= length && holeCount >= 0 &&
            (holeCount == 0) == (takenLength == length);
    }

    /** {@return bytes of all blocks that are taken; 0 to {@link #length()}} */
    public long takenLength()
    {
        return takenLength;
    }

    /** {@return bytes of the memory; as given} */
    public long length()
    {
        return length;
    }

    /** Holes, for tests. */
    int holeCount()
    {
        return holeCount;
    }

    private void requireTaken(final long offset, final long freed, final int next)
    {
        final long floor = next == 0 ? 0 : holeOffsets[next - 1] + holeLengths[next - 1];
        final long ceiling = next == holeCount ? length : holeOffsets[next];
        if (offset < floor || offset + freed > ceiling || freed < 1)
        {
            throw new IllegalStateException("block offset=" + offset + " length=" + freed + " was not taken");
        }
    }

    private void remove(final int index)
    {
        holeCount--;
        System.arraycopy(holeOffsets, index + 1, holeOffsets, index, holeCount - index);
        System.arraycopy(holeLengths, index + 1, holeLengths, index, holeCount - index);
    }

    private void insert(final int index, final long offset, final long freed)
    {
        if (holeCount == holeOffsets.length)
        {
            holeOffsets = Arrays.copyOf(holeOffsets, holeCount * 2);
            holeLengths = Arrays.copyOf(holeLengths, holeCount * 2);
        }
        System.arraycopy(holeOffsets, index, holeOffsets, index + 1, holeCount - index);
        System.arraycopy(holeLengths, index, holeLengths, index + 1, holeCount - index);
        holeOffsets[index] = offset;
        holeLengths[index] = freed;
        holeCount++;
    }
}
