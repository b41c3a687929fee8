// SPDX-License-Identifier: Apache-2.0
package org.grim.thread;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The sleepers that a thread wakes while it holds a lock: they are woken when it has left the lock. Else they would
 * take its core at once, and wait for that very lock.
 * <p>Thread: each has its own.
 */
public final class HeldWakes
{
    private static final ThreadLocal<HeldWakes> OF_THREAD = ThreadLocal.withInitial(HeldWakes::new);

    private final Queue<Runnable> wakes = new ArrayDeque<>();
    private int depth;

    private HeldWakes()
    {
    }

    /** {@return those of the calling thread} */
    public static HeldWakes ofThread()
    {
        return OF_THREAD.get();
    }

    /**
     * Wakes a thread: now, or when this thread has left its locks; once if it is requested more often until then.
     *
     * @param wake that does it, and does not fail; equal ones wake the same.
     */
    public static void run(final Runnable wake)
    {
        final HeldWakes own = ofThread();
        if (own.depth == 0)
        {
            wake.run();
        }
        else if (!own.wakes.contains(wake))
        {
            own.wakes.add(wake);
        }
    }

    /** The thread has taken a lock. */
    public void hold()
    {
        depth++;
    }

    /** The thread has left the lock: wakes whom it may. */
    public void letGo()
    {
        assert depth > 0;
        depth--;
        if (depth == 0)
        {
            runAll();
        }
    }

    /** Wakes all although the thread holds a lock: it waits for what they do. */
    public void runAll()
    {
        for (Runnable wake = wakes.poll(); wake != null; wake = wakes.poll())
        {
            wake.run();
        }
    }
}
