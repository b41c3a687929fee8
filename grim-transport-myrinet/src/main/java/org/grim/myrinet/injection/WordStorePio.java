// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/** Stores two words at a time, aligned on the board's side, as a bus wants them. Any thread; stateless. */
final class WordStorePio extends Pio
{
    private static final int LONG_MASK = SIZE_OF_LONG - 1;

    @Override
    void store(
        final AtomicBuffer sram, final int index, final DirectBuffer source, final int offset, final int length)
    {
        int done = 0;
        if ((index & LONG_MASK) != 0 && length >= SIZE_OF_INT)
        {
            sram.putInt(index, source.getInt(offset));
            done = SIZE_OF_INT;
        }
        for (; done <= length - SIZE_OF_LONG; done += SIZE_OF_LONG)
        {
            sram.putLong(index + done, source.getLong(offset + done));
        }
        if (done <= length - SIZE_OF_INT)
        {
            sram.putInt(index + done, source.getInt(offset + done));
            done += SIZE_OF_INT;
        }
        for (; done < length; done++)
        {
            sram.putByte(index + done, source.getByte(offset + done));
        }
    }
}
