// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two boards on two threads send to each other, in pieces, through rings that are mostly full. */
final class SharedWireThreadsTest
{
    private static final int PACKET_COUNT = 20_000;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int SPIN_COUNT = 200;
    private static final int LENGTH_MAX = 300;
    private static final int RING_LENGTH = 2048;

    @TempDir
    Path directory;

    @Test
    void shouldLoseNothingBetweenThreads() throws Exception
    {
        final WireCluster cluster = new WireCluster(directory, 4);
        cluster.firstPosition = -100_000;
        final Station one = new Station(wire(cluster, 1), 1, 2);
        final Station two = new Station(wire(cluster, 2), 2, 1);

        final CompletableFuture<Void> other = CompletableFuture.runAsync(two::run);
        one.run();
        other.get(60, TimeUnit.SECONDS);

        assertEquals(PACKET_COUNT, one.receivedCount);
        assertEquals(PACKET_COUNT, two.receivedCount);
        assertTrue(one.cutCount + two.cutCount > 0);
        assertTrue(one.partialCount + two.partialCount + one.stagedCount + two.stagedCount > 0);
        one.wire.close();
        two.wire.close();
    }

    private static SharedWire wire(final WireCluster cluster, final int node)
    {
        return new SharedWire(cluster.start(node), RING_LENGTH, LENGTH_MAX, UnaryOperator.identity());
    }

    /** A board that sends numbered packets of drawn lengths, some of them given up. */
    private static final class Station
    {
        private final SharedWire wire;
        private final int peer;
        private final SplittableRandom random;
        private final SplittableRandom expected;
        private final AtomicBuffer packet = Buffers.allocate(LENGTH_MAX);
        private int sentCount;
        private int receivedCount;
        private int cutCount;
        private int partialCount;
        private int stagedCount;

        Station(final SharedWire wire, final int self, final int peer)
        {
            this.wire = wire;
            this.peer = peer;
            random = new SplittableRandom(self);
            expected = new SplittableRandom(peer);
        }

        @SuppressWarnings("ThreadPriorityCheck")        // The tests must pass without a processor for each thread.
        void run()
        {
            final long startNs = System.nanoTime();
            int idleCount = 0;
            while (sentCount < PACKET_COUNT || receivedCount < PACKET_COUNT || !wire.isIdle())
            {
                idleCount = step() ? 0 : idleCount + 1;
                if (idleCount > SPIN_COUNT)
                {
                    assertTrue(System.nanoTime() - startNs < DEADLINE_NS, () -> "received=" + receivedCount);
                    Thread.yield();
                }
            }
        }

        private boolean step()
        {
            boolean hasWorked = wire.admit() > 0;
            if (wire.hasPacket())
            {
                receive();
                hasWorked = true;
            }
            if (sentCount < PACKET_COUNT && wire.isIdle())
            {
                send();
                hasWorked = true;
            }
            return hasWorked;
        }

        private void send()
        {
            final int length = 1 + random.nextInt(LENGTH_MAX);
            final boolean isCut = random.nextInt(16) == 0;
            for (int i = 0; i < length; i++)
            {
                packet.putByte(i, Packets.at(sentCount, i));
            }
            wire.begin(peer, length);
            final int half = length / 2;
            wire.feed(packet, 0, half);
            if (isCut)
            {
                wire.abort();
            }
            else
            {
                wire.feed(packet, half, length - half);
            }
            stagedCount += wire.isIdle() ? 0 : 1;
            sentCount++;
        }

        private void receive()
        {
            final int length = 1 + expected.nextInt(LENGTH_MAX);
            final boolean isCut = expected.nextInt(16) == 0;
            assertEquals(length, wire.length());
            int arrivedLength = wire.arrivedLength();
            partialCount += arrivedLength < length ? 1 : 0;
            Packets.check(wire.buffer(), wire.offset(), receivedCount, arrivedLength);
            if (isCut)
            {
                cutCount++;
            }
            else if (receivedCount % 4 != 0)            // Else released early.
            {
                while (arrivedLength < length)
                {
                    Thread.onSpinWait();
                    arrivedLength = wire.arrivedLength();
                    assertFalse(wire.isCut());
                }
                Packets.check(wire.buffer(), wire.offset(), receivedCount, length);
            }
            wire.release();
            receivedCount++;
        }
    }
}
