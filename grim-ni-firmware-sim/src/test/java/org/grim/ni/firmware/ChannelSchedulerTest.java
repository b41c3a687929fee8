// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.grim.board.ChannelRegisters.WEIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ChannelSchedulerTest
{
    private static final int CHANNEL_COUNT = 130;
    private static final int QUANTUM_LENGTH = 1000;

    private final BoardGeometry geometry = new BoardGeometry(9, 0, 1024 * 1024, CHANNEL_COUNT, 4096, 1, 0, 0);
    private final AtomicBuffer sram = Buffers.allocate(1024 * 1024);
    private final ChannelRegisters[] registers = new ChannelRegisters[CHANNEL_COUNT];
    private final Doorbell doorbell;
    private final ChannelScheduler scheduler;

    ChannelSchedulerTest()
    {
        geometry.write(sram);
        Arrays.setAll(registers, channel -> new ChannelRegisters(sram, geometry, channel));
        for (final ChannelRegisters channel : registers)
        {
            channel.put(WEIGHT, 1).enableRelease();
        }
        doorbell = new Doorbell(sram, geometry);
        scheduler = new ChannelScheduler(geometry, doorbell, registers, QUANTUM_LENGTH, channel -> { });
    }

    /** After any number of messages, no channel is ahead of its share by more than one message and one turn. */
    @ParameterizedTest
    @CsvSource({"32, 32, 1, 1", "32, 900, 1, 1", "64, 3000, 1, 4", "1500, 700, 3, 2", "5000, 32, 1, 1",
        "1000, 700, 1000, 1", "65536, 1000, 1, 1000"})
    void shouldShareBytesByWeight(final int length, final int otherLength, final int weight, final int otherWeight)
    {
        final int[] channels = {3, 129};
        final int[] lengths = {length, otherLength};
        final int[] weights = {weight, otherWeight};
        final long[] sentLengths = new long[2];
        for (int i = 0; i < 2; i++)
        {
            registers[channels[i]].put(WEIGHT, weights[i]);
            scheduler.onReady(channels[i]);
        }

        for (int sentCount = 0; sentCount < 20_000; )
        {
            final int i = scheduler.current() == channels[0] ? 0 : 1;
            if (scheduler.affords(lengths[i]))
            {
                scheduler.charge(lengths[i]);
                sentLengths[i] += lengths[i];
                sentCount++;
                final long difference = Math.abs(sentLengths[0] / weights[0] - sentLengths[1] / weights[1]);
                assertTrue(difference <= QUANTUM_LENGTH + Math.max(length / weight, otherLength / otherWeight) + 2,
                    "ahead by " + difference);
            }
            else
            {
                scheduler.turn();
            }
        }
    }

    @Test
    void shouldNeverLookAtIdleChannels()
    {
        doorbell.ring(0);
        doorbell.ring(64);
        doorbell.ring(128);
        assertEquals(3, scheduler.takeDoorbells());

        final int[] lookCounts = new int[CHANNEL_COUNT];
        for (int i = 0; i < 300; i++)
        {
            lookCounts[scheduler.current()]++;
            scheduler.turn();
        }

        assertEquals(100, lookCounts[0]);
        assertEquals(100, lookCounts[64]);
        assertEquals(100, lookCounts[128]);
    }

    @Test
    void shouldForgetAChannelThatHasNoMoreAndItsDeficit()
    {
        scheduler.onReady(7);
        assertEquals(7, scheduler.current());

        scheduler.idle();

        assertEquals(ChannelScheduler.NONE, scheduler.current());
        scheduler.onReady(7);
        assertEquals(7, scheduler.current());
        assertTrue(scheduler.affords(QUANTUM_LENGTH) && !scheduler.affords(QUANTUM_LENGTH + 1));
    }

    @Test
    void shouldIgnoreBellsOfChannelsThatAreNotEnabled()
    {
        registers[5].disableRelease();
        doorbell.ring(5);

        assertEquals(0, scheduler.takeDoorbells());
        assertEquals(ChannelScheduler.NONE, scheduler.current());
    }
}
