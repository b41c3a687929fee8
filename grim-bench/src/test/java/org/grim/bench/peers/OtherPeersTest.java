// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.Ends;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.peers.Payload;
import org.grim.tools.pair.peers.PeerContract;
import org.grim.tools.pair.peers.PeerSide;
import org.grim.tools.process.BoundedSpin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.tools.pair.PeerKind.AERON_IPC;
import static org.grim.tools.pair.PeerKind.GRIM_SOCKETS;
import static org.grim.tools.pair.PeerKind.TCP;
import static org.grim.tools.pair.PeerKind.UDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class OtherPeersTest extends PeerContract
{
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @Override
    protected Map<Peer, Peer> pairs()
    {
        return Map.of(
            new RingPeer(directory, true, first), new RingPeer(directory, false, second),
            new OneToOnePeer(directory, true, first), new OneToOnePeer(directory, false, second),
            new SocketPeer(UDS, directory, true, first), new SocketPeer(UDS, directory, false, second),
            new SocketPeer(TCP, directory, true, first), new SocketPeer(TCP, directory, false, second),
            new SocketPeer(GRIM_SOCKETS, directory, true, first),
            new SocketPeer(GRIM_SOCKETS, directory, false, second));
    }

    /** As the benchmark of one thread has them: what is sent comes back to the sender. */
    @ParameterizedTest
    @ValueSource(ints = {32, 256})
    void shouldVerifyEveryPayloadOfAeronWithBothEnds(final int size)
    {
        final BoundedSpin spin = new BoundedSpin(false, 10_000, "message", () ->
        {
        });
        try (PeerSide side = new PeerSide(AERON_IPC, Ends.BOTH, directory, 4096))
        {
            side.connect();

            assertTrue(side.measure(Cell.verified(Benchmark.COST, size), SHORT_NS, null, spin) > 0);
            assertTrue(side.measure(new Cell(Benchmark.COST, size, true), SHORT_NS, null, spin) > 0);

            assertTrue(side.deliveredCount() > 0);
        }
    }

    @Test
    void shouldDeliverBetweenThreadsOfOneProcess()
    {
        final JcToolsPeer near = new JcToolsPeer(65504, first);
        final JcToolsPeer far = near.other(second);
        for (int lap = 0; lap < LAPS; lap++)
        {
            for (final int size : SIZES)
            {
                assertPassed(near, far, second, size);
                assertPassed(far, near, first, size);
            }
        }
        final Payload payload = new Payload(true);
        int sentCount = 0;
        while (near.trySend(payload.buffer(), 0, 8))
        {
            sentCount++;
        }

        assertEquals(64, sentCount);
        assertEquals(1, far.poll());
        assertTrue(near.trySend(payload.buffer(), 0, 8));
    }

    @Test
    void shouldRefuseWhenRingIsFullAndGoOnAfterwards()
    {
        try (RingPeer sender = new RingPeer(directory, true, first);
            RingPeer taker = new RingPeer(directory, false, second))
        {
            final Payload payload = new Payload(true);
            payload.write(65504);
            int sentCount = 0;
            while (sender.trySend(payload.buffer(), 0, 65504))
            {
                sentCount++;
            }

            assertEquals(8, sentCount);
            assertEquals(8, taker.poll());
            assertTrue(sender.trySend(payload.buffer(), 0, 65504));
            assertEquals(1, taker.poll());
            assertEquals(0, taker.poll());
        }
    }
}
