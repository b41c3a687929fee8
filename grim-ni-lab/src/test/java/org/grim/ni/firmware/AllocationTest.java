// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.Allocation;
import org.grim.board.ChannelRegisters;
import org.grim.ni.event.NiListener;
import org.grim.ni.fabric.DirectFabric;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The control program allocates nothing once its peers and triples are known, also while it is refused and retries. */
@Timeout(180)
final class AllocationTest
{
    private static final int WARM_UP_COUNT = 100_000;
    private static final int MESSAGE_COUNT = 200_000;
    private static final int ROUNDS_OF_A_STOPPED_HOST = 64;

    private final long[] nowNs = new long[1];
    private BoardRig near;
    private BoardRig far;
    private long receivedCount;

    @Test
    void shouldAllocateNothingPerMessage()
    {
        final DirectFabric fabric = new DirectFabric(2, 4, 70_000);
        near = new BoardRig(0, 2, 2, 16 * 1024, fabric.wire(0), nowNs, NiListener.NONE);
        far = new BoardRig(1, 2, 2, 16 * 1024, fabric.wire(1), nowNs, NiListener.NONE);
        near.enable(0, ChannelRegisters.ARRIVAL_TAIL_FLAG, 4);
        far.enable(0, ChannelRegisters.ARRIVAL_TAIL_FLAG, 4);
        far.enable(1, ChannelRegisters.ARRIVAL_QUEUE_POINTER, 4);
        near.start(1, FirmwareConfig.DEFAULT, Guards.ALL);
        far.start(1, FirmwareConfig.DEFAULT, Guards.ALL);
        final long least = Allocation.least(() -> run(WARM_UP_COUNT), () -> run(MESSAGE_COUNT));

        assertEquals(0, least);
        assertTrue(far.program.dropCount(org.grim.ni.event.DropReason.NO_ROOM) > 0, "was never refused");
    }

    private void run(final int count)
    {
        final long end = receivedCount + count;
        for (int round = 0, number = 0; receivedCount < end; round++)
        {
            number += near.send(0, 1, number & 1, 0, 64) ? 1 : 0;
            near.program.step();
            far.program.step();
            nowNs[0] += 100;
            if (round / ROUNDS_OF_A_STOPPED_HOST % 2 == 0)
            {
                receive(0);
                receive(1);
            }
        }
    }

    private void receive(final int channel)
    {
        while (far.readers[channel].hasMessage())
        {
            far.readers[channel].release();
            receivedCount++;
        }
    }
}
