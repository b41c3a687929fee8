// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.function.BooleanSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.buffer.Buffers;
import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;
import org.grim.ni.memory.RefuseReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hosts come and go while the firmware runs. */
final class ChannelStatesTest
{
    private static final int TAIL_FLAG = ChannelRegisters.ARRIVAL_TAIL_FLAG;

    private final Bench bench = new Bench(Guards.ALL, Bench.CONFIG, 2, 3);

    @Test
    void shouldDiscardWhatWasNotTakenAndSettleWhatIsInFlight()
    {
        bench.send(0, 1);
        bench.settle();
        final BoardRig rig = bench.rigs[0];
        stoppedAfter(bench, () -> rig.program.delivery().inFlightCount() < 3);

        rig.registers[0].disableRelease();
        rig.program.drain(0, 1);
        final boolean isDrainedBefore = rig.program.isDrained(0, 1);
        bench.settle();

        assertFalse(isDrainedBefore, "messages are in flight");
        assertTrue(rig.program.isDrained(0, 1));
        assertNull(bench.problem());
        final long undelivered = bench.sent.stream().filter(message -> message.outcome == Outcome.UNDELIVERED).count();
        assertTrue(undelivered > 0);
        assertEquals(undelivered, rig.registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertEquals(rig.registers[0].get(NEXT), rig.registers[0].get(FRONT));
        assertEquals(0, rig.program.delivery().inFlightCount());
    }

    @Test
    void shouldDiscardAMessageThatItsHostNeverCompleted()
    {
        bench.send(0, 1);
        bench.settle();
        final BoardRig rig = bench.rigs[0];
        final int index = rig.appenders[0].beginSegments(32 + 1000);
        bench.account(0, rig.appenders[0].position(), new Bench.Sent(0, 0, 1, 0));
        rig.write(index, 0, 1, 0, 1, 1000);
        rig.appenders[0].fill(64);
        bench.run(20);

        rig.program.drain(0, 1);
        bench.run(20);

        assertTrue(rig.program.isDrained(0, 1));
        assertEquals(1, rig.registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertNull(bench.problem());
        assertEquals(ChannelRegisters.STATUS_RUNNING, rig.registers[0].getAcquire(STATUS));
    }

    /** The next host of a channel sends and receives as if it were the first; nothing of the first one reaches it. */
    @ParameterizedTest
    @ValueSource(ints = {TAIL_FLAG, ChannelRegisters.ARRIVAL_QUEUE_POINTER})
    void shouldGiveAChannelToOneHostAfterAnother(final int mode)
    {
        final BoardRig far = bench.rigs[1];
        for (int life = 0; life < 5; life++)
        {
            for (int i = 0; i < 40; i++)
            {
                bench.send(0, 1);
                bench.send(1, 0);
            }
            bench.run(life * 37);
            far.registers[0].disableRelease();
            far.program.drain(0, 1);
            for (int i = 0; i < 1000 && !far.program.isDrained(0, 1); i++)
            {
                bench.pass(10_000);
            }
            assertTrue(far.program.isDrained(0, 1));
            far.program.reset(0, 0, 1);
            far.hostMemory.attach(0, null);
            bench.pass(10_000_000);
            far.region.setMemory(0, BoardRig.CHANNEL_SPACE, (byte)0);
            far.hostMemory.attach(0, far.region);
            far.enable(0, life % 2 == 0 ? mode : TAIL_FLAG, 2 << life % 3);
        }
        bench.settle();
        final int last = bench.send(0, 1);
        final int answer = bench.send(1, 0);
        bench.settle();

        assertEquals(Outcome.ACKNOWLEDGED, bench.sent.get(last).outcome);
        assertEquals(Outcome.ACKNOWLEDGED, bench.sent.get(answer).outcome);
        assertTrue(far.received.contains(last));
        assertEquals(0, bench.rigs[0].program.delivery().inFlightCount());
        assertEquals(0, far.program.delivery().inFlightCount());
    }

    @Test
    void shouldRefuseForGoodWhatComesForAChannelThatIsNotEnabled()
    {
        bench.rigs[1].registers[1].disableRelease();
        bench.send(0, 0, 1, 1, 8);
        bench.send(0, 0, 1, 0, 8);
        bench.settle();

        assertEquals(Outcome.REFUSED, bench.sent.get(0).outcome);
        assertEquals(Outcome.ACKNOWLEDGED, bench.sent.get(1).outcome);
        assertEquals(1, bench.rigs[1].program.refuseCount(RefuseReason.CHANNEL_CLOSED));
    }

    @Test
    void shouldRefuseForGoodWhatComesForADrainedChannel()
    {
        bench.rigs[1].program.drain(1, 1);
        bench.send(0, 0, 1, 1, 8);
        bench.settle();

        assertEquals(Outcome.REFUSED, bench.sent.get(0).outcome);
        assertEquals(1, bench.rigs[1].program.refuseCount(RefuseReason.CHANNEL_CLOSED));
    }

    @Test
    void shouldRefuseForGoodWhatIsForAnotherOwner()
    {
        bench.rigs[1].registers[1].put(OWNER_ADDRESS, 0x7F1);
        bench.send(0, 0, 1, 1, 8);
        bench.send(0, 0, 1, 0, 8);
        bench.settle();

        assertEquals(Outcome.REFUSED, bench.sent.get(0).outcome);
        assertEquals(Outcome.ACKNOWLEDGED, bench.sent.get(1).outcome);
        assertEquals(1, bench.rigs[1].program.refuseCount(RefuseReason.WRONG_OWNER));
    }

    @Test
    void shouldNotResetWhatIsInUse()
    {
        bench.send(0, 1);
        bench.settle();
        stoppedAfter(bench, () -> bench.rigs[0].program.delivery().inFlightCount() < 1);

        assertThrows(IllegalStateException.class, () -> bench.rigs[0].program.reset(0, 0, 1));
    }

    @Test
    void shouldServeAContextThatIsAttachedLater()
    {
        final AtomicBuffer region = Buffers.allocate(bench.rigs[1].region.capacity());
        bench.rigs[1].hostMemory.attach(0, null);
        bench.send(0, 1);
        bench.settle();
        bench.rigs[1].hostMemory.attach(0, region);
        bench.rigs[1].hostMemory.attach(0, bench.rigs[1].region);
        bench.send(0, 1);
        bench.settle();

        assertEquals(Outcome.REFUSED, bench.sent.get(0).outcome);
        assertEquals(1, bench.rigs[1].program.refuseCount(RefuseReason.NO_CONTEXT));
        assertEquals(Outcome.ACKNOWLEDGED, bench.sent.get(1).outcome);
    }

    /** Sends more than can be under way, and steps the sender's board alone while a condition holds. */
    private static void stoppedAfter(final Bench bench, final BooleanSupplier isEarly)
    {
        for (int i = 0; i < 200; i++)
        {
            bench.send(0, 1);
        }
        for (int i = 0; i < 1000 && isEarly.getAsBoolean(); i++)
        {
            bench.rigs[0].program.step();
        }
    }
}
