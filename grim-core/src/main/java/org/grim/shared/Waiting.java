// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.function.BiFunction;

import org.agrona.CloseHelper;
import org.grim.LongWait;

/**
 * Blocking calls: their threads look for messages for a while, then sleep. Keeps the sleepers that nobody uses.
 * <p>Thread: any. Owns: the sleepers.
 */
public final class Waiting implements AutoCloseable
{
    /** From here on, and in these intervals, a wait is reported. */
    public static final long REPORT_NS = 1_000_000_000;

    private static final long NS_PER_MS = 1_000_000;
    private static final int LOOKS_BEFORE_CLOCK = 32;       // A clock and a pause may take as long as some of them.
    private static final int LOOKS_AT_ONCE = 16;

    private final SharedEndpoint shared;
    private final PollingOrder pollingOrder;
    private final SelectorProvider kernel;
    private final long spinNs;
    private final ArrayDeque<Sleeper> sleepers = new ArrayDeque<>();
    private BiFunction<Awaited, LongWait, LongWait> reports;        // Null if nobody asked for them.
    private boolean isClosed;

    /**
     * Makes waits for what an endpoint's messages bring.
     *
     * @param shared       endpoint.
     * @param pollingOrder of it.
     * @param kernel       provider of the selectors that threads sleep in.
     * @param spinNs       how long a thread looks before it sleeps.
     */
    public Waiting(
        final SharedEndpoint shared, final PollingOrder pollingOrder, final SelectorProvider kernel, final long spinNs)
    {
        this.shared = shared;
        this.pollingOrder = pollingOrder;
        this.kernel = kernel;
        this.spinNs = spinNs;
    }

    /**
     * Sets what reports a wait that has taken a second, and brings the report up to date every second from then on: on
     * the thread that waits, which does not own the endpoint. Before others use this object.
     *
     * @param newReports from what is awaited and the report so far, null for none, to the report.
     */
    public void onLongWait(final BiFunction<Awaited, LongWait, LongWait> newReports)
    {
        reports = newReports;
    }

    /**
     * Waits until a channel is ready, closed, or the time is over, or the thread is interrupted. Only one channel at a
     * time learns of that, and while the thread sleeps that is a selector: the caller's begins again afterwards.
     *
     * @param channel    to wait for.
     * @param operations any of which is waited for.
     * @param deadlineNs of {@link System#nanoTime()}; {@link Long#MAX_VALUE} for none.
     * @return false if the time is over.
     * @throws IOException if the system refuses.
     */
    public boolean await(final Awaited channel, final int operations, final long deadlineNs) throws IOException
    {
        if (look(channel, operations))
        {
            return true;
        }
        final long limitNs = channel.spinTime().beginNs(spinNs);
        if (limitNs > 0 && spin(channel, operations, limitNs))
        {
            return true;
        }
        final long startNs = System.nanoTime() - limitNs;
        final Sleeper sleeper = borrow();
        try
        {
            channel.waiting(operations, sleeper);
            return sleep(channel, operations, deadlineNs, sleeper, startNs);
        }
        finally
        {
            channel.waiting(operations, null);
            channel.spinTime().slept(System.nanoTime() - startNs, spinNs);
            sleeper.finish();
            giveBack(sleeper);
            pollingOrder.depart();
        }
    }

    /**
     * Converts a deadline.
     *
     * @param deadlineNs of {@link System#nanoTime()}, or {@link Long#MAX_VALUE}.
     * @return the milliseconds until it; 0 if there is none, -1 if it is over.
     */
    public static long timeoutMs(final long deadlineNs)
    {
        if (deadlineNs == Long.MAX_VALUE)
        {
            return 0;
        }
        final long remainingNs = deadlineNs - System.nanoTime();
        return remainingNs <= 0 ? -1 : remainingNs / NS_PER_MS + 1;
    }

