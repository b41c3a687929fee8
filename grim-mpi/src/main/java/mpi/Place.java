// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Field;
import java.nio.Buffer;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.mpi.Elements;
import org.grim.mpi.Layout;
import org.grim.mpi.Operation;

/**
 * The elements of one argument of a call: an array or a buffer, and which of its elements. A buffer's position and
 * limit do not count: {@code MPI.slice} makes one that begins elsewhere. An array of other values than the datatype's
 * is memory, as in Open MPI, and its offset counts the datatype's values.
 * <p>Thread: the caller's; used again.
 */
final class Place
{
    private final Elements elements = new Elements();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final boolean isWritten;
    private boolean hasParts;
    boolean isThere;                // Whether the call has this argument; without it elements are in place.
    Object buf;                     // Null if the argument is not there.
    int offset;
    int count;
    int[] counts;                   // Of each process; null if all have the same.
    int[] displacements;
    Datatype type;                  // Null if the argument is not there.
    private int before;             // Basic elements before a slice's first that belong to it; found when checked.
    private Object memory;          // These are found when the elements are used.
    private int first;
    private Layout layout;

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
        before = 0;
        hasParts = false;
        isThere = true;
        return this;
    }

    Place set(
        final Object newBuf, final int newOffset, final int[] newCounts, final int[] newDisplacements,
        final Datatype newType)
    {
        set(newBuf, newOffset, 0, newType);
        counts = newCounts;
        displacements = newDisplacements;
        hasParts = true;
        return this;
    }

    void clear()
    {
        set(null, 0, 0, null);
        isThere = false;
    }

    boolean isObject()
    {
        return type != null && type.isObject();
    }

    /**
     * Checks that the elements are there. Methods of Open MPI take arrays of other values than the type's as memory,
     * and need a committed type; methods of mpiJava refuse such arrays, and take any type.
     */
    void check(final int processCount, final boolean isOpenMpi)
    {
        Datatype.required(type);
        if (isOpenMpi)
        {
            type.committed();
        }
        if (buf instanceof final Buffer buffer &&
            (buffer.isDirect() ? isWritten && buffer.isReadOnly() : !buffer.hasArray()))
        {
            throw new MPIException(MPI.ERR_BUFFER, isWritten ? "elements cannot be received in a read-only buffer" :
                "a buffer that has neither memory of its own nor an array cannot be read");
        }
        if (!hasParts)
        {
            check(offset, count, isOpenMpi);
            return;
        }
        if (counts == null || displacements == null)
        {
            throw new MPIException(MPI.ERR_ARG, (counts == null ? "counts" : "displacements") + " are null");
        }
        if (counts.length < processCount || displacements.length < processCount)
        {
            throw new MPIException(MPI.ERR_ARG, "counts=" + counts.length + " or displacements=" +
                displacements.length + " are fewer than processes=" + processCount);
        }
        for (int i = 0; i < processCount; i++)
        {
            type.check(counts[i]);
            check(start(i), counts[i], isOpenMpi);
        }
    }

    private void check(final int start, final int number, final boolean isOpenMpi)
    {
        type.check(number);
        final Layout each = type.layout();
        if (number == 0 || each.size() == 0)
        {
            return;
        }
        final int room = type.room(buf, isOpenMpi);
        if (each.isInside(room, start, number))
        {
            return;
        }
        before = buf instanceof final Buffer buffer && buffer.isDirect() ?
            lengthBefore(buffer) / each.basic().elementLength() : 0;
        if (!each.isInside((long)room + before, (long)start + before, number))
        {
            throw new MPIException(MPI.ERR_BUFFER, "offset=" + start + " count=" + number + " of extent=" +
                each.extent() + " is outside of a buffer of length=" + room);
        }
    }

    /** {@return first basic element of a process's part} */
    int start(final int process)
    {
        final long element = counts == null ? (long)process * count : displacements[process];
        final long start = offset + element * type.layout().extent();
        if (start != (int)start)
        {
            throw new MPIException(MPI.ERR_ARG, "displacement=" + element + " of elements of extent=" +
                type.layout().extent() + " is outside of any buffer");
        }
        return (int)start;
    }

    /** {@return elements of a process's part} */
    int count(final int process)
    {
        return counts == null ? count : counts[process];
    }

    /** {@return the elements for the engine} */
    Elements elements()
    {
        locate();
        return elements.set(memory, first, count, layout);
    }

    /** {@return a part of the elements, to be kept} */
    Place part(final int start, final int number)
    {
        final Place part = new Place(isWritten).set(buf, start, number, type);
        part.before = before;
        return part;
    }

    /** Sets the elements of a send or a receive. */
    void in(final Operation operation)
    {
        locate();
        operation.elements(memory, first, count, layout);
        operation.keep(buf);
    }

    /** {@return all elements in the form of a message} */
    byte[] packed()
    {
        locate();
        final byte[] bytes = new byte[packedLength(type, count)];
        if (bytes.length > 0)
        {
            layout.pack(memory, first, 0, new UnsafeBuffer(bytes), 0, layout.size() * count);
        }
        return bytes;
    }

    /** {@return bytes of elements in the form of a message, which is one array} */
    static int packedLength(final Datatype type, final int count)
    {
        final long length = type.layout().packedLength() * count;
        if (length > ArrayUtil.MAX_CAPACITY)
        {
            throw new MPIException(
                MPI.ERR_COUNT, "packed elements of length=" + length + " are longer than 2 GiB");
        }
        return (int)length;
    }

    /** Copies elements out of the form of a message; returns their bytes. */
    int unpack(final byte[] bytes, final int position)
    {
        locate();
        final int length = packedLength(type, count);
        if (length > 0)
        {
            layout.unpack(new UnsafeBuffer(bytes), position, memory, first, 0, layout.size() * count);
        }
        return length;
    }

    /** Copies the first bytes of elements out of the form of a message. */
    void unpackFirst(final byte[] bytes, final int length)
    {
        locate();
        layout.unpack(new UnsafeBuffer(bytes), 0, memory, first, 0, length / layout.basic().elementLength());
    }

    /** Finds the memory, an array or a view of a buffer's, and the first element there. */
    private void locate()
    {
        layout = type.layout();
        first = offset + before;
        if (buf == null)
        {
            view.wrap(0, 0);                    // There are no elements.
            memory = view;
            return;
        }
        final int basicLength = type.basic().elementLength();
        memory = buf;
        int arrayOffset = 0;                    // In bytes.
        if (buf instanceof final Buffer buffer)
        {
            final int elementLength = Datatype.elementLength(buffer);
            if (buffer.isDirect())
            {
                view.wrap(address(buffer) - (long)before * basicLength,
                    Math.addExact(before * basicLength, Math.multiplyExact(buffer.capacity(), elementLength)));
                memory = view;
                return;
            }
            memory = buffer.array();
            arrayOffset = buffer.arrayOffset() * elementLength;
        }
        if (type.isOf(memory))
        {
            first += arrayOffset / basicLength;
        }
        else
        {
            layout = type.bytes();
            first = first * basicLength + arrayOffset;
        }
    }

    /** Returns the address of a direct buffer of any type. */
    static long address(final Buffer buffer)
    {
        return UnsafeApi.getLong(buffer, BufferUtil.BYTE_BUFFER_ADDRESS_FIELD_OFFSET);
    }

    /** Bytes before a slice of a direct buffer that are the buffer's: negative strides lead there. */
    private static int lengthBefore(final Buffer slice)
    {
        for (Class<?> each = slice.getClass(); each != Buffer.class; each = each.getSuperclass())
        {
            for (final Field field : each.getDeclaredFields())
            {
                if (field.getName().equals("att") && UnsafeApi.getReference(
                    slice, UnsafeApi.objectFieldOffset(field)) instanceof final Buffer whole && whole.isDirect())
                {
                    return Math.toIntExact(address(slice) - address(whole));
                }
            }
        }
        return 0;
    }

    /** {@return the objects; empty if a call has none, whose buffer is not checked} */
    Object[] objects()
    {
        return buf instanceof final Object[] objects ? objects : new Object[0];
    }

    /** {@return indices of the objects, in the order in which they are sent} */
    int[] indices(final int first, final int number)
    {
        return type.layout().places(first, number);
    }
}
