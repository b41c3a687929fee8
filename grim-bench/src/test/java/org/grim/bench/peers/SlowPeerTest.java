// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.grim.bench.compare.Cell;
import org.grim.bench.peers.pair.Peer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SlowPeerTest
{
    private static final int CALIBRATION_COUNT = 50_000 + 4_096;
    private static final int COUNT = 2_001;

    @Test
    void shouldTakeAShareOfTheSendsOwnTimeLonger()
    {
        final WorkPeer work = new WorkPeer();
        final SlowPeer slow = new SlowPeer(work, 300);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(16);
        for (int i = 0; i < CALIBRATION_COUNT; i++)
        {
            assertTrue(slow.trySend(buffer, 0, 8));
        }

        final double plainNs = median(work, buffer);
        final double slowNs = median(slow, buffer);

        // Four times as long; a busy machine makes medians no clocks.
        assertTrue(slowNs > plainNs * 2, "plain=" + plainNs + " slow=" + slowNs);
        assertEquals(0, work.offsetSum, "the arguments have changed");
    }

    private static double median(final Peer peer, final DirectBuffer buffer)
    {
        final long[] timesNs = new long[COUNT];
        for (int i = 0; i < COUNT; i++)
        {
            final long startNs = System.nanoTime();
            peer.trySend(buffer, 0, 8);
            timesNs[i] = System.nanoTime() - startNs;
        }
        Arrays.sort(timesNs);
        return timesNs[COUNT / 2];
    }

    /** A microsecond of arithmetic that no compiler shortens, so that the clock's own time does not count. */
    private static final class WorkPeer implements Peer
    {
        private long offsetSum;
        private long state = 1;

        @Override
        public boolean trySend(final DirectBuffer source, final int offset, final int length)
        {
            offsetSum += offset;
            long value = state;
            for (int i = 0; i < 500; i++)
            {
                value = (value ^ value >>> 7) * 6_364_136_223_846_793_005L;
            }
            state = value;
            return true;
        }

        @Override
        public void connect()
        {
            throw new IllegalStateException("nobody is there");
        }

        @Override
        public void prepare(final Cell cell)
        {
            throw new IllegalStateException("nothing to prepare");
        }

        @Override
        public int poll()
        {
            return 0;
        }

        @Override
        public void idle()
        {
            throw new IllegalStateException("never idle");
        }

        @Override
        public void close()
        {
            throw new IllegalStateException("nothing to close");
        }
    }
}
