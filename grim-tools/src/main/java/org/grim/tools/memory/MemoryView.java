// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.memory;

import java.nio.ByteBuffer;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Part of a buffer as a {@link ByteBuffer}, for channels and digests: without a copy where Java has a byte buffer or an
 * array of that memory, and by a copy where it is known by its address only, as boards' memory is. Allocates only when
 * it sees memory that it has not seen the last time, or needs room for a longer copy.
 * <p>Thread: one.
 */
public final class MemoryView
{
    private ByteBuffer memory;
    private byte[] array;
    private ByteBuffer view;
    private ByteBuffer copy = ByteBuffer.allocateDirect(0);

    /** Makes a view of nothing yet. */
    public MemoryView()
    {
        // The first call says what to look at.
    }

    /**
     * Looks at a part.
     *
     * @param buffer off the heap or on it.
     * @param offset first byte of the part.
     * @param length bytes of the part.
     * @return positioned on the part, which ends at its limit; valid until the next call.
     */
    public ByteBuffer of(final DirectBuffer buffer, final int offset, final int length)
    {
        if (hasMemory(buffer))
        {
            return viewOf(buffer, offset, length);
        }
        final ByteBuffer bytes = room(length);
        buffer.getBytes(offset, bytes, 0, length);
        return bytes;
    }

    /**
     * Room for a part that is about to be written. What was written there must be {@linkplain #put given back}.
     *
     * @param buffer off the heap or on it.
     * @param offset first byte of the part.
     * @param length bytes of the part.
     * @return positioned on the part, which ends at its limit; holds anything; valid until the next call.
     */
    public ByteBuffer roomFor(final DirectBuffer buffer, final int offset, final int length)
    {
        return hasMemory(buffer) ? viewOf(buffer, offset, length) : room(length);
    }

    /**
     * Puts what was written into {@link #roomFor} where it belongs, if it does not stand there.
     *
     * @param buffer as there.
     * @param offset as there.
     * @param length as there.
     */
    public void put(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        if (!hasMemory(buffer))
        {
            buffer.putBytes(offset, copy, 0, length);
        }
    }

    private static boolean hasMemory(final DirectBuffer buffer)
    {
        return buffer.byteBuffer() != null || buffer.byteArray() != null;
    }

    @SuppressWarnings("ReferenceEquality")          // The same memory, not the same contents.
    private ByteBuffer viewOf(final DirectBuffer buffer, final int offset, final int length)
    {
        if (view == null || memory != buffer.byteBuffer() || array != buffer.byteArray())
        {
            memory = buffer.byteBuffer();
            array = buffer.byteArray();
            view = memory == null ? ByteBuffer.wrap(array) : memory.duplicate();
        }
        final int start = buffer.wrapAdjustment() + offset;
        return view.limit(start + length).position(start);
    }

    private ByteBuffer room(final int length)
    {
        if (copy.capacity() < length)
        {
            copy = ByteBuffer.allocateDirect(BitUtil.findNextPositivePowerOfTwo(length));
        }
        return copy.limit(length).position(0);
    }
}
