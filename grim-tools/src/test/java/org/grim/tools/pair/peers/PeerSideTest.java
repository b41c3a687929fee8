// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.Ends;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.process.BoundedSpin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.sun.management.ThreadMXBean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PeerSideTest
{
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int SIZE_MAX = 4096;

    private final BoundedSpin spin = new BoundedSpin(false, 10_000, "message", () ->
    {
    });

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"GRIM_NULL, LATENCY, 0", "GRIM_NULL, LATENCY, 33", "GRIM_NULL, RATE, 2048",
        "GRIM_NULL_RM_V, PUT_LATENCY, 1", "GRIM_NULL_RM_P, PUT_BANDWIDTH, 33", "GRIM_NULL_RM_V, GET_LATENCY, 33",
        "GRIM_NULL_RM_V, GET_BANDWIDTH, 4096"})
    void shouldVerifyEveryPayload(final PeerKind kind, final Benchmark benchmark, final int size)
    {
        try (PeerSide side = new PeerSide(kind, Ends.FIRST, directory, SIZE_MAX))
        {
            side.connect();

            assertTrue(side.measure(Cell.verified(benchmark, size), SHORT_NS, null, spin) > 0);

            assertTrue(side.deliveredCount() > 0);
        }
    }

    /** As the benchmark of one thread has them: what is sent comes back to the sender. */
    @ParameterizedTest
    @CsvSource({"GRIM, 32", "GRIM, 256"})
    void shouldVerifyEveryPayloadOfPeersWithBothEnds(final PeerKind kind, final int size)
    {
        try (PeerSide side = new PeerSide(kind, Ends.BOTH, directory, SIZE_MAX))
        {
            side.connect();

            assertTrue(side.measure(Cell.verified(Benchmark.COST, size), SHORT_NS, null, spin) > 0);
            assertTrue(side.measure(new Cell(Benchmark.COST, size, true), SHORT_NS, null, spin) > 0);

            assertTrue(side.deliveredCount() > 0);
        }
    }

    @Test
    void shouldAllocateNothingPerMessage()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (PeerSide side = new PeerSide(PeerKind.GRIM_NULL, Ends.FIRST, directory, SIZE_MAX))
        {
            side.connect();
            side.measure(Cell.verified(Benchmark.LATENCY, 256), WARM_UP_NS, null, spin);
            final long startNs = System.nanoTime();
            long allocatedLength = 0;
            long messageCount = 0;
            // By time, not by message, core's exchange of handler names allocates a little. The compiler may be late.
            while (allocatedLength >= messageCount)
            {
                final String text = "allocated=" + allocatedLength + " bytes for messages=" + messageCount;
                assertTrue(System.nanoTime() - startNs < DEADLINE_NS, text);
                final long countBefore = side.deliveredCount();
                final long before = threads.getCurrentThreadAllocatedBytes();
                side.measure(Cell.verified(Benchmark.LATENCY, 256), WARM_UP_NS, null, spin);
                allocatedLength = threads.getCurrentThreadAllocatedBytes() - before;
                messageCount = side.deliveredCount() - countBefore;
            }
            assertTrue(messageCount > 0);
        }
    }

    @Test
    void shouldSeeOneWrongBit()
    {
        final Payload payload = new Payload(true);
        payload.prepare(Cell.verified(Benchmark.LATENCY, 98));
        final long sum = payload.write(98);
        final AtomicBuffer buffer = payload.buffer();

        buffer.putByte(97, (byte)(buffer.getByte(97) ^ 1));

        assertNotEquals(sum, payload.sumOf(buffer, 0, 98));
    }

    @Test
    void shouldWriteWindowsThatDiffer()
    {
        final Payload payload = new Payload(true);
        payload.prepare(Cell.verified(Benchmark.RATE, 33));

        payload.writeWindows(33);

        assertNotEquals(payload.windowSum(0), payload.windowSum(1));
        assertEquals(payload.windowSum(1), payload.sumOf(payload.buffer(), Payload.windowOffset(17), 33));
    }

    @Test
    void shouldSeeThatTwoMessagesChangedPlaces()
    {
        assertNotEquals(Payload.fold(Payload.fold(0, 1), 2), Payload.fold(Payload.fold(0, 2), 1));
    }
}
