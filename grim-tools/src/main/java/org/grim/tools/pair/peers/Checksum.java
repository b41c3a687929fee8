// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * CRC32C of parts of buffers: without a copy where Java has a byte buffer or an array of that memory, and by a copy
 * where it is known by its address only, as boards' memory is. Allocates only when it sees memory that it has not seen
 * the last time, or needs room for a longer copy.
 * <p>Thread: one.
 */
final class Checksum
{
    private final CRC32C crc = new CRC32C();
    private ByteBuffer memory;
    private byte[] array;
    private ByteBuffer view;
    private ByteBuffer copy = ByteBuffer.allocateDirect(0);

    long of(final DirectBuffer buffer, final int offset, final int length)
    {
        crc.reset();
        crc.update(buffer.byteBuffer() == null && buffer.byteArray() == null ? copyOf(buffer, offset, length) :
            viewOf(buffer, offset, length));
        return crc.getValue();
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

    private ByteBuffer copyOf(final DirectBuffer buffer, final int offset, final int length)
    {
        if (copy.capacity() < length)
        {
            copy = ByteBuffer.allocateDirect(BitUtil.findNextPositivePowerOfTwo(length));
        }
        buffer.getBytes(offset, copy, 0, length);
        return copy.limit(length).position(0);
    }
}
