// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The contract of every peer: each word arrives, in both directions, at any size. */
public abstract class PeerContract
{
    /** Sizes at which peers change how they pass a message, most bytes last. */
    protected static final int[] SIZES = {0, 8, 48, 56, 2048, 8192, 65504};
    /** Times that each size is passed. */
    protected static final int LAPS = 20;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    protected Path directory;
    protected final Sum first = new Sum();
    protected final Sum second = new Sum();

    /** Both ends of each peer. */
    protected abstract Map<Peer, Peer> pairs();

    @Test
    void shouldDeliverEveryWordBothWays()
    {
        pairs().forEach((initiator, responder) ->
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

    protected static void assertPassed(final Peer from, final Peer to, final Sum sum, final int size)
    {
        final Payload payload = new Payload(true);
        assertPassed(from, to, sum, payload.write(size), payload, size);
    }

    protected static void assertPassed(
        final Peer from, final Peer to, final Sum sum, final long expected, final Payload payload, final int size)
    {
        sum.length = -1;
        final long startNs = System.nanoTime();
        while (!from.trySend(payload.buffer(), 0, size))        // Another thread may have to give the room back.
        {
            assertTrue(System.nanoTime() - startNs < DEADLINE_NS, () -> "no room for " + size);
            from.poll();
            to.poll();
        }
        while (sum.length < 0 && System.nanoTime() - startNs < DEADLINE_NS)
        {
            from.poll();
            to.poll();
        }

        assertEquals(size, sum.length);
        assertEquals(expected, sum.sum);
    }

    /** Remembers the last message. */
    protected static final class Sum implements MessageReceiver
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
