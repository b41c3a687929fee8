// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.Map;

import org.grim.Allocation;
import org.grim.SendStatus;
import org.grim.myrinet.memory.TestPages;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.myrinet.MemoryCluster.BOTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Operations allocate nothing, at the hop and in the firmware of both boards, refused ones included. */
@Timeout(180)
final class RemoteMemoryAllocationTest
{
    private static final int COUNT = 20_000;

    @TempDir
    private Path directory;
    private long refusedCount;

    @Test
    void shouldAllocateNothingPerOperation()
    {
        try (MemoryCluster cluster = new MemoryCluster(directory, Map.of()))
        {
            final TestPages.Region far = cluster.far.pages.register(4 * TestPages.PAGE, BOTH);
            final TestPages.Region near = cluster.near.pages.register(4 * TestPages.PAGE, BOTH);
            final MemoryHop.RefusalSink sink = (ticket, address, length, reason) -> refusedCount++;
            final Runnable work = () -> run(cluster, far, near, sink);

            final long least = Allocation.of(work);

            assertEquals(0, least);
            // The last answers are still in flight.
            for (int i = 0; i < COUNT && refusedCount < 2 * COUNT / 10; i++)
            {
                step(cluster, sink);
            }
            assertTrue(refusedCount >= 2 * COUNT / 10, "refused: " + refusedCount);
        }
    }

    private static void run(
        final MemoryCluster cluster, final TestPages.Region far, final TestPages.Region near,
        final MemoryHop.RefusalSink sink)
    {
        final MemoryHop hop = cluster.hop;
        for (int i = 0; i < COUNT; i++)
        {
            SendStatus status = SendStatus.BACK_PRESSURED;
            while (status != SendStatus.SENT)
            {
                final int kind = i % 10;
                status = kind < 4 ?
                    hop.tryWrite(false, far.virtualAddress() + i % 5_000, cluster.payload, i % 64, 1 + i % 3_000,
                    far.virtualAddress() + 8, i, i) : kind < 7 ?
                    hop.tryWrite(true, far.physicalAddress() + i % 5_000, cluster.payload, i % 64, 8, 0, 0, i) :
                    kind < 9 ? hop.tryRead(far.virtualAddress(), near.virtualAddress() + 64, 1 + i % 2_000,
                    near.virtualAddress(), i, i) : hop.tryWrite(true, -9, cluster.payload, 0, 4, 0, 0, i);
                step(cluster, sink);
            }
        }
    }

    /** The runners' own steps: housekeeping may allocate, and is not done per operation. */
    private static void step(final MemoryCluster cluster, final MemoryHop.RefusalSink sink)
    {
        cluster.near.transport.sessionForTest().runner().step();
        cluster.far.transport.sessionForTest().runner().step();
        cluster.near.transport.sessionForTest().translations().poll();
        cluster.far.transport.sessionForTest().translations().poll();
        cluster.hop.drainRefusals(sink);
    }
}
