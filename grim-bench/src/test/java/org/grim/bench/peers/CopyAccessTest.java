// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.peers.AccessMeter;
import org.grim.tools.process.BoundedSpin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class CopyAccessTest
{
    private static final int SIZE = 4096;
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final AtomicBuffer source = Buffers.allocate(SIZE);
    private final BoundedSpin spin = new BoundedSpin(false, 1_000, "nothing", () ->
    {
    });

    @TempDir
    private Path directory;

    @Test
    void shouldBringBackWhatWasPut()
    {
        source.setMemory(0, SIZE, (byte)0x5A);
        try (CopyAccess privately = new CopyAccess(null, SIZE);
            CopyAccess mapped = new CopyAccess(directory.resolve("copy"), SIZE))
        {
            for (final CopyAccess access : new CopyAccess[] {privately, mapped})
            {
                assertTrue(access.tryPut(source, SIZE));
                assertTrue(access.tryGet(SIZE));
                assertTrue(access.isGot());
                assertEquals(0, source.compareTo(Buffers.wrap((AtomicBuffer)access.target(), 0, SIZE)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PUT_BANDWIDTH", "GET_LATENCY", "GET_BANDWIDTH", "LARGE_MESSAGE"})
    void shouldTimeOperations(final Benchmark benchmark)
    {
        final AccessMeter meter = new AccessMeter();
        try (CopyAccess access = new CopyAccess(null, SIZE))
        {
            final double figure = meter.measure(access, source, new Cell(benchmark, SIZE, false), SHORT_NS, spin);

            assertTrue(figure > 0);
            assertTrue(meter.operationCount() > 0);
            assertEquals(0, meter.operationCount() % 32, "the clock is read once per batch of 32");
        }
    }
}
