// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.ControlBlock;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.peers.remote.AccessMeter;
import org.grim.bench.peers.remote.MemoryAccess;
import org.grim.bench.process.BoundedSpin;

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

    private final Histogram roundTrips = new Histogram(ROUND_TRIP_NS_MAX, SIGNIFICANT_DIGITS);
    private final Payload payload = new Payload(true);
    private final AccessMeter meter = new AccessMeter();
    private Peer peer;
    private BoundedSpin spin;
    private boolean isRead;
    private boolean isVerified;
    private boolean hasArrived;
    private long arrivalNs;
    private long receivedSum;
    private long sentCount;
    private long sentSum;
    private long lastSum;

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isVerified)
        {
            arrivalNs = System.nanoTime();
            receivedSum += payload.sumOf(buffer, offset, length);
        }
        else
        {
            if (isRead)
            {
                receivedSum += payload.sumOf(buffer, offset, length);
            }
            arrivalNs = System.nanoTime();
        }
        hasArrived = true;
    }

    /** Measures a cell that the second process has entered; see {@link org.grim.bench.compare.Side#measure}. */
    double measure(
        final Peer newPeer, final Cell cell, final long durationNs, final ControlBlock control,
        final BoundedSpin newSpin)
    {
        begin(newPeer, cell, newSpin);
        final double figure;
        if (cell.benchmark().isPingPong())
        {
            figure = latencyNs(cell.size(), durationNs, control);
            verify(cell, receivedSum, isRead || isVerified ? sentSum : 0);
        }
        else
        {
            final double messagesPerSecond = stream(cell, durationNs, control);
            figure = cell.benchmark() == Benchmark.RATE ? messagesPerSecond : messagesPerSecond * cell.size() / 1e9;
        }
        // Memory keeps what was written last; messages are gone when they have been handled.
        final boolean isSummedThere = isRead || (isVerified && !cell.benchmark().isPingPong());
        verify(cell, control.sum(),
            cell.benchmark() == Benchmark.PUT_LATENCY ? lastSum : isSummedThere ? sentSum : 0);
        requireAll(cell, control);
        return figure;
    }

    /**
     * Measures writes or reads from one side. A message, which is a write with a word, says where the writes end, and
     * brings but the first of their words: the others must be there. Before reads it brings what they read.
     */
    double measureAccess(
        final Peer newPeer, final MemoryAccess access, final Cell cell, final long durationNs,
        final ControlBlock control, final BoundedSpin newSpin)
    {
        begin(newPeer, cell, newSpin);
        sentSum = payload.write(cell.size());
        final double figure;
        final long startNs = System.nanoTime();
        if (cell.benchmark() == Benchmark.PUT_BANDWIDTH)
        {
            figure = meter.measure(access, payload.buffer(), cell, durationNs, spin);
            send(Math.min(Long.BYTES, cell.size()), 0);
        }
        else
        {
            send(cell.size(), 0);
            figure = isVerified && cell.benchmark() == Benchmark.GET_LATENCY ? verifiedReads(access, cell, durationNs) :
                meter.measure(access, payload.buffer(), cell, durationNs, spin);
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

    private double verifiedReads(final MemoryAccess access, final Cell cell, final long durationNs)
    {
        roundTrips.reset();
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
        return roundTrips.getValueAtPercentile(50);
    }

    /** Times of the last latency, one by one. */
    Histogram times()
    {
        return roundTrips;
    }

    /** Measures copies within this process. */
    double measureCopies(
        final MemoryAccess access, final Cell cell, final long durationNs, final BoundedSpin newSpin)
    {
        begin(null, cell, newSpin);
        sentSum = payload.write(cell.size());
        access.tryPut(payload.buffer(), cell.size());
        final double figure = meter.measure(access, payload.buffer(), cell, durationNs, spin);
        access.tryGet(cell.size());
        verify(cell, payload.sumOf(access.target(), access.targetOffset(), cell.size()), sentSum);
        return figure;
    }

    /** Operations of the last measurement from one side. */
    long accessCount()
    {
        return meter.operationCount();
    }

    long sentCount()
    {
        return sentCount;
    }

    private void begin(final Peer newPeer, final Cell cell, final BoundedSpin newSpin)
    {
        peer = newPeer;
        spin = newSpin;
        isRead = cell.isRead();
        isVerified = cell.isVerified();
        receivedSum = 0;
        sentCount = 0;
        sentSum = 0;
        payload.prepare(cell);
    }

    private double latencyNs(final int size, final long durationNs, final ControlBlock control)
    {
        roundTrips.reset();
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
        sentSum += lastSum;
        hasArrived = false;
        final long startNs = System.nanoTime();
        send(size, 0);
        while (!hasArrived)
        {
            if (peer.poll() == 0)
            {
                spin.spin();
            }
        }
        spin.reset();
        return arrivalNs - startNs;
    }

    private double stream(final Cell cell, final long durationNs, final ControlBlock control)
    {
        final int size = cell.size();
        // Large messages are not written anew: that would take as long as they do.
        final boolean isWritten = cell.benchmark() != Benchmark.LARGE_MESSAGE;
        payload.write(size);
        if (isVerified)
        {
            payload.writeWindows(size);
        }
        final int burstCount = Math.min(BURST_COUNT_MAX, Math.max(1, BURST_LENGTH / Math.max(1, size)));
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
                sentSum += payload.windowSum(sentCount);
                send(size, Payload.windowOffset(sentCount));
                continue;
            }
            if (isWritten)
            {
                sentSum += payload.write(size);
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
            throw new GrimException(cell + ": sent=" + sentCount + " messages, received=" + control.receivedCount());
        }
    }

    private static void verify(final Cell cell, final long actual, final long expected)
    {
        if (actual != expected)
        {
            throw new GrimException(cell + ": payloads changed on the way: sum=0x" + Long.toHexString(actual) +
                " expected=0x" + Long.toHexString(expected));
        }
    }
}
