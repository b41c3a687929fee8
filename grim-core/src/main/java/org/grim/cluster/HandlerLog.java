// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import org.agrona.BitUtil;
import org.agrona.collections.IntObjConsumer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * The names of handlers and their ids in the directory's memory, in the order in which they were given. Native byte
 * order.
 * <pre>
 *  +-----------------------------------------------------------+ 0
 *  | length of the text (u32); 0: nothing stands here yet       |
 *  +-----------------------------------------------------------+ 4
 *  | id (u32)                                                   |
 *  +-----------------------------------------------------------+ 8
 *  | name, UTF-8, and what is missing to a multiple of 8        |
 *  +-----------------------------------------------------------+
 *  | next entry ...                                             |
 * </pre>
 * An entry's length is stored last, with release order: who dies before that has written nothing.
 * <p>Thread: the keeper's host endpoint's owner. One node of the cluster at a time is the keeper; the next one reads
 * after the status of the one before said that it is gone. In a cluster of several hosts the host's agent writes, and
 * the keeper reads.
 * <p>Bounds: {@value #LENGTH} bytes, for 8,192 names of up to 24 bytes, or 1,260 of {@value #TEXT_LENGTH_MAX}.
 */
final class HandlerLog
{
    static final int LENGTH_OFFSET = 0;                                // u32, keeper writes (release), successor reads
    static final int ID_OFFSET = LENGTH_OFFSET + SIZE_OF_INT;          // u32, keeper
    static final int TEXT_OFFSET = ID_OFFSET + SIZE_OF_INT;            // keeper

    static final int LENGTH = 256 * 1024;
    static final int TEXT_LENGTH_MAX = 200;

    private final AtomicBuffer buffer;
    private final int offset;
    private int endOffset;

    /**
     * Makes a view, which must be {@link #read} before it is written.
     *
     * @param buffer the directory's.
     * @param offset where the log begins.
     */
    HandlerLog(final AtomicBuffer buffer, final int offset)
    {
        this.buffer = buffer;
        this.offset = offset;
    }

    /** Looks at all entries, and finds the place of the next one. An invalid entry ends the log: it is damaged. */
    void read(final IntObjConsumer<String> consumer)
    {
        endOffset = 0;
        readOn(consumer);
    }

    /** Looks at the entries that came since the last look. */
    void readOn(final IntObjConsumer<String> consumer)
    {
        int length = lengthAt(endOffset);
        while (length > 0 && length <= TEXT_LENGTH_MAX && endOffset + entryLength(length) <= LENGTH)
        {
            final byte[] text = new byte[length];
            buffer.getBytes(offset + endOffset + TEXT_OFFSET, text);
            consumer.accept(buffer.getInt(offset + endOffset + ID_OFFSET), new String(text, UTF_8));
            endOffset += entryLength(length);
            length = lengthAt(endOffset);
        }
    }

    /** Checks that a name can be appended, so that nothing fails once it has an id. */
    void requireRoom(final String name)
    {
        final int length = name.getBytes(UTF_8).length;
        if (length < 1 || length > TEXT_LENGTH_MAX)
        {
            throw new IllegalArgumentException("handler name length=" + length + " bytes is outside 1 to " +
                TEXT_LENGTH_MAX);
        }
        if (endOffset + entryLength(length) > LENGTH)
        {
            throw new GrimException(NO_ROOM,
                "handler names of the cluster are used up: held=" + endOffset + " needed=" +
                entryLength(length) + " max=" + LENGTH + " bytes");
        }
    }

    /** Appends a name for which there is room. */
    void append(final String name, final int id)
    {
        final byte[] text = name.getBytes(UTF_8);
        final int entry = offset + endOffset;
        endOffset += entryLength(text.length);
        assert endOffset <= LENGTH : endOffset;
        if (endOffset < LENGTH)
        {
            // Something may stand there of a longer name whose writer died.
            buffer.putInt(offset + endOffset + LENGTH_OFFSET, 0);
        }
        buffer.putInt(entry + ID_OFFSET, id);
        buffer.putBytes(entry + TEXT_OFFSET, text);
        buffer.putIntRelease(entry + LENGTH_OFFSET, text.length);          // partner: the acquire in lengthAt()
    }

    private int lengthAt(final int entryOffset)
    {
        return entryOffset < LENGTH ? buffer.getIntAcquire(offset + entryOffset + LENGTH_OFFSET) : 0;
    }

    private static int entryLength(final int textLength)
    {
        return TEXT_OFFSET + BitUtil.align(textLength, SIZE_OF_LONG);
    }
}
