// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import org.grim.Endpoint;
import org.grim.thread.HeldWakes;

/**
 * The node's endpoint, which any thread may use: the holder of the lock is its owner. Handlers run under the lock.
 * Threads that the owner wakes meanwhile, in this process and in others, are woken when it has released the lock.
 * <p>Thread: any; the state below the lock is guarded by it unless it is volatile.
 */
public final class SharedEndpoint
{
    private static final int SPIN_COUNT = 2_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Endpoint endpoint;
    private final AtomicLong driveCount = new AtomicLong();
    private final AtomicInteger waiterCount = new AtomicInteger();         // Threads that found another owner.
    private int driveLimit = Integer.MAX_VALUE;
    private Runnable afterPoll = () -> { };
    private Runnable onImpatient = () -> { };
    private Thread owner;
    private HeldWakes held;
    private volatile boolean isImpatient;
    private volatile boolean isClosed;

    /**
     * Shares an endpoint.
     *
     * @param endpoint of a node that joins; nobody else owns it from now on.
     */
    public SharedEndpoint(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
    }

    /** Sets the action for a first waiter for room in a hop. Before the endpoint is shared. */
    public void onImpatient(final Runnable work)
    {
        onImpatient = work;
    }

    /** Sets the action after each poll. Before the endpoint is shared. */
    public void afterPoll(final Runnable work)
    {
        afterPoll = work;
    }

    /**
     * Sets how many messages a look of the application handles. Few where the first is likely to be what it waits for,
     * and those behind it are for calls to come. Before the endpoint is shared.
     */
    public void driveLimit(final int newLimit)
    {
        driveLimit = newLimit;
    }

    /** {@return the endpoint; use it under the lock} */
    public Endpoint endpoint()
    {
        return endpoint;
    }

    /** Makes the calling thread the endpoint's owner, until {@link #release()}. */
    public void acquire()
    {
        if (!lock.tryLock())
        {
            waiterCount.incrementAndGet();
            lockContended();
            waiterCount.decrementAndGet();
        }
        own();
    }

    private void lockContended()
    {
        for (int i = 0; i < SPIN_COUNT; i++)
        {
            Thread.onSpinWait();
            if (lock.tryLock())
            {
                return;
            }
        }
        lock.lock();
    }

    /** Leaves the lock, and wakes whom the owner had to. */
    public void release()
    {
        final HeldWakes wakes = held;
        lock.unlock();
        wakes.letGo();
    }

    /** Handles what has arrived, unless another thread is doing that. Returns true if there was something. */
    public boolean poll()
    {
        if (!tryAcquire())
        {
            return false;
        }
        try
        {
            return drive();
        }
        finally
        {
            release();
        }
    }

    /**
     * Looks several times for what arrives, until there is something, the channel is ready, or another thread wants the
     * lock.
     */
    void poll(final Awaited channel, final int operations, final int lookCount)
    {
        if (tryAcquire())
        {
            try
            {
                int count = 0;
                while (count < lookCount && !drive() && waiterCount.get() == 0 &&
                    (channel.readyOperations() & operations) == 0)
                {
                    count++;
                }
            }
            finally
            {
                release();
            }
        }
    }

    /** Acquires the endpoint as {@link #acquire()} does; returns false if another thread owns it. */
    public boolean tryAcquire()
    {
        final boolean isLocked = lock.tryLock();
        if (isLocked)
        {
            own();
        }
        return isLocked;
    }

    /** Handles what has arrived, for a thread of the application; under the lock. */
    public boolean drive()
    {
        driveCount.lazySet(driveCount.get() + 1);           // One writer at a time: it holds the lock.
        return pollLocked(driveLimit) > 0;
    }

    /** Wakes all that sleep, at once. Thread: an owner that waits for others, under the lock. */
    public void wakeAll()
    {
        held.runAll();
    }

    /** Polls; returns pieces of work done. Thread: the owner, under the lock, outside of handlers. */
    public int pollLocked()
    {
        return pollLocked(Integer.MAX_VALUE);
    }

    private int pollLocked(final int limit)
    {
        final int workCount = limit == Integer.MAX_VALUE ? endpoint.poll() : endpoint.poll(limit);
        afterPoll.run();
        return workCount;
    }

    /** {@return how often threads of the application polled; any thread} */
    long driveCount()
    {
        return driveCount.get();
    }

    /** {@return true while a hop that is waited for is full: room rings no bell} */
    boolean isImpatient()
    {
        return isImpatient;
    }

    /** Notes, under the lock, whether a hop that is waited for is full. */
    public void impatient(final boolean isNow)
    {
        if (isNow != isImpatient)
        {
            isImpatient = isNow;
            if (isNow)
            {
                onImpatient.run();
            }
        }
    }

    /** {@return true after the node has left} */
    public boolean isClosed()
    {
        return isClosed;
    }

    /** The node leaves. */
    public void close()
    {
        isClosed = true;
    }

    private void own()
    {
        if (owner != Thread.currentThread())
        {
            endpoint.releaseOwnership();
            owner = Thread.currentThread();
            held = HeldWakes.ofThread();
            if (!isClosed)
            {
                endpoint.bind();
            }
        }
        held.hold();
    }
}
