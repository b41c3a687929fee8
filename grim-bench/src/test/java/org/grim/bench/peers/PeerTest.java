// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.Map;

import org.agrona.DirectBuffer;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.bench.compare.PeerKind.GRIM_SOCKETS;
import static org.grim.bench.compare.PeerKind.TCP;
import static org.grim.bench.compare.PeerKind.UDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PeerTest
{
    private static final int[] SIZES = {0, 8, 48, 56, 2048, 8192, 65504};
    private static final int LAPS = 20;
    private static final int POLLS_MAX = 100_000;

    @TempDir
    private Path directory;

    private final Sum first = new Sum();
    private final Sum second = new Sum();

    @Test
    void shouldDeliverEveryWordBothWays()
    {
        final Map<Peer, Peer> pairs = Map.of(
            new CopyFlagPeer(directory, true, 65504, first), new CopyFlagPeer(directory, false, 65504, second),
            new RingPeer(directory, true, first), new RingPeer(directory, false, second),
            new OneToOnePeer(directory, true, first), new OneToOnePeer(directory, false, second),
            new SocketPeer(UDS, directory, true, first), new SocketPeer(UDS, directory, false, second),
            new SocketPeer(TCP, directory, true, first), new SocketPeer(TCP, directory, false, second),
            new SocketPeer(GRIM_SOCKETS, directory, true, first),
            new SocketPeer(GRIM_SOCKETS, directory, false, second));
        pairs.forEach((initiator, responder) ->
        {
            responder.connect();
            initiator.connect();
            for (int lap = 0; lap < LAPS; lap++)
            {
                for (final int size : SIZES)
                {
                    assertPassed(initiator, responder, second, size);
                    assertPassed(responder, initiator, first, size);
                }
            }
            initiator.close();
            responder.close();
        });
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

    @Test
    void shouldPassOneWordRaw()
    {
        try (RawPeer sender = new RawPeer(directory, true, first);
            RawPeer taker = new RawPeer(directory, false, second))
        {
            final Payload payload = new Payload(true);

            assertPassed(sender, taker, second, payload.write(8), payload, 8);
            assertPassed(sender, taker, second, payload.write(8), payload, 8);
            assertFalse(taker.poll() > 0);
        }
    }

    private static void assertPassed(final Peer from, final Peer to, final Sum sum, final int size)
    {
        final Payload payload = new Payload(true);
        assertPassed(from, to, sum, payload.write(size), payload, size);
    }

    private static void assertPassed(
        final Peer from, final Peer to, final Sum sum, final long expected, final Payload payload, final int size)
    {
        sum.length = -1;
        assertTrue(from.trySend(payload.buffer(), 0, size));
        for (int i = 0; i < POLLS_MAX && sum.length < 0; i++)
        {
            from.poll();
            to.poll();
        }

        assertEquals(size, sum.length);
        assertEquals(expected, sum.sum);
    }

    private static final class Sum implements MessageReceiver
    {
        private int length;
        private long sum;

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int newLength)
        {
            sum = new Payload(true).sumOf(buffer, offset, newLength);
            length = newLength;
        }
    }
}
