// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.process.BoundedSpin;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Measures, in the first process. The clock of a round trip runs from before the send until the handler has the reply,
 * and has read it where the mode says so; the message is written before. Streams end when the last message was handled.
 * <p>Thread: the measuring one. Allocates nothing while it measures.
 */
final class Initiator implements MessageReceiver
{
    private static final long ROUND_TRIP_NS_MAX = 10_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int BURST_LENGTH = 1 << 16;
    private static final int BURST_COUNT_MAX = 64;
    private static final int WRITTEN_SIZE_MAX = 1 << 10;

    private final Histogram roundTrips = new Histogram(ROUND_TRIP_NS_MAX, SIGNIFICANT_DIGITS);
    private final Payload payload = new Payload(true);
    private final AccessMeter meter = new AccessMeter();
    private Peer peer;
    private BoundedSpin spin;
    private boolean isRead;
    private boolean isVerified;
    private boolean isTimed;
    private boolean hasArrived;
    private long arrivalNs;
    private long receivedSum;
    private long sentCount;
    private long doneCount;
    private long sentSum;
    private long lastSum;

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isVerified)
        {
            arrivalNs = System.nanoTime();
            receivedSum = Payload.fold(receivedSum, payload.sumOf(buffer, offset, length));
        }
        else
        {
            if (isRead)
            {
                receivedSum = Payload.fold(receivedSum, payload.sumOf(buffer, offset, length));
            }
            if (isTimed)
            {
                arrivalNs = System.nanoTime();
            }
        }
        hasArrived = true;
    }

    /** Measures a cell; the second process has entered it. Without a control block it has no part in it. */
    double measure(
        final Peer newPeer, final Cell cell, final long durationNs, final ControlBlock control,
        final BoundedSpin newSpin)
    {
        begin(newPeer, cell, newSpin);
        isTimed = control != null;          // Else bursts are timed, and a look at the clock takes as long as a send.
        final MemoryAccess access =
            peer instanceof MemoryAccess memory && !cell.benchmark().isPingPong() ? memory : null;
        if (control == null)
        {
            return access == null ? passes(cell, durationNs) : accesses(access, cell, durationNs);
        }
        return access == null ? messages(cell, durationNs, control) : accesses(access, cell, durationNs, control);
    }

    /** Times of the last latency, one by one. */
    Histogram times()
    {
        return roundTrips;
    }

    /** Messages or operations of the last measurement. */
    long doneCount()
    {
        return doneCount;
    }

    private void begin(final Peer newPeer, final Cell cell, final BoundedSpin newSpin)
    {
        peer = newPeer;
        spin = newSpin;
        isVerified = cell.isVerified();
        isRead = cell.isRead() || isVerified;
        receivedSum = 0;
        sentCount = 0;
        sentSum = 0;
        doneCount = 0;
        roundTrips.reset();
        payload.prepare(cell);
    }

    private double messages(final Cell cell, final long durationNs, final ControlBlock control)
    {
        final double figure;
        if (cell.benchmark().isPingPong())
        {
            figure = latencyNs(cell.size(), durationNs, control);
            verify(cell, receivedSum, isRead ? sentSum : 0);
        }
        else
        {
            final double messagesPerSecond = stream(cell, durationNs, control);
            figure = cell.benchmark() == Benchmark.RATE ? messagesPerSecond : messagesPerSecond * cell.size() / 1e9;
        }
        // Memory keeps what was written last; messages are gone when they have been handled.
        final boolean isSummedThere = cell.isRead() || (isVerified && !cell.benchmark().isPingPong());
        verify(cell, control.sum(),
            cell.benchmark() == Benchmark.PUT_LATENCY ? lastSum : isSummedThere ? sentSum : 0);
        requireAll(cell, control);
        return figure;
    }

    /**
     * A node that sends to itself: each message is polled before the next one. The time of one stands for its latency,
     * and for rate and bandwidth, too.
     */
    private double passes(final Cell cell, final long durationNs)
    {
        final int size = cell.size();
        final int count = isVerified ? 1 : burstCount(size);
        final long endNs = System.nanoTime() + durationNs;
        long sum = payload.write(size);
        long nowNs;
        do
        {
            sum = isVerified ? payload.write(size) : sum;
            final long startNs = System.nanoTime();
            for (int i = 0; i < count; i++)
            {
                exchange(size);
            }
            nowNs = isVerified ? arrivalNs : System.nanoTime();
            roundTrips.recordValue(Math.min(nowNs - startNs, ROUND_TRIP_NS_MAX));
            for (int i = 0; i < count; i++)
            {
                sentSum = Payload.fold(sentSum, sum);
            }
        }
        while (nowNs - endNs < 0);
        verify(cell, receivedSum, isRead ? sentSum : 0);
        final double ns = roundTrips.getValueAtPercentile(50) / (double)count;
        return cell.benchmark().isTime() ? ns : cell.benchmark() == Benchmark.RATE ? 1e9 / ns : size / ns;
    }

    /** Memory of this process: what was put there is what a get brings. */
    private double accesses(final MemoryAccess access, final Cell cell, final long durationNs)
    {
        sentSum = payload.write(cell.size());
        AccessMeter.put(access, payload.buffer(), cell.size(), 1, spin);
        final double figure = timed(access, cell, durationNs);
        AccessMeter.get(access, cell.size(), 1, spin);
        verify(cell, payload.sumOf(access.target(), access.targetOffset(), cell.size()), sentSum);
        return figure;
    }

    /**
     * Writes or reads from one side. A message, which is a write with a word, says where the writes end, and brings but
     * the first of their words: the others must be there. Before reads it brings what they read.
     */
    private double accesses(
        final MemoryAccess access, final Cell cell, final long durationNs, final ControlBlock control)
    {
        sentSum = payload.write(cell.size());
        final double figure;
        final long startNs = System.nanoTime();
        if (cell.benchmark() == Benchmark.PUT_BANDWIDTH)
        {
            figure = timed(access, cell, durationNs);
            send(Math.min(Long.BYTES, cell.size()), 0);
        }
        else
        {
            send(cell.size(), 0);
            figure = timed(access, cell, durationNs);
            verify(cell, payload.sumOf(access.target(), access.targetOffset(), cell.size()), sentSum);
        }
        control.end(sentCount);
        awaitDone(control);
        final long doneNs = System.nanoTime();
        verify(cell, control.sum(), sentSum);
        requireAll(cell, control);
        // Through boards writes end later than they begin; shared memory has written when the call returns.
        return isVerified && cell.benchmark() == Benchmark.PUT_BANDWIDTH ?
            meter.operationCount() * (double)cell.size() / (doneNs - startNs) : figure;
    }

    private double timed(final MemoryAccess access, final Cell cell, final long durationNs)
    {
        if (!isVerified || cell.benchmark() != Benchmark.GET_LATENCY)
        {
            final double figure = meter.measure(access, payload.buffer(), cell, durationNs, spin);
            doneCount += meter.operationCount();
            return figure;
        }
        final long endNs = System.nanoTime() + durationNs;
        long nowNs;
        do
        {
            final long startNs = System.nanoTime();
            AccessMeter.get(access, cell.size(), 1, spin);
            nowNs = System.nanoTime();
            roundTrips.recordValue(Math.min(nowNs - startNs, ROUND_TRIP_NS_MAX));
            verify(cell, payload.sumOf(access.target(), access.targetOffset(), cell.size()), sentSum);
        }
        while (nowNs - endNs < 0);
        doneCount += roundTrips.getTotalCount();
        return roundTrips.getValueAtPercentile(50);
    }

    private double latencyNs(final int size, final long durationNs, final ControlBlock control)
    {
        final long endNs = System.nanoTime() + durationNs;
        do
        {
            roundTrips.recordValue(Math.min(roundTripNs(size), ROUND_TRIP_NS_MAX));
        }
        while (arrivalNs - endNs < 0);
        control.end(sentCount);
        awaitDone(control);
        return roundTrips.getValueAtPercentile(50) / 2.0;
    }

    private long roundTripNs(final int size)
    {
        lastSum = payload.write(size);
        sentSum = Payload.fold(sentSum, lastSum);
        final long startNs = System.nanoTime();
        exchange(size);
        return arrivalNs - startNs;
    }

    private void exchange(final int size)
    {
        hasArrived = false;
        send(size, 0);
        while (!hasArrived)
        {
            if (peer.poll() == 0)
            {
                spin.spin();
            }
        }
        spin.reset();
    }

    private static int burstCount(final int size)
    {
        return Math.min(BURST_COUNT_MAX, Math.max(1, BURST_LENGTH / Math.max(1, size)));
    }

    private double stream(final Cell cell, final long durationNs, final ControlBlock control)
    {
        final int size = cell.size();
        // Where bytes are not counted, large messages are not written again: that would take as long as they do.
        final boolean isWritten = cell.benchmark() == Benchmark.BANDWIDTH || size <= WRITTEN_SIZE_MAX;
        payload.write(size);
        if (isVerified)
        {
            payload.writeWindows(size);
        }
        final int burstCount = burstCount(size);
        final long startNs = System.nanoTime();
        do
        {
            sendBurst(size, burstCount, isWritten);
        }
        while (System.nanoTime() - startNs < durationNs);
        control.end(sentCount);
        awaitDone(control);
        return sentCount * 1e9 / (System.nanoTime() - startNs);
    }

    private void sendBurst(final int size, final int burstCount, final boolean isWritten)
    {
        for (int i = 0; i < burstCount; i++)
        {
            if (isVerified)
            {
                sentSum = Payload.fold(sentSum, payload.windowSum(sentCount));
                send(size, Payload.windowOffset(sentCount));
                continue;
            }
            if (isWritten)
            {
                sentSum = Payload.fold(sentSum, payload.write(size));
            }
            send(size, 0);
        }
    }

    private void send(final int size, final int offset)
    {
        while (!peer.trySend(payload.buffer(), offset, size))
        {
            if (peer.poll() == 0)
            {
                spin.spin();
            }
        }
        spin.reset();
        sentCount++;
        doneCount++;
    }

    private void awaitDone(final ControlBlock control)
    {
        while (!control.isDone())
        {
            if (peer.poll() == 0)
            {
                spin.spin();
            }
        }
        spin.reset();
    }

    private void requireAll(final Cell cell, final ControlBlock control)
    {
        if (control.receivedCount() != sentCount)
        {
            throw new GrimException(BAD_DATA,
                cell + ": sent=" + sentCount + " messages, received=" + control.receivedCount());
        }
    }

    private static void verify(final Cell cell, final long actual, final long expected)
    {
        if (actual != expected)
        {
            throw new GrimException(BAD_DATA,
                cell + ": payloads were changed: sum=0x" + Long.toHexString(actual) +
                " expected=0x" + Long.toHexString(expected));
        }
    }
}
