// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.memory;

import java.nio.ByteBuffer;

import org.agrona.DirectBuffer;

/**
 * Part of a buffer as a {@link ByteBuffer}, for channels and digests, without a copy. Allocates only when it sees
 * memory that it has not seen the last time.
 * <p>Thread: one.
 */
public final class MemoryView
{
    private ByteBuffer memory;
    private byte[] array;
    private ByteBuffer view;

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
    @SuppressWarnings("ReferenceEquality")          // The same memory, not the same contents.
    public ByteBuffer of(final DirectBuffer buffer, final int offset, final int length)
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
}
