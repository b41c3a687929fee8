// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.large;

import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Payloads that are quick to make and to check, without garbage. Thread: one per object. */
final class LargePayload
{
    private static final int CHUNK_LENGTH = 64 * 1024;

    private final byte[] chunk = new byte[CHUNK_LENGTH];
    private final CRC32C crc = new CRC32C();

    /** Fills whole words; the rest, if any, is what stood there. */
    static void fill(final MutableDirectBuffer buffer, final int length, final long seed)
    {
        long value = seed;
        for (int i = 0; i + Long.BYTES <= length; i += Long.BYTES)
        {
            value = value * 0x5851_F42D_4C95_7F2DL + 0x1405_7B7E_F767_814FL;
            buffer.putLong(i, value);
        }
    }

    int checksum(final DirectBuffer buffer, final int offset, final int length)
    {
        crc.reset();
        for (int position = 0; position < length; position += CHUNK_LENGTH)
        {
            final int part = Math.min(CHUNK_LENGTH, length - position);
            buffer.getBytes(offset + position, chunk, 0, part);
            crc.update(chunk, 0, part);
        }
        return (int)crc.getValue();
    }
}
