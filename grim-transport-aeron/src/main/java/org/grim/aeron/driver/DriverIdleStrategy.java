// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.driver;

import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Idle strategy of a media driver: it spins, yields, then parks for twice as long each time, up to 2 ms; after a second
 * or two without work, for up to 20 ms, so that an idle host is idle. Its timers keep it awake for a moment only.
 * <p>Thread: one agent's of the driver; each has its own.
 */
public final class DriverIdleStrategy implements IdleStrategy
{
    private static final int SPIN_COUNT_MAX = 10;
    private static final int YIELD_COUNT_MAX = 5;
    private static final long PARK_NS_MIN = MICROSECONDS.toNanos(1);
    private static final long PARK_NS_MAX = MILLISECONDS.toNanos(2);
    private static final int AWAKE_COUNT_MAX = 1_000;           // Idle calls, nearly all of them of 2 ms.
    private static final int AWAKE_COUNT_PER_WORK = 20;
    private static final long LONG_PARK_NS_MAX = MILLISECONDS.toNanos(20);
    private static final long LONG_PARK_STEP_NS = MILLISECONDS.toNanos(2);

    private final BackoffIdleStrategy backoff =
        new BackoffIdleStrategy(SPIN_COUNT_MAX, YIELD_COUNT_MAX, PARK_NS_MIN, PARK_NS_MAX);
    private int awakeCount = AWAKE_COUNT_MAX;                   // Idle calls before the long ones.
    private long longParkNs = PARK_NS_MAX;

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            reset();
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        if (awakeCount > 0)
        {
            awakeCount--;
            backoff.idle();
        }
        else
        {
            longParkNs = Math.min(longParkNs + LONG_PARK_STEP_NS, LONG_PARK_NS_MAX);
            LockSupport.parkNanos(longParkNs);
        }
    }

    @Override
    public void reset()
    {
        backoff.reset();
        awakeCount = Math.min(awakeCount + AWAKE_COUNT_PER_WORK, AWAKE_COUNT_MAX);
        longParkNs = PARK_NS_MAX;
    }
}
