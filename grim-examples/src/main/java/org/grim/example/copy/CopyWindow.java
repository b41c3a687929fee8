// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import org.grim.buffer.Buffers;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Layout of the registered memory of a copy by remote memory. Parts of the file have running numbers from 1 on, and use
 * the slots in turn. A part fills its slot; only the last one may be shorter. Native byte order.
 * <pre>
 *  the receiver's region
 *  +------------------------------+ WORDS_OFFSET  per slot a line with a u32, sender writes, receiver reads:
 *  | number of the part in it     |               the part with that number has arrived
 *  +------------------------------+ DATA_OFFSET   sender writes, receiver reads
 *  | slots                        |
 *  +------------------------------+
 *
 *  the sender's region
 *  +------------------------------+ CREDIT_OFFSET u32, receiver writes, sender reads: so many parts were taken
 *  | parts taken                  |
 *  +------------------------------+ SPARE_OFFSET  receiver writes, nobody reads: a write needs something to write
 *  | spare                        |
 *  +------------------------------+
 * </pre>
 */
final class CopyWindow
{
    static final int SLOT_COUNT = 16;
    static final int SLOT_LENGTH = 1 << 18;
    static final int WORDS_OFFSET = 0;
    static final int WORD_DISTANCE = Buffers.CACHE_LINE_LENGTH;
    static final int DATA_OFFSET = 4096;
    static final int LENGTH = DATA_OFFSET + SLOT_COUNT * SLOT_LENGTH;

    static final int CREDIT_OFFSET = 0;
    static final int SPARE_OFFSET = CREDIT_OFFSET + Buffers.CACHE_LINE_LENGTH * 2;
    static final int SPARE_LENGTH = SIZE_OF_LONG;
    static final int CREDIT_LENGTH = SPARE_OFFSET + SPARE_LENGTH;

    private CopyWindow()
    {
    }

    /** Where the word of a part's slot stands. */
    static int wordOffset(final int number)
    {
        return WORDS_OFFSET + slot(number) * WORD_DISTANCE;
    }

    /** Where a part stands. */
    static int dataOffset(final int number)
    {
        return DATA_OFFSET + slot(number) * SLOT_LENGTH;
    }

    private static int slot(final int number)
    {
        return (number - 1) % SLOT_COUNT;
    }
}
