// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.Queue;

import org.grim.ni.clock.VirtualClock;

/** Serves one user at a time; others wait in the order in which they came, urgent ones first. One thread. */
final class Resource
{
    private final VirtualClock clock;
    private final Queue<Runnable> urgent = new ArrayDeque<>();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isBusy;

    Resource(final VirtualClock clock)
    {
        this.clock = clock;
    }

    /** Calls back when it is the user's, until it releases it: at once if nobody has it now. */
    void acquire(final Runnable user)
    {
        acquire(user, waiting);
    }

    private void acquire(final Runnable user, final Queue<Runnable> queue)
    {
        if (isBusy)
        {
            queue.add(user);
            return;
        }
        isBusy = true;
        user.run();
    }

    void release()
    {
        final Runnable next = urgent.isEmpty() ? waiting.poll() : urgent.poll();
        if (next == null)
        {
            isBusy = false;
        }
        else
        {
            next.run();
        }
    }

    /** Takes it for a time, and calls back when it has been released. */
    void use(final long durationNs, final Runnable done)
    {
        use(durationNs, done, waiting);
    }

    /** The same, before all that wait without urgency. */
    void useNext(final long durationNs, final Runnable done)
    {
        use(durationNs, done, urgent);
    }

    private void use(final long durationNs, final Runnable done, final Queue<Runnable> queue)
    {
        acquire(() -> clock.after(durationNs, () ->
        {
            release();
            done.run();
        }), queue);
    }
}
