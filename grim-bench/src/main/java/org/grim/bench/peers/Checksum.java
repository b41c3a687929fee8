// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;
import org.grim.tools.memory.MemoryView;

/**
 * CRC32C of parts of buffers, without a copy. Allocates only when it sees memory that it has not seen the last time.
 * <p>Thread: one.
 */
final class Checksum
{
    private final CRC32C crc = new CRC32C();
    private final MemoryView view = new MemoryView();

    long of(final DirectBuffer buffer, final int offset, final int length)
    {
        crc.reset();
        crc.update(view.of(buffer, offset, length));
        return crc.getValue();
    }
}
