// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.StopReason;
import org.grim.ni.board.HostMemory;
import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;
import org.grim.ni.memory.RefuseReason;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Forbidden words of a host are refused and counted, and end its channel; the others go on. */
final class HostileHostTest
{
    private static final int HOSTILE = 1;

    private Bench bench;
    private BoardRig rig;

    @BeforeEach
    void start()
    {
        bench = new Bench(Guards.ALL, Bench.CONFIG, 2, 2);
        rig = bench.rigs[0];
        bench.settle();
    }

    @ParameterizedTest
    @CsvSource({"16, 1", "17, 1", "0, 0", "0, 77"})
    void shouldStopAChannelThatSpeaksForAnother(final int sourceAddress, final int sourceChannel)
    {
        put(sourceAddress, sourceChannel, 8);
        rig.appenders[HOSTILE].publish();
        put(0, HOSTILE, 8);
        rig.appenders[HOSTILE].publish();

        assertOthersGoOn();
        assertEquals(StopReason.BAD_HEADER.code(), rig.registers[HOSTILE].getAcquire(STATUS));
        assertEquals(1, rig.registers[HOSTILE].getAcquire(UNDELIVERED));
        assertEquals(0, bench.rigs[1].registers[HOSTILE].getAcquire(DELIVERED));
    }

    @ParameterizedTest
    @ValueSource(ints = {12, Bench.QUEUE_LENGTH, 65_504})
    void shouldStopAChannelWhoseMessageIsLongerThanWhatItPublished(final int payloadLength)
    {
        put(0, HOSTILE, 8);
        final MessageHeader header = new MessageHeader().wrap(rig.sram, rig.geometry.queueOffset(HOSTILE));
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, 0), 16, MessageHeader.routeWord(HOSTILE, HOSTILE),
            7, payloadLength, 0, 0);
        rig.appenders[HOSTILE].publish();

        assertOthersGoOn();
        assertEquals(StopReason.BAD_HEADER.code(), rig.registers[HOSTILE].getAcquire(STATUS));
        assertEquals(0, bench.rigs[1].registers[HOSTILE].getAcquire(DELIVERED));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStopAChannelWhoseArrivalQueueIsNotItsContexts(final boolean isPointer)
    {
        final ChannelRegisters registers = bench.rigs[1].registers[HOSTILE];
        registers.disableRelease();
        if (isPointer)
        {
            registers.put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_QUEUE_POINTER)
                .put(POINTER_ADDRESS, HostMemory.address(1, 0));
        }
        else
        {
            registers.put(ARRIVAL_ADDRESS, HostMemory.address(0, bench.rigs[1].region.capacity() - 64));
        }
        registers.enableRelease();
        bench.send(0, HOSTILE, 1, HOSTILE, 8);

        bench.receivingChannelCount = HOSTILE;
        bench.settle();
        assertEquals(Outcome.REFUSED, bench.sent.get(0).outcome);
        assertOthersGoOn();
        assertEquals(StopReason.BAD_ARRIVAL_QUEUE.code(), registers.getAcquire(STATUS));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0, 64", "0, 1000000000, 0, 64", "0, 0, 1, 64"})
    void shouldRefuseWritesToWhatIsNotTheContexts(
        final int context, final long offset, final int notificationContext, final long notificationOffset)
    {
        final int index = rig.appenders[HOSTILE].claim(MessageHeader.LENGTH + 16);
        final MessageHeader header = new MessageHeader().wrap(rig.sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.REMOTE_WRITE_PHYSICAL, 0), 16,
            MessageHeader.routeWord(HOSTILE, HOSTILE), 0, 16, HostMemory.address(context, offset),
            HostMemory.address(notificationContext, notificationOffset));
        rig.sram.putInt(index + MessageHeader.LENGTH, 1, java.nio.ByteOrder.BIG_ENDIAN);
        rig.sram.putInt(index + MessageHeader.LENGTH + 4, 8, java.nio.ByteOrder.BIG_ENDIAN);
        rig.appenders[HOSTILE].publish();

        assertOthersGoOn();
        assertEquals(1, rig.registers[HOSTILE].getAcquire(ChannelRegisters.REFUSED));
        assertEquals(1, bench.rigs[1].program.refuseCount(RefuseReason.OUT_OF_RANGE));
    }

    /** Bells for channels that do not exist, or are not enabled, wake nobody. */
    @Test
    void shouldIgnoreBellsOfChannelsThatAreNotEnabled()
    {
        rig.registers[HOSTILE].disableRelease();
        put(0, HOSTILE, 8);
        rig.appenders[HOSTILE].publish();
        new Doorbell(rig.sram, rig.geometry).ring(HOSTILE);

        assertOthersGoOn();
        assertEquals(0, rig.registers[HOSTILE].get(NEXT));
    }

    private void put(final int sourceAddress, final int sourceChannel, final int payloadLength)
    {
        final int index = rig.appenders[HOSTILE].claim(MessageHeader.LENGTH + payloadLength);
        final MessageHeader header = new MessageHeader().wrap(rig.sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, sourceAddress), 16,
            MessageHeader.routeWord(sourceChannel, HOSTILE), 7, payloadLength, 0, 0);
    }

    private void assertOthersGoOn()
    {
        final int before = bench.sent.size();
        for (int i = 0; i < 20; i++)
        {
            bench.send(0, 1);
            bench.send(1, 0);
        }
        bench.settle();
        assertTrue(bench.sent.subList(before, bench.sent.size()).stream()
            .allMatch(message -> message.outcome == Outcome.ACKNOWLEDGED));
    }
}
