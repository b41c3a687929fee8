// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.concurrent.TimeUnit;

import org.grim.buffer.Uninterrupted;

/** Wait of a closing device for a thread that runs code of images, which may never return. */
final class LastWait
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private LastWait()
    {
    }

    /** Waits until the thread has ended, but not for ever. */
    static void join(final Thread thread)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (thread.isAlive() && System.nanoTime() - deadlineNs < 0)
        {
            Uninterrupted.park(STEP_NS);
        }
    }
}
