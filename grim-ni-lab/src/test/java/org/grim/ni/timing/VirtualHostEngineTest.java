// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import java.nio.ByteOrder;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Action;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.VirtualClock;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class VirtualHostEngineTest
{
    private static final int CONTEXT = 1;

    private final VirtualClock clock = new VirtualClock();
    private final VirtualProcessor processor = VirtualProcessor.of(LanaiTiming.lanai9(), 1);
    private final LanaiTiming timing = LanaiTiming.lanai9();
    private final HostMemory memory = new HostMemory(2);
    private final AtomicBuffer region = Buffers.allocate(4096);
    private final AtomicBuffer sram = Buffers.allocate(4096);
    private final VirtualHostEngine engine =
        VirtualHostEngine.of(memory, clock, processor, timing, this::onWake);
    private int wakeCount;
    private boolean isAnswering;

    VirtualHostEngineTest()
    {
        memory.attach(CONTEXT, region);
    }

    @Test
    void shouldMoveNothingBeforeTheTransferIsOver()
    {
        sram.putInt(8, 42);
        engine.write(address(64), sram, 8, 4);

        clock.runUntil(1_999);
        assertEquals(0, region.getInt(64));
        assertFalse(engine.isIdle());
        clock.runUntil(2_000);

        assertEquals(42, region.getInt(64));
        assertTrue(engine.isIdle());
        assertEquals(1, wakeCount);
    }

    @Test
    void shouldBeginWhenTheProcessorStartsIt()
    {
        processor.begin(1_000);
        processor.spend(Action.SET_HEADER);

        engine.write(address(0), sram, 0, 4);

        assertEquals(4_000, clock.nextTimeNs());
    }

    @Test
    void shouldBeginATransferWhenTheOneBeforeEnds()
    {
        sram.putInt(0, 1);
        engine.write(address(0), sram, 0, 1024);
        engine.writeWithTail(address(1024), sram, 0, 28, 7);
        final long firstNs = timing.remoteDmaNs(1024);

        assertTrue(clock.runNext());
        assertEquals(firstNs, clock.nowNs());
        assertEquals(1, region.getInt(0));
        assertEquals(0, tail(1052));
        assertTrue(clock.runNext());

        assertEquals(firstNs + timing.hostDmaNs(32), clock.nowNs());
        assertEquals(7, tail(1052));
        assertEquals(2, wakeCount);
    }

    @Test
    void shouldReadWhatTheHostHoldsWhenTheTransferIsOver()
    {
        region.putInt(16, 1);
        engine.read(address(16), sram, 100, 4);
        clock.runUntil(1_000);
        region.putInt(16, 2);

        clock.runUntil(2_000);

        assertEquals(2, sram.getInt(100));
    }

    @Test
    void shouldChargeAWordAloneAsANotification()
    {
        engine.writeWithTail(address(8), sram, 0, 0, -3);

        clock.runUntil(3_999);
        assertEquals(0, tail(8));
        clock.runUntil(4_000);

        assertEquals(-3, tail(8));
    }

    @Test
    void shouldTakeAsManyTransfersAsItSaysAndNoMore()
    {
        for (int i = 0; i < HostEngine.TRANSFER_COUNT_MAX; i++)
        {
            assertEquals(HostEngine.TRANSFER_COUNT_MAX - i, engine.room());
            engine.writeWithTail(address(4L * i), sram, 0, 0, i + 1);
        }
        assertEquals(0, engine.room());
        assertThrows(IllegalStateException.class, () -> engine.write(address(0), sram, 0, 4));

        for (int i = 0; i < HostEngine.TRANSFER_COUNT_MAX; i++)
        {
            assertEquals(0, tail(4 * i));
            clock.runNext();
            assertEquals(i + 1, tail(4 * i));
        }
        assertTrue(engine.isIdle());
    }

    @Test
    void shouldForgetTransfersOfABoardThatIsReset()
    {
        sram.putInt(0, 5);
        engine.write(address(0), sram, 0, 1024);
        engine.write(address(2048), sram, 0, 4);
        clock.runNext();

        engine.cancelAll();
        assertFalse(clock.runNext());
        assertEquals(0, region.getInt(2048));
        assertTrue(engine.isIdle());
        assertEquals(HostEngine.TRANSFER_COUNT_MAX, engine.room());
        assertEquals(1, wakeCount);

        processor.begin(clock.nowNs());
        engine.write(address(2048), sram, 0, 4);
        assertEquals(clock.nowNs() + 2_000, clock.nextTimeNs());
    }

    @Test
    void shouldTakeTransfersFromWhoeverIsWoken()
    {
        isAnswering = true;
        engine.write(address(0), sram, 0, 4);

        clock.runNext();
        isAnswering = false;

        assertFalse(engine.isIdle());
        assertEquals(4_000, clock.nextTimeNs());
        clock.runNext();
        assertEquals(9, region.getInt(512));
    }

    @Test
    void shouldCountATransferIntoMemoryThatIsGone()
    {
        engine.write(address(0), sram, 0, 4);
        memory.attach(CONTEXT, null);

        clock.runNext();

        assertEquals(1, engine.detachedCount());
        assertTrue(engine.isIdle());
        assertEquals(1, wakeCount);
    }

    @Test
    void shouldNeedTheSameForEveryTransferWithoutTiming()
    {
        final VirtualHostEngine uniform = VirtualHostEngine.uniform(memory, clock, processor, 11, this::onWake);

        uniform.write(address(0), sram, 0, 4000);
        uniform.writeWithTail(address(0), sram, 0, 0, 1);
        clock.runUntil(21);
        assertEquals(1, wakeCount);
        clock.runUntil(22);

        assertEquals(2, wakeCount);
        assertTrue(uniform.isIdle());
    }

    @Test
    void shouldNeedTimeByLengthOnAnotherBus()
    {
        final VirtualHostEngine linear =
            VirtualHostEngine.linear(memory, clock, processor, 20, 2_000_000_000L, this::onWake);

        linear.write(address(0), sram, 0, 400);
        linear.writeWithTail(address(0), sram, 0, 36, 1);
        clock.runUntil(219);
        assertEquals(0, wakeCount);
        clock.runUntil(220);
        assertEquals(1, wakeCount);
        clock.runUntil(260);

        assertEquals(2, wakeCount);
        assertThrows(IllegalArgumentException.class,
            () -> VirtualHostEngine.linear(memory, clock, processor, -1, 1, this::onWake));
        assertThrows(IllegalArgumentException.class,
            () -> VirtualHostEngine.linear(memory, clock, processor, 0, 0, this::onWake));
    }

    @Test
    void shouldRefuseLengthsThatAreNone()
    {
        assertThrows(IllegalArgumentException.class, () -> engine.write(address(0), sram, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> engine.read(address(0), sram, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> engine.writeWithTail(address(0), sram, 0, 3, 1));
        assertTrue(engine.isIdle());
    }

    @Test
    void shouldAllocateNothingForATransfer()
    {
        assertEquals(0, Allocation.of(this::transferOften));
    }

    private void transferOften()
    {
        for (int i = 0; i < 2_000; i++)
        {
            processor.begin(clock.nowNs());
            engine.write(address(0), sram, 0, 64);
            engine.writeWithTail(address(64), sram, 0, 32, i);
            engine.read(address(0), sram, 0, 64);
            clock.runNext();
            clock.runNext();
            clock.runNext();
        }
    }

    private void onWake()
    {
        wakeCount++;
        if (isAnswering)
        {
            processor.begin(clock.nowNs());
            sram.putInt(0, 9);
            engine.write(address(512), sram, 0, 4);
        }
    }

    private int tail(final int index)
    {
        return region.getInt(index, ByteOrder.BIG_ENDIAN);
    }

    private static long address(final long offset)
    {
        return HostMemory.address(CONTEXT, offset);
    }
}
