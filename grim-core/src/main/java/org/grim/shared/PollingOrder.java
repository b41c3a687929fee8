// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.CloseHelper;
import org.grim.Endpoint;
import org.grim.thread.ErrorReports;
import org.grim.thread.WorkThread;

/**
 * The order in which threads sleep on the node's doorbell. One thread at a time leads: a thread of the application that
 * waits, or else the deputy, a thread of this class. It leads when no other has looked for messages for a while, so
 * that peers are answered and deaths noticed while the application computes.
 * <p>Thread: any; the fields under the node's lock unless they are volatile.
 */
public final class PollingOrder implements WorkThread.Work
{
    private static final long GRACE_NS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long GRACE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(16);
    private static final int GRACES_SINCE_LED = 64;
    private static final long UNKNOWN = -1;
    private static final long PENDING_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long SLEEP_MS_MIN = 20;
    private static final long SLEEP_MS_MAX = 200;
    private static final int GRACES_BEFORE_PARK = 4;           // Each twice as long as the one before.

    private final SharedEndpoint shared;
    private final Sleeper deputySleeper;
    private final Thread deputy;
    private final ArrayDeque<Sleeper> urgentFollowers = new ArrayDeque<>();
    private volatile int urgentFollowerCount;
    private volatile Sleeper leader;
    private volatile long sleepMs = SLEEP_MS_MIN;
    private volatile boolean isDeputyParked;
    private long lastDriveCount = UNKNOWN;          // The deputy's, as the next two.
    private int graceCount;
    private long ledNs = System.nanoTime();         // When it last came back from its sleep.

    /** The part of a thread that wants to sleep. */
    enum Role
    {
        /** Sleep with the doorbell. */
        LEADER,
        /** Sleep without: another thread handles messages, and wakes whom they concern. */
        FOLLOWER,
        /** Look again: something has arrived, or waits to be sent. */
        BUSY
    }

    /**
     * Makes an order without its deputy.
     *
     * @param name          of the deputy's thread.
     * @param shared        endpoint that is polled.
     * @param deputySleeper where the deputy sleeps; closed with this.
     * @param reports       of the deputy's errors.
     */
    public PollingOrder(
        final String name, final SharedEndpoint shared, final Sleeper deputySleeper, final ErrorReports reports)
    {
        this.shared = shared;
        this.deputySleeper = deputySleeper;
        deputy = WorkThread.of(name, this, reports);
        shared.onImpatient(this::wakeLeader);
    }

    /** Starts the deputy. */
    public void start()
    {
        deputy.start();
    }

    /** A thread of the application begins to look for messages by itself: nobody rings meanwhile. */
    public void enter()
    {
        if (leader == deputySleeper)
        {
            shared.acquire();
            try
            {
                depose();
            }
            finally
            {
                shared.release();
            }
        }
    }

    /** A thread of the application goes off to do something else. */
    public void depart()
    {
        if (leader == null)
        {
            if (urgentFollowerCount > 0)
            {
                wakeFollower();
            }
            else if (isDeputyParked)
            {
                LockSupport.unpark(deputy);
            }
        }
    }

    /**
     * {@return longest sleep of a leader: deaths must be noticed, and room in a full hop rings no bell. The longer
     *     nothing has come, the longer it is}
     */
    long sleepMsMax()
    {
        return shared.isImpatient() ? 1 : sleepMs;
    }

    /** Takes a place: {@link #leave} ends it, unless the answer is {@link Role#BUSY}. */
    Role tryLead(final Sleeper sleeper)
    {
        if (tryFollow(sleeper))
        {
            return Role.FOLLOWER;
        }
        final boolean isPending;
        shared.acquire();
        try
        {
            if (isLed() && !shared.isClosed())
            {
                return Role.BUSY;                   // By another one that came first.
            }
            depose();
            if (shared.isClosed())
            {
                return Role.BUSY;                   // Nobody will be woken any more.
            }
            if (doorbell().prepareToSleep())
            {
                doorbell().listen(sleeper.selector());
                leader = sleeper;
                return Role.LEADER;
            }
            isPending = shared.pollLocked() == 0;
        }
        finally
        {
            shared.release();
        }
        if (isPending)
        {
            LockSupport.parkNanos(PENDING_NS);
        }
        return Role.BUSY;
    }

