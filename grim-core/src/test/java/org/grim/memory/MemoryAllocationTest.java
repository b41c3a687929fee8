// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.grim.MemoryRegion;
import org.grim.buffer.Buffers;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Operations on registered memory allocate nothing once warm, refused ones included. */
final class MemoryAllocationTest
{
    private static final int WARM_UP_COUNT = 50_000;
    private static final int OPERATION_COUNT = 200_000;
    private static final MemoryHop.RefusalSink SINK = (ticket, address, length, reason) -> assertEquals(1, ticket);

    private final AtomicBuffer source = Buffers.allocate(4096);
    @TempDir
    private Path directory;

    @Test
    @Timeout(120)
    void shouldAllocateNothingPerOperation()
    {
        try (MemoryFixture fixture = new MemoryFixture(directory))
        {
            final MemoryRegion[] regions = new MemoryRegion[8];
            for (int i = 0; i < regions.length; i++)
            {
                regions[i] = fixture.owner.register(8192, MemoryRegion.Rights.READ_WRITE);
            }
            final MemoryRegion freed = fixture.owner.register(8192, MemoryRegion.Rights.READ_WRITE);
            final MemoryRegion target = fixture.initiator.register(8192, MemoryRegion.Rights.READ_WRITE);
            freed.close();

            final long least = Allocation.least(
                () -> run(fixture.hop, regions, freed, target, WARM_UP_COUNT),
                () -> run(fixture.hop, regions, freed, target, OPERATION_COUNT));

            assertEquals(0, least);
        }
    }

    private void run(final MemoryHop hop, final MemoryRegion[] regions, final MemoryRegion freed,
        final MemoryRegion target, final int count)
    {
        int refusedCount = 0;
        for (int i = 0; i < count; i++)
        {
            final MemoryRegion region = regions[i % regions.length];
            final MemoryRegion other = regions[i % 3];
            final int length = i % 7 == 0 ? 2000 : 8;
            hop.tryWrite(false, region.remote().address(), source, 0, length, other.remote().address() + 4096, i, 1);
            hop.tryWrite(true, region.remotePhysical().address(), source, 0, length,
                other.remotePhysical().address() + 4096, i, 1);
            hop.tryRead(region.remote().address(), target.remote().address(), length,
                target.remote().address() + 4096, i, 1);
            hop.tryWrite(i % 2 == 0, freed.remotePhysical().address(), source, 0, length, 0, 0, 1);
            refusedCount += hop.drainRefusals(SINK);
        }
        assertEquals(count, refusedCount);
    }
}
