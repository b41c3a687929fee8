// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the second JVM end when the first one does: its standard input ends then, however the first one ended. A main
 * thread that does not look in time is not waited for. What a first JVM left that was killed is removed.
 * <p>Thread: any.
 */
public final class ParentWatch
{
    /** The line by which the second JVM says that it works. */
    static final String READY = "ready";

    private static final Logger LOGGER = LoggerFactory.getLogger(ParentWatch.class);
    private static final long GRACE_MS = 3_000;
    private static final long EXIT_MS = 15_000;

    private volatile boolean isEnded;

    private ParentWatch()
    {
    }

    /**
     * Starts to watch standard input.
     *
     * @return the watch.
     */
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

    /** Tells the first JVM that this one works. */
    public void announceReady()
    {
        System.out.println(READY);
        System.out.flush();
    }

    private void run(final InputStream input)
    {
        try
        {
            while (input.read() >= 0)
            {
                // Nothing is ever said; only the end counts.
            }
        }
        catch (final IOException ex)
        {
            LOGGER.debug("standard input failed, which ends this process as its end does", ex);
        }
        isEnded = true;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(GRACE_MS));
        final Thread exit = new Thread(() -> System.exit(1), "grim-exit");      // The actions at the end may block.
        exit.setDaemon(true);
        exit.start();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EXIT_MS));
        Runtime.getRuntime().halt(1);
    }
}
