// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import org.agrona.concurrent.IdleStrategy;
import org.grim.endpoint.LivenessProbe;

/**
 * Spins while messages are likely, then yields, then sleeps on the endpoint's doorbell. With fewer cores than nodes
 * that poll it does not spin at all: a spinning thread would keep the one that it waits for from running.
 * <p>Thread: the endpoint's owner.
 */
final class SleepingIdleStrategy implements IdleStrategy
{
    private static final int SPIN_COUNT = 1_000;
    private static final int YIELD_COUNT = 100;
    private static final long SLEEP_MS = 20;
    private static final int SLEEP_COUNT = 20;          // A wake-up takes some 0.2 ms of a core, mostly cold caches.
    private static final long LONG_SLEEP_MS = 50;       // Half of what a death may take to be noticed.

    private final LivenessProbe probe;
    private final SleepingDoorbell doorbell;
    private int idleCount;
    private int spinCount;
    private int sleepCount;

    SleepingIdleStrategy(final LivenessProbe probe, final SleepingDoorbell doorbell)
    {
        this.probe = probe;
        this.doorbell = doorbell;
        spinCount = hasCoreToSpare() ? SPIN_COUNT : 0;
    }

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
    @SuppressWarnings("ThreadPriorityCheck")        // Nothing depends on the yield but how soon others run.
    public void idle()
    {
        if (idleCount < spinCount)
        {
            idleCount++;
            Thread.onSpinWait();
        }
        else if (idleCount < spinCount + YIELD_COUNT)
        {
            idleCount++;
            Thread.yield();
        }
        else
        {
            // Until the next message it stays here: two polls between two sleeps.
            sleepCount++;
            doorbell.sleep(sleepCount < SLEEP_COUNT ? SLEEP_MS : LONG_SLEEP_MS);
        }
    }

    @Override
    public void reset()
    {
        if (idleCount > 0)
        {
            doorbell.endSleep();
            if (idleCount >= spinCount + YIELD_COUNT)
            {
                spinCount = hasCoreToSpare() ? SPIN_COUNT : 0;
            }
            idleCount = 0;
            sleepCount = 0;
        }
    }

    @Override
    public String alias()
    {
        return "grim-sleeping";
    }

    private boolean hasCoreToSpare()
    {
        return Runtime.getRuntime().availableProcessors() >= Math.max(2, probe.upCount());
    }
}
