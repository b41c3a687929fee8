// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.channels.SelectableChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.loop.Doorbell;
import org.grim.loop.MessageLoop;
import org.grim.transport.Transport;

/**
 * How an endpoint sleeps, in a selector of the application's own or in GRIM's idle strategy, such that no message is
 * missed. A sender publishes and then looks whether the receiver sleeps; the receiver says that it sleeps and then
 * looks at its queues. For one of the two to see the other, each needs its store before its load. The sender's fence
 * would cost every message some ten nanoseconds, so the receiver pays for both: it looks for {@value #SETTLE_NS} ns,
 * longer than a store waits in a running processor, and never sleeps unboundedly (decision 08).
 * <p>Thread: the endpoint's owner.
 */
public final class EndpointDoorbell
{
    private static final int AWAKE = -1;
    private static final long SETTLE_NS = 5_000;
    private static final long CLOSED_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Endpoint endpoint;
    private final Doorbells bells;
    private final MessageLoop loop;
    private final List<Transport> transports;
    private final int[] channels;

    EndpointDoorbell(
        final Endpoint endpoint, final Doorbells bells, final MessageLoop loop, final List<Transport> transports,
        final int[] channels)
    {
        this.endpoint = endpoint;
        this.bells = bells;
        this.loop = loop;
        this.transports = transports;
        this.channels = channels;
    }

    /**
     * The channel that becomes ready when somebody sends to this endpoint while it sleeps.
     *
     * @return ready to accept, or to read, as its {@link SelectableChannel#validOps()} say. Do not accept or read from
     *         it. Closed when the node leaves, which ends a select.
     * @throws IllegalStateException if the node has left.
     */
    public SelectableChannel channel()
    {
        return bell().channel();
    }

    /**
     * Asks senders to ring from now on. If the answer is true, the owner may select on {@link #channel()}, for 100 ms
     * at most, and must call {@link #awake()} before it polls again.
     *
     * @return false if something has arrived, waits in the overflow queue or is to be told: poll instead.
     * @throws IllegalStateException if the node has left.
     */
    public boolean prepareToSleep()
    {
        endpoint.checkOwner();
        endpoint.requireOpen();
        return tryPrepareToSleep();
    }

    /** Ends what {@link #prepareToSleep()} began, whether the bell was rung or not. */
    public void awake()
    {
        if (!endpoint.isClosed())
        {
            announce(AWAKE);
            bell().silence();
        }
    }

    /** Sleeps until a message comes, or the time is over. */
    void sleep(final long timeoutMs)
    {
        if (endpoint.isClosed())
        {
            LockSupport.parkNanos(CLOSED_SLEEP_NS);         // Whoever goes on polling shall not spin.
        }
        else if (tryPrepareToSleep())
        {
            bell().await(timeoutMs);
            if (!endpoint.isClosed())
            {
                announce(AWAKE);
            }
        }
    }

    private boolean tryPrepareToSleep()
    {
        if (endpoint.work().isAny())
        {
            return false;
        }
        bell();
        loop.housekeep();
        announce(channels[0]);
        if (isSilent())
        {
            return true;
        }
        awake();
        return false;
    }

    private Doorbell bell()
    {
        return bells.open(channels[0]);
    }

    private void announce(final int bell)
    {
        for (final int channel : channels)
        {
            for (int i = 0; i < transports.size(); i++)
            {
                transports.get(i).asleep(channel, bell);
            }
        }
    }

    private boolean isSilent()
    {
        final long startNs = System.nanoTime();
        boolean isSilent = loop.table().isSilent();
        while (isSilent && System.nanoTime() - startNs < SETTLE_NS)
        {
            isSilent = loop.table().isSilent();
        }
        return isSilent;
    }
}
