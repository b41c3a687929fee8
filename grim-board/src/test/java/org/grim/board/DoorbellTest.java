// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class DoorbellTest
{
    private static final int RING_COUNT = 200_000;

    private final BoardGeometry geometry = new BoardGeometry(9, 0, 1 << 20, 200, 1024, 1, 0, 0);
    private final AtomicBuffer sram = Buffers.allocate(1 << 20);
    private final Doorbell doorbell = new Doorbell(sram, geometry);

    @Test
    void shouldTakeEachRungChannelOnce()
    {
        final long[] ready = {0, 4, 0, 0};
        doorbell.ring(0);
        doorbell.ring(63);
        doorbell.ring(64);
        doorbell.ring(199);
        doorbell.ring(199);

        assertTrue(doorbell.isRung());
        assertEquals(4, doorbell.take(ready));
        assertArrayEquals(new long[]{1L << 63 | 1, 5, 0, 1L << 7}, ready);
        assertFalse(doorbell.isRung());
        assertEquals(0, doorbell.take(ready));
    }

    @Test
    void shouldKeepBitsBigEndian()
    {
        doorbell.ring(0);

        assertEquals(1, sram.getByte(geometry.doorbellOffset() + 7));
        assertEquals(1, sram.getByte(geometry.doorbellOffset() + 71));
    }

    @Test
    void shouldIgnoreChannelsThatDoNotExist()
    {
        final long[] ready = new long[Doorbell.WORD_COUNT];
        sram.setMemory(geometry.doorbellOffset(), 128, (byte)0xFF);

        assertEquals(200, doorbell.take(ready));
        assertEquals(0xFF, ready[3]);
        assertThrows(IllegalArgumentException.class, () -> doorbell.ring(200));
        assertThrows(IllegalArgumentException.class, () -> doorbell.ring(-1));
    }

    @Test
    @Timeout(180)
    void shouldLoseNoWakeUpBetweenTwoThreads() throws InterruptedException
    {
        final ChannelRegisters registers = new ChannelRegisters(sram, geometry, 70);
        final Thread host = new Thread(() ->
        {
            for (int i = 1; i <= RING_COUNT; i++)
            {
                registers.backAndFilledRelease(i, 0);
                doorbell.ring(70);
            }
        });
        final long[] ready = new long[Doorbell.WORD_COUNT];
        int back = 0;
        host.start();
        while (back != RING_COUNT && (host.isAlive() || doorbell.isRung()))
        {
            if (doorbell.take(ready) > 0)
            {
                back = ChannelRegisters.back(registers.getAcquire(BACK_AND_FILLED));
            }
        }
        host.join();
        if (doorbell.take(ready) > 0)
        {
            back = ChannelRegisters.back(registers.getAcquire(BACK_AND_FILLED));
        }

        assertEquals(RING_COUNT, back, "the back that the last take saw");
    }
}
