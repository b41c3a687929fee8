// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.HdrHistogram.Histogram;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.bench.process.BoundedSpin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Remote memory of a node to itself: client and server in one thread. */
final class MemoryPingTest
{
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int[] SIZES = {1, 8, 56, 57, 2047, 65_536};
    private static final int SIZE_MAX = 65_536;

    private final Histogram times = new Histogram(TimeUnit.SECONDS.toNanos(10), 3);
    private final BoundedSpin spin = new BoundedSpin(false, 10_000, "answer", () ->
    {
    });
    private Grim grim;
    private MemoryServer server;

    @BeforeEach
    void join()
    {
        grim = Grim.enable(GrimConfig.builder().nodeName("memory").transports("null").build());
        server = new MemoryServer(grim, spin, true);
        new EchoServer(grim);
    }

    @AfterEach
    void close()
    {
        grim.close();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AM")
    void shouldVerifyEveryPayload(final Mode mode)
    {
        final MemoryClient client = connect(mode);

        for (final int size : SIZES)
        {
            times.reset();
            client.measure(size, SHORT_NS, times);

            assertTrue(times.getTotalCount() > 0);
            assertEquals(times.getTotalCount(), client.takeVerifiedCount());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AM")
    void shouldVerifyWhatAStreamLeaves(final Mode mode)
    {
        final MemoryClient client = connect(mode);

        for (final int size : SIZES)
        {
            assertTrue(client.stream(size, SHORT_NS) > 0);
            assertTrue(client.takeVerifiedCount() > 0);
        }
    }

    @Test
    void shouldFailWhenOneBitComesBackWrong()
    {
        final MemoryClient client = connect(Mode.RM_V, () ->
        {
            flip(33);
            return server.step();
        });

        final GrimException error = assertThrows(GrimException.class, () -> client.measure(33, SHORT_NS, times));

        assertTrue(error.getMessage().startsWith("payload arrived changed: mode=rm-v size=33 bytes"),
            error::getMessage);
    }

    @Test
    void shouldFailWhenOneBitIsReadWrong()
    {
        final MemoryClient client = connect(Mode.READ);
        server.patternChangeForTest(1);

        final GrimException error = assertThrows(GrimException.class, () -> client.measure(33, SHORT_NS, times));

        assertTrue(error.getMessage().startsWith("payload arrived changed: mode=read size=33 bytes"),
            error::getMessage);
    }

    private void flip(final int size)
    {
        final int offset = MemorySide.dataOffset(size);
        server.bufferForTest().putByte(offset, (byte)(server.bufferForTest().getByte(offset) ^ 1));
    }

    private MemoryClient connect(final Mode mode)
    {
        return connect(mode, server::step);
    }

    private MemoryClient connect(
        final Mode mode, final BooleanSupplier step)
    {
        final MemoryClient client = new MemoryClient(grim, spin, mode, SIZE_MAX, true, step);
        grim.handlers().synchronise();
        client.connect(grim.host().id());
        return client;
    }
}
