// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;

import org.agrona.CloseHelper;
import org.grim.Endpoint;
import org.grim.buffer.Uninterrupted;

/**
 * Idle strategy of a runner: yields, and then sleeps on the device's doorbell until a message comes, or a thread of the
 * driver wakes it.
 * <p>Thread: the runner's; {@link #wake()} any.
 */
final class DeviceIdle implements AutoCloseable
{
    private static final int YIELD_COUNT = 200;
    private static final long SLEEP_MS = 20;

    private final Endpoint.Doorbell doorbell;
    private final Selector selector;
    // A waking thread stores the first and loads the second, the runner in the other order: one sees the other.
    private volatile boolean isWoken;
    private volatile boolean isAsleep;
    private int idleCount;

    DeviceIdle(final Endpoint.Doorbell doorbell)
    {
        this.doorbell = doorbell;
        try
        {
            selector = Selector.open();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")        // Nothing depends on the yield but how soon others run.
    void idle(final int workCount)
    {
        if (workCount > 0)
        {
            idleCount = 0;
        }
        else if (idleCount < YIELD_COUNT)
        {
            idleCount++;
            Thread.yield();
        }
        else
        {
            sleep();
        }
    }

    void wake()
    {
        isWoken = true;
        if (isAsleep)
        {
            selector.wakeup();
        }
    }

    /** Not safe while the runner sleeps. */
    @Override
    public void close()
    {
        CloseHelper.close(selector);
    }

    /** The note of a wake-up is deleted before the duty cycle that looks for its cause. */
    private void sleep()
    {
        doorbell.listen(selector);
        if (doorbell.prepareToSleep())
        {
            isAsleep = true;
            if (!isWoken)
            {
                select();
            }
            isAsleep = false;
            doorbell.awake();
            selector.selectedKeys().clear();
        }
        isWoken = false;
    }

    private void select()
    {
        try
        {
            Uninterrupted.select(selector, SLEEP_MS);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
