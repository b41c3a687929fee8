// SPDX-License-Identifier: Apache-2.0
package org.grim.multicast;

import org.grim.buffer.SegmentHeader;
import org.grim.wire.MessageHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.align;
import static org.agrona.BitUtil.isPowerOfTwo;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Where everything lies in a multicast outbox. Native byte order except for arguments. Offsets in bytes.
 * <pre>
 *  +----------------+ 0
 *  | segment header |                      sender writes, readers read
 *  +----------------+ CALL_OFFSET
 *  | call           |  u32: 1 if a reader may sleep; readers set, sender clears before it looks at
 *  | asleep         |  u32 for each reader: 0, or doorbell + 1; the reader sets it, the sender clears it by CAS
 *  +----------------+ HEADS_OFFSET
 *  | heads          |  a line for each reader, u64: position of what it reads next; negative while it does not read.
 *  |                |  Goes from offered() to mapped() by the reader's CAS, to a position by the sender's,
 *  |                |  to detached() by the reader's; DETACHED while there is no reader
 *  +----------------+ RECORDS_OFFSET
 *  | records        |  a power of two
 *  +----------------+
 * </pre>
 * A record begins at a line:
 * <pre>
 *   0         4         8         12                 16             32
 *  +---------+---------+---------+------------------+--------------+---------+
 *  | stamp   | length  | epoch   | sender, handler  | 4 arguments, | payload |
 *  | u32     | u32     | u32     | u16      u16     | big endian   |         |
 *  +---------+---------+---------+------------------+--------------+---------+
 * </pre>
 * The sender is the node whose message it is, with two marks: {@link #PASSED_ON}, {@link #OUTSIDE}. The length is of
 * all; it is {@value #PADDING} if the next record begins at the first byte again. The stamp is that of the record's
 * position, and written last: until then something else stands there, for which the sender looks before it publishes
 * the record before. So readers look at nothing but the line that comes next.
 */
final class OutboxLayout
{
    static final long MAGIC = SegmentHeader.magic("GRIMMCST");

    static final int READER_COUNT_MAX = 256;
    static final int CALL_OFFSET = SegmentHeader.LENGTH;
    static final int ASLEEP_OFFSET = CALL_OFFSET + SIZE_OF_INT;
    static final int HEADS_OFFSET = align(ASLEEP_OFFSET + READER_COUNT_MAX * SIZE_OF_INT, CACHE_LINE_LENGTH);
    static final int RECORDS_OFFSET = HEADS_OFFSET + READER_COUNT_MAX * CACHE_LINE_LENGTH;

    static final int STAMP_OFFSET = 0;
    static final int LENGTH_OFFSET = STAMP_OFFSET + SIZE_OF_INT;
    static final int EPOCH_OFFSET = LENGTH_OFFSET + SIZE_OF_INT;
    static final int SOURCE_OFFSET = EPOCH_OFFSET + SIZE_OF_INT;
    static final int ARGUMENTS_OFFSET = MessageHeader.ARGUMENTS_OFFSET;
    static final int ARGUMENTS_TWO_OFFSET = MessageHeader.ARGUMENTS_TWO_OFFSET;
    static final int PAYLOAD_OFFSET = MessageHeader.LENGTH;

    /** No reader. */
    static final long DETACHED = -1;

    static final int PADDING = -1;

    /** Mark of a sender: the outbox's owner passes the message on for another host, and has it already. */
    static final int PASSED_ON = 1 << 15;

    /** Mark of a sender: it sent as no member. */
    static final int OUTSIDE = 1 << 14;

    private static final long STEPS = 3;
    private static final int LINE_SHIFT = Integer.numberOfTrailingZeros(CACHE_LINE_LENGTH);
    private static final int ORIGIN_SHIFT = 16;

    private OutboxLayout()
    {
    }

    /** A head until a reader has mapped the outbox: of this offer, and of no earlier one. */
    static long offered(final int offer)
    {
        return DETACHED - STEPS * Integer.toUnsignedLong(offer) - 1;
    }

    /** A head until the sender lets in the reader that has mapped the outbox. Else it would wait for nobody. */
    static long mapped(final int offer)
    {
        return offered(offer) - 1;
    }

    /** A head when the reader of this offer has let go: no other word means that. */
    static long detached(final int offer)
    {
        return mapped(offer) - 1;
    }

    static int asleepIndex(final int reader)
    {
        return ASLEEP_OFFSET + reader * SIZE_OF_INT;
    }

    static int headIndex(final int reader)
    {
        return HEADS_OFFSET + reader * CACHE_LINE_LENGTH;
    }

    /** The word at a position where a record has been published. */
    static int stamp(final long position)
    {
        return (int)(position >>> LINE_SHIFT) + 1;
    }

    /** A sender, a node's number with marks, and a handler's number in one word. */
    static int source(final int sender, final int handler)
    {
        return sender << ORIGIN_SHIFT | (handler & MessageHeader.HANDLER_MAX);
    }

    /** The node: 0 to {@link #OUTSIDE} - 1 for every word. */
    static int origin(final int source)
    {
        return source >>> ORIGIN_SHIFT & (OUTSIDE - 1);
    }

    /** Whether the sender has a mark. */
    static boolean isMarked(final int source, final int mark)
    {
        return (source >>> ORIGIN_SHIFT & mark) != 0;
    }

    /** The handler: 0 to {@link MessageHeader#HANDLER_MAX}. */
    static int handler(final int source)
    {
        return source & MessageHeader.HANDLER_MAX;
    }

    /** Bytes that a record takes. */
    static int room(final int length)
    {
        return align(length, CACHE_LINE_LENGTH);
    }

    /** Whether bytes between two positions can be records. */
    static boolean isDistance(final long distance, final int capacity)
    {
        return distance >= 0 && distance <= capacity && isAtLine(distance);
    }

    /** Whether a record can begin at a position. */
    static boolean isAtLine(final long position)
    {
        return (position & (CACHE_LINE_LENGTH - 1)) == 0;
    }

    /** Bytes of records in a file; 0 if no file has such a length. */
    static int capacity(final int fileLength)
    {
        final int capacity = fileLength - RECORDS_OFFSET;
        return capacity >= CACHE_LINE_LENGTH && isPowerOfTwo(capacity) ? capacity : 0;
    }
}
