// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.tools.process.EndSignal;
import org.grim.tools.process.SecondJvm;

/**
 * A command in a process of its own, which is started again when it ends by itself, with pauses that double from 0.1 s
 * to 30 s, and begin again after a minute without an end.
 * <p>Thread: the main thread.
 */
final class RestartedProcess
{
    /** The exit code by which the process says that it did its work, and has failed. */
    static final int EXIT_CODE = 70;

    private static final long PAUSE_MS_MIN = 100;
    private static final long PAUSE_MS_MAX = 30_000;
    private static final long CALM_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long WORK_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_MS = 20;
    private static final long END_MS = 5_000;
    private static final int SIGNAL_CODE = 128;

    private RestartedProcess()
    {
    }

    /**
     * Runs it until this process gets a signal to end, or the command is wrong: its first process ends with an error
     * within 10 s.
     *
     * @param what   it is, in words.
     * @param words  of the command line.
     * @param errors gets a line for each end.
     * @return 0 after a signal; otherwise the exit code of the first process.
     * @throws IOException if the process cannot be started.
     */
    static int run(final String what, final List<String> words, final PrintWriter errors) throws IOException
    {
        try (EndSignal end = EndSignal.register())
        {
            long pauseMs = PAUSE_MS_MIN;
            boolean hasWorked = false;
            while (!end.isEnded())
            {
                final long beginNs = System.nanoTime();
                final int code = await(SecondJvm.inherit(words), end);
                hasWorked |= code == EXIT_CODE || code > SIGNAL_CODE || System.nanoTime() - beginNs > WORK_NS;
                if (!hasWorked || end.isEnded())
                {
                    return end.isEnded() ? 0 : code;
                }
                pauseMs = System.nanoTime() - beginNs > CALM_NS ? PAUSE_MS_MIN : pauseMs;
                errors.println("grim: " + what + " ended with exit code=" + code + ", and starts again in " +
                    pauseMs / 1e3 + " s");
                errors.flush();
                pause(pauseMs, end);
                pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX);
            }
            return 0;
        }
    }

    /** Waits for its end; at a signal it is ended. Returns its exit code. */
    private static int await(final Process process, final EndSignal end)
    {
        while (!hasEnded(process, LOOK_MS))
        {
            if (end.isEnded())
            {
                process.destroy();
                if (!hasEnded(process, END_MS))
                {
                    process.destroyForcibly();
                }
            }
        }
        return process.exitValue();
    }

    private static boolean hasEnded(final Process process, final long timeoutMs)
    {
        try
        {
            return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("nobody interrupts the main thread", ex);
        }
    }

    private static void pause(final long pauseMs, final EndSignal end)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        while (!end.isEnded() && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
        }
    }
}
