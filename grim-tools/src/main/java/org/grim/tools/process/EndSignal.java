// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.util.concurrent.CountDownLatch;

/**
 * Informs a main thread of a signal to end (SIGTERM, Ctrl-C), and gives it the time to leave.
 * <p>Thread: any.
 */
public final class EndSignal implements AutoCloseable
{
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private final Runnable endAction = this::awaitClosed;
    private volatile boolean isEnded;

    private EndSignal()
    {
    }

    /** Begins to listen. */
    public static EndSignal register()
    {
        final EndSignal signal = new EndSignal();
        ShutdownActions.add(signal.endAction);
        return signal;
    }

    /** {@return whether to leave; true once the process got a signal to end} */
    public boolean isEnded()
    {
        return isEnded;
    }

    /** The main thread has left. */
    @Override
    public void close()
    {
        ShutdownActions.remove(endAction);
        isClosed.countDown();
    }

    /** The JVM ends when this returns. */
    private void awaitClosed()
    {
        isEnded = true;
        ShutdownActions.awaitLeft(isClosed);
    }
}
