// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.HostileInput;
import org.grim.buffer.Buffers;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A ring of any bytes, changed at any time: what is shown lies inside it, and it comes to an end. */
final class RingFuzzTest
{
    private static final int RING_LENGTH = 256;
    private static final int LENGTH_MAX = 56;
    private static final int WORD_COUNT = (RingDescriptor.DATA_OFFSET + RING_LENGTH) / Integer.BYTES;

    @FuzzTest
    void shouldStayInside(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        final AtomicBuffer ring = Buffers.allocate(RingDescriptor.DATA_OFFSET + RING_LENGTH);
        RingDescriptor.initialise(ring, RingDescriptor.firstPosition(input.nextInt()));
        final RingWriter writer = new RingWriter(ring);
        final RingReader reader = new RingReader(ring, LENGTH_MAX);
        final AtomicBuffer packet = Buffers.allocate(LENGTH_MAX);
        while (input.hasMore())
        {
            switch (input.nextBelow(8))
            {
                case 0 -> ring.putInt(input.nextBelow(WORD_COUNT) * Integer.BYTES, input.nextInt());
                case 1 -> ring.putInt(RingDescriptor.WRITTEN_OFFSET,
                    ring.getInt(RingDescriptor.WRITTEN_OFFSET) + input.nextByte());
                case 2 -> ring.putInt(RingDescriptor.FRONT_OFFSET, input.nextByte() * 8);
                case 3, 4 -> write(writer, packet, input);
                case 5 -> look(reader, true);
                default -> look(reader, false);
            }
        }
        reader.producerGone();
        int packetCount = 0;
        while (look(reader, true))
        {
            packetCount++;
        }

        assertTrue(packetCount <= RING_LENGTH / RingDescriptor.recordLength(1));
        assertTrue(reader.isOver());
    }

    private static void write(final RingWriter writer, final AtomicBuffer packet, final HostileInput input)
    {
        final int length = 1 + input.nextBelow(LENGTH_MAX);
        if (writer.tryBegin(length))
        {
            final int fedLength = input.nextBelow(length + 1);
            writer.feed(packet, 0, fedLength);
            if (fedLength < length)
            {
                writer.abort();
            }
        }
    }

    private static boolean look(final RingReader reader, final boolean isReleased)
    {
        final boolean hasPacket = reader.poll();
        if (hasPacket)
        {
            final int arrivedLength = reader.arrivedLength();
            assertTrue(reader.length() > 0 && reader.length() <= LENGTH_MAX);
            assertTrue(arrivedLength >= 0 && arrivedLength <= reader.length());
            assertTrue(reader.offset() >= RingDescriptor.DATA_OFFSET + RingDescriptor.PACKET_OFFSET);
            assertTrue(reader.offset() + reader.length() <= RingDescriptor.DATA_OFFSET + RING_LENGTH);
            if (reader.isCut() || arrivedLength == reader.length() || isReleased)
            {
                reader.release();
            }
        }
        return hasPacket;
    }
}
