// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.Objects;

import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.grim.endpoint.EndpointState;
import org.grim.thread.ErrorReports;

/**
 * Work that threads hand to the owner of an endpoint. It runs between two polls, in order, and outside of handlers: it
 * may poll and block, and no further task runs meanwhile.
 * <p>Thread: any adds; the owner runs.
 */
final class Tasks
{
    private final ManyToOneConcurrentLinkedQueue<Runnable> queue = new ManyToOneConcurrentLinkedQueue<>();
    private final EndpointState state;
    private final ErrorReports reports;
    private boolean isRunning;

    Tasks(final EndpointState state, final ErrorReports reports)
    {
        this.state = state;
        this.reports = reports;
    }

    /** Adds a task. The caller's stores are seen by it. */
    void add(final Runnable task)
    {
        Objects.requireNonNull(task, "task");
        state.requireOpen();
        queue.add(task);
    }

    boolean isEmpty()
    {
        return queue.isEmpty();
    }

    /** Runs the tasks that are there now; later ones wait for the next poll. Returns how many ran. */
    int run()
    {
        if (isRunning)
        {
            return 0;
        }
        isRunning = true;
        try
        {
            final int count = queue.size();
            for (int i = 0; i < count && !state.isClosed(); i++)
            {
                run(queue.poll());
            }
            return count;
        }
        finally
        {
            isRunning = false;
        }
    }

    private void run(final Runnable task)
    {
        try
        {
            task.run();
        }
        catch (final Throwable ex)          // Of the application: the thread that polls goes on.
        {
            reports.report(ex, "execute", () -> "work that Grim.execute got failed");
        }
    }
}
