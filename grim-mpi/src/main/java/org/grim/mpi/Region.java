// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.Arrays;

import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Buffers;

/**
 * One side of a collective operation, as bytes: the caller's memory, or, of arrays and of layouts with gaps, memory
 * of this, into which elements are packed, and from which they are unpacked. That grows, and is used again.
 * <p>Thread: the caller's until the operation begins, then the engine's owner.
 */
final class Region
{
    private static final int[] NONE = {};

    MutableDirectBuffer memory;
    int offset;                             // First byte.
    int length;                             // Bytes of all parts.
    int[] lengths = NONE;                   // Of parts, in bytes.
    int[] displacements = NONE;             // Of parts behind the first byte.
    private final Elements elements = new Elements();
    private MutableDirectBuffer scratch = Buffers.wrap(new byte[0]);
    private int first;                      // Element; of one part.
    private int[] counts;                   // Null for one part.
    private int[] elementDisplacements;
    private int partCount;

    /** No bytes. */
    void none()
    {
        room(0);
    }

    /** Room for bytes that belong to no elements. */
    void room(final int newLength)
    {
        elements.set(null, 0, 0, null);
        useScratch(newLength);
    }

    /** Elements in a row. */
    void row(final Elements of, final int newFirst, final int count, final boolean isCopy)
    {
        of.check(newFirst, count);
        elements.set(of.place, of.offset, count, of.layout);
        first = newFirst;
        counts = null;
        if (of.isInPlace() && !isCopy)
        {
            memory = (MutableDirectBuffer)of.place;
            offset = of.start(newFirst) * of.layout.basic().elementLength();
            length = of.packedLength(count);
        }
        else
        {
            useScratch(of.packedLength(count));
        }
    }

    /** Elements in parts. */
    void parts(
        final Elements of, final int[] newCounts, final int[] newDisplacements, final int newPartCount,
        final boolean isCopy)
    {
        elements.set(of.place, of.offset, 0, of.layout);
        counts = newCounts;
        elementDisplacements = newDisplacements;
        partCount = newPartCount;
        resize(partCount);
        boolean isInPlace = of.isInPlace() && !isCopy;
        long sum = 0;
        for (int i = 0; i < partCount; i++)
        {
            of.check(newDisplacements[i], newCounts[i]);
            isInPlace &= newDisplacements[i] >= 0;
            lengths[i] = of.packedLength(newCounts[i]);
            displacements[i] = Math.toIntExact(sum);
            sum += lengths[i];
        }
        length = Math.toIntExact(sum);
        if (isInPlace)
        {
            memory = (MutableDirectBuffer)of.place;
            offset = of.offset * of.layout.basic().elementLength();
            for (int i = 0; i < partCount; i++)
            {
                displacements[i] = of.packedLength(newDisplacements[i]);
            }
        }
        else
        {
            useScratch(length);
        }
    }

    /** Lengths of parts as numbers of something that is longer than a byte. */
    void partsOf(final int[] ofCounts, final int size, final long unitLength)
    {
        resize(size);
        for (int i = 0; i < size; i++)
        {
            lengths[i] = Math.toIntExact(ofCounts[i] * unitLength);
        }
    }

    /** Copies elements to the memory, if they are not there. */
    Region pack()
    {
        copy(true);
        return this;
    }

    /** Copies elements from the memory to where they belong. */
    void unpack()
    {
        copy(false);
    }

    /** Names no elements any more. */
    void clear()
    {
        elements.set(null, 0, 0, null);
        memory = null;
        counts = null;
        elementDisplacements = null;
    }

    private void copy(final boolean isPacked)
    {
        if (memory != scratch || elements.place == null)
        {
            return;
        }
        if (counts == null)
        {
            copy(isPacked, first, elements.count, 0);
            return;
        }
        for (int i = 0; i < partCount; i++)
        {
            copy(isPacked, elementDisplacements[i], counts[i], displacements[i]);
        }
    }

    private void copy(final boolean isPacked, final int from, final int count, final int at)
    {
        final Layout layout = elements.layout;
        final int basicCount = Math.toIntExact((long)count * layout.size());
        if (basicCount > 0 && isPacked)
        {
            layout.pack(elements.place, elements.start(from), 0, scratch, at, basicCount);
        }
        else if (basicCount > 0)
        {
            layout.unpack(scratch, at, elements.place, elements.start(from), 0, basicCount);
        }
    }

    private void useScratch(final int newLength)
    {
        length = newLength;
        if (scratch.capacity() < newLength)
        {
            scratch = Buffers.wrap(new byte[Math.max(newLength,
                (int)Math.min(2L * scratch.capacity(), Integer.MAX_VALUE - Long.BYTES))]);
        }
        memory = scratch;
        offset = 0;
    }

    private void resize(final int size)
    {
        if (lengths.length < size)
        {
            lengths = Arrays.copyOf(lengths, size);
            displacements = Arrays.copyOf(displacements, size);
        }
    }
}
