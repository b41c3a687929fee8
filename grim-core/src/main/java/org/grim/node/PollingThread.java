// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import org.agrona.concurrent.IdleStrategy;
import org.grim.thread.ErrorReports;
import org.grim.thread.WorkThread;

/**
 * The thread that polls an endpoint for the application, until the endpoint is closed, also by one of its handlers.
 * <p>Thread: its own; the methods any.
 */
final class PollingThread implements WorkThread.Work
{
    private final NodeEndpoint endpoint;
    private final IdleStrategy idleStrategy;
    private final Thread thread;

    private PollingThread(final NodeEndpoint endpoint, final IdleStrategy idleStrategy, final ErrorReports reports)
    {
        this.endpoint = endpoint;
        this.idleStrategy = idleStrategy;
        thread = WorkThread.of(endpoint.agent().roleName(), this, reports);
        thread.setDaemon(Thread.currentThread().isDaemon());        // The application's own, in its place.
    }

    /** Starts it; it owns the endpoint. */
    static PollingThread start(
        final NodeEndpoint endpoint, final IdleStrategy idleStrategy, final ErrorReports reports)
    {
        final PollingThread polling = new PollingThread(endpoint, idleStrategy, reports);
        final Thread before = endpoint.state().owner();
        endpoint.state().owner(polling.thread);
        boolean isStarted = false;
        try
        {
            polling.thread.start();
            isStarted = true;
            return polling;
        }
        finally
        {
            if (!isStarted)                     // The system has no thread left.
            {
                endpoint.state().owner(before);
            }
        }
    }

    Thread thread()
    {
        return thread;
    }

    /** Interrupts the thread: the application's idle strategy may sleep in something that needs it. */
    void interrupt()
    {
        thread.interrupt();
    }

    @Override
    public boolean isOver()
    {
        return endpoint.state().isClosed();
    }

    @Override
    public void step()
    {
        idleStrategy.idle(endpoint.poll());
    }
}
