// SPDX-License-Identifier: Apache-2.0
package org.grim.death;

import java.util.zip.CRC32;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Payloads that say where they belong, and their checksums, which cover the arguments as well. */
public final class Patterns
{
    private Patterns()
    {
    }

    public static void fill(
        final MutableDirectBuffer buffer, final int offset, final int length, final int key, final int sequence)
    {
        int value = key * 0x9E3779B1 + sequence * 31;
        for (int i = 0; i < length; i++)
        {
            value = value * 1_103_515_245 + 12_345;
            buffer.putByte(offset + i, (byte)(value >>> 16));
        }
    }

    public static int checksum(
        final DirectBuffer buffer, final int offset, final int length, final int key, final int stream,
        final int sequence)
    {
        final CRC32 crc = new CRC32();
        updateInt(crc, key);
        updateInt(crc, stream);
        updateInt(crc, sequence);
        updateInt(crc, length);
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        crc.update(bytes);
        return (int)crc.getValue();
    }

    private static void updateInt(final CRC32 crc, final int value)
    {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE)
        {
            crc.update(value >>> shift);
        }
    }
}
