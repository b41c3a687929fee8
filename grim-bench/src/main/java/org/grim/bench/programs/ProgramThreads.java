// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * The threads of one row in one process. All waits for them are bounded.
 * <p>Thread: the command's; those of the row may start more.
 */
final class ProgramThreads
{
    private static final long END_TIMEOUT_MS = 10_000;

    private final ExecutorService pool = Executors.newCachedThreadPool(task ->
    {
        final Thread thread = new Thread(task, "bench-program");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<Future<Void>> started = new ConcurrentLinkedQueue<>();

    /** Starts a thread that works until {@link #end()}. */
    void start(final Callable<Void> work)
    {
        started.add(pool.submit(work));
    }

    /** Runs works beside each other to their end; throws what one of them threw. */
    void runAll(final List<Callable<Void>> works, final long timeoutMs) throws Exception
    {
        for (final Future<Void> future : pool.invokeAll(works, timeoutMs, TimeUnit.MILLISECONDS))
        {
            if (future.isCancelled())
            {
                throw new GrimException(TIMED_OUT, "exchanges are not over: waited=" + timeoutMs + " ms");
            }
            require(future);
        }
    }

    /** Interrupts all threads, and throws what one of them threw before. */
    void end() throws Exception
    {
        pool.shutdownNow();
        if (!pool.awaitTermination(END_TIMEOUT_MS, TimeUnit.MILLISECONDS))
        {
            throw new GrimException(TIMED_OUT, "threads did not end: waited=" + END_TIMEOUT_MS + " ms");
        }
        for (final Future<Void> future : started)
        {
            try
            {
                require(future);
            }
            catch (final ClosedByInterruptException expected)
            {
                // It was waiting for a client.
            }
        }
    }

    private static void require(final Future<Void> future) throws Exception
    {
        try
        {
            future.get();
        }
        catch (final ExecutionException ex)
        {
            throw ex.getCause() instanceof final Exception cause ? cause : ex;
        }
    }
}
