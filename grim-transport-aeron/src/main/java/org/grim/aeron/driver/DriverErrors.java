// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.driver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what goes wrong in a media driver, at most once a second: whoever reaches its port can have it report a datagram
 * each. All is in the driver's own error log, too, each kind once.
 * <p>Thread: any.
 */
public final class DriverErrors implements ErrorHandler
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DriverErrors.class);
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final String directory;
    private final AtomicLong nextNs = new AtomicLong(System.nanoTime());
    private final AtomicLong silentCount = new AtomicLong();

    /**
     * For one driver.
     *
     * @param directory of the driver.
     */
    public DriverErrors(final String directory)
    {
        this.directory = directory;
    }

    @Override
    public void onError(final Throwable error)
    {
        final long nowNs = System.nanoTime();
        final long deadlineNs = nextNs.get();
        if (deadlineNs - nowNs <= 0 && nextNs.compareAndSet(deadlineNs, nowNs + INTERVAL_NS))
        {
            LOGGER.warn("media driver in {}: {} not-logged={}", directory, error.toString(), silentCount.getAndSet(0));
        }
        else
        {
            silentCount.incrementAndGet();
        }
    }
}
