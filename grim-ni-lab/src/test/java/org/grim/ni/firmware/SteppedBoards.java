// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.board.ChannelRegisters;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.fabric.DirectFabric;
import org.grim.ni.guard.Guards;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Boards on a fabric without time, stepped by hand. */
abstract class SteppedBoards
{
    static final int QUEUE_LENGTH = 16 * 1024;
    static final int TAIL_FLAG = ChannelRegisters.ARRIVAL_TAIL_FLAG;

    final long[] nowNs = new long[1];
    final List<Outcome> outcomes = new ArrayList<>();
    final NiListener listener = new NiListener()
    {
        @Override
        public void onSettled(final int channel, final int position, final Outcome outcome)
        {
            outcomes.add(outcome);
        }
    };
    FirmwareConfig config = FirmwareConfig.DEFAULT.with(values -> values.hasReplyChannel = false);
    BoardRig[] rigs;

    final void run(final int stepCount)
    {
        for (int i = 0; i < stepCount; i++)
        {
            step();
        }
    }

    final void start(final int niCount, final int channelCount, final int frameCount, final int mode)
    {
        final DirectFabric fabric = new DirectFabric(niCount, 4, 70_000);
        rigs = new BoardRig[niCount];
        for (int ni = 0; ni < niCount; ni++)
        {
            rigs[ni] = new BoardRig(ni, niCount, channelCount, QUEUE_LENGTH, fabric.wire(ni), nowNs, listener);
            for (int channel = 0; channel < channelCount; channel++)
            {
                rigs[ni].enable(channel, mode, frameCount);
            }
            rigs[ni].start(1, config, Guards.ALL);
        }
    }

    final int stepOnce()
    {
        int workCount = 0;
        for (final BoardRig rig : rigs)
        {
            workCount += rig.program == null ? 0 : rig.program.step();
        }
        return workCount;
    }

    final void step()
    {
        nowNs[0] += 100;
        stepOnce();
    }

    final void stepAll()
    {
        for (int i = 0; i < 1000 && stepOnce() > 0; i++)
        {
            nowNs[0] += 100;
        }
    }

    /** Lets all hosts receive and time pass until nothing moves any more. */
    final void settle()
    {
        for (int quiet = 0, i = 0; quiet < 100; i++)
        {
            assertTrue(i < 100_000, "does not come to rest");
            int workCount = stepOnce();
            long nextNs = Long.MAX_VALUE;
            for (final BoardRig rig : rigs)
            {
                for (int channel = 0; channel < rig.readers.length; channel++)
                {
                    workCount += rig.receive(channel, 100);
                }
                nextNs = rig.program == null ? nextNs : Math.min(nextNs, rig.program.nextDeadlineNs());
            }
            quiet = workCount == 0 ? quiet + 1 : 0;
            nowNs[0] = workCount == 0 && nextNs != Long.MAX_VALUE ? Math.max(nowNs[0], nextNs) : nowNs[0] + 100;
        }
    }

    static List<Integer> numbers(final int count)
    {
        return IntStream.range(0, count).boxed().toList();
    }
}
