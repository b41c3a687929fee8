// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.Queue;

/** Something that serves a number of users at a time; others wait in the order in which they came. One thread. */
final class Resource
{
    private final Agenda agenda;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int freeCount;

    Resource(final Agenda agenda, final int count)
    {
        this.agenda = agenda;
        freeCount = count;
    }

    /** Calls back when there is a place, which is the user's until it releases it: at once if there is one now. */
    void acquire(final Runnable user)
    {
        if (freeCount == 0)
        {
            waiting.add(user);
            return;
        }
        freeCount--;
        user.run();
    }

    void release()
    {
        final Runnable next = waiting.poll();
        if (next == null)
        {
            freeCount++;
        }
        else
        {
            next.run();
        }
    }

    /** Takes a place for a time, and calls back when it has been given up again. */
    void use(final long durationNs, final Runnable done)
    {
        acquire(() -> agenda.after(durationNs, () ->
        {
            release();
            done.run();
        }));
    }
}
