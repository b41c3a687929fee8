// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.buffer.PrimitiveArray;

/**
 * Places of the basic elements of one element of a datatype: runs, in the order in which they are sent (MPI 3.1,
 * section 4.1: the type map), and the extent, after which the next element begins. Offsets count basic elements.
 * <p>Thread: any; does not change.
 */
public final class Layout
{
    /** Bytes. */
    public static final Layout BYTES = of(PrimitiveArray.BYTES);
    /** Numbers of type int. */
    public static final Layout INTS = of(PrimitiveArray.INTS);

    /** More would take more memory than a type is for. */
    private static final int RUN_COUNT_MAX = 1 << 24;

    private final PrimitiveArray basic;
    private final int[] starts;             // Of runs.
    private final int[] before;             // Basic elements before each run, and all of them.
    private final int size;                 // Basic elements.
    private final int shift;                // Of a number of basic elements, to that of bytes.
    private final boolean isDense;
    private final long lowerBound;
    private final long extent;
    private final long trueLowerBound;
    private final long trueUpperBound;

    private Layout(
        final PrimitiveArray basic, final int[] starts, final int[] lengths, final long lowerBound, final long extent)
    {
        this.basic = basic;
        this.lowerBound = lowerBound;
        this.extent = extent;
        final int[] runStarts = new int[starts.length];
        final int[] runsBefore = new int[starts.length + 1];
        int count = 0;
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < starts.length; i++)
        {
            if (lengths[i] > 0)
            {
                final boolean isNext = count > 0 &&
                    runStarts[count - 1] + runsBefore[count] - runsBefore[count - 1] == starts[i];
                if (!isNext)
                {
                    runStarts[count] = starts[i];
                    runsBefore[count + 1] = runsBefore[count];
                    count++;
                }
                runsBefore[count] = Math.addExact(runsBefore[count], lengths[i]);
                least = Math.min(least, starts[i]);
                most = Math.max(most, starts[i] + (long)lengths[i]);
            }
        }
        this.starts = Arrays.copyOf(runStarts, count);
        before = Arrays.copyOf(runsBefore, count + 1);
        size = before[count];
        shift = Integer.numberOfTrailingZeros(basic.elementLength());
        isDense = count == 1 && runStarts[0] == 0 && extent == size;
        trueLowerBound = count == 0 ? 0 : least;
        trueUpperBound = count == 0 ? 0 : most;
    }

    /** {@return one value of a basic type} */
    public static Layout of(final PrimitiveArray basic)
    {
        return new Layout(basic, new int[] {0}, new int[] {1}, 0, 1);
    }

    /**
     * Returns elements of this type at places of their own, one block after the other.
     *
     * @param displacements of blocks, in basic elements.
     * @param blockLengths  elements of this type in each; 0 or more.
     * @return the layout; its bounds are those of the blocks.
     * @throws ArithmeticException if it has more basic elements, or one further away, than an array can.
     */
    public Layout blocks(final long[] displacements, final int[] blockLengths)
    {
        final Layout[] types = new Layout[blockLengths.length];
        Arrays.fill(types, this);
        return of(basic, types, displacements, blockLengths);
    }

    /**
     * Returns elements of several types at places of their own, one block after the other.
     *
     * @param basic         type of all basic elements.
     * @param types         of the elements of each block, all of that basic type.
     * @param displacements of blocks, in basic elements.
     * @param blockLengths  elements in each; 0 or more.
     * @return the layout; its bounds are those of the blocks.
     * @throws ArithmeticException if it has more basic elements, or one further away, than an array can.
     */
    public static Layout of(
        final PrimitiveArray basic, final Layout[] types, final long[] displacements, final int[] blockLengths)
    {
        int count = 0;
        for (int block = 0; block < types.length; block++)
        {
            count = Math.addExact(count, Math.multiplyExact(runs(types[block], blockLengths[block]),
                types[block].starts.length));
        }
        if (count > RUN_COUNT_MAX)
        {
            throw new ArithmeticException("runs=" + count + " are above " + RUN_COUNT_MAX);
        }
        final int[] newStarts = new int[count];
        final int[] newLengths = new int[count];
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        int next = 0;
        for (int block = 0; block < types.length; block++)
        {
            final Layout type = types[block];
            final int length = runs(type, blockLengths[block]);
            final int inRun = length == 0 ? 0 : blockLengths[block] / length;
            for (int element = 0; element < length; element++)
            {
                final long origin = displacements[block] + element * type.extent;
                least = Math.min(least, origin + type.lowerBound);
                most = Math.max(most, origin + type.lowerBound + inRun * type.extent);
                for (int run = 0; run < type.starts.length; run++)
                {
                    newStarts[next] = Math.toIntExact(origin + type.starts[run]);
                    newLengths[next] = Math.multiplyExact(inRun, type.before[run + 1] - type.before[run]);
                    next++;
                }
            }
        }
        return least > most ? new Layout(basic, newStarts, newLengths, 0, 0) :
            new Layout(basic, newStarts, newLengths, least, most - least);
    }

    /** Returns elements of a block that have runs of their own: dense ones are one run; nothing has no bounds. */
    private static int runs(final Layout type, final int blockLength)
    {
        return type.size() == 0 && type.extent == 0 ? 0 : type.isDense() ? Math.min(1, blockLength) : blockLength;
    }

    /**
     * Returns the same places, counted in bytes: of an array of any kind.
     *
     * @return the layout; its basic type is {@link PrimitiveArray#BYTES}.
     * @throws ArithmeticException if an array has not so many bytes.
     */
    public Layout bytes()
    {
        if (basic == PrimitiveArray.BYTES)
        {
            return this;
        }
        final int length = basic.elementLength();
        final int[] newStarts = new int[starts.length];
        final int[] newLengths = new int[starts.length];
        for (int run = 0; run < starts.length; run++)
        {
            newStarts[run] = Math.multiplyExact(starts[run], length);
            newLengths[run] = Math.multiplyExact(before[run + 1] - before[run], length);
        }
        return new Layout(PrimitiveArray.BYTES, newStarts, newLengths, lowerBound * length, extent * length);
    }

    /**
     * Returns the same elements with other bounds.
     *
     * @param newLowerBound in basic elements.
     * @param newExtent     in basic elements.
     * @return the layout.
     */
    public Layout resized(final long newLowerBound, final long newExtent)
    {
        final int[] lengths = new int[starts.length];
        for (int i = 0; i < lengths.length; i++)
        {
            lengths[i] = before[i + 1] - before[i];
        }
        return new Layout(basic, starts, lengths, newLowerBound, newExtent);
    }

    /** {@return the type of all basic elements} */
    public PrimitiveArray basic()
    {
        return basic;
    }

    /** {@return basic elements of one element} */
    public int size()
    {
        return size;
    }

    /** {@return bytes that one element takes in a message} */
    public long packedLength()
    {
        return (long)size << shift;
    }

    /** Basic elements of so many bytes: a division would take as long as all else of a short message. */
    long elements(final long bytes)
    {
        return bytes >> shift;
    }

    /** {@return where an element begins, in basic elements: 0, unless its type says otherwise} */
    public long lowerBound()
    {
        return lowerBound;
    }

    /** {@return basic elements from one element to the next} */
    public long extent()
    {
        return extent;
    }

    /** {@return the first basic element that is there} */
    public long trueLowerBound()
    {
        return trueLowerBound;
    }

    /** {@return one behind the last basic element that is there} */
    public long trueUpperBound()
    {
        return trueUpperBound;
    }

    /** {@return whether elements lie one behind the other without gaps, in the order in which they are sent} */
    public boolean isDense()
    {
        return isDense;
    }

    /**
     * Checks that elements lie inside of an array.
     *
     * @param arrayLength basic elements of the array.
     * @param offset      of the first element, in basic elements.
     * @param count       elements of this type; 0 or more.
     * @return false if some would be outside.
     */
    public boolean isInside(final long arrayLength, final long offset, final int count)
    {
        if (count == 0 || size() == 0)
        {
            return true;
        }
        final long last = (count - 1) * extent;
        return offset + trueLowerBound + Math.min(0, last) >= 0 &&
            offset + trueUpperBound + Math.max(0, last) <= arrayLength;
    }

    /** {@return runs of one element in the order in which they are sent: start and length, in basic elements} */
    public int[] runs()
    {
        final int[] runs = new int[2 * starts.length];
        for (int run = 0; run < starts.length; run++)
        {
            runs[2 * run] = starts[run];
            runs[2 * run + 1] = before[run + 1] - before[run];
        }
        return runs;
    }

    /**
     * Returns places of basic elements.
     *
     * @param offset of the first element of this type, in basic elements.
     * @param count  elements of this type.
     * @return places in the order in which they are sent.
     */
    public int[] places(final int offset, final int count)
    {
        final int[] places = new int[Math.multiplyExact(count, size())];
        int next = 0;
        for (int element = 0; element < count; element++)
        {
            for (int run = 0; run < starts.length; run++)
            {
                for (int i = before[run]; i < before[run + 1]; i++)
                {
                    places[next++] = Math.toIntExact(offset + element * extent + starts[run] + i - before[run]);
                }
            }
        }
        return places;
    }

    /**
     * Copies a part of the basic elements into a buffer.
     *
     * @param place        that they lie in: an array of the basic type (of bytes: any), or memory.
     * @param offset       of the first element of this type, in basic elements.
     * @param position     first basic element of the part, of all that are sent.
     * @param target       to copy to.
     * @param targetOffset first byte there.
     * @param count        basic elements of the part.
     */
    public void pack(
        final Object place, final int offset, final long position, final MutableDirectBuffer target,
        final int targetOffset, final int count)
    {
        copyRuns(true, place, offset, position, target, targetOffset, count);
    }

    /**
     * Copies a part of the basic elements out of a buffer; see {@link #pack}.
     *
     * @param source       to copy from.
     * @param sourceOffset first byte there.
     * @param place        that they lie in: an array of the basic type, or memory.
     * @param offset       of the first element of this type, in basic elements.
     * @param position     first basic element of the part, of all that were sent.
     * @param count        basic elements of the part.
     */
    public void unpack(
        final DirectBuffer source, final int sourceOffset, final Object place, final int offset, final long position,
        final int count)
    {
        copyRuns(false, place, offset, position, source, sourceOffset, count);
    }

    private void copyRuns(
        final boolean isPacked, final Object place, final int offset, final long position, final DirectBuffer buffer,
        final int bufferOffset, final int count)
    {
        if (isDense && count > 0)               // Else the place need not be one of this type.
        {
            copy(isPacked, place, offset + position, buffer, bufferOffset, count);
        }
        else if (count > 0)
        {
            copyPieces(isPacked, place, offset, position, buffer, bufferOffset, count);
        }
    }

    private void copyPieces(
        final boolean isPacked, final Object place, final int offset, final long position, final DirectBuffer buffer,
        final int bufferOffset, final int count)
    {
        long element = position / size();
        int within = (int)(position % size());
        int run = runOf(within);
        for (int done = 0; done < count; run = 0, element++)
        {
            for (; run < starts.length && done < count; run++)
            {
                final int length = Math.min(before[run + 1] - within, count - done);
                copy(isPacked, place, offset + element * extent + starts[run] + within - before[run], buffer,
                    bufferOffset + done * basic.elementLength(), length);
                done += length;
                within = before[run + 1];
            }
            within = 0;
        }
    }

    private void copy(
        final boolean isPacked, final Object place, final long longIndex, final DirectBuffer buffer,
        final int bufferOffset, final int count)
    {
        if (place instanceof final MutableDirectBuffer memory)
        {
            final int index = Math.toIntExact(longIndex * basic.elementLength());
            final int length = count * basic.elementLength();
            if (isPacked)
            {
                ((MutableDirectBuffer)buffer).putBytes(bufferOffset, memory, index, length);
            }
            else
            {
                memory.putBytes(index, buffer, bufferOffset, length);
            }
        }
        else if (isPacked)
        {
            basic.copyFrom(place, Math.toIntExact(longIndex), (MutableDirectBuffer)buffer, bufferOffset, count);
        }
        else
        {
            basic.copyTo(buffer, bufferOffset, place, Math.toIntExact(longIndex), count);
        }
    }

    private int runOf(final int within)
    {
        final int found = Arrays.binarySearch(before, 0, starts.length, within);
        return found >= 0 ? found : -found - 2;
    }
}
