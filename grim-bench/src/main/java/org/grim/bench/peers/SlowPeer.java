// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.grim.bench.compare.Cell;
import org.grim.bench.peers.pair.Peer;

/**
 * A planted slow-down, to see whether reports find it: each send takes longer by a share of its own time, which is
 * measured first. The time passes before the send, in additions that its arguments depend on, so that no processor
 * does both at once.
 * <p>Thread: the measuring one.
 */
public final class SlowPeer implements Peer
{
    /** System property with the share in percent; first process only. Settings of nodes begin with another word. */
    public static final String PROPERTY = "bench.slow-down-send";

    private static final int WARM_UP_COUNT = 50_000;
    private static final int TIMED_COUNT = 4_096;
    private static final int STEP_COUNT = 100_000;

    private final Peer peer;
    private final double share;
    private final long[] timesNs = new long[TIMED_COUNT];
    private int sendCount;
    private int stepCount;
    private long state = 2;

    SlowPeer(final Peer peer, final int percent)
    {
        this.peer = peer;
        share = percent / 100.0;
    }

    @Override
    public void connect()
    {
        peer.connect();
    }

    @Override
    public void prepare(final Cell cell)
    {
        peer.prepare(cell);
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        if (sendCount < WARM_UP_COUNT + TIMED_COUNT)
        {
            return sendTimed(source, offset, length);
        }
        pass(stepCount);
        return peer.trySend(source, offset + (int)(state & 1), length);         // Always even, which nobody can know.
    }

    @Override
    public int poll()
    {
        return peer.poll();
    }

    @Override
    public void idle()
    {
        peer.idle();
    }

    @Override
    public void close()
    {
        peer.close();
    }

    private boolean sendTimed(final DirectBuffer source, final int offset, final int length)
    {
        final long startNs = System.nanoTime();
        final boolean isSent = peer.trySend(source, offset, length);
        final long tookNs = System.nanoTime() - startNs;
        if (isSent && ++sendCount > WARM_UP_COUNT)
        {
            timesNs[sendCount - WARM_UP_COUNT - 1] = tookNs;
            if (sendCount == WARM_UP_COUNT + TIMED_COUNT)
            {
                calibrate();
            }
        }
        return isSent;
    }

    private void calibrate()
    {
        final double sendNs = Math.max(1, median(timesNs) - clockNs());
        double stepNs = Double.MAX_VALUE;
        for (int i = 0; i < 10; i++)                // The first ones compile it; some are interrupted.
        {
            final long startNs = System.nanoTime();
            pass(STEP_COUNT);
            stepNs = Math.min(stepNs, (System.nanoTime() - startNs) / (double)STEP_COUNT);
        }
        stepCount = (int)Math.max(1, Math.round(sendNs * share / stepNs));
    }

    private void pass(final int count)
    {
        long value = state;
        for (int i = 0; i < count; i++)
        {
            // An even number stays even, and no compiler takes several steps at once.
            value = (value ^ value >>> 7 << 1) * 0x5DEE_CE66DL;
        }
        state = value;
    }

    private static double clockNs()
    {
        final long[] gapsNs = new long[TIMED_COUNT];
        for (int i = 0; i < TIMED_COUNT; i++)
        {
            final long startNs = System.nanoTime();
            gapsNs[i] = System.nanoTime() - startNs;
        }
        return median(gapsNs);
    }

    private static double median(final long[] values)
    {
        final long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
