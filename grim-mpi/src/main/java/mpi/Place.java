// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.mpi.Elements;
import org.grim.mpi.Layout;
import org.grim.mpi.Operation;

/**
 * The elements of one argument of a call: an array or a buffer, and which of its elements. A buffer's position and
 * limit do not count: {@code MPI.slice} makes one that begins elsewhere.
 * <p>Thread: the caller's; used again.
 */
final class Place
{
    private final Elements elements = new Elements();
    private final UnsafeBuffer memory = new UnsafeBuffer(0, 0);
    private final boolean isWritten;
    Object buf;                     // Null if the argument is not there.
    int offset;
    int count;
    int[] counts;                   // Of each process; null if all have the same.
    int[] displacements;
    Datatype type;                  // Null if the argument is not there.

    Place(final boolean isWritten)
    {
        this.isWritten = isWritten;
    }

    Place set(final Object newBuf, final int newOffset, final int newCount, final Datatype newType)
    {
        buf = newBuf;
        offset = newOffset;
        count = newCount;
        counts = null;
        displacements = null;
        type = newType;
        return this;
    }

    Place set(
        final Object newBuf, final int newOffset, final int[] newCounts, final int[] newDisplacements,
        final Datatype newType)
    {
        set(newBuf, newOffset, 0, newType);
        counts = newCounts;
        displacements = newDisplacements;
        return this;
    }

    void clear()
    {
        set(null, 0, 0, null);
    }

    boolean isObject()
    {
        return type != null && type.isObject();
    }

    /** Checks that the elements are there. */
    void check(final int processCount)
    {
        if (type == null)
        {
            throw new MPIException(MPI.ERR_TYPE, "there is no datatype");
        }
        if (buf instanceof final Buffer buffer && buffer.isReadOnly() && (isWritten || !buffer.isDirect()))
        {
            throw new MPIException(MPI.ERR_BUFFER, isWritten ? "elements cannot be received in a read-only buffer" :
                "a read-only buffer whose memory is not direct cannot be read");
        }
        if (counts == null)
        {
            type.check(buf, offset, count);
            return;
        }
        if (counts.length < processCount || displacements == null || displacements.length < processCount)
        {
            throw new MPIException(MPI.ERR_ARG, "counts=" + counts.length + " or displacements=" +
                (displacements == null ? 0 : displacements.length) + " are fewer than processes=" + processCount);
        }
        for (int i = 0; i < processCount; i++)
        {
            type.check(buf, start(i), counts[i]);
        }
    }

    /** {@return first basic element of a process's part} */
    int start(final int process)
    {
        final long element = counts == null ? (long)process * count : displacements[process];
        return Math.toIntExact(offset + element * type.layout().extent());
    }

    /** {@return elements of a process's part} */
    int count(final int process)
    {
        return counts == null ? count : counts[process];
    }

    /** {@return the elements for the engine} */
    Elements elements()
    {
        return elements.set(memory(), start(), count, type.layout());
    }

    /** {@return a part of the elements, to be kept} */
    Elements part(final int first, final int number)
    {
        final Place part = new Place(isWritten).set(buf, first, number, type);
        return part.elements();
    }

    /** Sets the elements of a send or a receive. */
    void in(final Operation operation)
    {
        operation.elements(memory(), start(), count, type.layout());
    }

    /** {@return all elements in the form of a message} */
    byte[] packed()
    {
        final Layout layout = type.layout();
        final byte[] bytes = new byte[Math.toIntExact(layout.packedLength() * count)];
        if (bytes.length > 0)
        {
            layout.pack(memory(), start(), 0, new UnsafeBuffer(bytes), 0, layout.size() * count);
        }
        return bytes;
    }

    /** Copies elements out of the form of a message; returns their bytes. */
    int unpack(final byte[] bytes, final int position)
    {
        final Layout layout = type.layout();
        final int length = Math.toIntExact(layout.packedLength() * count);
        if (length > 0)
        {
            layout.unpack(new UnsafeBuffer(bytes), position, memory(), start(), 0, layout.size() * count);
        }
        return length;
    }

    /** {@return the array, or a view of a buffer's memory} */
    private Object memory()
    {
        if (buf instanceof final Buffer buffer)
        {
            if (!buffer.isDirect())
            {
                return buffer.array();
            }
            memory.wrap(address(buffer), Math.multiplyExact(buffer.capacity(), Datatype.elementLength(buffer)));
            return memory;
        }
        if (buf == null)
        {
            memory.wrap(0, 0);              // There are no elements.
            return memory;
        }
        return buf;
    }

    /** Where the memory of a direct buffer of any type begins. */
    static long address(final Buffer buffer)
    {
        return UnsafeApi.getLong(buffer, BufferUtil.BYTE_BUFFER_ADDRESS_FIELD_OFFSET);
    }

    private int start()
    {
        return buf instanceof final Buffer buffer && !buffer.isDirect() ? offset + buffer.arrayOffset() : offset;
    }

    /** {@return indices of the objects, in the order in which they are sent} */
    int[] indices(final int first, final int number)
    {
        return type.layout().places(first, number);
    }
}
