// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;

/**
 * The doorbell of a board: a host moves its channel's back and rings, the firmware takes the bells and reads the back.
 * The first number says whether the firmware saw the message, the second whether a bell is left for its next step.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The firmware took the bell and saw the message")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The firmware came first, and will come again")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The firmware saw the message before its bell")
@Outcome(expect = Expect.FORBIDDEN, desc = "The bell was taken and the message not seen: it waits for ever")
@State
public class DoorbellStress
{
    private static final int SRAM_LENGTH = 64 * 1024;
    private static final int QUEUE_LENGTH = 1024;
    private static final int USED_LENGTH = 1024;
    private static final int BACK = 64;
    private static final BoardGeometry GEOMETRY = new BoardGeometry(9, 0, SRAM_LENGTH, 1, QUEUE_LENGTH, 1, 0, 0);

    /** As much of the SRAM as is used: header, doorbell, registers. */
    private final AtomicBuffer sram = Buffers.allocate(USED_LENGTH);
    private final ChannelRegisters registers = new ChannelRegisters(sram, GEOMETRY, 0);
    private final Doorbell hostBell = new Doorbell(sram, GEOMETRY);
    private final Doorbell boardBell = new Doorbell(sram, GEOMETRY);
    private final long[] ready = new long[Doorbell.WORD_COUNT];

    @Actor
    public void append()
    {
        registers.backAndFilledRelease(BACK, 0);
        hostBell.ring(0);
    }

    @Actor
    public void step(final II_Result result)
    {
        boardBell.take(ready);
        result.r1 = ChannelRegisters.back(registers.getAcquire(BACK_AND_FILLED)) == BACK ? 1 : 0;
    }

    @Arbiter
    public void look(final II_Result result)
    {
        result.r2 = boardBell.isRung() ? 1 : 0;
    }
}
