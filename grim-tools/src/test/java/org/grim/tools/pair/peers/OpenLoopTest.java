// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.Side.Offer;
import org.grim.tools.pair.Side.OfferedLoad;
import org.grim.tools.process.BoundedSpin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(180)
final class OpenLoopTest
{
    private static final int SIZE = 32;
    private static final int PER_SECOND = 10_000;
    private static final long DURATION_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MESSAGE_COUNT = 1_000;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int RUN_COUNT_MAX = 100;
    private final BoundedSpin spin = new BoundedSpin(false, 10_000, "echo", () ->
    {
    });
    private final OpenLoop loop = new OpenLoop();
    private ControlBlock first;
    private ControlBlock second;

    @TempDir
    private Path directory;

    @BeforeEach
    void open()
    {
        first = ControlBlock.create(directory.resolve("control"));
        second = ControlBlock.open(directory.resolve("control"));
    }

    @AfterEach
    void close()
    {
        first.close();
        second.close();
    }

    @Test
    void shouldCountAStallForEveryMessageThatItHeldUp()
    {
        OfferedLoad load = run(new Offer(SIZE, PER_SECOND, DURATION_NS), STALL_NS);
        for (int i = 0; i < RUN_COUNT_MAX && load.times().getTotalCount() < MESSAGE_COUNT; i++)
        {
            load = run(new Offer(SIZE, PER_SECOND, DURATION_NS), STALL_NS);     // The machine stood still meanwhile.
        }

        // 20 ms hold up 200 messages, and three quarters of them for 5 ms and more. A closed loop would see one.
        final long slowCount = load.times().getCountBetweenValues(STALL_NS / 4, Long.MAX_VALUE / 2);
        assertTrue(slowCount >= 150, "slow=" + slowCount);
        assertEquals(MESSAGE_COUNT, load.times().getTotalCount());
        assertTrue(load.lateShare() >= 0.15, "late=" + load.lateShare());
    }

    @Test
    void shouldSayThatAPeerIsTooSlowForTheSchedule()
    {
        final OfferedLoad load = run(new Offer(SIZE, PER_SECOND, DURATION_NS / 10), DURATION_NS);

        assertFalse(load.isKept());
    }

    @Test
    void shouldFindTheGreatestRate()
    {
        final OfferedLoad load = run(new Offer(SIZE, Offer.MAXIMUM, DURATION_NS / 10), 0);

        assertTrue(load.isKept());
        assertTrue(load.perSecond() > 0);
        assertEquals(0, load.lateShare());
    }

    private OfferedLoad run(final Offer offer, final long stallNs)
    {
        // The second process takes part until all has come.
        final Echo echo = new Echo(stallNs);
        final Thread starter = new Thread(this::enter);
        starter.start();
        first.begin(PeerKind.GRIM, new Cell(Benchmark.LATENCY, SIZE, true), spin);
        return loop.run(echo, offer, first, spin);
    }

    private void enter()
    {
        while (!second.hasNext())
        {
            Thread.onSpinWait();
        }
        second.entered();
    }

    /** Echoes with the next poll, but for one stall; and plays the second process's part. */
    private final class Echo implements Peer
    {
        private final ExpandableArrayBuffer last = new ExpandableArrayBuffer(SIZE);
        private final long stallNs;
        private boolean isFull;
        private long echoedCount;
        private long sum;

        Echo(final long stallNs)
        {
            this.stallNs = stallNs;
        }

        @Override
        public boolean trySend(final DirectBuffer source, final int offset, final int length)
        {
            if (isFull)
            {
                return false;
            }
            last.putBytes(0, source, offset, length);
            isFull = true;
            return true;
        }

        @Override
        public int poll()
        {
            if (!isFull)
            {
                if (second.isEnded(echoedCount))
                {
                    second.done(echoedCount, sum);
                }
                return 0;
            }
            if (echoedCount == 10)
            {
                stall();
            }
            isFull = false;
            echoedCount++;
            sum = Payload.fold(sum, last.getLong(0));
            loop.onMessage(last, 0, SIZE);
            return 1;
        }

        private void stall()
        {
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < stallNs)
            {
                Thread.onSpinWait();
            }
        }
    }
}
