// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

import java.io.IOException;
import java.nio.channels.Selector;

import org.grim.thread.HeldWakes;

/**
 * Where a thread sleeps in the kernel: a selector of the JDK's with the kernel's channels that it waits for, and with
 * the node's doorbell while nobody else listens to that.
 * <p>Thread: one at a time; {@link #wakeUp()} any.
 */
public final class Sleeper implements AutoCloseable
{
    private final Selector selector;
    private final boolean isUrgent;
    private final Runnable wake = this::wakeNow;
    private volatile boolean isAsleep;

    /**
     * Opens it.
     *
     * @param selector of the JDK's; closed with this.
     * @param isUrgent whether it takes over the doorbell at once when another thread leaves it.
     */
    public Sleeper(final Selector selector, final boolean isUrgent)
    {
        this.selector = selector;
        this.isUrgent = isUrgent;
    }

    /** {@return where the kernel's channels are registered, and selected after a sleep} */
    public Selector selector()
    {
        return selector;
    }

    boolean isUrgent()
    {
        return isUrgent;
    }

    /** Prepares to sleep: from now on {@link #wakeUp()} ends it. Look at what you wait for, then {@link #sleep}. */
    public void prepare()
    {
        isAsleep = true;
    }

    /** Ends what {@link #prepare()} began. */
    public void finish()
    {
        isAsleep = false;
    }

    /** Ends the sleep, if there is one; when this thread has left the node's lock. */
    public void wakeUp()
    {
        if (isAsleep)
        {
            HeldWakes.run(wake);
        }
    }

    private void wakeNow()
    {
        if (isAsleep)
        {
            selector.wakeup();
        }
    }

    /**
     * Sleeps until a channel is ready, another thread wakes it up, the thread is interrupted, or the time is over; it
     * may end early. {@link #prepare()} has come to its end then: the thread's own finds need not wake it up.
     *
     * @param pollingOrder      of the node whose messages are waited for; null for none.
     * @param timeoutMs longest sleep; 0 for no limit.
     * @throws IOException if the system refuses.
     */
    public void sleep(final PollingOrder pollingOrder, final long timeoutMs) throws IOException
    {
        final PollingOrder.Role role = pollingOrder == null ? PollingOrder.Role.FOLLOWER : pollingOrder.tryLead(this);
        switch (role)
        {
            case FOLLOWER ->
            {
                try
                {
                    selector.select(timeoutMs);
                }
                finally
                {
                    finish();
                    if (pollingOrder != null)
                    {
                        pollingOrder.leave(this);
                    }
                }
            }
            case LEADER ->
            {
                try
                {
                    final long limitMs = pollingOrder.sleepMsMax();
                    selector.select(timeoutMs == 0 ? limitMs : Math.min(timeoutMs, limitMs));
                }
                finally
                {
                    finish();
                    pollingOrder.leave(this);
                }
            }
            case BUSY -> selector.selectNow();      // However busy the node is, the kernel's channels have their turn.
        }
    }

    @Override
    public void close() throws IOException
    {
        selector.close();
    }
}
