// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class ClockWatchTest
{
    private static final long EPOCH_MS = 1_700_000_000_000L;
    private static final long STEP_MS = 25;

    private final ClockWatch watch = new ClockWatch();
    private long nowNs = Long.MAX_VALUE - 1_000;            // It wraps around.
    private long epochMs = EPOCH_MS;

    @Test
    void shouldNameAJumpOnceInEitherDirection()
    {
        assertNull(step(STEP_MS, 0));
        assertNull(step(STEP_MS, 0));

        assertEquals("the time of day jumped by 3600000 ms, from 2023-11-14T22:13:20.075Z to " +
            "2023-11-14T23:13:20.075Z", step(STEP_MS, 3_600_000));
        assertNull(step(STEP_MS, 0));
        assertEquals("the time of day jumped by -7200000 ms, from 2023-11-14T23:13:20.125Z to " +
            "2023-11-14T21:13:20.125Z", step(STEP_MS, -7_200_000));
        assertNull(step(STEP_MS, 0));
    }

    @Test
    void shouldSayNothingOfALongStepAndOfWhatIsBroughtIntoLineBitByBit()
    {
        assertNull(step(STEP_MS, 0));
        assertNull(step(60_000, 0));
        for (int i = 0; i < 100; i++)
        {
            assertNull(step(STEP_MS, ClockWatch.JUMP_MS_MIN - 1));
        }
        assertNull(step(STEP_MS, 1 - ClockWatch.JUMP_MS_MIN));
    }

    private String step(final long durationMs, final long jumpMs)
    {
        nowNs += TimeUnit.MILLISECONDS.toNanos(durationMs);
        epochMs += durationMs + jumpMs;
        return watch.jump(nowNs, epochMs);
    }
}
