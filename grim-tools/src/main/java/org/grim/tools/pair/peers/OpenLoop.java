// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.Side;
import org.grim.tools.process.BoundedSpin;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Open loop: messages leave at fixed times, and each carries the time at which it was to leave. Its echo is timed from
 * there, so that a stall counts for every message that it held up, not for one (Gil Tene, "How NOT to Measure Latency":
 * coordinated omission). Both times are of one process: no two clocks are compared.
 * <p>Thread: the measuring one. Allocates nothing while it measures.
 */
final class OpenLoop implements MessageReceiver
{
    private static final long TIME_NS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int UNDER_WAY_MAX = 256;
    private static final long LATE_NS = 10_000;
    private static final double KEPT_SHARE = 0.99;
    private static final int OVERRUN_FACTOR = 3;

    private final Histogram times = new Histogram(TIME_NS_MAX, SIGNIFICANT_DIGITS);
    private AtomicBuffer payload = Buffers.allocate(Long.BYTES);
    private long receivedCount;
    private long receivedSum;
    private long sentCount;
    private long sentSum;
    private long lateCount;

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        final long intendedNs = buffer.getLong(offset);
        times.recordValue(Math.max(0, Math.min(System.nanoTime() - intendedNs, TIME_NS_MAX)));
        receivedSum = Payload.fold(receivedSum, intendedNs);
        receivedCount++;
    }

    /** Runs an offer whose cell the second process has entered. */
    Side.OfferedLoad run(final Peer peer, final Side.Offer offer, final ControlBlock control, final BoundedSpin spin)
    {
        times.reset();
        receivedCount = 0;
        receivedSum = 0;
        sentCount = 0;
        sentSum = 0;
        lateCount = 0;
        if (payload.capacity() < offer.size())
        {
            payload = Buffers.allocate(offer.size());
        }
        final long startNs = System.nanoTime();
        if (offer.isMaximum())
        {
            sendMaximum(peer, offer, startNs, spin);
        }
        else
        {
            sendPlanned(peer, offer, startNs, spin);
        }
        while (receivedCount < sentCount)
        {
            poll(peer, spin);
        }
        final long endNs = System.nanoTime();
        control.end(sentCount);
        while (!control.isDone())
        {
            poll(peer, spin);
        }
        if (control.receivedCount() != sentCount || control.sum() != sentSum || receivedSum != sentSum)
        {
            throw new GrimException(BAD_DATA,
                "open loop: messages were changed: sent=" + sentCount + " arrived=" +
                control.receivedCount() + " echoed=" + receivedCount);
        }
        return new Side.OfferedLoad(times.copy(), receivedCount * 1e9 / (endNs - startNs),
            (double)lateCount / sentCount, offer.isMaximum() || isKept(offer, endNs - startNs));
    }

    long sentCount()
    {
        return sentCount;
    }

    private void sendMaximum(final Peer peer, final Side.Offer offer, final long startNs, final BoundedSpin spin)
    {
        long nowNs = startNs;
        do
        {
            if (sentCount - receivedCount < UNDER_WAY_MAX)
            {
                trySend(peer, offer.size(), nowNs);
            }
            poll(peer, spin);
            nowNs = System.nanoTime();
        }
        while (nowNs - startNs < offer.durationNs());
    }

    /** Behind the plan one message leaves per poll, until it is caught up with. */
    private void sendPlanned(final Peer peer, final Side.Offer offer, final long startNs, final BoundedSpin spin)
    {
        final double intervalNs = 1e9 / offer.messagesPerSecond();
        final long overrunNs = offer.durationNs() * OVERRUN_FACTOR;
        double plannedNs = 0;
        long nowNs = startNs;
        while (plannedNs < offer.durationNs() && nowNs - startNs < overrunNs)
        {
            final long lateNs = nowNs - startNs - (long)plannedNs;
            if (lateNs >= 0 && trySend(peer, offer.size(), startNs + (long)plannedNs))
            {
                plannedNs += intervalNs;
                if (lateNs > LATE_NS)
                {
                    lateCount++;
                }
            }
            poll(peer, spin);
            nowNs = System.nanoTime();
        }
    }

    private boolean trySend(final Peer peer, final int size, final long intendedNs)
    {
        payload.putLong(0, intendedNs);
        if (!peer.trySend(payload, 0, size))
        {
            return false;
        }
        sentCount++;
        sentSum = Payload.fold(sentSum, intendedNs);
        return true;
    }

    private boolean isKept(final Side.Offer offer, final long tookNs)
    {
        final double planned = offer.messagesPerSecond() * offer.durationNs() / 1e9;
        return sentCount >= planned * KEPT_SHARE && sentCount * 1e9 / tookNs >= offer.messagesPerSecond() * KEPT_SHARE;
    }

    private static void poll(final Peer peer, final BoundedSpin spin)
    {
        if (peer.poll() == 0)
        {
            spin.spin();
        }
        else
        {
            spin.reset();
        }
    }
}
