// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.grim.Endpoint;

/** An endpoint of a node beside its host endpoint, with a thread that owns it and polls it. */
final class EndpointThread<E extends Endpoint> implements AutoCloseable
{
    private static final long POLL_INTERVAL_US = 50;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final E endpoint;
    private final Future<?> polls;

    EndpointThread(final Supplier<E> opener)
    {
        endpoint = Members.get(thread.submit(opener::get));
        polls = thread.scheduleWithFixedDelay(endpoint::poll, 0, POLL_INTERVAL_US, TimeUnit.MICROSECONDS);
    }

    E endpoint()
    {
        return endpoint;
    }

    /** Does something on the owner's thread. */
    <T> T run(final Callable<T> task)
    {
        return Members.get(thread.submit(task));
    }

    @Override
    public void close()
    {
        polls.cancel(false);
        try
        {
            Members.get(thread.submit(endpoint::close));
        }
        finally
        {
            thread.shutdownNow();
        }
    }
}
