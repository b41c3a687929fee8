// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.ControlBlock;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.Side;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.peers.remote.AccessMeter;
import org.grim.bench.peers.remote.MemoryAccess;
import org.grim.bench.process.BoundedSpin;

/**
 * A node that sends to itself in one thread: each message is sent and polled, each write noticed. What one takes stands
 * for its latency, and for rate and bandwidth, too.
 * <p>Thread: the measuring one. Allocates nothing while it measures.
 */
public final class LoopSide implements Side, MessageReceiver
{
    private static final long TIME_NS_MAX = 10_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int BURST_COUNT_MAX = 128;
    private static final int BURST_LENGTH = 1 << 16;

    private final Histogram times = new Histogram(TIME_NS_MAX, SIGNIFICANT_DIGITS);
    private final Payload payload = new Payload(true);
    private final Peer peer;
    private boolean isRead;
    private boolean isVerified;
    private long arrivalNs;
    private long receivedCount;
    private long receivedSum;
    private long deliveredCount;

    /**
     * Opens the peer.
     *
     * @param kind        of peer.
     * @param isInitiator true.
     * @param directory   of the files.
     * @param sizeMax     most payload bytes.
     */
    public LoopSide(final PeerKind kind, final boolean isInitiator, final Path directory, final int sizeMax)
    {
        peer = PeerSide.open(kind, isInitiator, directory, sizeMax, this);
    }

    @Override
    public void connect()
    {
        peer.connect();
    }

    @Override
    public void idle()
    {
        peer.idle();
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isVerified)
        {
            arrivalNs = System.nanoTime();
        }
        if (isRead)
        {
            receivedSum += payload.sumOf(buffer, offset, length);
        }
        receivedCount++;
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        isVerified = cell.isVerified();
        isRead = cell.isRead() || isVerified;
        receivedCount = 0;
        receivedSum = 0;
        payload.prepare(cell);
        peer.prepare(cell);
        times.reset();
        final boolean isGet =
            cell.benchmark() == Benchmark.GET_LATENCY || cell.benchmark() == Benchmark.GET_BANDWIDTH;
        final int count = isVerified ? 1 :
            Math.max(1, Math.min(BURST_COUNT_MAX, BURST_LENGTH / Math.max(1, cell.size())));
        final double ns = isGet ? reads(cell, durationNs, count, spin) : messages(cell, durationNs, count, spin);
        return switch (cell.benchmark())
        {
            case LATENCY, PUT_LATENCY, GET_LATENCY, POLL -> ns;
            case RATE -> 1e9 / ns;
            case BANDWIDTH, PUT_BANDWIDTH, GET_BANDWIDTH, LARGE_MESSAGE -> cell.size() / ns;
        };
    }

    @Override
    public void respond(final Cell cell, final ControlBlock control, final BoundedSpin spin)
    {
        throw new IllegalStateException("the second process has no part in it");
    }

    @Override
    public long deliveredCount()
    {
        return deliveredCount;
    }

    @Override
    public Histogram times()
    {
        return times;
    }

    @Override
    public void close()
    {
        peer.close();
    }

    private double messages(final Cell cell, final long durationNs, final int count, final BoundedSpin spin)
    {
        final int size = cell.size();
        final long endNs = System.nanoTime() + durationNs;
        long sum = payload.write(size);
        long sentSum = 0;
        long sentCount = 0;
        long nowNs;
        do
        {
            if (isVerified)
            {
                sum = payload.write(size);
            }
            final long startNs = System.nanoTime();
            for (int i = 0; i < count; i++)
            {
                sentCount++;
                pass(size, sentCount, spin);
            }
            nowNs = isVerified ? arrivalNs : System.nanoTime();
            times.recordValue(Math.min(nowNs - startNs, TIME_NS_MAX));
            sentSum += sum * count;
        }
        while (nowNs - endNs < 0);
        require(cell, !isRead || receivedSum == sentSum);
        deliveredCount += sentCount;
        return times.getValueAtPercentile(50) / (double)count;
    }

    private void pass(final int size, final long number, final BoundedSpin spin)
    {
        while (!peer.trySend(payload.buffer(), 0, size))
        {
            spin.spin();
        }
        while (receivedCount < number)
        {
            if (peer.poll() == 0)
            {
                spin.spin();
            }
        }
        spin.reset();
    }

    private double reads(final Cell cell, final long durationNs, final int count, final BoundedSpin spin)
    {
        final MemoryAccess access = (MemoryAccess)peer;
        final long endNs = System.nanoTime() + durationNs;
        final long sum = payload.write(cell.size());
        while (!access.tryPut(payload.buffer(), cell.size()))
        {
            access.step();
        }
        long nowNs;
        do
        {
            final long startNs = System.nanoTime();
            AccessMeter.get(access, cell.size(), count, spin);
            nowNs = System.nanoTime();
            times.recordValue(Math.min(nowNs - startNs, TIME_NS_MAX));
            deliveredCount += count;
            require(cell, payload.sumOf(access.target(), access.targetOffset(), cell.size()) == sum);
        }
        while (nowNs - endNs < 0);
        return times.getValueAtPercentile(50) / (double)count;
    }

    private static void require(final Cell cell, final boolean isSame)
    {
        if (!isSame)
        {
            throw new GrimException(cell + ": payloads changed on the way");
        }
    }
}
