// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.process.BoundedSpin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class InitiatorTest
{
    private static final int SIZE = 1 << 17;
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Initiator initiator = new Initiator();
    private final BoundedSpin spin = new BoundedSpin(false, 1_000, "nothing", () ->
    {
    });

    @TempDir
    private Path directory;

    @Test
    void shouldMeasureCopiesOfMoreThanMessagesTake()
    {
        assertTrue(initiator.measure(new OneBuffer(0), cell(), SHORT_NS, null, spin) > 0);
        assertTrue(initiator.doneCount() > 0);
    }

    @Test
    void shouldFailWhenOneByteIsReadWrong()
    {
        final GrimException error = assertThrows(GrimException.class,
            () -> initiator.measure(new OneBuffer(1), cell(), SHORT_NS, null, spin));

        assertTrue(error.getMessage().startsWith(
            "benchmark=get-bandwidth size=131072 mode=ignore: payloads were changed"), error::getMessage);
    }

    @Test
    void shouldFailWhenOneBitOfAnEchoIsWrong()
    {
        try (ControlBlock control = ControlBlock.create(directory.resolve("control")))
        {
            final GrimException error = assertThrows(GrimException.class, () -> initiator.measure(
                new FlippingPeer(initiator), Cell.verified(Benchmark.LATENCY, 33), SHORT_NS, control, spin));

            assertTrue(error.getMessage().startsWith("benchmark=latency size=33"), error::getMessage);
            assertTrue(error.getMessage().contains("payloads were changed"), error::getMessage);
        }
    }

    private static Cell cell()
    {
        return new Cell(Benchmark.GET_BANDWIDTH, SIZE, false);
    }

    /** Puts and gets the same memory, and spoils a byte of it. */
    private static final class OneBuffer implements Peer, MemoryAccess
    {
        private final AtomicBuffer memory = Buffers.allocate(SIZE);
        private final int change;

        OneBuffer(final int change)
        {
            this.change = change;
        }

        @Override
        public boolean trySend(final DirectBuffer source, final int offset, final int length)
        {
            return tryPut(source, length);
        }

        @Override
        public int poll()
        {
            return 0;
        }

        @Override
        public boolean tryPut(final DirectBuffer source, final int length)
        {
            memory.putBytes(0, source, 0, length);
            memory.putByte(length - 1, (byte)(memory.getByte(length - 1) + change));
            return true;
        }

        @Override
        public boolean tryGet(final int length)
        {
            return true;
        }

        @Override
        public boolean isGot()
        {
            return true;
        }

        @Override
        public void step()
        {
            // Nothing moves by itself.
        }

        @Override
        public DirectBuffer target()
        {
            return memory;
        }

        @Override
        public int targetOffset()
        {
            return 0;
        }
    }

    /** Echoes with one bit wrong. */
    private record FlippingPeer(MessageReceiver receiver) implements Peer
    {
        @Override
        public boolean trySend(final DirectBuffer source, final int offset, final int length)
        {
            final AtomicBuffer echo = Buffers.allocate(length);
            echo.putBytes(0, source, offset, length);
            echo.putByte(length / 2, (byte)(echo.getByte(length / 2) ^ 1));
            receiver.onMessage(echo, 0, length);
            return true;
        }

        @Override
        public int poll()
        {
            return 0;
        }

    }
}
