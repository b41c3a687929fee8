// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.grim.RemoteRegion;
import org.grim.device.RequestTarget;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Requests of a store and their answers. Numbers are little endian; the file's number is argument 0, except of list and
 * open.
 * <pre>
 *  list   a0 first entry; path                                  answer: a1 next entry or 0; lines TYPE LENGTH NAME
 *  open   a0 flags; path                                        answer: a1 file; length u64 [, region of the window]
 *  read   a1 length; offset u64 [, region [, word, value u32]]  answer: a1 bytes; without a region also the bytes
 *  write  a1, a2 offset and length in the window; offset u64    answer: a1 bytes
 *         a2 is 0:                           offset u64, data   answer: a1 bytes
 *  sync, close
 * </pre>
 */
final class StoreFormat
{
    static final String LIST = "store.list";
    static final String OPEN = "store.open";
    static final String READ = "store.read";
    static final String WRITE = "store.write";
    static final String SYNC = "store.sync";
    static final String CLOSE = "store.close";

    static final int READ_FLAG = 1;
    static final int WRITE_FLAG = 1 << 1;
    static final int CREATE_FLAG = 1 << 2;
    static final int TRUNCATE_FLAG = 1 << 3;
    static final int WINDOW_FLAG = 1 << 4;
    static final int FLAGS_MAX = (1 << 5) - 1;

    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    static final int DATA_OFFSET = SIZE_OF_LONG;                                // Of a write.
    static final int REGION_OFFSET = SIZE_OF_LONG;                              // Of a read.
    static final int WORD_OFFSET = REGION_OFFSET + RemoteRegion.LENGTH;
    static final int VALUE_OFFSET = WORD_OFFSET + RemoteRegion.LENGTH;
    static final int READ_LENGTH_MAX = REGION_OFFSET + RequestTarget.LENGTH_MAX;
    static final int WINDOW_OFFSET = SIZE_OF_LONG;                              // Of the answer to an open.

    /** Most bytes of a read or write. */
    static final int TRANSFER_LENGTH_MAX = 1 << 20;

    private StoreFormat()
    {
    }

    /** Reads the position in the file. */
    static long position(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < SIZE_OF_LONG)
        {
            throw new IllegalArgumentException("request of length=" + length + " has no offset in the file");
        }
        final long position = buffer.getLong(offset, ORDER);
        if (position < 0 || position > Long.MAX_VALUE - TRANSFER_LENGTH_MAX)
        {
            throw new IllegalArgumentException("offset=" + position + " in the file is out of range");
        }
        return position;
    }
}
