// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.nio.ByteOrder;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

final class SlotStateTest
{
    private static final int SHIFT = 2;

    @Test
    void shouldCountLapsFromOneSoThatNoneIsTheStateOfAFreshSlot()
    {
        assertEquals(0, SlotState.NEVER_USED);
        assertEquals(1, SlotState.lap(0, SHIFT));
        assertEquals(1, SlotState.lap(3, SHIFT));
        assertEquals(2, SlotState.lap(4, SHIFT));
        assertEquals(0x0636_0001, bigEndian(SlotState.published(0, SHIFT)));
        assertEquals(0x0636_FFFF, bigEndian(SlotState.published(65_534L * 4, SHIFT)));
        assertEquals(0x0636_0000, bigEndian(SlotState.published(65_535L * 4, SHIFT)));
        assertEquals(0x0636_0001, bigEndian(SlotState.published(65_536L * 4, SHIFT)));
    }

    @Test
    void shouldTellEachLapFromTheOneBefore()
    {
        for (long lap = 1; lap < 70_000; lap++)
        {
            assertNotEquals(SlotState.published((lap - 1) * 4, SHIFT), SlotState.published(lap * 4, SHIFT));
        }
    }

    private static int bigEndian(final int machineWord)
    {
        final AtomicBuffer buffer = Buffers.allocate(64);
        buffer.putInt(0, machineWord);
        return buffer.getInt(0, ByteOrder.BIG_ENDIAN);
    }
}
