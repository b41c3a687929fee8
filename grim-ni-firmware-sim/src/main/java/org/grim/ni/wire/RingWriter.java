// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

import static org.grim.ni.wire.RingDescriptor.ALIGNMENT;
import static org.grim.ni.wire.RingDescriptor.CUT_OFFSET;
import static org.grim.ni.wire.RingDescriptor.DATA_OFFSET;
import static org.grim.ni.wire.RingDescriptor.FRONT_OFFSET;
import static org.grim.ni.wire.RingDescriptor.PACKET_LENGTH_OFFSET;
import static org.grim.ni.wire.RingDescriptor.PACKET_OFFSET;
import static org.grim.ni.wire.RingDescriptor.SKIP;
import static org.grim.ni.wire.RingDescriptor.STOPPED_OFFSET;
import static org.grim.ni.wire.RingDescriptor.WRITTEN_OFFSET;

/**
 * The producing end of a ring. No reader has seen bytes that it has not released with <i>written</i>: it can die
 * anywhere.
 * <p>Thread: the sending board's stepper. Owns: nothing; the mapping is its user's. Never allocates.
 */
final class RingWriter
{
    private static final int WORDS_LENGTH_MAX = 96;         // Beyond it the call of a copying routine is quicker.

    private final AtomicBuffer buffer;
    private final int ringLength;
    private final int mask;
    private int front;
    private int tail;                       // End of the last record that was begun.
    private int record;                     // Its begin.
    private int packetIndex;
    private int packetLength;
    private int fedLength;

    /** A ring that nobody has written to. */
    RingWriter(final AtomicBuffer buffer)
    {
        this.buffer = buffer;
        ringLength = buffer.capacity() - DATA_OFFSET;
        mask = ringLength - 1;
        tail = buffer.getInt(WRITTEN_OFFSET);
        front = tail;
    }

    /** Begins a packet, of which nothing is seen yet. False: there is no room for all of it. */
    boolean tryBegin(final int length)
    {
        final int recordLength = RingDescriptor.recordLength(length);
        final int offset = tail & mask;
        final int skipLength = offset + recordLength > ringLength ? ringLength - offset : 0;
        if (skipLength + recordLength > ringLength - (tail - front) && !hasRoom(skipLength + recordLength))
        {
            return false;
        }
        if (skipLength > 0)
        {
            buffer.putInt(DATA_OFFSET + offset + PACKET_LENGTH_OFFSET, SKIP);
        }
        record = tail + skipLength;
        tail = record + recordLength;
        assert tail - front > 0 && tail - front <= ringLength : tail - front;
        final int index = DATA_OFFSET + (record & mask);
        buffer.putInt(index + PACKET_LENGTH_OFFSET, length);
        buffer.putInt(index + CUT_OFFSET, 0);
        packetIndex = index + PACKET_OFFSET;
        packetLength = length;
        fedLength = 0;
        return true;
    }

    /** The packet's next bytes; the caller has checked that they are not too many. */
    void feed(final DirectBuffer source, final int offset, final int length)
    {
        if (length <= WORDS_LENGTH_MAX)
        {
            Buffers.copyWords(buffer, packetIndex + fedLength, source, offset, length);
        }
        else
        {
            buffer.putBytes(packetIndex + fedLength, source, offset, length);
        }
        fedLength += length;
        assert fedLength <= packetLength : fedLength;
        publish(fedLength == packetLength ? tail : record + PACKET_OFFSET + fedLength);
    }

    /** The packet ends here. */
    void abort()
    {
        buffer.putInt(packetIndex - PACKET_OFFSET + CUT_OFFSET, fedLength + 1);
        publish(tail);
    }

    /** Whether the consumer found the ring corrupt and reads no more of it. */
    boolean isStopped()
    {
        return buffer.getIntVolatile(STOPPED_OFFSET) != 0;
    }

    private void publish(final int written)
    {
        // Partner: the acquire load in RingReader.load(): skip, lengths and bytes come before the position.
        buffer.putIntRelease(WRITTEN_OFFSET, written);
    }

    private boolean hasRoom(final int length)
    {
        // Partner: the release in RingReader.release(): the consumer has read what is overwritten now.
        final int newFront = buffer.getIntAcquire(FRONT_OFFSET);
        if (newFront - front > 0 && newFront - tail <= 0 && (newFront & ALIGNMENT - 1) == 0)
        {
            front = newFront;               // Anything else is corrupt, and frees nothing.
        }
        return length <= ringLength - (tail - front);
    }
}
