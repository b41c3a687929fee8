// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actions for a signal to end in the middle of a command (Ctrl-C): the last registered first, one after the other,
 * where several shutdown hooks would run at once.
 * <p>Thread: any.
 */
final class ShutdownActions
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ShutdownActions.class);
    private static final long LEAVE_TIMEOUT_MS = 10_000;
    private static final Deque<Runnable> ACTIONS = new ArrayDeque<>();
    private static boolean isHooked;
    private static volatile boolean isEnding;

    private ShutdownActions()
    {
    }

    static void add(final Runnable action)
    {
        synchronized (ACTIONS)
        {
            ACTIONS.push(action);
            if (!isHooked)
            {
                isHooked = true;
                Runtime.getRuntime().addShutdownHook(new Thread(ShutdownActions::runAll, "grim-shutdown"));
            }
        }
    }

    static void remove(final Runnable action)
    {
        synchronized (ACTIONS)
        {
            ACTIONS.remove(action);
        }
    }

    /** In an action: gives the command's own thread the time to leave; false if it has not left by then. */
    static boolean awaitLeft(final CountDownLatch hasLeft)
    {
        try
        {
            return hasLeft.await(LEAVE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether they run, or have run. */
    static boolean isEnding()
    {
        return isEnding;
    }

    private static void runAll()
    {
        isEnding = true;
        for (Runnable action = next(); action != null; action = next())
        {
            try
            {
                action.run();
            }
            catch (final RuntimeException ex)
            {
                LOGGER.warn("an action at the end of the JVM failed", ex);
            }
        }
    }

    private static Runnable next()
    {
        synchronized (ACTIONS)
        {
            return ACTIONS.poll();
        }
    }
}
