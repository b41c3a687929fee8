// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.Map;

import org.agrona.DirectBuffer;
import org.grim.large.OutgoingStream;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class NullLargeMessageTest extends StreamContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", List.of("null"));
        return LocalCluster.ofOne(settings, firstPosition);
    }

    @Override
    protected Object[] transportSettings()
    {
        return new Object[]{"grim.message.outbox-length", 0};
    }

    @Test
    void shouldTakeAStreamOfMoreBytesThanAnIntHolds()
    {
        startLarge();
        final long length = Integer.MAX_VALUE + 100_000L;
        final long[] taken = new long[3];
        near().handlers().registerStream("near.counter", new CountingPieces(taken));
        final HandlerId handler = resolve("near.counter");
        final Link self = near().endpoint().link(near().endpoint().id());
        final MessageStream stream = new OutgoingStream();

        await(() -> self.tryOpenStream(handler, 0, 0, 0, 0, length, stream) == SendStatus.SENT, () -> "a stream");
        while (stream.position() < length)
        {
            stream.add(large, 0, (int)Math.min(500_000, length - stream.position()));
            near().endpoint().poll();
        }
        await(() -> stream.end() == SendStatus.SENT || !stream.isOpen(), () -> "its end");
        await(() -> taken[2] > 0, () -> "its end at the handler");

        assertEquals(length, stream.totalLength());
        assertEquals(length, stream.position());
        assertEquals(length, taken[0]);
        assertEquals(0, taken[1]);
        assertEquals(length, taken[2]);
    }

    /** Counts bytes, pieces that do not come next, and the length of the stream at its end. */
    private static final class CountingPieces implements ActiveMessage.Stream.Handler
    {
        private final long[] taken;

        CountingPieces(final long[] taken)
        {
            this.taken = taken;
        }

        @Override
        public void onBegin(final ActiveMessage.Stream stream)
        {
            taken[0] = 0;
        }

        @Override
        public void onPiece(
            final ActiveMessage.Stream stream, final DirectBuffer buffer, final int offset, final int length,
            final long position)
        {
            taken[1] += position == taken[0] ? 0 : 1;
            taken[0] += length;
        }

        @Override
        public void onEnd(final ActiveMessage.Stream stream)
        {
            taken[2] = stream.totalLength();
        }

        @Override
        public void onAbort(final ActiveMessage.Stream stream)
        {
            taken[1]++;
        }
    }
}
