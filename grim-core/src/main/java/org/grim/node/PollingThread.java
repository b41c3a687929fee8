// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;

/**
 * The thread that polls an endpoint for the application, until the endpoint is closed, also by one of its handlers.
 * <p>Thread: its own; the methods any.
 */
final class PollingThread
{
    private final NodeEndpoint endpoint;
    private final IdleStrategy idleStrategy;
    private final ErrorHandler errorHandler;
    private final Thread thread;

    private PollingThread(
        final NodeEndpoint endpoint, final IdleStrategy idleStrategy, final ErrorHandler errorHandler)
    {
        this.endpoint = endpoint;
        this.idleStrategy = idleStrategy;
        this.errorHandler = errorHandler;
        thread = new Thread(this::run, endpoint.agent().roleName());
    }

    /** Starts it; it owns the endpoint. */
    static PollingThread start(
        final NodeEndpoint endpoint, final IdleStrategy idleStrategy, final ErrorHandler errorHandler)
    {
        final PollingThread polling = new PollingThread(endpoint, idleStrategy, errorHandler);
        endpoint.state().owner(polling.thread);
        polling.thread.start();
        return polling;
    }

    Thread thread()
    {
        return thread;
    }

    /** What an idle strategy of the application's own sleeps in may need it. */
    void interrupt()
    {
        thread.interrupt();
    }

    private void run()
    {
        while (!endpoint.state().isClosed())
        {
            try
            {
                idleStrategy.idle(endpoint.poll());
            }
            catch (final Exception | Error ex)
            {
                errorHandler.onError(ex);           // The other messages are still to be handled.
            }
        }
    }
}
