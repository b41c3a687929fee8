// SPDX-License-Identifier: Apache-2.0
package org.grim.crash;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process, on a thread of its own, that is stopped before a given step, until it goes on or is killed where it
 * stands.
 * <p>Thread: the test's, except for the script.
 */
public final class StoppableLife extends Lifetime
{
    private static final long TIMEOUT_S = 60;

    private final CountDownLatch isAtRest = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private CompletableFuture<Void> process;
    private volatile boolean isStopped;
    private volatile boolean isKilled;

    /** A life that is stopped after some steps. */
    public StoppableLife(final int stepCount)
    {
        super(stepCount, 0);
    }

    /** Runs the script up to the stop. Returns false if it came to its end. */
    public boolean runUntilStopped(final Runnable script)
    {
        process = CompletableFuture.runAsync(() ->
        {
            try
            {
                script.run();
            }
            finally
            {
                isAtRest.countDown();
            }
        });
        await(isAtRest);
        if (!isStopped)
        {
            join();
        }
        return isStopped;
    }

    /** The process goes on and comes to its end. */
    public void goOn()
    {
        mayGoOn.countDown();
        join();
    }

    /** The process is killed where it is stopped. */
    public void kill()
    {
        isKilled = true;
        mayGoOn.countDown();
        join();
    }

    @Override
    protected void end()
    {
        isStopped = true;
        isAtRest.countDown();
        await(mayGoOn);
        if (isKilled)
        {
            die();
        }
        immortal(true);
    }

    private void join()
    {
        try
        {
            process.get(TIMEOUT_S, TimeUnit.SECONDS);
        }
        catch (final ExecutionException ex)
        {
            if (!(ex.getCause() instanceof Death))
            {
                throw new AssertionError(ex.getCause());
            }
        }
        catch (final InterruptedException | TimeoutException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static void await(final CountDownLatch latch)
    {
        try
        {
            if (!latch.await(TIMEOUT_S, TimeUnit.SECONDS))
            {
                throw new AssertionError("timed out");
            }
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
