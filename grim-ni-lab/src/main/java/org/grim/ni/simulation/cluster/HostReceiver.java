// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.ni.clock.Event;
import org.grim.ni.simulation.check.ViolationException;
import org.grim.ni.simulation.scenario.Probe;

import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;

/**
 * A host's receiving half of one channel: looks at its arrival queue some time after something came, and reads what
 * stands there.
 * <p>Thread: the simulation's.
 */
final class HostReceiver extends Event
{
    private static final int READ_LIMIT = 16;

    private final int ni;
    private final int channel;
    private final AtomicBuffer region;
    private final ChannelRegisters registers;
    private final Run run;
    private final long delayNs;
    private ArrivalReader reader;
    private int lastIndex = -1;
    private int stopCount;

    HostReceiver(
        final int ni, final int channel, final AtomicBuffer region, final ChannelRegisters registers,
        final Run run, final long delayNs)
    {
        this.ni = ni;
        this.channel = channel;
        this.region = region;
        this.registers = registers;
        this.run = run;
        this.delayNs = delayNs;
        reader = ArrivalReader.of(region, registers);
    }

    /** Something may have come. */
    void wake()
    {
        if (!isScheduled() && stopCount == 0 && reader.hasMessage())
        {
            run.clock().schedule(this, run.clock().nowNs() + delayNs);
        }
        checkReader();
    }

    void stop()
    {
        stopCount++;
        run.clock().cancel(this);
    }

    void resume()
    {
        stopCount--;
        wake();
    }

    /** A new process takes the queue over where the registers say that the old one ended. */
    void restart()
    {
        reader = ArrivalReader.of(region, registers);
        wake();
    }

    boolean hasUnread()
    {
        return reader.hasMessage();
    }

    @Override
    protected void run()
    {
        for (int i = 0; i < READ_LIMIT && reader.hasMessage(); i++)
        {
            final int index = reader.index();
            run.canary().onDelivery(region, index, reader.length());
            run.ledger().delivered(ni, channel, region, index, reader.length());
            if (index < lastIndex)
            {
                run.trace().reach(Probe.ARRIVAL_WRAPPED);
            }
            lastIndex = index;
            reader.release();
        }
        run.trace().reach(registers.get(ARRIVAL_MODE) == ChannelRegisters.ARRIVAL_TAIL_FLAG ? Probe.TAIL_FLAG_ARRIVAL :
            Probe.POINTER_ARRIVAL);
        wake();
    }

    private void checkReader()
    {
        if (reader.isCorrupt())
        {
            throw new ViolationException("arrival queue", "NI " + ni + " channel " + channel + " is corrupt, length " +
                reader.length());
        }
    }
}
