// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.driver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs errors of a media driver, at most once a second: any sender that reaches its port can cause one per datagram. An
 * {@link Error}, which ends the driver's thread, is passed on instead. All is in the driver's own error log, too, each
 * kind once.
 * <p>Thread: any.
 */
public final class DriverErrors implements ErrorHandler
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DriverErrors.class);
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final String directory;
    private final ErrorHandler errors;
    private final AtomicLong nextNs = new AtomicLong(System.nanoTime());
    private final AtomicLong silentCount = new AtomicLong();

    /**
     * For one driver.
     *
     * @param directory of the driver.
     * @param errors    where an {@link Error} goes; never throws.
     */
    public DriverErrors(final String directory, final ErrorHandler errors)
    {
        this.directory = directory;
        this.errors = errors;
    }

    @Override
    public void onError(final Throwable error)
    {
        if (error instanceof Error)
        {
            errors.onError(error);
            return;
        }
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
