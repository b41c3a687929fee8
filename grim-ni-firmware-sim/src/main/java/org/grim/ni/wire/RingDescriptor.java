// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.SegmentHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * The ring from one board to another, and the records in it. Native byte order except for the packets themselves.
 * <pre>
 *  +----------------+ 0
 *  | segment header |   producer writes, consumer reads
 *  | written        |   producer's line
 *  | front, stopped |   consumer's line; the producer writes the first front before it publishes the file
 *  +----------------+ DATA_OFFSET
 *  | records        |   2^k bytes
 *  +----------------+
 *
 *  0            4         8
 *  +------------+---------+---------------------------+
 *  | length     | cut     | packet, padded to 8 bytes |   never wraps: a record of length SKIP closes the end
 *  +------------+---------+---------------------------+
 * </pre>
 * Positions are free-running 32-bit byte counts. While a packet is fed, <i>written</i> stands behind its last byte;
 * with the last one it moves to the record's end. Only there <i>cut</i> means something: 0, or 1 + the bytes that were
 * fed before the packet was given up.
 */
final class RingDescriptor
{
    static final long MAGIC = SegmentHeader.magic("GRIMRING");

    static final int WRITTEN_OFFSET = SegmentHeader.LENGTH;                         // u32 position, producer
    static final int FRONT_OFFSET = WRITTEN_OFFSET + CACHE_LINE_LENGTH;             // u32 position, consumer
    static final int STOPPED_OFFSET = FRONT_OFFSET + SIZE_OF_INT;                   // u32, consumer: 0, or 1 if corrupt
    static final int DATA_OFFSET = FRONT_OFFSET + CACHE_LINE_LENGTH;

    static final int PACKET_LENGTH_OFFSET = 0;                                      // u32 bytes, or SKIP; producer
    static final int CUT_OFFSET = PACKET_LENGTH_OFFSET + SIZE_OF_INT;               // u32 bytes + 1, or 0; producer
    static final int PACKET_OFFSET = CUT_OFFSET + SIZE_OF_INT;
    static final int ALIGNMENT = SIZE_OF_LONG;
    static final int SKIP = -1;

    static final int RING_LENGTH_MAX = 1 << 30;
    /** A ring must take a packet however its end falls; more, so that one does not wait for the other. */
    private static final int PACKET_COUNT_MIN = 4;

    private RingDescriptor()
    {
    }

    static int recordLength(final int packetLength)
    {
        return PACKET_OFFSET + BitUtil.align(packetLength, ALIGNMENT);
    }

    static boolean isRingLength(final long ringLength, final int packetLengthMax)
    {
        return ringLength >= (long)PACKET_COUNT_MIN * recordLength(packetLengthMax) && ringLength <= RING_LENGTH_MAX &&
            (ringLength & ringLength - 1) == 0;
    }

    /** Where a ring starts: any position will do that a record may have. */
    static int firstPosition(final long position)
    {
        return (int)position & -ALIGNMENT;
    }

    /** Writes what a consumer must find in a ring of zeros. */
    static void initialise(final AtomicBuffer buffer, final int firstPosition)
    {
        buffer.putInt(WRITTEN_OFFSET, firstPosition);
        buffer.putInt(FRONT_OFFSET, firstPosition);
        SegmentHeader.complete(buffer, MAGIC);
    }
}