    /**
     * Converts a time.
     *
     * @param timeoutMs that begins now.
     * @return when it is over; {@link Long#MAX_VALUE} if nobody waits so long.
     */
    public static long deadlineNs(final long timeoutMs)
    {
        return timeoutMs > Long.MAX_VALUE / NS_PER_MS / 4 ? Long.MAX_VALUE : System.nanoTime() + timeoutMs * NS_PER_MS;
    }

    /**
     * Handles what has arrived, and looks for more as long as that pays.
     *
     * @param channel    to wait for.
     * @param operations any of which is waited for.
     * @return true if the channel is ready, or closed.
     */
    public boolean spin(final Awaited channel, final int operations)
    {
        if (look(channel, operations))
        {
            return true;
        }
        final long limitNs = channel.spinTime().beginNs(spinNs);
        return limitNs > 0 && spin(channel, operations, limitNs);
    }

    private boolean look(final Awaited channel, final int operations)
    {
        pollingOrder.enter();
        shared.poll();
        return isReady(channel, operations);
    }

    private boolean spin(final Awaited channel, final int operations, final long limitNs)
    {
        long progress = channel.progress();
        shared.poll(channel, operations, LOOKS_BEFORE_CLOCK);
        if (isReady(channel, operations))
        {
            channel.spinTime().end(true);
            return true;
        }
        long startNs = System.nanoTime();
        long nowNs = startNs;
        boolean isReady = false;
        int count = 0;
        while (!isReady && nowNs - startNs < limitNs)
        {
            count++;
            SpinTime.pause(count);              // Others may take the core.
            nowNs = System.nanoTime();
            shared.poll(channel, operations, LOOKS_AT_ONCE);
            isReady = isReady(channel, operations);
            if (channel.progress() != progress)
            {
                progress = channel.progress();
                startNs = nowNs;
            }
        }
        channel.spinTime().end(isReady && nowNs - startNs < limitNs);
        return isReady;
    }

    private boolean sleep(
        final Awaited channel, final int operations, final long deadlineNs, final Sleeper sleeper,
        final long startNs) throws IOException
    {
        LongWait report = null;
        long reportNs = reports == null ? Long.MAX_VALUE : startNs + REPORT_NS;
        try
        {
            while (true)
            {
                sleeper.prepare();
                if (isReady(channel, operations) || Thread.currentThread().isInterrupted())
                {
                    return true;
                }
                final long timeoutMs = timeoutMs(deadlineNs);
                if (timeoutMs < 0)
                {
                    return false;
                }
                final long untilReportMs = timeoutMs(reportNs);
                if (untilReportMs < 0)
                {
                    report = reports.apply(channel, report);
                    reportNs += REPORT_NS;
                }
                else
                {
                    sleeper.sleep(pollingOrder, timeoutMs == 0 || (untilReportMs > 0 && untilReportMs < timeoutMs) ?
                        untilReportMs : timeoutMs);
                    sleeper.selector().selectedKeys().clear();
                }
            }
        }
        finally
        {
            CloseHelper.close(report);
        }
    }

    private static boolean isReady(final Awaited channel, final int operations)
    {
        return (channel.readyOperations() & operations) != 0 || !channel.isOpen();
    }

    private Sleeper borrow() throws IOException
    {
        synchronized (sleepers)
        {
            final Sleeper free = sleepers.poll();
            if (free != null)
            {
                return free;
            }
        }
        return new Sleeper(kernel.openSelector(), true);
    }

    private void giveBack(final Sleeper sleeper)
    {
        synchronized (sleepers)
        {
            if (!isClosed)
            {
                sleepers.push(sleeper);
                return;
            }
        }
        CloseHelper.quietClose(sleeper);
    }

    /** The node has left: sleepers are closed, those that are in use when nobody uses them any more. */
    @Override
    public void close()
    {
        synchronized (sleepers)
        {
            isClosed = true;
            CloseHelper.quietCloseAll(sleepers);
            sleepers.clear();
        }
    }
}
