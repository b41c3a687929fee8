// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.GrimException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * Lets the second JVM end when the first one does: its standard input ends then, however the first one ended. Until
 * then the first one may say lines there, each of which is answered by one: see {@link SecondJvm#ask}. It does not wait
 * for a main thread that does not look in time. It removes the files of a first JVM that was killed.
 * <p>Thread: any.
 */
public final class ParentWatch
{
    /** The line by which the second JVM says that it works. */
    static final String READY = "ready";

    private static final Logger LOGGER = LoggerFactory.getLogger(ParentWatch.class);
    private static final long GRACE_MS = 3_000;
    private static final long EXIT_MS = 15_000;

    /** Begins a line of an answer; other lines on standard output are none. */
    static final String ANSWER = "answer: ";

    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    private volatile boolean isEnded;

    private ParentWatch()
    {
    }

    /** Starts to watch standard input. */
    public static ParentWatch start()
    {
        ShutdownActions.add(PrivatePaths::deleteIfParentIsDead);        // The first to be added, the last to run.
        final ParentWatch watch = new ParentWatch();
        final Thread thread = new Thread(() -> watch.run(System.in), "grim-parent-watch");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    /** {@return whether to stop; true when the first JVM has closed the pipe or is no more} */
    public boolean isEnded()
    {
        return isEnded;
    }

    /** Reports to the first JVM that this one works. */
    public void announceReady()
    {
        System.out.println(READY);
        System.out.flush();
    }

    /**
     * Waits for what the first JVM says next.
     *
     * @return its line, to be answered; null if it has ended.
     * @throws GrimException if the thread is interrupted.
     */
    public String nextLine()
    {
        try
        {
            return lines.take().orElse(null);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new GrimException(UNAVAILABLE, "the first JVM's line was not waited for: interrupted", ex);
        }
    }

    /** Answers the line that {@link #nextLine()} returned. */
    public void answer(final String line)
    {
        System.out.println(ANSWER + line);
        System.out.flush();
    }

    private void run(final InputStream input)
    {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(input, UTF_8)))
        {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
            {
                lines.add(Optional.of(line));
            }
        }
        catch (final IOException ex)
        {
            LOGGER.debug("standard input failed, which ends this process as its end does", ex);
        }
        isEnded = true;
        lines.add(Optional.empty());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(GRACE_MS));
        final Thread exit = new Thread(() -> System.exit(1), "grim-exit");      // The actions at the end may block.
        exit.setDaemon(true);
        exit.start();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EXIT_MS));
        Runtime.getRuntime().halt(1);
    }
}
