// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNAVAILABLE;

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
    private final Queue<Future<?>> started = new ConcurrentLinkedQueue<>();
    private final ProgramRow row;

    ProgramThreads(final ProgramRow row)
    {
        this.row = row;
    }

    /** Work of one thread. */
    interface Work
    {
        /** Runs to the end, or until the thread is interrupted. */
        void run() throws IOException;

        /** For the pool. */
        default Callable<Void> task()
        {
            return () ->
            {
                run();
                return null;
            };
        }
    }

    /** Starts a thread that works until {@link #end()}. */
    void start(final Work work)
    {
        started.add(pool.submit(work.task()));
    }

    /** Runs works beside each other to their end; throws what one of them threw. */
    void runAll(final List<Work> works, final long timeoutMs) throws IOException
    {
        try
        {
            for (final Future<Void> future :
                pool.invokeAll(works.stream().map(Work::task).toList(), timeoutMs, TimeUnit.MILLISECONDS))
            {
                require(future);
            }
        }
        catch (final CancellationException ex)
        {
            throw new GrimException(TIMED_OUT, "a round of \"" + row + "\" is not over: waited=" + timeoutMs + " ms",
                ex);
        }
        catch (final InterruptedException ex)
        {
            throw interrupted(ex);
        }
    }

    /** Interrupts all threads, and throws what one of them threw before. */
    void end() throws IOException
    {
        pool.shutdownNow();
        try
        {
            if (!pool.awaitTermination(END_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                throw new GrimException(TIMED_OUT, "threads of \"" + row + "\" did not end: waited=" +
                    END_TIMEOUT_MS + " ms");
            }
            requireAll(started);
        }
        catch (final InterruptedException ex)
        {
            throw interrupted(ex);
        }
    }

    private static void requireAll(final Collection<Future<?>> futures) throws IOException, InterruptedException
    {
        for (final Future<?> future : futures)
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

    private static void require(final Future<?> future) throws IOException, InterruptedException
    {
        try
        {
            future.get();
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof final IOException inputOutput)
            {
                throw inputOutput;
            }
            throw new IllegalStateException(ex.getCause().getMessage(), ex);
        }
    }

    private GrimException interrupted(final InterruptedException ex)
    {
        Thread.currentThread().interrupt();
        return new GrimException(UNAVAILABLE, "\"" + row + "\" was not waited for: interrupted", ex);
    }
}