    /**
     * A thread that sleeps behind a leader needs nothing of the node: its lock is held for as long as messages are
     * handled. A leader leaves its place before it looks for followers, and these enter before they look for it again.
     */
    private boolean tryFollow(final Sleeper sleeper)
    {
        if (!isLed() || sleeper == deputySleeper)
        {
            return false;                           // Followers are woken; nobody wakes the deputy.
        }
        follows(sleeper, true);
        final boolean isFollowing = isLed() && !shared.isClosed();
        if (!isFollowing)
        {
            follows(sleeper, false);
        }
        return isFollowing;
    }

    private boolean isLed()
    {
        final Sleeper current = leader;
        return current != null && current != deputySleeper;
    }

    /** Notes whether a sleeper follows the leader: only an urgent one takes over when that departs. */
    private void follows(final Sleeper sleeper, final boolean isNow)
    {
        if (sleeper.isUrgent())
        {
            synchronized (urgentFollowers)
            {
                if (isNow)
                {
                    urgentFollowers.add(sleeper);
                }
                else
                {
                    urgentFollowers.remove(sleeper);
                }
                urgentFollowerCount = urgentFollowers.size();
            }
        }
    }

    /** Gives the place back. */
    void leave(final Sleeper sleeper)
    {
        if (leader != sleeper)                      // Nobody but itself makes it one.
        {
            follows(sleeper, false);
            return;
        }
        shared.acquire();
        try
        {
            if (leader == sleeper)
            {
                leader = null;
                if (!shared.isClosed())
                {
                    doorbell().awake();
                    sleepMs = shared.pollLocked() > 0 ? SLEEP_MS_MIN : Math.min(SLEEP_MS_MAX, sleepMs * 2);
                }
            }
        }
        finally
        {
            shared.release();
        }
    }

    /** The node has left: nobody waits for its messages any more. The deputy ends soon. */
    public void close()
    {
        deputySleeper.wakeUp();
        LockSupport.unpark(deputy);
        wakeLeader();
    }

    /** Wakes the leader, which sleeps for longer than it now should. */
    private void wakeLeader()
    {
        final Sleeper current = leader;
        if (current != null)
        {
            current.wakeUp();
        }
    }

    private Endpoint.Doorbell doorbell()
    {
        return shared.endpoint().doorbell();
    }

    private void wakeFollower()
    {
        final Sleeper next;
        synchronized (urgentFollowers)
        {
            next = urgentFollowers.peek();
        }
        if (next != null)
        {
            next.wakeUp();
        }
    }

    private void depose()
    {
        if (leader == deputySleeper)
        {
            leader = null;
            if (!shared.isClosed())
            {
                doorbell().awake();
            }
            deputySleeper.wakeUp();
        }
    }

    /** The deputy is to end. */
    @Override
    public boolean isOver()
    {
        return shared.isClosed();
    }

    /** A step of the deputy. */
    @Override
    public void step() throws IOException
    {
        final long count = shared.driveCount();
        final boolean hasDriven = count != lastDriveCount;
        lastDriveCount = count;
        if (leader == null && !hasDriven)
        {
            sleepAsDeputy();
            graceCount = 0;
            ledNs = System.nanoTime();
        }
        else if (leader != null && ++graceCount > GRACES_BEFORE_PARK)
        {
            graceCount = 0;
            awaitDeparture();
            lastDriveCount = UNKNOWN;           // A thread that has just departed has its time, too.
        }
        else
        {
            LockSupport.parkNanos(Math.min(GRACE_NS_MAX, leader == null ? graceNs() : graceNs() << graceCount));
        }
    }

    /** The deputy has ended. */
    @Override
    public void release()
    {
        CloseHelper.quietClose(deputySleeper);
    }

    private void sleepAsDeputy() throws IOException
    {
        deputySleeper.prepare();
        try
        {
            deputySleeper.sleep(this, 0);
            deputySleeper.selector().selectedKeys().clear();
        }
        finally
        {
            deputySleeper.finish();
        }
    }

    /** The longer the application has looked by itself, the longer it is trusted: each step may take its core. */
    private long graceNs()
    {
        return Math.min(GRACE_NS_MAX, Math.max(GRACE_NS_MIN, (System.nanoTime() - ledNs) / GRACES_SINCE_LED));
    }

    private void awaitDeparture()
    {
        isDeputyParked = true;
        if (leader != null && !shared.isClosed())
        {
            LockSupport.park(this);
        }
        isDeputyParked = false;
    }
}
