// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.concurrent.TimeUnit;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.board.Firmware;
import org.grim.buffer.Uninterrupted;
import org.grim.thread.WorkThread;
import org.grim.transport.ArrivalQueues;

/**
 * Runs the firmware on a thread of this process. While the board is silent for long it looks every half millisecond.
 * <p>Thread: any for the methods; the firmware has one of its own.
 */
final class ThreadRunner implements BoardRunner
{
    private static final int SPIN_COUNT = 1_000;
    private static final int YIELD_COUNT = 200;
    private static final long PARK_NS_MIN = 1_000;
    private static final long PARK_NS_MAX = 500_000;
    private static final long HOUSEKEEPING_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int STEPS_PER_CLOCK = 256;

    private final Thread thread;
    private volatile boolean isStopped;

    ThreadRunner(final Firmware firmware, final String name, final ErrorHandler errorHandler)
    {
        thread = WorkThread.of(name, new FirmwareWork(firmware), errorHandler);
        thread.start();
    }

    @Override
    public void onPublished()
    {
        // The thread looks at the doorbell.
    }

    @Override
    public int step()
    {
        return 0;
    }

    @Override
    public void advance()
    {
        Thread.onSpinWait();
    }

    @Override
    public void attach(final ArrivalQueues queues, final ChannelArrivals arrivals)
    {
        queues.add(arrivals);
    }

    @Override
    public int housekeep(final ArrivalQueues queues)
    {
        return 0;
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        // The thread delivers while the loop sleeps, and rings.
    }

    /** Stops the thread, which closes the firmware. */
    @Override
    public void close()
    {
        isStopped = true;
        Uninterrupted.join(thread);
    }

    private static IdleStrategy idleStrategy()
    {
        return new BackoffIdleStrategy(SPIN_COUNT, YIELD_COUNT, PARK_NS_MIN, PARK_NS_MAX);
    }

    /** The firmware's duty cycle. */
    private final class FirmwareWork implements WorkThread.Work
    {
        private final Firmware firmware;
        private final IdleStrategy idleStrategy = idleStrategy();
        private long housekeepingDeadlineNs = System.nanoTime();
        private int credit;

        FirmwareWork(final Firmware firmware)
        {
            this.firmware = firmware;
        }

        @Override
        public boolean isOver()
        {
            return isStopped;
        }

        @Override
        public void step()
        {
            idleStrategy.idle(doWork());
        }

        private int doWork()
        {
            final int workCount = firmware.step();
            credit--;
            if (credit < 0 || workCount == 0)
            {
                credit = STEPS_PER_CLOCK;
                return workCount + housekeepIfDue() + (firmware.isBusy() ? 1 : 0);
            }
            return workCount;
        }

        @Override
        public void release()
        {
            firmware.close();
        }

        private int housekeepIfDue()
        {
            final long nowNs = System.nanoTime();
            if (housekeepingDeadlineNs - nowNs > 0)
            {
                return 0;
            }
            housekeepingDeadlineNs = nowNs + HOUSEKEEPING_INTERVAL_NS;
            final int workCount = firmware.housekeep();
            firmware.wordsSeen();               // Nobody looks at them: this thread asks the firmware itself.
            return workCount;
        }
    }
}
