// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Patterned payloads: every byte depends on the message's number and on its place. */
public final class Payloads
{
    private Payloads()
    {
    }

    public static byte at(final int seed, final int index)
    {
        return (byte)((seed * 31) + (index * 7) + (index >>> 8));
    }

    public static void fill(final MutableDirectBuffer buffer, final int offset, final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(offset + i, at(seed, i));
        }
    }

    public static int crc(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        final CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int)crc.getValue();
    }
}
