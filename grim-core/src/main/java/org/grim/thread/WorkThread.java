// SPDX-License-Identifier: Apache-2.0
package org.grim.thread;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.ErrorHandler;

/**
 * A thread that repeats one step until its work is over. An exception or {@link Error} of a step is reported and ends
 * nothing: a heap, for example, may be full for a moment only. The thread's resources are released in any case.
 * <p>Agrona's {@code AgentRunner} ends at an {@link Error}, and at an interrupt.
 * <p>Thread: its own.
 */
public final class WorkThread implements Runnable
{
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int PAUSE_SHIFT_MAX = 7;       // At most 128 ms.

    private final Work work;
    private final ErrorHandler errors;
    private int failureCount;

    /** Work of a thread. Thread: that one, unless a method says otherwise. */
    public interface Work
    {
        /** {@return whether the thread is to end; volatile, because other threads decide it} */
        boolean isOver();

        /**
         * Does what there is to do, and waits if that is nothing.
         *
         * @throws Exception of any kind, to be reported; the next step follows after a pause.
         */
        void step() throws Exception;

        /** Releases what the work held; the last that the thread does. */
        default void release()
        {
            // Nothing is held.
        }
    }

    private WorkThread(final Work work, final ErrorHandler errors)
    {
        this.work = work;
        this.errors = errors;
    }

    /**
     * Makes a thread.
     *
     * @param name   of the thread.
     * @param work   to do.
     * @param errors where errors of steps go, such as {@link ErrorReports}; the thread goes on if it throws.
     * @return the thread, a daemon, to be started.
     */
    public static Thread of(final String name, final Work work, final ErrorHandler errors)
    {
        final Thread thread = new Thread(new WorkThread(work, errors), name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void run()
    {
        try
        {
            boolean isOver = false;
            while (!isOver)
            {
                isOver = step();
            }
        }
        finally
        {
            release();
        }
    }

    /** Returns whether the work is over; what fails is not. */
    private boolean step()
    {
        try
        {
            if (work.isOver())
            {
                return true;
            }
            work.step();
            failureCount = 0;
        }
        catch (final Throwable ex)
        {
            report(ex);
            pause();
        }
        return false;
    }

    private void report(final Throwable error)
    {
        failureCount++;
        try
        {
            errors.onError(error);
        }
        catch (final Throwable ex)          // The heap is full, or the stack: the next step that fails reports it.
        {
            failureCount++;
        }
    }

    /** Pauses. It was called before: with a full heap even the first call of a class needs memory, for its loader. */
    private void pause()
    {
        try
        {
            LockSupport.parkNanos(PAUSE_NS << Math.min(failureCount, PAUSE_SHIFT_MAX));
        }
        catch (final Throwable ex)          // Then the next failure waits longer.
        {
            failureCount++;
        }
    }

    private void release()
    {
        try
        {
            work.release();
        }
        catch (final Throwable ex)
        {
            report(ex);
        }
    }
}
