// SPDX-License-Identifier: Apache-2.0
package org.grim.thread;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The sleepers that a thread wakes while it holds a lock: they are woken when it has left the lock. Else they would
 * take its core at once, and wait for that very lock.
 * <p>Thread: each has its own.
 */
public final class HeldWakes
{
    /** A thread that outlasts the library's class loader, as those of pools do, must not keep it. */
    private static final ThreadLocal<WeakReference<HeldWakes>> OF_THREAD = new ThreadLocal<>();

    private final Queue<Runnable> wakes = new ArrayDeque<>();
    private int depth;

    private HeldWakes()
    {
    }

    /** {@return those of the calling thread; who takes a lock keeps them until it has left it} */
    public static HeldWakes ofThread()
    {
        final WeakReference<HeldWakes> reference = OF_THREAD.get();
        HeldWakes own = reference == null ? null : reference.get();
        if (own == null)
        {
            own = new HeldWakes();
            OF_THREAD.set(new WeakReference<>(own));
        }
        return own;
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
