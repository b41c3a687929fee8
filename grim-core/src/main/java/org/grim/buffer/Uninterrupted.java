// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.Selector;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * File operations and waits that an interrupt neither breaks nor shortens. A file channel closes itself when the thread
 * that reads, writes or maps is interrupted, and a thread that is interrupted does not wait at all. The interrupt is
 * kept: after each call the thread is interrupted if it was before, or has become so meanwhile.
 * <p>Thread: any; no state.
 */
public final class Uninterrupted
{
    private Uninterrupted()
    {
    }

    /**
     * An operation on files that opens what it needs and closes it again, so that it can be repeated.
     *
     * @param <T> type of the result.
     */
    @FunctionalInterface
    public interface FileOperation<T>
    {
        /** Runs the operation, from the beginning. */
        T run() throws IOException;
    }

    /**
     * Runs a file operation: on this thread, or, if this thread is interrupted, on one of its own, which nobody can
     * interrupt however often this one is.
     *
     * @param <T>       type of the result.
     * @param operation that may run twice, the first time in part.
     * @return its result.
     * @throws IOException if the system refuses.
     */
    public static <T> T run(final FileOperation<T> operation) throws IOException
    {
        if (!Thread.currentThread().isInterrupted())
        {
            try
            {
                return operation.run();
            }
            catch (final ClosedByInterruptException ex)
            {
                return runApart(operation);         // The interrupt came meanwhile; the thread is still interrupted.
            }
        }
        return runApart(operation);
    }

    /**
     * Waits. May end earlier, but not because this thread is interrupted already.
     *
     * @param durationNs longest wait.
     */
    public static void park(final long durationNs)
    {
        final boolean isInterrupted = Thread.interrupted();
        LockSupport.parkNanos(durationNs);
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until a thread has ended, however often this one is interrupted.
     *
     * @param thread another one, which ends by other means.
     */
    public static void join(final Thread thread)
    {
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for one of a selector's channels. May end earlier, but not because this thread is interrupted already.
     *
     * @param selector  whose channels.
     * @param timeoutMs longest wait, 1 or more.
     * @throws IOException if the system refuses.
     */
    public static void select(final Selector selector, final long timeoutMs) throws IOException
    {
        final boolean isInterrupted = Thread.interrupted();
        try
        {
            selector.select(timeoutMs);
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static <T> T runApart(final FileOperation<T> operation) throws IOException
    {
        final FutureTask<T> task = new FutureTask<>(operation::run);
        final Thread thread = new Thread(task, "grim-file-operation");
        thread.setDaemon(true);
        thread.start();
        boolean isInterrupted = false;
        try
        {
            while (true)
            {
                try
                {
                    return task.get();
                }
                catch (final InterruptedException ex)
                {
                    isInterrupted = true;
                }
            }
        }
        catch (final ExecutionException ex)
        {
            throw causeOf(ex);
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException causeOf(final ExecutionException failure)
    {
        final Throwable cause = failure.getCause();
        if (cause instanceof RuntimeException unchecked)
        {
            throw unchecked;
        }
        if (cause instanceof Error error)
        {
            throw error;
        }
        return (IOException)cause;
    }
}
