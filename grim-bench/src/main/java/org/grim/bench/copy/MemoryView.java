// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.copy;

import java.nio.ByteBuffer;

import org.agrona.DirectBuffer;

/**
 * Part of a buffer as a {@link ByteBuffer}, for channels and digests, without a copy. Allocates only when it sees
 * memory that it has not seen the last time.
 * <p>Thread: one.
 */
final class MemoryView
{
    private ByteBuffer memory;
    private byte[] array;
    private ByteBuffer view;

    /** Valid for as long as the buffer is; the same object each time. */
    @SuppressWarnings("ReferenceEquality")          // The same memory, not the same contents.
    ByteBuffer of(final DirectBuffer buffer, final int offset, final int length)
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
