// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RingReaderTest
{
    private static final int RING_LENGTH = 256;
    private static final int LENGTH_MAX = 56;

    private final AtomicBuffer ring = Buffers.allocate(RingDescriptor.DATA_OFFSET + RING_LENGTH);
    private RingWriter writer;
    private RingReader reader;

    @BeforeEach
    void make()
    {
        RingDescriptor.initialise(ring, 0);
        writer = new RingWriter(ring);
        reader = new RingReader(ring, LENGTH_MAX);
    }

    @Test
    void shouldStopAtAPositionThatWentBack()
    {
        write(16);
        assertTrue(reader.poll());
        reader.release();
        ring.putInt(RingDescriptor.WRITTEN_OFFSET, 8);

        assertFalse(reader.poll());
        requireStopped(WireFault.BAD_POSITION);
    }

    @Test
    void shouldStopAtAPositionBeyondTheRing()
    {
        ring.putInt(RingDescriptor.WRITTEN_OFFSET, RING_LENGTH + 1);

        assertFalse(reader.poll());
        requireStopped(WireFault.BAD_POSITION);
    }

    @Test
    void shouldStopAtAStartThatNoRecordHas()
    {
        ring.putInt(RingDescriptor.FRONT_OFFSET, 4);
        reader = new RingReader(ring, LENGTH_MAX);

        assertFalse(reader.poll());
        requireStopped(WireFault.BAD_POSITION);
    }

    @Test
    void shouldStopAtALengthThatCannotBe()
    {
        for (final int length : new int[]{0, -2, LENGTH_MAX + 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
        {
            make();
            write(8);
            ring.putInt(RingDescriptor.DATA_OFFSET, length);

            assertFalse(reader.poll());
            requireStopped(WireFault.BAD_LENGTH);
        }
    }

    @Test
    void shouldStopAtASkipThatLeadsNowhere()
    {
        write(8);
        ring.putInt(RingDescriptor.DATA_OFFSET, RingDescriptor.SKIP);

        assertFalse(reader.poll());
        requireStopped(WireFault.BAD_LENGTH);
    }

    @Test
    void shouldStopAtACutThatCannotBeAndCutThePacket()
    {
        for (final int cut : new int[]{-1, 1, 17, Integer.MIN_VALUE})
        {
            make();
            writer.tryBegin(16);
            writer.feed(Packets.of(0, 16), 0, 4);
            assertFalse(reader.poll());
            writer.feed(Packets.of(0, 16), 4, 12);
            ring.putInt(RingDescriptor.DATA_OFFSET + RingDescriptor.CUT_OFFSET, cut);

            assertTrue(reader.poll());
            assertTrue(reader.isCut());
            assertFalse(reader.isOver());
            reader.release();
            requireStopped(WireFault.BAD_CUT);
        }
    }

    @Test
    void shouldCutAnOpenPacketWhenTheRingStops()
    {
        writer.tryBegin(56);
        writer.feed(Packets.of(0, 56), 0, 50);
        assertTrue(reader.poll());
        ring.putInt(RingDescriptor.WRITTEN_OFFSET, -5_000);

        assertEquals(50, reader.arrivedLength());
        assertTrue(reader.isCut());
        reader.release();
        requireStopped(WireFault.BAD_POSITION);
    }

    @Test
    void shouldBelieveNoFrontThatCannotBe()
    {
        for (int i = 0; i < 4; i++)
        {
            write(56);
        }
        for (final int front : new int[]{-8, 4, 264, Integer.MIN_VALUE})
        {
            ring.putInt(RingDescriptor.FRONT_OFFSET, front);
            assertFalse(writer.tryBegin(8));
        }
        ring.putInt(RingDescriptor.FRONT_OFFSET, 64);
        assertTrue(writer.tryBegin(8));
        assertNull(reader.fault());
    }

    private void write(final int length)
    {
        assertTrue(writer.tryBegin(length));
        writer.feed(Packets.of(0, length), 0, length);
    }

    private void requireStopped(final WireFault fault)
    {
        assertEquals(fault, reader.fault());
        assertTrue(reader.isOver());
        assertTrue(writer.isStopped());
        assertFalse(reader.poll());
        assertEquals(reader.wordIdle(), ring.getInt(RingDescriptor.WRITTEN_OFFSET));
    }
}
