// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.util.zip.CRC32C;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ChecksumTest
{
    private static final int LENGTH = 256;
    private static final int OFFSET = 24;

    @Test
    void shouldSeeThePartWhereverItsMemoryIs()
    {
        final AtomicBuffer owner = Buffers.allocate(LENGTH);
        final byte[] array = new byte[LENGTH];
        array[OFFSET] = 47;
        owner.putBytes(0, array);
        final CRC32C crc = new CRC32C();
        crc.update(array, OFFSET, 9);
        final Checksum checksum = new Checksum();

        assertEquals(crc.getValue(), checksum.of(owner, OFFSET, 9));
        assertEquals(crc.getValue(), checksum.of(Buffers.wrap(owner.addressOffset(), LENGTH), OFFSET, 9));
        assertEquals(crc.getValue(), checksum.of(new UnsafeBuffer(array), OFFSET, 9));
    }
}
