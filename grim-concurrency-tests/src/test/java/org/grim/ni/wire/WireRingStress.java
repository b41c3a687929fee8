// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.nio.ByteBuffer;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The ring between two boards: a producer that reuses the room of a packet which the consumer releases meanwhile. The
 * first number says what the consumer saw (0: nothing, else the sum of wrong bytes + 1), the second whether the
 * producer found room and what stands there afterwards.
 */
public final class WireRingStress
{
    private static final int RING_LENGTH = 64;
    private static final int PACKET_LENGTH = 56;
    private static final int PIECE_LENGTH = 48;
    private static final byte FIRST = 3;
    private static final byte SECOND = 5;

    private WireRingStress()
    {
    }

    private static AtomicBuffer ring()
    {
        final AtomicBuffer ring = Buffers.wrap(
            ByteBuffer.allocateDirect(RingDescriptor.DATA_OFFSET + RING_LENGTH + Long.BYTES)
                .alignedSlice(Long.BYTES).slice(0, RingDescriptor.DATA_OFFSET + RING_LENGTH));
        RingDescriptor.initialise(ring, 0);
        return ring;
    }

    private static AtomicBuffer packet(final byte content)
    {
        final AtomicBuffer packet = Buffers.wrap(new byte[PACKET_LENGTH]);
        packet.setMemory(0, PACKET_LENGTH, content);
        return packet;
    }

    /** 1 if all bytes that are said to be there are what they should be, otherwise 1 + how many are not. */
    private static int read(final AtomicBuffer ring, final RingReader reader, final byte content)
    {
        if (!reader.poll())
        {
            return 0;
        }
        int wrongCount = 0;
        final int arrivedLength = reader.arrivedLength();
        for (int i = 0; i < arrivedLength; i++)
        {
            wrongCount += ring.getByte(reader.offset() + i) == content ? 0 : 1;
        }
        return 1 + wrongCount;
    }

    /** A packet in two pieces: what is said to have arrived has arrived. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The consumer came first")
    @Outcome(id = "1, 48", expect = Expect.ACCEPTABLE, desc = "The consumer saw the first piece")
    @Outcome(id = "1, 56", expect = Expect.ACCEPTABLE, desc = "The consumer saw all")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Bytes were said to be there that were not")
    @State
    public static class Feed
    {
        private final AtomicBuffer ring = ring();
        private final RingWriter writer = new RingWriter(ring);
        private final RingReader reader = new RingReader(ring, PACKET_LENGTH);
        private final AtomicBuffer packet = packet(FIRST);

        @Actor
        public void produce()
        {
            writer.tryBegin(PACKET_LENGTH);
            writer.feed(packet, 0, PIECE_LENGTH);
            writer.feed(packet, PIECE_LENGTH, PACKET_LENGTH - PIECE_LENGTH);
        }

        @Actor
        public void consume(final II_Result result)
        {
            if (reader.poll())
            {
                final int arrivedLength = reader.arrivedLength();
                int wrongCount = 0;
                for (int i = 0; i < arrivedLength; i++)
                {
                    wrongCount += ring.getByte(reader.offset() + i) == FIRST ? 0 : 1;
                }
                result.r1 = 1 + wrongCount;
                result.r2 = arrivedLength;
            }
        }
    }

    /** A full ring: the producer overwrites only what the consumer has read. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The producer found no room")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The producer took the room that was released")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A packet was overwritten while it was read")
    @State
    public static class Reuse
    {
        private final AtomicBuffer ring = ring();
        private final RingWriter writer = new RingWriter(ring);
        private final RingReader reader = new RingReader(ring, PACKET_LENGTH);
        private final AtomicBuffer packet = packet(SECOND);

        public Reuse()
        {
            writer.tryBegin(PACKET_LENGTH);
            writer.feed(packet(FIRST), 0, PACKET_LENGTH);
        }

        @Actor
        public void produce(final II_Result result)
        {
            if (writer.tryBegin(PACKET_LENGTH))
            {
                writer.feed(packet, 0, PACKET_LENGTH);
                result.r2 = 1;
            }
        }

        @Actor
        public void consume(final II_Result result)
        {
            result.r1 = read(ring, reader, FIRST);
            reader.release();
        }
    }
}
