// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.Endpoint;
import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;
import org.grim.endpoint.EndpointState;
import org.grim.extension.NodeExtension;
import org.grim.loop.MessageLoop;
import org.grim.loop.SocketDoorbell;
import org.grim.thread.ErrorReports;
import org.grim.transport.Transport;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Doorbell by which an endpoint sleeps without missing a message. A sender publishes and then looks whether the
 * receiver sleeps; the receiver says that it sleeps and then looks at its queues. For one of the two to see the other,
 * each needs its store before its load. The sender's fence would cost every message some ten nanoseconds, so the
 * receiver pays for both: it looks for {@value #SETTLE_NS} ns, longer than a store waits in a running processor, and
 * never sleeps unboundedly (decision 08). Words in registered memory are the application's: it looks at them itself
 * after the doorbell is prepared. Without a file descriptor for the bell it sleeps all the same, for as long as it
 * would at most, and reports that.
 * <p>Thread: the endpoint's owner.
 */
final class SleepingDoorbell implements Endpoint.Doorbell
{
    private static final int AWAKE = -1;
    private static final long SETTLE_NS = 1_000;
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSED_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final EndpointState state;
    private final Doorbells bells;
    private final MessageLoop loop;
    private final Tasks tasks;
    private final List<Transport> transports;
    private final int[] channels;
    private final List<NodeExtension> extensions;
    private final ErrorReports reports;
    private long retryDeadlineNs = System.nanoTime();
    private boolean isFailing;              // And reported.
    private boolean isPrepared;
    private volatile boolean isAnnounced;   // Before the tasks are looked at; who adds one looks at it afterwards.

    SleepingDoorbell(
        final EndpointState state, final Doorbells bells, final MessageLoop loop, final Tasks tasks,
        final List<Transport> transports, final int[] channels, final List<NodeExtension> extensions,
        final ErrorReports reports)
    {
        this.state = state;
        this.bells = bells;
        this.loop = loop;
        this.tasks = tasks;
        this.transports = transports;
        this.channels = channels;
        this.extensions = extensions;
        this.reports = reports;
    }

    @Override
    public void listen(final Selector selector)
    {
        state.checkOwner();
        state.requireOpen();
        Objects.requireNonNull(selector, "selector");
        final SocketDoorbell bell = bellIfAny();
        if (bell != null)
        {
            bell.listen(selector, this);
        }
    }

    @Override
    public boolean prepareToSleep()
    {
        state.checkOwner();
        state.requireOpen();
        return tryPrepareToSleep();
    }

    @Override
    public void awake()
    {
        if (!state.isClosed())
        {
            announce(AWAKE);
            final SocketDoorbell bell = bells.find(channels[0]);
            if (bell != null)
            {
                bell.silence();
                reportFailure(bell);
            }
        }
    }

    /**
     * Sleeps until a message comes, or the time is over; every other call only has senders ring from then on: between
     * the two the application looks at its notification words, which this does not know.
     */
    void sleep(final long timeoutMs)
    {
        if (state.isClosed())
        {
            LockSupport.parkNanos(CLOSED_SLEEP_NS);         // A thread that goes on polling must not spin.
        }
        else if (!isPrepared)
        {
            isPrepared = tryPrepareToSleep();
        }
        else if (state.hasPendingWork() || !tasks.isEmpty())
        {
            endSleep();
        }
        else
        {
            isPrepared = false;
            await(timeoutMs);
            if (!state.isClosed())
            {
                announce(AWAKE);
            }
        }
    }

    /** The application has found something to do, perhaps between the two calls of {@link #sleep}. */
    void endSleep()
    {
        if (isPrepared)
        {
            isPrepared = false;
            awake();
        }
    }

    private boolean tryPrepareToSleep()
    {
        if (state.hasPendingWork() || !tasks.isEmpty())
        {
            return false;
        }
        final SocketDoorbell bell = bellIfAny();
        loop.housekeep();
        announce(bell == null ? AWAKE : channels[0]);
        if (isSilent())
        {
            return true;
        }
        awake();
        return false;
    }

    /** Whether the owner sleeps, or is about to, until it is rung for. Thread: any. */
    boolean isAnnounced()
    {
        return isAnnounced;
    }

    /** The endpoint closes: nobody rings any more. */
    void close()
    {
        announce(AWAKE);
        bells.close(channels[0]);
    }

    private void await(final long timeoutMs)
    {
        final SocketDoorbell bell = bells.find(channels[0]);
        if (bell == null)
        {
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
        }
        else
        {
            bell.await(timeoutMs);
            reportFailure(bell);
        }
    }

    /** Null if the system refuses one; the next try is some time later. */
    private SocketDoorbell bellIfAny()
    {
        final SocketDoorbell known = bells.find(channels[0]);
        if (known != null || retryDeadlineNs - System.nanoTime() > 0)
        {
            return known;
        }
        try
        {
            final SocketDoorbell made = bells.open(channels[0]);
            isFailing = false;
            return made;
        }
        catch (final GrimException ex)
        {
            retryDeadlineNs = System.nanoTime() + RETRY_NS;
            report(ex);
            return null;
        }
    }

    private void reportFailure(final SocketDoorbell bell)
    {
        final IOException failure = bell.takeFailure();
        if (failure == null)
        {
            isFailing &= bell.isDeaf();
        }
        else
        {
            report(new GrimException(SYSTEM_REFUSED,
                "doorbell of " + state.id() + " accepts no connection: " + MappedFile.describe(failure), failure));
        }
    }

    private void report(final GrimException failure)
    {
        if (!isFailing)
        {
            isFailing = true;
            reports.report(failure, "doorbell", () -> state.id() +
                " sleeps without its doorbell: messages may wait until the sleep ends, 50 ms at most");
        }
    }

    private void announce(final int bell)
    {
        isAnnounced = bell != AWAKE;
        for (final int channel : channels)
        {
            for (int i = 0; i < transports.size(); i++)
            {
                transports.get(i).asleep(channel, bell);
            }
        }
        for (int i = 0; i < extensions.size(); i++)
        {
            extensions.get(i).asleep(bell);
        }
    }

    private boolean isSilent()
    {
        final long startNs = System.nanoTime();
        boolean isSilent = tasks.isEmpty() && loop.table().isSilent();
        while (isSilent && System.nanoTime() - startNs < SETTLE_NS)
        {
            isSilent = loop.table().isSilent();
        }
        return isSilent;
    }
}
