// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.MessageReceiver;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Both sides in one thread. */
final class RemotePeerTest
{
    private static final int[] SIZES = {8, 56, 64, 2048, 65_536};
    private static final RemoteTransport SHMEM =
        new RemoteTransport(config -> config.toBuilder().transports("shmem").build(), false, false);
    private static final int SIZE_MAX = 65_536;
    private static final int LAPS = 20;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Arrival first = new Arrival();
    private final Arrival second = new Arrival();
    private final AtomicBuffer payload = Buffers.allocate(SIZE_MAX);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPassMemoryBothWaysAndReadItBack(final boolean isPhysical)
    {
        try (RemotePeer initiator = new RemotePeer(directory, "rm", isPhysical, true, SIZE_MAX, SHMEM, first);
            RemotePeer responder = new RemotePeer(directory, "rm", isPhysical, false, SIZE_MAX, SHMEM, second))
        {
            responder.connect();
            initiator.connect();
            for (int lap = 1; lap <= LAPS; lap++)
            {
                for (final int size : SIZES)
                {
                    initiator.prepare(new Cell(Benchmark.PUT_LATENCY, size, false));
                    responder.prepare(new Cell(Benchmark.PUT_LATENCY, size, false));
                    assertPassed(initiator, responder, second, size, (byte)lap);
                    assertPassed(responder, initiator, first, size, (byte)-lap);
                    assertRead(initiator, size, (byte)(lap + 1));
                }
            }
        }
    }

    private void assertPassed(
        final RemotePeer from, final RemotePeer to, final Arrival arrival, final int size, final byte value)
    {
        payload.setMemory(0, size, value);
        arrival.length = -1;
        assertEquals(0, to.poll());

        assertTrue(from.trySend(payload, 0, size));
        final long startNs = System.nanoTime();
        while (arrival.length < 0 && System.nanoTime() - startNs < DEADLINE_NS)
        {
            to.poll();
        }

        assertEquals(size, arrival.length);
        assertEquals(value * size, arrival.sum);
    }

    private void assertRead(final RemotePeer peer, final int size, final byte value)
    {
        payload.setMemory(0, size, value);

        assertTrue(peer.tryPut(payload, size));
        assertTrue(peer.tryGet(size));
        final long startNs = System.nanoTime();
        while (!peer.isGot() && System.nanoTime() - startNs < DEADLINE_NS)
        {
            peer.step();
        }

        assertTrue(peer.isGot());
        assertEquals(value * size, sum(peer.target(), peer.targetOffset(), size));
    }

    private static int sum(final DirectBuffer buffer, final int offset, final int length)
    {
        int sum = 0;
        for (int i = 0; i < length; i++)
        {
            sum += buffer.getByte(offset + i);
        }
        return sum;
    }

    private static final class Arrival implements MessageReceiver
    {
        private int length;
        private int sum;

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int newLength)
        {
            sum = RemotePeerTest.sum(buffer, offset, newLength);
            length = newLength;
        }
    }
}
