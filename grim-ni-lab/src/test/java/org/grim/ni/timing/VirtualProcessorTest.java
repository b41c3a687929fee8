// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.grim.ni.board.Action;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class VirtualProcessorTest
{
    @Test
    void shouldRunAheadOfTheStepByWhatItSpends()
    {
        final VirtualProcessor processor = VirtualProcessor.of(LanaiTiming.lanai4(), 8);

        processor.begin(10_000);
        assertEquals(10_000, processor.nowNs());
        processor.spend(Action.DETECT);
        processor.spend(Action.SET_HEADER);

        assertEquals(8_000, processor.spentNs());
        assertEquals(18_000, processor.nowNs());
    }

    @Test
    void shouldBeginEachStepWithNothingSpent()
    {
        final VirtualProcessor processor = VirtualProcessor.of(LanaiTiming.lanai9(), 1);
        processor.spend(Action.DETECT);

        processor.begin(500);

        assertEquals(0, processor.spentNs());
        assertEquals(500, processor.nowNs());
    }

    @Test
    void shouldRefuseAStepBeforeTheLastOneIsOver()
    {
        final VirtualProcessor processor = VirtualProcessor.of(LanaiTiming.lanai9(), 1);
        processor.begin(100);
        processor.spend(Action.DETECT);

        assertThrows(IllegalArgumentException.class, () -> processor.begin(599));
        assertEquals(600, processor.nowNs());
    }

    @Test
    void shouldChargeTheSameForEveryActionWithoutTiming()
    {
        final VirtualProcessor processor = VirtualProcessor.uniform(7);

        for (final Action action : Action.values())
        {
            processor.spend(action);
        }

        assertEquals(7L * Action.values().length, processor.spentNs());
    }

    /** 19 MB/s on the LANai 4; where times do not matter, nothing. */
    @Test
    void shouldChargeACopyWithinTheCard()
    {
        final VirtualProcessor processor = VirtualProcessor.of(LanaiTiming.lanai4(), 1);
        final VirtualProcessor uniform = VirtualProcessor.uniform(7);

        processor.spendCopy(19_000);
        uniform.spendCopy(19_000);

        assertEquals(1_000_000, processor.spentNs());
        assertEquals(0, uniform.spentNs());
    }

    @Test
    void shouldRefuseATimeThatStandsStillAndABoardWithoutChannels()
    {
        assertThrows(IllegalArgumentException.class, () -> VirtualProcessor.uniform(0));
        assertThrows(IllegalArgumentException.class, () -> VirtualProcessor.of(LanaiTiming.lanai4(), 0));
    }
}
