// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class WireAllocationTest
{
    @TempDir
    Path directory;

    @Test
    void shouldAllocateNothingPerPacketAndHousekeeping()
    {
        final WireCluster cluster = new WireCluster(directory, 3);
        final SharedWire one = new SharedWire(cluster.start(1), 1024, 200, UnaryOperator.identity());
        final SharedWire two = new SharedWire(cluster.start(2), 1024, 200, UnaryOperator.identity());
        final AtomicBuffer packet = Packets.of(1, 200);
        final int[] goneCount = new int[1];
        final NiGoneListener listener = ni -> goneCount[0]++;

        final long least = Allocation.of(() -> pass(one, two, packet, listener));

        assertEquals(0, least);
        assertEquals(0, goneCount[0]);
    }

    private static void pass(
        final SharedWire one, final SharedWire two, final AtomicBuffer packet, final NiGoneListener listener)
    {
        for (int i = 0; i < 10_000; i++)
        {
            int sentCount = 0;
            for (; one.isIdle(); sentCount++)
            {
                one.begin(2, 180);
                one.feed(packet, 0, 90);
                one.feed(packet, 90, 90);
            }
            two.admit();
            final int mark = two.mark();
            for (; sentCount > 0; sentCount--)
            {
                assertTrue(two.hasPacket());
                two.release();
                assertTrue(one.isIdle());
            }
            assertTrue(two.isReadPast(mark));
            one.housekeep(listener);
        }
    }
}
