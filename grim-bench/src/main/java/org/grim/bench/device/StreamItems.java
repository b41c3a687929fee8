// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.time.Duration;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionListener;
import org.grim.stream.Streams;

/**
 * Items that this node injects into connections, and gets back as their sink.
 * <p>Thread: the one that polls the streams.
 */
final class StreamItems implements ConnectionListener
{
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Streams streams;
    private final UnsafeBuffer item;
    private long deliveredCount;
    private String failure;

    /** Makes the sink of connections with a name, and items of up to some bytes. */
    StreamItems(final Streams streams, final String name, final int lengthMax)
    {
        this.streams = streams;
        item = new UnsafeBuffer(new byte[lengthMax]);
        streams.onItems(name, (sequence, buffer, offset, length) -> deliveredCount++);
    }

    /** Sends items through a connection, and waits for all. */
    void forward(final Connection connection, final int window, final int length, final int count)
    {
        final long end = deliveredCount + count;
        final IdleStrategy idle = streams.idleStrategy();
        long injectedCount = deliveredCount;
        while (injectedCount < end)
        {
            int workCount = 0;
            while (injectedCount < end && injectedCount - deliveredCount < window &&
                connection.inject(item, 0, length).isAccepted())
            {
                injectedCount++;
                workCount++;
            }
            idle.idle(workCount + streams.poll());
        }
        awaitDelivered(connection, end);
    }

    /**
     * Returns the time of one item, in ns. Its address is added to those of the first stage. The thread does not sleep:
     * the time would be that of waking it.
     */
    long time(final Connection connection, final int address, final int length)
    {
        final long startNs = System.nanoTime();
        final long expected = deliveredCount + 1;
        while (connection.inject(address, item, 0, length) == SendStatus.BACK_PRESSURED)
        {
            streams.poll();
            Thread.onSpinWait();
        }
        while (deliveredCount < expected)
        {
            streams.poll();
            requireDelivering(startNs, connection);
            Thread.onSpinWait();
        }
        return System.nanoTime() - startNs;
    }

    private void awaitDelivered(final Connection connection, final long end)
    {
        final long startNs = System.nanoTime();
        final IdleStrategy idle = streams.idleStrategy();
        while (deliveredCount < end)
        {
            idle.idle(streams.poll());
            requireDelivering(startNs, connection);
        }
    }

    private void requireDelivering(final long startNs, final Connection connection)
    {
        if (failure != null)
        {
            throw new GrimException(GrimException.Reason.BAD_DATA, failure);
        }
        requireInTime(startNs, connection.accounts());
    }

    @Override
    public void onFailed(final long sequence, final String reason)
    {
        failure = "item " + sequence + " has failed: " + reason;
    }

    static void requireInTime(final long startNs, final Object accounts)
    {
        if (System.nanoTime() - startNs > PATIENCE.toNanos())
        {
            throw new GrimException(
                GrimException.Reason.TIMED_OUT, "items have not come: waited=" + PATIENCE + ' ' + accounts);
        }
    }
}
