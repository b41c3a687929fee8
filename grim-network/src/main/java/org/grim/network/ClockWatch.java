// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Notices when a host's time of day jumps: when it and the clock that never goes back differ in how much time has gone
 * by since the last look.
 * <p>Thread: one. It has no clock: times are arguments.
 */
final class ClockWatch
{
    /** Clocks that are brought into line bit by bit differ by less between two looks. */
    static final long JUMP_MS_MIN = 2_000;

    private long lastNs;
    private long lastEpochMs;
    private boolean isBegun;

    /**
     * Looks at both clocks.
     *
     * @param nowNs   of the clock that never goes back.
     * @param epochMs time of day.
     * @return the jump in words; null if there was none.
     */
    String jump(final long nowNs, final long epochMs)
    {
        final long expectedMs = lastEpochMs + TimeUnit.NANOSECONDS.toMillis(nowNs - lastNs);
        final long jumpMs = epochMs - expectedMs;
        final boolean isJump = isBegun && Math.abs(jumpMs) >= JUMP_MS_MIN;
        isBegun = true;
        lastNs = nowNs;
        lastEpochMs = epochMs;
        return isJump ? "the time of day jumped by " + jumpMs + " ms, from " + Instant.ofEpochMilli(expectedMs) +
            " to " + Instant.ofEpochMilli(epochMs) : null;
    }
}
