// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.Firmware;
import org.grim.board.SleepBell;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueues;

/**
 * Runs the firmware in the duty cycles of this process: each loop that polls one of its channels steps it when a word
 * shows work, and so does each sender after it has published.
 * <p>Thread: any; only one steps at a time, and who comes second goes on without.
 */
final class DutyCycleRunner implements BoardRunner
{
    private static final int STEP_LIMIT = 4;

    private final Firmware firmware;
    private final SleepBell bell;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final List<FirmwareWords> loops = new CopyOnWriteArrayList<>();
    private final BitSet channelsAwake = new BitSet();
    private final AtomicBuffer leftOver = Buffers.allocate(Buffers.CACHE_LINE_LENGTH);
    private volatile boolean isClosed;

    DutyCycleRunner(final Firmware firmware, final AtomicBuffer sram)
    {
        this.firmware = firmware;
        bell = SleepBell.ofBoard(sram);
    }

    @Override
    public void onPublished()
    {
        if (tryTake())
        {
            try
            {
                stepHere();
            }
            finally
            {
                giveBack();
            }
        }
    }

    @Override
    public int step()
    {
        if (!tryTake())
        {
            return 0;
        }
        try
        {
            return stepHere();
        }
        finally
        {
            giveBack();
        }
    }

    @Override
    public void advance()
    {
        if (tryTake())
        {
            try
            {
                firmware.housekeep();
                stepHere();
            }
            finally
            {
                giveBack();
            }
        }
    }

    /** Waits for the thread that steps the firmware at this moment, which is bounded. */
    @Override
    public void attach(final ArrivalQueues queues, final ChannelArrivals arrivals)
    {
        if (!take())
        {
            return;                     // The node leaves.
        }
        try
        {
            FirmwareWords words = find(queues);
            if (words == null)
            {
                words = new FirmwareWords(queues, firmware, this);
                words.follow();
                loops.add(words);
            }
            words.add(arrivals);
        }
        finally
        {
            giveBack();
        }
    }

    @Override
    public int housekeep(final ArrivalQueues queues)
    {
        if (!tryTake())
        {
            return 0;
        }
        try
        {
            final int workCount = firmware.housekeep();
            stepHere();
            find(queues).follow();
            if (isCurrentEverywhere())
            {
                firmware.wordsSeen();
            }
            return workCount;
        }
        finally
        {
            giveBack();
        }
    }

    @Override
    public synchronized void asleep(final int channel, final int newBell)
    {
        if (isClosed)
        {
            return;
        }
        channelsAwake.set(channel, newBell < 0);
        final int bellIfAllSleep = channelsAwake.isEmpty() ? newBell : SleepBell.AWAKE;
        bell.bell(bellIfAllSleep);
        firmware.asleep(bellIfAllSleep);
    }

    /** Waits for the thread that steps the firmware at this moment; nobody steps it afterwards. */
    @Override
    public synchronized void close()
    {
        if (take())
        {
            isClosed = true;            // It stays taken.
            firmware.close();
        }
    }

    /**
     * Steps the firmware for a loop that saw a word change. If another thread is inside, the loop looks again with its
     * next poll.
     */
    void step(final FirmwareWords words)
    {
        if (tryTake())
        {
            try
            {
                // An answer often stands before a message: so more than one step, until something has arrived.
                int stepCount = 0;
                while (stepHere() > 0 && stepCount < STEP_LIMIT && !words.hasArrivals())
                {
                    stepCount++;
                }
                words.follow();
            }
            finally
            {
                giveBack();
            }
        }
    }

    /** Where a word stands that is not 0 while the firmware has something left over. */
    long leftOverAddress()
    {
        return leftOver.addressOffset();
    }

    /** False if the firmware is closed. */
    private boolean take()
    {
        while (!isClosed)
        {
            if (tryTake())
            {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private int stepHere()
    {
        final int workCount = firmware.step();
        leftOver.putIntRelease(0, firmware.isBusy() ? 1 : 0);            // partner: the loops' polls
        return workCount;
    }

    private boolean isCurrentEverywhere()
    {
        for (final FirmwareWords words : loops)
        {
            if (!words.isCurrent())
            {
                return false;
            }
        }
        return true;
    }

    private FirmwareWords find(final ArrivalQueues queues)
    {
        for (final FirmwareWords words : loops)
        {
            if (words.queues() == queues)
            {
                return words;
            }
        }
        return null;
    }

    private boolean tryTake()
    {
        return isTaken.compareAndSet(false, true);
    }

    private void giveBack()
    {
        isTaken.set(false);
    }
}
