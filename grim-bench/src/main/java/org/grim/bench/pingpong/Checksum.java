// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;

/**
 * CRC32C of parts of buffers, without a copy. Allocates only when it sees memory that it has not seen the last time.
 * <p>Thread: one.
 */
final class Checksum
{
    private final CRC32C crc = new CRC32C();
    private ByteBuffer memory;
    private ByteBuffer view;

    @SuppressWarnings("ReferenceEquality")          // The same memory, not the same contents.
    int of(final DirectBuffer buffer, final int offset, final int length)
    {
        crc.reset();
        final int start = buffer.wrapAdjustment() + offset;
        if (buffer.byteArray() != null)
        {
            crc.update(buffer.byteArray(), start, length);
        }
        else
        {
            if (memory != buffer.byteBuffer())
            {
                memory = buffer.byteBuffer();
                view = memory.duplicate();          // Its position is ours to move; the buffer's own is not.
            }
            view.limit(start + length).position(start);
            crc.update(view);
        }
        return (int)crc.getValue();
    }
}
